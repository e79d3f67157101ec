// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "metadata/names/generated_names.h"

namespace heapscape::engine {
namespace {

TEST(AsyncMethods, AreNamedAsTheSourceHasThem) {
  EXPECT_EQ(asyncMethodName("Shop.Mailer+<SendAsync>d__3"), "Shop.Mailer.SendAsync");
  EXPECT_EQ(asyncMethodName("Shop.Mailer<System.Int32>+<SendAsync>d__3"), "Shop.Mailer<System.Int32>.SendAsync");
  EXPECT_EQ(asyncMethodName("Shop.Mailer<System.Int32>+<SendAsync>d__3<Shop.List<System.Byte>, System.String>"),
            "Shop.Mailer<System.Int32>.SendAsync<Shop.List<System.Byte>, System.String>");
  EXPECT_EQ(asyncMethodName("Shop.P+<<Main>g__Wait|6_1>d"), "Shop.P.Main.Wait");
  EXPECT_EQ(asyncMethodName("Shop.P+<<Main>g__Wait|6_1>d<System.Int32>"), "Shop.P.Main.Wait<System.Int32>");
  EXPECT_EQ(asyncMethodName("Shop.P+<>c+<<Main>b__0_0>d"), "Shop.P.Main (lambda)");
  EXPECT_EQ(asyncMethodName("Shop.P+<<Main>"), "Shop.P.Main");
  EXPECT_EQ(asyncMethodName("Shop.P+<<"), "Shop.P.");
  EXPECT_EQ(asyncMethodName("Shop.P+<"), "Shop.P.");
  EXPECT_EQ(asyncMethodName("Strange"), "Strange");
}

TEST(AsyncMethods, AreNamedAmongTopLevelStatements) {
  EXPECT_EQ(asyncMethodName("Program+<<Main>$>d__0"), "Program.Main");
  EXPECT_EQ(asyncMethodName("Program+<<<Main>$>g__Wait|0_16>d"), "Program.Main.Wait");
  EXPECT_EQ(asyncMethodName("Program+<<<Main>$>g__Wait|0_16>d<System.Int32>"), "Program.Main.Wait<System.Int32>");
  EXPECT_EQ(asyncMethodName("Program+<>c+<<<Main>$>b__0_0>d"), "Program.Main (lambda)");
  EXPECT_EQ(asyncMethodName("Program+<>c__DisplayClass0_1+<<<Main>$>b__3>d"), "Program.Main (lambda)");
}

TEST(AsyncMethods, AreNamedByTheInterfaceThatTheyImplement) {
  EXPECT_EQ(asyncMethodName("Shop.P+<Shop-IMailer<Shop-Letter>-SendAsync>d__1"),
            "Shop.P.Shop.IMailer<Shop.Letter>.SendAsync");
  EXPECT_EQ(asyncMethodName("Shop.P+<<Shop.IMailer<Shop.Letter>.SendAsync>g__Wait|1_0>d"),
            "Shop.P.Shop.IMailer<Shop.Letter>.SendAsync.Wait");
}

}  // namespace
}  // namespace heapscape::engine
