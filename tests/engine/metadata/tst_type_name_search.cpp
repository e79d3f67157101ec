// SPDX-License-Identifier: MIT
#include "metadata/names/parsed_type_name.h"

#include <gtest/gtest.h>

namespace heapscape::engine {
namespace {

constexpr const char* kList = "System.Collections.Generic.List<System.Int32>";

bool names(const char* text, const char* typeName) {
  return TypeNameSearch(text).isNameOf(typeName);
}

TEST(TypeNameSearch, TakesNamesAsTheRuntimeCSharpAndDotNetWriteThem) {
  for (const char* text : {kList, "List<int>", "List<System.Int32>", "Generic.List<int>",
                           "System.Collections.Generic.List`1[System.Int32]",
                           "System.Collections.Generic.List`1[[System.Int32, System.Private.CoreLib, Version=8.0.0.0]]",
                           "System.Collections.Generic.List`1[[System.Int32, A]], System.Private.CoreLib"})
    EXPECT_TRUE(names(text, kList)) << text;
  for (const char* text : {"List<long>", "Other.List<int>", "ist<int>", "List", ""})
    EXPECT_FALSE(names(text, kList)) << text;
}

TEST(TypeNameSearch, TakesNestedTypesWithAPointOrAPlus) {
  for (const char* text : {"N.Outer+Inner", "N.Outer.Inner", "Outer.Inner", "Outer+Inner", "Inner"})
    EXPECT_TRUE(names(text, "N.Outer+Inner")) << text;
  EXPECT_TRUE(names("N.Outer<int>.Inner", "N.Outer<System.Int32>+Inner"));
  EXPECT_FALSE(names("Order", "Shop.SubOrder"));
}

TEST(TypeNameSearch, TakesWordsOfCSharp) {
  EXPECT_TRUE(names("int?", "System.Nullable<System.Int32>"));
  EXPECT_FALSE(names("int?", "System.Nullable<System.Byte>"));
  EXPECT_TRUE(names("System.Nullable<int>", "System.Nullable<System.Int32>"));
  EXPECT_FALSE(names("System.Nullable<int>", "System.Nullable<System.Byte>"));
  EXPECT_TRUE(names("int?[]", "System.Nullable<System.Int32>[]"));
  EXPECT_FALSE(names("int?[]", "System.Nullable<System.Byte>[]"));
  EXPECT_TRUE(names("string[]", "System.String[]"));
  EXPECT_TRUE(names("(int, string)", "System.ValueTuple<System.Int32, System.String>"));
  EXPECT_TRUE(
      names("Dictionary<string, List<Order>>",
            "System.Collections.Generic.Dictionary<System.String, System.Collections.Generic.List<Shop.Order>>"));
}

TEST(TypeNameSearch, TakesEscapedCommas) {
  EXPECT_TRUE(names("N.<Map<A\\,B>-get>d__14", "N.<Map<A,B>-get>d__14"));
}

TEST(TypeNameSearch, IsHeldByNamesWithTheText) {
  EXPECT_TRUE(TypeNameSearch("eneric.Li").isHeldBy(kList));
  EXPECT_TRUE(TypeNameSearch("List<int>").isHeldBy(kList));
  EXPECT_FALSE(TypeNameSearch("Queue").isHeldBy(kList));
}

}  // namespace
}  // namespace heapscape::engine
