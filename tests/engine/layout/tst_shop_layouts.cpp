// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>

#include "session/layouts/layout_query.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

// The types are in tests/targets/shop/Layouts.cs; the figures follow from the rules of the runtime, not from a dump.
namespace heapscape::engine {
namespace {

using namespace heapscape::test;

struct ShopLayoutsPlace {
  std::string name;
  std::uint32_t offset;
  std::uint32_t sizeBytes;
  bool operator==(const ShopLayoutsPlace&) const = default;
};

void PrintTo(const ShopLayoutsPlace& place, std::ostream* stream) {
  *stream << place.name << " at " << place.offset << ", " << place.sizeBytes;
}

class ShopLayouts : public testing::TestWithParam<std::string> {
 protected:
  TypeLayout layoutOf(const std::string& name) const {
    const TypeId type = findType(m_snapshot, name);
    if (type.isNone()) throw std::runtime_error("not on the heap: " + name);
    auto layout = engine::layoutOf(m_snapshot, m_snapshot.types()[type.value].methodTable);
    if (!layout) throw std::runtime_error(layout.error().message());
    return std::move(*layout);
  }
  static std::vector<ShopLayoutsPlace> placesOf(const std::vector<LayoutField>& fields) {
    std::vector<ShopLayoutsPlace> places;
    for (const LayoutField& field : fields) places.push_back({field.name, field.offset, field.sizeBytes});
    return places;
  }
  static const LayoutField& fieldOf(const std::vector<LayoutField>& fields, const std::string& name) {
    const auto found = std::ranges::find(fields, name, &LayoutField::name);
    if (found == fields.end()) throw std::runtime_error("no field " + name);
    return *found;
  }

  const Snapshot& m_snapshot = openedDump(GetParam());
};

using Places = std::vector<ShopLayoutsPlace>;

TEST_P(ShopLayouts, OfAnAutoStructPutReferencesFirstAndThenTheLargest) {
  const TypeLayout layout = layoutOf("Shop.AutoStruct");
  EXPECT_EQ(placesOf(layout.fields), (Places{{"Text", 0, 8}, {"b", 8, 8}, {"d", 16, 2}, {"a", 18, 1}, {"c", 19, 1}}));
  EXPECT_EQ(layout.valueSize, 24u);
  EXPECT_EQ(layout.baseSize, 40u);
  EXPECT_EQ(layout.declaredKind, LayoutKind::Auto);
  EXPECT_EQ(layout.effectiveKind, LayoutKind::Auto);
  EXPECT_EQ(layout.kind, TypeKind::Struct);
  EXPECT_EQ(layout.ownPaddingBytes, 4u);
}

TEST_P(ShopLayouts, OfASequentialStructKeepTheOrderOfDeclaration) {
  const TypeLayout layout = layoutOf("Shop.SequentialStruct");
  EXPECT_EQ(placesOf(layout.fields), (Places{{"B", 0, 1}, {"D", 8, 8}, {"C", 16, 1}, {"E", 18, 2}}));
  EXPECT_EQ(layout.valueSize, 24u);
  EXPECT_EQ(layout.effectiveKind, LayoutKind::Sequential);
  EXPECT_EQ(layout.ownPaddingBytes, 7u + 1 + 4);
}

TEST_P(ShopLayouts, OfPackedStructsAlignToThePackAndToNoMore) {
  const TypeLayout one = layoutOf("Shop.PackedStruct");
  EXPECT_EQ(placesOf(one.fields), (Places{{"B", 0, 1}, {"L", 1, 8}, {"s", 9, 2}, {"i", 11, 4}}));
  EXPECT_EQ(one.valueSize, 15u);
  EXPECT_EQ(one.declaredPack, 1u);
  EXPECT_EQ(one.paddingBytes(), 0u);
  const TypeLayout two = layoutOf("Shop.PackedTwo");
  EXPECT_EQ(placesOf(two.fields), (Places{{"b", 0, 1}, {"i", 2, 4}, {"c", 6, 1}, {"d", 8, 8}}));
  EXPECT_EQ(two.valueSize, 16u);
  EXPECT_EQ(two.paddingBytes(), 2u);
}

TEST_P(ShopLayouts, OfAStructWithASizeHaveThatSize) {
  const TypeLayout layout = layoutOf("Shop.SizedStruct");
  EXPECT_EQ(placesOf(layout.fields), (Places{{"a", 0, 4}, {"b", 4, 2}}));
  EXPECT_EQ(layout.declaredSize, 20u);
  EXPECT_EQ(layout.valueSize, 20u);
  EXPECT_EQ(layout.ownPaddingBytes, 14u);
}

TEST_P(ShopLayouts, OfAnEmptyStructAreOneByteOfPadding) {
  const TypeLayout layout = layoutOf("Shop.Empty");
  EXPECT_TRUE(layout.fields.empty());
  EXPECT_EQ(layout.valueSize, 1u);
  EXPECT_EQ(layout.baseSize, 24u);
  EXPECT_EQ(layout.ownPaddingBytes, 1u);
}

TEST_P(ShopLayouts, OfASequentialStructWithAReferenceAreAuto) {
  const TypeLayout layout = layoutOf("Shop.AsksSequential");
  EXPECT_EQ(layout.declaredKind, LayoutKind::Sequential);
  EXPECT_EQ(layout.effectiveKind, LayoutKind::Auto);
  EXPECT_EQ(placesOf(layout.fields), (Places{{"s", 0, 8}, {"i", 8, 4}, {"b", 12, 1}, {"c", 13, 1}}));
  EXPECT_EQ(layout.valueSize, 16u);
}

TEST_P(ShopLayouts, OfUnionsLieOverEachOther) {
  const TypeLayout layout = layoutOf("Shop.Union");
  EXPECT_EQ(layout.effectiveKind, LayoutKind::Explicit);
  EXPECT_EQ(placesOf(layout.fields),
            (Places{{"Whole", 0, 8}, {"real", 0, 8}, {"low", 0, 4}, {"high", 4, 4}, {"top", 7, 1}}));
  EXPECT_EQ(layout.valueSize, 8u);
  EXPECT_EQ(layout.paddingBytes(), 0u);
  const TypeLayout mixed = layoutOf("Shop.UnionWithReference");
  EXPECT_EQ(placesOf(mixed.fields), (Places{{"Name", 0, 8}, {"Number", 8, 8}, {"time", 8, 8}}));
  EXPECT_EQ(mixed.references, (std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 8}}));
}

TEST_P(ShopLayouts, OfClassesAreAutoUnlessDeclared) {
  const TypeLayout automatic = layoutOf("Shop.AutoClass");
  EXPECT_EQ(placesOf(automatic.fields),
            (Places{{"b", 0, 8}, {"g", 8, 8}, {"e", 16, 8}, {"c", 24, 4}, {"f", 28, 2}, {"a", 30, 1}, {"d", 31, 1}}));
  EXPECT_EQ(automatic.baseSize, 48u);
  EXPECT_EQ(automatic.paddingBytes(), 0u);
  EXPECT_EQ(automatic.kind, TypeKind::Class);
  const TypeLayout sequential = layoutOf("Shop.SequentialClass");
  EXPECT_EQ(sequential.effectiveKind, LayoutKind::Sequential);
  EXPECT_EQ(placesOf(sequential.fields), (Places{{"a", 0, 1}, {"b", 4, 4}, {"c", 8, 1}, {"d", 16, 8}, {"e", 24, 1}}));
  const TypeLayout packed = layoutOf("Shop.PackedClass");
  EXPECT_EQ(placesOf(packed.fields), (Places{{"a", 0, 1}, {"b", 1, 4}, {"c", 5, 1}, {"d", 6, 8}}));
  const TypeLayout explicitOne = layoutOf("Shop.ExplicitClass");
  EXPECT_EQ(placesOf(explicitOne.fields), (Places{{"a", 0, 4}, {"b", 16, 8}, {"c", 18, 2}}));
  // The runtime ignores the size that an explicit class declares.
  EXPECT_EQ(explicitOne.declaredSize, 40u);
  EXPECT_EQ(explicitOne.baseSize, 40u);
}

TEST_P(ShopLayouts, OfAnInheritanceChainHaveALevelForEachClassWithFields) {
  const TypeLayout layout = layoutOf("Shop.Fourth");
  EXPECT_EQ(placesOf(layout.fields),
            (Places{{"o", 0, 8}, {"a", 8, 1}, {"i", 12, 4}, {"w", 16, 1}, {"z", 17, 1}, {"l", 24, 8}, {"s", 32, 24}}));
  ASSERT_EQ(layout.levels.size(), 3u);
  EXPECT_EQ(layout.levels[0].typeName, "Shop.First");
  EXPECT_EQ(layout.levels[1].typeName, "Shop.Second");
  EXPECT_EQ(layout.levels[2].typeName, "Shop.Fourth");
  EXPECT_EQ(layout.levels[1].offset, 12u);
  EXPECT_EQ(layout.levels[1].sizeBytes, 5u);
  EXPECT_EQ(layout.ownPaddingBytes, 3u + 6);
  EXPECT_EQ(layout.nestedPaddingBytes, 4u);
  EXPECT_EQ(layoutOf("Shop.Third").levels.size(), 2u);
}

TEST_P(ShopLayouts, OfInlineArraysRepeatTheirElement) {
  const TypeLayout layout = layoutOf("Shop.Buffer");
  const LayoutField& names = fieldOf(layout.fields, "names");
  const LayoutField& numbers = fieldOf(layout.fields, "numbers");
  EXPECT_EQ(names.sizeBytes, 24u);
  ASSERT_EQ(names.nested.size(), 1u);
  EXPECT_EQ(names.nested[0].repeat, 3u);
  EXPECT_EQ(names.nested[0].sizeBytes, 8u);
  EXPECT_EQ(names.nested[0].kind, FieldKind::Reference);
  EXPECT_EQ(numbers.sizeBytes, 32u);
  ASSERT_EQ(numbers.nested.size(), 1u);
  EXPECT_EQ(numbers.nested[0].repeat, 8u);
  EXPECT_EQ(numbers.nested[0].sizeBytes, 4u);
  EXPECT_EQ(layout.nestedPaddingBytes, 0u);
}

TEST_P(ShopLayouts, OfFixedBuffersRepeatTheirElement) {
  const TypeLayout layout = layoutOf("Shop.FixedBuffers");
  EXPECT_EQ(placesOf(layout.fields), (Places{{"Bytes", 0, 13}, {"Longs", 16, 24}, {"Chars", 40, 10}, {"end", 50, 1}}));
  EXPECT_EQ(layout.valueSize, 56u);
  EXPECT_EQ(fieldOf(layout.fields, "Bytes").nested.at(0).repeat, 13u);
  EXPECT_EQ(fieldOf(layout.fields, "Longs").nested.at(0).repeat, 3u);
  EXPECT_EQ(fieldOf(layout.fields, "Chars").nested.at(0).repeat, 5u);
  EXPECT_EQ(layout.ownPaddingBytes, 3u + 5);
}

TEST_P(ShopLayouts, OfNestedStructsOpenDownToTheirPrimitives) {
  const TypeLayout layout = layoutOf("Shop.Deep");
  const LayoutField& middle = fieldOf(layout.fields, "middle");
  const LayoutField& one = fieldOf(middle.nested, "one");
  EXPECT_EQ(one.offset, middle.offset);
  EXPECT_EQ(one.sizeBytes, 24u);
  EXPECT_EQ(fieldOf(one.nested, "h").offset, one.offset + 2);
  EXPECT_EQ(fieldOf(one.nested, "m").offset, one.offset + 8);
  EXPECT_EQ(fieldOf(fieldOf(one.nested, "m").nested, "_flags").sizeBytes, 4u);
  const LayoutField& two = fieldOf(middle.nested, "two");
  EXPECT_EQ(two.typeName, "System.Nullable<Shop.Inner>");
  EXPECT_EQ(fieldOf(two.nested, "hasValue").offset, two.offset);
  EXPECT_EQ(fieldOf(two.nested, "value").offset, two.offset + 8);
  EXPECT_EQ(fieldOf(fieldOf(two.nested, "value").nested, "m").sizeBytes, 16u);
}

TEST_P(ShopLayouts, OfEnumFieldsHaveTheSizeOfTheirUnderlyingType) {
  const TypeLayout layout = layoutOf("Shop.Enums");
  const std::vector<std::pair<std::string, std::uint32_t>> sizes{{"a", 1}, {"b", 1}, {"c", 2}, {"d", 2}, {"e", 4},
                                                                 {"f", 4}, {"g", 8}, {"h", 8}, {"i", 4}};
  for (const auto& [name, size] : sizes) {
    EXPECT_EQ(fieldOf(layout.fields, name).sizeBytes, size) << name;
    EXPECT_EQ(fieldOf(layout.fields, name).kind, FieldKind::Primitive) << name;
  }
  EXPECT_EQ(fieldOf(layout.fields, "a").typeName, "Shop.SmallEnum");
  EXPECT_EQ(layoutOf("Shop.SmallEnum").kind, TypeKind::Enum);
  EXPECT_EQ(layoutOf("Shop.SmallEnum").valueSize, 1u);
  EXPECT_EQ(layoutOf("Shop.ULongEnum").valueSize, 8u);
}

TEST_P(ShopLayouts, OfPointersTellThemFromIntegers) {
  const TypeLayout layout = layoutOf("Shop.Pointers");
  for (const char* name : {"a", "b", "c", "e"})
    EXPECT_EQ(fieldOf(layout.fields, name).kind, FieldKind::Pointer) << name;
  EXPECT_EQ(fieldOf(layout.fields, "d").kind, FieldKind::Primitive);
  EXPECT_EQ(fieldOf(layout.fields, "b").typeName, "System.Int32**");
  for (const LayoutField& field : layout.fields) EXPECT_EQ(field.sizeBytes, 8u) << field.name;
}

INSTANTIATE_TEST_SUITE_P(Data, ShopLayouts, testing::Values("shop-8", "shop-9-segments", "shop-10", "shop-10-server"),
                         [](const auto& info) { return testName(info.param); });

}  // namespace
}  // namespace heapscape::engine
