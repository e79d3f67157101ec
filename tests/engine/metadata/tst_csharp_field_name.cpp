// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "metadata/names/generated_names.h"

namespace heapscape::engine {
namespace {

TEST(CSharpFieldName, IsTheNameInTheSource) {
  EXPECT_EQ(csharpFieldName("orders"), "orders");
  EXPECT_EQ(csharpFieldName("<Name>k__BackingField"), "Name");
  EXPECT_EQ(csharpFieldName("<Shop.IBox<System.String>.Content>k__BackingField"), "Content");
  EXPECT_EQ(csharpFieldName("<>4__this"), "this");
  EXPECT_EQ(csharpFieldName("<>2__current"), "Current");
  EXPECT_EQ(csharpFieldName("<>3__to"), "to");
  EXPECT_EQ(csharpFieldName("<local>5__2"), "local");
  EXPECT_EQ(csharpFieldName("<title>P"), "title");
  EXPECT_EQ(csharpFieldName("<Price>i__Field"), "Price");
  EXPECT_EQ(csharpFieldName("$VB$Local_text"), "text");
  EXPECT_EQ(csharpFieldName("Name@"), "Name");
}

TEST(CSharpFieldName, LeavesEverythingElse) {
  for (const char* name : {"", "<", ">", "<>", "@", "<>9__0_0", "<>u__1", "<>t__builder", "<a>b__0", "<x>5__",
                           "<x>5__a", "a<b>k__BackingField", "field#12", "CS$<>8__locals1"})
    EXPECT_EQ(csharpFieldName(name), name);
}

TEST(CapturedScope, IsAFieldWithoutANameInTheSource) {
  EXPECT_TRUE(isCapturedScope("CS$<>8__locals1"));
  EXPECT_TRUE(isCapturedScope("<>8__1"));
  for (const char* name : {"", "<>8__", "<>8__x", "<>7__wrap1", "locals1", "<>4__this"})
    EXPECT_FALSE(isCapturedScope(name)) << name;
}

}  // namespace
}  // namespace heapscape::engine
