// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "layout/advice/layout_difference.h"
#include "layout/rules/layout_rules.h"
#include "support/builders/types_in_memory.h"

namespace heapscape::engine {
namespace {

using heapscape::test::TypesInMemory;

TypeLayout layOut(TypesInMemory& types, ClosedTypeId type) {
  LayoutRules rules(types, {});
  auto layout = rules.layoutOf(type);
  EXPECT_TRUE(layout) << layout.error().message();
  return layout.value_or(TypeLayout{});
}

const FieldDifference* find(const LayoutDifference& difference, std::string_view name) {
  for (const FieldDifference& field : difference.fields)
    if (field.name == name) return &field;
  return nullptr;
}

TEST(LayoutDifference, OfALayoutAndItselfIsNone) {
  TypesInMemory types;
  const auto inner = types.addStruct("Inner", {{"x"}, {"y", ElementType::U1}});
  const auto type = types.addClass("C", {TypesInMemory::value("v", inner), TypesInMemory::reference("o")});
  const LayoutDifference difference = compareLayouts(layOut(types, type), layOut(types, type));
  EXPECT_TRUE(difference.isSame);
  EXPECT_EQ(difference.instanceBytes, 0);
  EXPECT_EQ(difference.fields.size(), 2u);
}

TEST(LayoutDifference, NamesTheGravestChangeOfEachField) {
  TypesInMemory types;
  const auto before = types.addStruct("S", {{"a"}, {"b"}, {"c", ElementType::I2}, {"gone", ElementType::I8}});
  const auto after = types.addStruct("S", {{"b"}, {"a"}, {"c", ElementType::I4}, {"fresh", ElementType::U1}});
  const LayoutDifference difference = compareLayouts(layOut(types, before), layOut(types, after));
  EXPECT_FALSE(difference.isSame);
  EXPECT_EQ(difference.instanceBytes, 16 - 24);
  EXPECT_EQ(difference.paddingBytes, 3 - 6);
  ASSERT_EQ(difference.fields.size(), 5u);
  EXPECT_EQ(difference.fields[0].name, "b");
  EXPECT_EQ(difference.fields[0].change, FieldChange::Moved);
  EXPECT_EQ(difference.fields[0].offsetBefore, 4u);
  EXPECT_EQ(difference.fields[0].offsetAfter, 0u);
  EXPECT_EQ(find(difference, "c")->change, FieldChange::Retyped);
  EXPECT_EQ(find(difference, "fresh")->change, FieldChange::Added);
  EXPECT_FALSE(find(difference, "fresh")->offsetBefore);
  EXPECT_EQ(difference.fields.back().name, "gone");
  EXPECT_EQ(difference.fields.back().change, FieldChange::Removed);
}

TEST(LayoutDifference, LooksIntoValueTypes) {
  TypesInMemory types;
  const auto inner = types.addStruct("Inner", {{"x"}, {"y"}});
  const auto turned = types.addStruct("Inner", {{"y"}, {"x"}});
  const auto before = types.addStruct("S", {{"n"}, TypesInMemory::value("v", inner)});
  const auto after = types.addStruct("S", {{"n"}, TypesInMemory::value("v", turned)});
  const LayoutDifference difference = compareLayouts(layOut(types, before), layOut(types, after));
  EXPECT_FALSE(difference.isSame);
  EXPECT_EQ(find(difference, "v")->change, FieldChange::Same);
  ASSERT_NE(find(difference, "v.x"), nullptr);
  EXPECT_EQ(find(difference, "v.x")->change, FieldChange::Moved);
  EXPECT_EQ(find(difference, "v.x")->offsetAfter, 8u);
}

TEST(LayoutDifference, OfAMovedValueDoesNotMoveWhatIsInIt) {
  TypesInMemory types;
  const auto inner = types.addStruct("Inner", {{"x"}, {"y"}});
  const auto before = types.addStruct("S", {{"n"}, TypesInMemory::value("v", inner)});
  const auto after = types.addStruct("S", {TypesInMemory::value("v", inner), {"n"}});
  const LayoutDifference difference = compareLayouts(layOut(types, before), layOut(types, after));
  EXPECT_EQ(find(difference, "v")->change, FieldChange::Moved);
  EXPECT_EQ(find(difference, "v.x"), nullptr);
}

TEST(LayoutDifference, SaysWhereAutoCameAbout) {
  TypesInMemory types;
  const auto before = types.addStruct("S", {{"n"}});
  const auto after = types.addStruct("S", {{"n"}, TypesInMemory::reference("o")});
  EXPECT_TRUE(compareLayouts(layOut(types, before), layOut(types, after)).kindChanged);
}

}  // namespace
}  // namespace heapscape::engine
