// SPDX-License-Identifier: MIT
#include <thread>

#include "base/limits.h"
#include "metadata_testing.h"

namespace heapscape::test {
namespace {

using engine::kLimits;
using engine::TableId;
using Builder = MetadataBuilder;

TEST(MetadataNames, JoinNestedTypes) {
  Builder builder;
  builder.addTypeDef("A.B", "Outer`1");
  builder.addTypeDef("", "Innermost");
  builder.addTypeDef("", "Middle");
  builder.addNested(3, 1);
  builder.addNested(2, 3);  // not sorted by the nested type, as it should be
  const auto metadata = parsed(builder);
  ASSERT_TRUE(metadata);
  EXPECT_EQ(metadata->enclosingTypeDef(2), 3u);
  EXPECT_EQ(metadata->enclosingTypeDef(1), 0u);
  EXPECT_EQ(metadata->typeDefName(1), "A.B.Outer`1");
  EXPECT_EQ(metadata->typeDefName(2), "A.B.Outer`1+Middle+Innermost");
}

TEST(MetadataNames, JoinNestedReferences) {
  Builder builder;
  builder.addTypeRef(Builder::coded(2, 2, 1), "System", "Environment");
  builder.addTypeRef(Builder::coded(3, 2, 1), "", "SpecialFolder");
  const auto metadata = parsed(builder);
  ASSERT_TRUE(metadata);
  EXPECT_EQ(metadata->typeRef(1)->scope, (engine::Token{TableId::AssemblyRef, 1}));
  EXPECT_EQ(metadata->typeRefName(2), "System.Environment+SpecialFolder");
}

TEST(MetadataNames, AreFound) {
  Builder builder;
  builder.addTypeDef("", "<Module>");
  builder.addTypeDef("A", "Same");
  builder.addTypeDef("A", "Same");
  builder.addTypeDef("", "Inner");
  builder.addNested(4, 2);
  const auto metadata = parsed(builder);
  ASSERT_TRUE(metadata);
  EXPECT_EQ(metadata->findTypeDef("A.Same"), 2u) << "the first of two";
  EXPECT_EQ(metadata->findTypeDef("A.Same+Inner"), 4u);
  EXPECT_EQ(metadata->findTypeDef("Inner"), 0u);
  EXPECT_EQ(metadata->findTypeDef(""), 0u);
}

TEST(MetadataNames, AreFoundFromManyThreadsAtOnce) {
  Builder builder;
  for (int number = 0; number < 500; ++number) builder.addTypeDef("N", "Type" + std::to_string(number));
  const auto metadata = parsed(builder);
  ASSERT_TRUE(metadata);
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] { EXPECT_EQ(metadata->findTypeDef("N.Type499"), 500u); });
  }
}

TEST(MetadataNames, OfACycleAreTheirOwnOnly) {
  Builder builder;
  builder.addTypeDef("A", "Hen");
  builder.addTypeDef("A", "Egg");
  builder.addTypeDef("A", "Self");
  builder.addNested(1, 2);
  builder.addNested(2, 1);
  builder.addNested(3, 3);
  builder.addTypeRef(Builder::coded(3, 2, 1), "B", "Loop");
  const auto metadata = parsed(builder);
  ASSERT_TRUE(metadata);
  EXPECT_EQ(metadata->typeDefName(1), "A.Hen");
  EXPECT_EQ(metadata->typeDefName(3), "A.Self");
  EXPECT_EQ(metadata->typeRefName(1), "B.Loop");
  EXPECT_EQ(metadata->findTypeDef("A.Egg"), 2u);
}

TEST(MetadataNames, FollowNestingToTheLimitOnly) {
  Builder builder;
  const auto depth = static_cast<std::uint32_t>(kLimits.nestingDepth);
  for (std::uint32_t row = 1; row <= depth + 1; ++row) builder.addTypeDef("", "T");
  for (std::uint32_t row = 2; row <= depth + 1; ++row) builder.addNested(row, row - 1);
  const auto metadata = parsed(builder);
  ASSERT_TRUE(metadata);
  EXPECT_EQ(metadata->typeDefName(depth).size(), 2 * depth - 1);
  EXPECT_EQ(metadata->typeDefName(depth + 1), "T");
}

TEST(MetadataNames, SurviveRowsOutsideTheTables) {
  Builder builder;
  builder.addTypeDef("A", "Lost");
  builder.addNested(1, 77);
  builder.addTypeRef(Builder::coded(3, 2, 99), "B", "Lost");
  const auto metadata = parsed(builder);
  ASSERT_TRUE(metadata);
  EXPECT_EQ(metadata->enclosingTypeDef(1), 0u);
  EXPECT_EQ(metadata->typeDefName(1), "A.Lost");
  EXPECT_EQ(metadata->typeRefName(1), "B.Lost");
}

TEST(MetadataNames, WithoutEndOrOutsideTheHeapAreEmpty) {
  Builder builder;
  const auto addNamedAt = [&](std::uint32_t offset) {
    builder.addRow(TableId::TypeDef, {Builder::u32(0), Builder::textAt(offset), Builder::textAt(0),
                                      Builder::coded(0, 2, 0), Builder::u16(1), Builder::u16(1)});
  };
  addNamedAt(builder.textEnd());
  addNamedAt(0xfffe);
  builder.appendRawText("endless");
  const auto metadata = parsed(builder);
  ASSERT_TRUE(metadata);
  EXPECT_EQ(metadata->typeDef(1)->name, "");
  EXPECT_EQ(metadata->typeDef(2)->name, "");
}

}  // namespace
}  // namespace heapscape::test
