// SPDX-License-Identifier: MIT
#include "metadata/names/parsed_type_name.h"

#include <gtest/gtest.h>

#include <string>

namespace heapscape::engine {
namespace {

using Suffix = ParsedTypeName::Suffix;

/// The parts of a name as text: "DEFINITION(ARGUMENT;ARGUMENT)" and its suffixes.
std::string shown(const ParsedTypeName& name) {
  std::string text = name.isFunctionPointer ? "function" : name.definition;
  if (!name.arguments.empty()) {
    text += '(';
    for (const ParsedTypeName& argument : name.arguments) text += shown(argument) + ';';
    text.back() = ')';
  }
  for (const Suffix& suffix : name.suffixes) {
    text += '{' + std::to_string(static_cast<int>(suffix.element)) + ',' + std::to_string(suffix.rank) + '}';
  }
  return text;
}

std::string parsed(std::string_view name) {
  const auto result = parseTypeName(name);
  return result ? shown(*result) : "error";
}

TEST(ParsedTypeName, HasTheSameDefinitionInBothForms) {
  const std::string expected = "N.Outer`1+Inner`2(X;Y;N.Z)";
  EXPECT_EQ(parsed("N.Outer<X>+Inner<Y, N.Z>"), expected);
  EXPECT_EQ(parsed("N.Outer`1+Inner`2<X,Y,N.Z>"), expected);
}

TEST(ParsedTypeName, GivesAllArgumentsToTheTypeAroundOneWithoutItsOwn) {
  const std::string expected = "N.Map`2+Entry(X;N.List`1(Y))";
  EXPECT_EQ(parsed("N.Map<X, N.List<Y>>+Entry"), expected);
  EXPECT_EQ(parsed("N.Map`2+Entry<X,N.List`1<Y>>"), expected);
}

TEST(ParsedTypeName, LeavesTheCompilersBracketsInTheName) {
  EXPECT_EQ(parsed("N.Host`1+<>c__DisplayClass6_0<X>"), "N.Host`1+<>c__DisplayClass6_0(X)");
  EXPECT_EQ(parsed("N.Host<X>+<>c__DisplayClass6_0"), "N.Host`1+<>c__DisplayClass6_0(X)");
  EXPECT_EQ(parsed("<>f__AnonymousType0<X, Y>"), "<>f__AnonymousType0`2(X;Y)");
  EXPECT_EQ(parsed("<>f__AnonymousType0`2<X,Y>"), "<>f__AnonymousType0`2(X;Y)");
  EXPECT_EQ(parsed("N.Program+<<Main>g__Run|0_0>d"), "N.Program+<<Main>g__Run|0_0>d");
  EXPECT_EQ(parsed("N.List<N.Program+<Run>d__3>"), "N.List`1(N.Program+<Run>d__3)");
}

TEST(ParsedTypeName, KeepsTheOrderOfSuffixes) {
  EXPECT_EQ(parsed("System.Int32[,][]"), "System.Int32{20,2}{29,1}");
  EXPECT_EQ(parsed("System.Int32[*]"), "System.Int32{20,1}");
  EXPECT_EQ(parsed("System.Byte**&"), "System.Byte{15,0}{15,0}{16,0}");
}

TEST(ParsedTypeName, ReadsFunctionPointersInBothForms) {
  EXPECT_EQ(parsed("System.Int32 (System.Byte*, X)"), "function(System.Int32;System.Byte{15,0};X)");
  EXPECT_EQ(parsed("fnptr System.Int32(System.Byte*,X)"), "function(System.Int32;System.Byte{15,0};X)");
  EXPECT_EQ(parsed("fnptr X()[]"), "function(X){29,1}");
}

TEST(ParsedTypeName, RemembersWhatWasWrittenForTypesNamedWithoutArity) {
  const auto name = parseTypeName("N.Outer<X>+Inner<Y>");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->writtenDefinition, "N.Outer+Inner");
}

TEST(ParsedTypeName, ReadsWhatDotNetWrites) {
  EXPECT_EQ(parsed("N.List`1[System.Int32]"), "N.List`1(System.Int32)");
  EXPECT_EQ(parsed("N.Map`2[[X, A, Version=1.0.0.0, Culture=neutral],[N.List`1[[Y, B]], A]][]"),
            "N.Map`2(X;N.List`1(Y)){29,1}");
  EXPECT_EQ(parsed("N.Outer`1+Inner`1[X,Y]"), "N.Outer`1+Inner`1(X;Y)");
  EXPECT_EQ(parsed("N.List`1[X[,]][]"), "N.List`1(X{20,2}){29,1}");
  EXPECT_EQ(parsed("N.Order, Shop, Version=1.0.0.0"), "N.Order");
  EXPECT_EQ(parsed("N.<M<A\\,B>-get>d__1"), "N.<M<A,B>-get>d__1");
  EXPECT_EQ(parsed("N.Odd\\+Name"), "N.Odd+Name");
}

TEST(ParsedTypeName, ReadsWhatCSharpWrites) {
  EXPECT_EQ(parsed("Dictionary<string, int?>"), "Dictionary`2(System.String;System.Nullable`1(System.Int32))");
  EXPECT_EQ(parsed("N.Outer<X>.Inner"), "N.Outer`1+Inner(X)");
  EXPECT_EQ(parsed("int[]"), "System.Int32{29,1}");
}

TEST(ParsedTypeName, IsWrittenInTheRuntimesForm) {
  EXPECT_EQ(runtimeTypeName("N.Outer`1+Inner`1[[X, A],[System.Int32, B]]"), "N.Outer<X>+Inner<System.Int32>");
  EXPECT_EQ(runtimeTypeName("List<string>[]"), "List<System.String>[]");
  EXPECT_EQ(runtimeTypeName("N.List`1"), "N.List`1");
  EXPECT_EQ(runtimeTypeName("a part of <"), "a part of <");
}

TEST(ParsedTypeName, RefusesWhatIsNoName) {
  for (const std::string_view wrong : {"", "N.List<", "N.List<>", "N.List<X", "N.List<X>>", "X[", "X[1]", "X[]Y", "X(",
                                       "<x", ",", "N.List<,>", "*", "fnptr X", "(X)"}) {
    const auto result = parseTypeName(wrong);
    EXPECT_FALSE(result) << wrong;
    if (!result) {
      EXPECT_EQ(result.error().code, ErrorCode::BadQuery);
    }
  }
}

TEST(ParsedTypeName, RefusesNestingWithoutEnd) {
  std::string deep;
  for (int level = 0; level < 10'000; ++level) deep += "A<";
  EXPECT_EQ(parsed(deep), "error");
  EXPECT_EQ(parsed(deep + std::string(10'000, '>')), "error");
  EXPECT_EQ(parsed(std::string(1 << 20, 'A')), "error");
}

}  // namespace
}  // namespace heapscape::engine
