// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "metadata/names/async_method_name.h"

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
  EXPECT_EQ(asyncMethodName("Shop.P+<"), "Shop.P.");
  EXPECT_EQ(asyncMethodName("Strange"), "Strange");
}

}  // namespace
}  // namespace heapscape::engine
