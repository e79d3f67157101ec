// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>

#include "layout/layout_items.h"
#include "support/hand_made_layouts.h"

namespace heapscape::engine {
namespace {

const LayoutItem* find(const LayoutItems& items, const char* name) {
  const auto found = std::ranges::find(items.items, name, &LayoutItem::name);
  return found == items.items.end() ? nullptr : &*found;
}

std::vector<const LayoutItem*> all(const LayoutItems& items, LayoutPart part) {
  std::vector<const LayoutItem*> found;
  for (const LayoutItem& item : items.items) {
    if (item.part == part) found.push_back(&item);
  }
  return found;
}

std::vector<std::string> described(const std::vector<LayoutItem>& leaves) {
  std::vector<std::string> lines;
  for (const LayoutItem& leaf : leaves)
    lines.push_back(leaf.name + " " + std::to_string(leaf.begin) + " " + std::to_string(leaf.sizeBytes()));
  return lines;
}

TypeLayout stringLayout() {
  TypeLayout layout;
  layout.kind = TypeKind::String;
  layout.typeName = "System.String";
  layout.baseSize = 22;
  layout.componentSize = 2;
  layout.fieldsBytes = 6;
  layout.fields = {handmade::field("_stringLength", 0, 4), handmade::field("_firstChar", 4, 2)};
  return layout;
}

LayoutItems itemsOf(const TypeLayout& layout, std::uint64_t length) {
  return buildLayoutItems(layout, false, FieldRows::ByTheirEnds, length);
}

TEST(LayoutItems, ObjectBeginsWithHeaderInFrontOfItsAddress) {
  const LayoutItems items = buildLayoutItems(handmade::order(), false);
  EXPECT_EQ(items.begin, -8);
  EXPECT_EQ(items.end, 24);
  EXPECT_EQ(items[items.roots[0]].part, LayoutPart::Header);
  EXPECT_EQ(items[items.roots[1]].part, LayoutPart::MethodTable);
  EXPECT_EQ(items[items.roots[1]].begin, 0);
  EXPECT_EQ(find(items, "Customer")->begin, 8);
  EXPECT_EQ(find(items, "Paid")->begin, 20);
}

TEST(LayoutItems, UnboxedValueCountsFromItsStart) {
  const LayoutItems items = buildLayoutItems(handmade::unionOfFields(), true);
  EXPECT_EQ(items.begin, 0);
  EXPECT_EQ(items.end, 8);
  EXPECT_TRUE(all(items, LayoutPart::Header).empty());
  EXPECT_EQ(find(items, "high")->begin, 4);
}

TEST(LayoutItems, ClassIsNeverUnboxed) {
  EXPECT_FALSE(buildLayoutItems(handmade::order(), true).isUnboxed);
}

TEST(LayoutItems, NestedPaddingLiesInTheValueItBelongsTo) {
  const LayoutItems items = buildLayoutItems(handmade::priced(), false);
  const auto paddings = all(items, LayoutPart::Padding);
  EXPECT_EQ(paddings.size(), 1u);
  EXPECT_EQ(items[paddings.front()->parent].name, "Price");
  EXPECT_EQ(paddings.front()->begin, 17);
  EXPECT_EQ(paddings.front()->depth, 1);
  const LayoutItem& price = *find(items, "Price");
  EXPECT_EQ(price.children.size(), 3u);
  EXPECT_EQ(items[price.children[1]].part, LayoutPart::Padding);
}

TEST(LayoutItems, OwnPaddingStaysAtTheTop) {
  const LayoutItems items = buildLayoutItems(handmade::order(), false);
  const auto paddings = all(items, LayoutPart::Padding);
  EXPECT_EQ(paddings.size(), 1u);
  EXPECT_EQ(paddings.front()->parent, LayoutItem::kNoItem);
  EXPECT_EQ(paddings.front()->sizeBytes(), 3);
}

TEST(LayoutItems, BoxIsRoundedUpVisibly) {
  TypeLayout layout = handmade::unionOfFields();
  layout.valueSize = 5;
  layout.fieldsBytes = 5;
  layout.fields = {handmade::field("low", 0, 4), handmade::field("top", 4, 1)};
  const LayoutItems items = buildLayoutItems(layout, false);
  const auto paddings = all(items, LayoutPart::Padding);
  EXPECT_EQ(paddings.size(), 1u);
  EXPECT_EQ(paddings.front()->begin, 13);
  EXPECT_EQ(paddings.front()->end, 16);
  EXPECT_TRUE(all(buildLayoutItems(layout, true), LayoutPart::Padding).empty());
}

TEST(LayoutItems, LongInlineArrayIsShownByItsEnds) {
  TypeLayout layout = handmade::order();
  LayoutField buffer = handmade::field("first", 0, 4);
  buffer.repeat = 16384;
  layout.fields = {handmade::value("numbers", "Zoo.Numbers", 0, 65536, {buffer})};
  layout.paddings.clear();
  layout.baseSize = 65552;
  const LayoutItems items = buildLayoutItems(layout, false);
  EXPECT_TRUE(items.items.size() < 10);
  const auto repeated = all(items, LayoutPart::Repeated);
  EXPECT_EQ(repeated.size(), 1u);
  EXPECT_EQ(repeated.front()->repeats, 16381u);
  EXPECT_EQ(find(items, "[16383]")->end, 8 + 65536);
  EXPECT_EQ(find(items, "[1]")->end, repeated.front()->begin);
  EXPECT_EQ(repeated.front()->end, find(items, "[16383]")->begin);
}

TEST(LayoutItems, ShortInlineArrayIsShownElementByElement) {
  TypeLayout layout = handmade::order();
  layout.fields = {handmade::field("first", 0, 4)};
  layout.fields.front().repeat = 4;
  layout.paddings.clear();
  const LayoutItems items = buildLayoutItems(layout, false);
  EXPECT_EQ(find(items, "[3]")->begin, 8 + 12);
  EXPECT_TRUE(all(items, LayoutPart::Repeated).empty());
}

TEST(LayoutItems, ArrayHasLengthElementsAndMoreOfThem) {
  const LayoutItems items = buildLayoutItems(handmade::prices(), false);
  EXPECT_EQ(find(items, "Length")->begin, 8);
  EXPECT_EQ(all(items, LayoutPart::Unused).front()->begin, 12);
  const LayoutItem& second = *find(items, "[1]");
  EXPECT_EQ(second.begin, 32);
  EXPECT_EQ(second.kind, FieldKind::ValueType);
  EXPECT_EQ(items[second.children[1]].part, LayoutPart::Padding);
  EXPECT_EQ(items[second.children[1]].begin, 33);
  EXPECT_EQ(all(items, LayoutPart::Repeated).front()->begin, 48);
}

TEST(LayoutItems, PaddingOfWhatIsShownAsOneIsAddedUp) {
  constexpr std::uint32_t kCount = 20;
  TypeLayout layout = handmade::order();
  LayoutField slot = handmade::value("slot", "Zoo.Slot", 0, 8, {handmade::field("flag", 0, 5)});
  slot.repeat = kCount;
  layout.fields = {slot};
  layout.paddings.clear();
  for (std::uint32_t index = 0; index < kCount; ++index)
    layout.paddings.push_back({index * 8 + 5, 3, "Zoo.Slot", true});
  layout.baseSize = 16 + kCount * 8;
  const LayoutItems items = buildLayoutItems(layout, false);
  std::int64_t shown = 0;
  for (const LayoutItem* padding : all(items, LayoutPart::Padding)) shown += padding->sizeBytes();
  const LayoutItem& rest = *all(items, LayoutPart::Repeated).front();
  EXPECT_EQ(rest.hiddenPaddingBytes, 3 * (std::int64_t{kCount} - 3));
  EXPECT_EQ(shown + rest.hiddenPaddingBytes, 3 * kCount);
  EXPECT_EQ(rest.mostTailBytes, 0);
}

TEST(LayoutItems, ArrayTellsThePaddingOfTheElementsThatFollow) {
  const TypeLayout prices = handmade::prices();
  const LayoutItem rest = *all(buildLayoutItems(prices, false), LayoutPart::Repeated).front();
  std::int64_t inEach = 0;
  for (const Padding& padding : prices.elementLayout.front().paddings) inEach += padding.sizeBytes;
  EXPECT_GT(inEach, 0);
  EXPECT_EQ(rest.hiddenPaddingBytes, inEach);
  EXPECT_EQ(rest.mostTailBytes, 0);
  TypeLayout bytes;
  bytes.kind = TypeKind::Array;
  bytes.elementTypeName = "System.Byte";
  bytes.elementOffset = 16;
  bytes.componentSize = 1;
  EXPECT_EQ(all(buildLayoutItems(bytes, false), LayoutPart::Repeated).front()->mostTailBytes, 7);
  bytes.componentSize = 4;
  EXPECT_EQ(all(buildLayoutItems(bytes, false), LayoutPart::Repeated).front()->mostTailBytes, 4);
}

TEST(LayoutItems, ArrayOfManyDimensionsHasItsBounds) {
  TypeLayout layout;
  layout.kind = TypeKind::Array;
  layout.elementTypeName = "System.Int32";
  layout.baseSize = 40;
  layout.componentSize = 4;
  layout.elementOffset = 32;
  layout.rank = 2;
  const LayoutItems items = buildLayoutItems(layout, false);
  EXPECT_EQ(find(items, "length[1]")->begin, 20);
  EXPECT_EQ(find(items, "lower bound[0]")->begin, 24);
  EXPECT_EQ(find(items, "[0]")->begin, 32);
  EXPECT_EQ(find(items, "[0]")->kind, FieldKind::Primitive);
}

TEST(LayoutItems, StringGoesOnAfterItsFirstCharacter) {
  const LayoutItems items = buildLayoutItems(stringLayout(), false);
  EXPECT_EQ(find(items, "_firstChar")->begin, 12);
  EXPECT_FALSE(find(items, "[0]"));
  EXPECT_EQ(find(items, "[1]")->begin, 14);
}

TEST(LayoutItems, StringOfAKnownLengthEndsWithItsZeroAndExactPadding) {
  for (std::uint64_t length = 0; length < 40; ++length) {
    const LayoutItems items = itemsOf(stringLayout(), length);
    const auto end = static_cast<std::int64_t>(14 + 2 * length);
    ASSERT_EQ(items.end, (end + 7) / 8 * 8) << length;
    std::int64_t next = items.begin;
    for (const std::uint32_t item : items.roots) {
      ASSERT_EQ(items[item].begin, next) << length;
      next = items[item].end;
      EXPECT_EQ(items[item].mostTailBytes, 0);
      EXPECT_NE(items[item].repeats, 0u);
    }
    EXPECT_EQ(next, items.end);
    const auto paddings = all(items, LayoutPart::Padding);
    ASSERT_EQ(paddings.size(), end % 8 == 0 ? 0u : 1u);
    for (const LayoutItem* padding : paddings) EXPECT_EQ(padding->begin, end);
    // Of an empty string the first character is the zero.
    EXPECT_EQ(find(items, "terminator") != nullptr, length > 0);
  }
}

TEST(LayoutItems, LongArrayOfAKnownLengthIsShownByItsEnds) {
  TypeLayout bytes;
  bytes.kind = TypeKind::Array;
  bytes.elementTypeName = "System.Byte";
  bytes.baseSize = 24;
  bytes.elementOffset = 16;
  bytes.componentSize = 1;
  const LayoutItems items = itemsOf(bytes, 1003);
  EXPECT_EQ(items.end, 16 + 1008);
  EXPECT_EQ(all(items, LayoutPart::Padding).front()->sizeBytes(), 5);
  const LayoutItem& rest = *all(items, LayoutPart::Repeated).front();
  EXPECT_EQ(rest.repeats, 1003u - 8 - 1);
  EXPECT_EQ(rest.end, find(items, "[1002]")->begin);
  EXPECT_TRUE(all(itemsOf(bytes, 0), LayoutPart::Element).empty());
  EXPECT_EQ(itemsOf(bytes, 0).end, 16);
}

TEST(LayoutItems, PaddingOfTheElementsThatAnArrayHasIsAddedUp) {
  TypeLayout prices = handmade::prices();
  prices.baseSize = 24;
  const LayoutItems items = itemsOf(prices, 20);
  std::int64_t bytes = all(items, LayoutPart::Repeated).front()->hiddenPaddingBytes;
  for (const LayoutItem* padding : all(items, LayoutPart::Padding)) bytes += padding->sizeBytes();
  std::int64_t inEach = 0;
  for (const Padding& padding : prices.elementLayout.front().paddings) inEach += padding.sizeBytes;
  EXPECT_EQ(bytes, 20 * inEach);
}

TEST(LayoutItems, LevelsKeepTheirBytes) {
  const LayoutItems items = buildLayoutItems(handmade::order(), false);
  EXPECT_EQ(items.levels.size(), 1u);
  EXPECT_EQ(items.levels.front().begin, 8);
  EXPECT_EQ(items.levels.front().end, 21);
}

TEST(LayoutItems, PaddingIsFoundThroughAllDepths) {
  const LayoutItems items = buildLayoutItems(handmade::priced(), false);
  const auto price = static_cast<std::uint32_t>(find(items, "Price") - items.items.data());
  const auto name = static_cast<std::uint32_t>(find(items, "Name") - items.items.data());
  EXPECT_TRUE(holdsPadding(items, price));
  EXPECT_FALSE(holdsPadding(items, name));
}

/// A class with a row of four such values from offset 8 on: struct Price { byte Currency; long Amount; }.
TypeLayout fourPrices() {
  TypeLayout layout = handmade::priced();
  layout.baseSize = 88;
  layout.fieldsBytes = 72;
  layout.fields[1].repeat = 4;
  layout.paddings.clear();
  for (std::uint32_t i = 0; i < 4; ++i) layout.paddings.push_back({9 + 16 * i, 7, "Zoo.Price", true});
  return layout;
}

TEST(LayoutItems, FieldsInARowCanBeOneItem) {
  const LayoutItems items = buildLayoutItems(fourPrices(), false, FieldRows::AsOne);
  const LayoutItem& price = *find(items, "Price");
  EXPECT_EQ(price.repeats, 4u);
  EXPECT_EQ(price.begin, 16);
  EXPECT_EQ(price.sizeBytes(), 64);
  // The first one's fields, and the paddings of all.
  EXPECT_EQ(std::ranges::count(items.items, "Amount", &LayoutItem::name), 1);
  const auto paddings = all(items, LayoutPart::Padding);
  ASSERT_EQ(paddings.size(), 4u);
  EXPECT_EQ(paddings.back()->begin, 8 + 9 + 48);
  EXPECT_TRUE(std::ranges::all_of(paddings, [&](const LayoutItem* item) { return &items[item->parent] == &price; }));
}

TEST(LayoutItems, FieldsThatShareBytesOverlap) {
  TypeLayout layout = handmade::unionOfFields();
  layout.fields = {handmade::field("alone", 0, 4), handmade::field("low", 4, 1), handmade::field("whole", 4, 4)};
  const LayoutItems items = buildLayoutItems(layout, true);
  EXPECT_FALSE(find(items, "alone")->overlaps);
  EXPECT_TRUE(find(items, "low")->overlaps);
  EXPECT_TRUE(find(items, "whole")->overlaps);
  // The longest of those that begin together is the first in display, whatever was declared first.
  ASSERT_EQ(items.roots.size(), 3u);
  EXPECT_EQ(items[items.roots[1]].name, "whole");
}

TEST(LayoutItems, PaddingOfAUnionLiesInEachValueOfItsType) {
  TypeLayout layout = handmade::priced();
  layout.fields.push_back(layout.fields[1]);
  layout.fields.back().name = "Other";
  const LayoutItems items = buildLayoutItems(layout, false);
  const auto paddings = all(items, LayoutPart::Padding);
  ASSERT_EQ(paddings.size(), 2u);
  EXPECT_EQ(items[paddings[0]->parent].name, "Price");
  EXPECT_EQ(items[paddings[1]->parent].name, "Other");
}

TEST(LayoutItems, TypeWithoutFieldsIsHeaderMethodTableAndPadding) {
  TypeLayout layout;
  layout.typeName = "System.Object";
  layout.baseSize = 24;
  layout.fieldsBytes = 8;
  layout.paddings = {{0, 8, "System.Object", false}};
  const LayoutItems items = buildLayoutItems(layout, false);
  ASSERT_EQ(items.roots.size(), 3u);
  EXPECT_EQ(items[items.roots[2]].part, LayoutPart::Padding);
  EXPECT_EQ(items[items.roots[2]].begin, 8);
  EXPECT_EQ(items.end, 16);
  EXPECT_TRUE(leafItems(layout.fields).empty());
}

TEST(LayoutItems, PaddingBehindTheLastFieldEndsWithTheObject) {
  const LayoutItems items = buildLayoutItems(handmade::order(), false);
  const LayoutItem& last = items[items.roots.back()];
  EXPECT_EQ(last.part, LayoutPart::Padding);
  EXPECT_EQ(last.begin, 21);
  EXPECT_EQ(last.end, items.end);
}

TEST(LeafItems, NestedValuesAreTakenApartByPaths) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(described(leafItems(handmade::priced().fields)),
            (Lines{"Name 0 8", "Price.Currency 8 1", "Price.Amount 16 8"}));
}

TEST(LeafItems, FieldsInARowAreNumbered) {
  const std::vector<LayoutItem> leaves = leafItems(fourPrices().fields);
  ASSERT_EQ(leaves.size(), 9u);
  EXPECT_EQ(leaves[1].name, "[0].Currency");
  EXPECT_EQ(leaves[8].name, "[3].Amount");
  EXPECT_EQ(leaves[8].begin, 64);
  LayoutField buffer = handmade::field("first", 4, 4);
  buffer.repeat = 3;
  EXPECT_EQ(described(leafItems({handmade::value("numbers", "Zoo.Numbers", 4, 12, {buffer})})),
            (std::vector<std::string>{"numbers[0] 4 4", "numbers[1] 8 4", "numbers[2] 12 4"}));
}

TEST(LeafItems, FieldsThatOverlapAreOneWithoutAType) {
  const std::vector<LayoutItem> leaves = leafItems(handmade::unionOfFields().fields);
  ASSERT_EQ(leaves.size(), 1u);
  EXPECT_EQ(leaves[0].name, "whole | low | high | top");
  EXPECT_EQ(leaves[0].sizeBytes(), 8);
  EXPECT_TRUE(leaves[0].typeName.empty());
  EXPECT_TRUE(leaves[0].overlaps);
}

TEST(LeafItems, HostileRowsAreBounded) {
  LayoutField buffer = handmade::field("first", 0, 1);
  buffer.repeat = 0xffffffff;
  EXPECT_EQ(leafItems({buffer, buffer}).size(), std::size_t{1} << 16);
}

}  // namespace
}  // namespace heapscape::engine
