// SPDX-License-Identifier: MIT
#include <QTest>
#include <algorithm>

#include "hand_made_layouts.h"
#include "support/window_test.h"
#include "widgets/layout_diagram/layout_items.h"

using namespace heapscape;
using namespace heapscape::gui;

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

}  // namespace

class LayoutItemsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void objectBeginsWithHeaderInFrontOfItsAddress() {
    const LayoutItems items = buildLayoutItems(handmade::order(), false);
    QCOMPARE(items.begin, -8);
    QCOMPARE(items.end, 24);
    QCOMPARE(items[items.roots[0]].part, LayoutPart::Header);
    QCOMPARE(items[items.roots[1]].part, LayoutPart::MethodTable);
    QCOMPARE(items[items.roots[1]].begin, 0);
    QCOMPARE(find(items, "Customer")->begin, 8);
    QCOMPARE(find(items, "Paid")->begin, 20);
  }

  void unboxedValueCountsFromItsStart() {
    const LayoutItems items = buildLayoutItems(handmade::unionOfFields(), true);
    QCOMPARE(items.begin, 0);
    QCOMPARE(items.end, 8);
    QVERIFY(all(items, LayoutPart::Header).empty());
    QCOMPARE(find(items, "high")->begin, 4);
  }

  void classIsNeverUnboxed() { QVERIFY(!buildLayoutItems(handmade::order(), true).isUnboxed); }

  void nestedPaddingLiesInTheValueItBelongsTo() {
    const LayoutItems items = buildLayoutItems(handmade::priced(), false);
    const auto paddings = all(items, LayoutPart::Padding);
    QCOMPARE(paddings.size(), std::size_t{1});
    QCOMPARE(items[paddings.front()->parent].name, std::string("Price"));
    QCOMPARE(paddings.front()->begin, 17);
    QCOMPARE(paddings.front()->depth, 1);
    const LayoutItem& price = *find(items, "Price");
    QCOMPARE(price.children.size(), std::size_t{3});
    QCOMPARE(items[price.children[1]].part, LayoutPart::Padding);
  }

  void ownPaddingStaysAtTheTop() {
    const LayoutItems items = buildLayoutItems(handmade::order(), false);
    const auto paddings = all(items, LayoutPart::Padding);
    QCOMPARE(paddings.size(), std::size_t{1});
    QCOMPARE(paddings.front()->parent, LayoutItem::kNoItem);
    QCOMPARE(paddings.front()->sizeBytes(), 3);
  }

  void boxIsRoundedUpVisibly() {
    engine::TypeLayout layout = handmade::unionOfFields();
    layout.valueSize = 5;
    layout.fieldsBytes = 5;
    layout.fields = {handmade::field("low", 0, 4), handmade::field("top", 4, 1)};
    const LayoutItems items = buildLayoutItems(layout, false);
    const auto paddings = all(items, LayoutPart::Padding);
    QCOMPARE(paddings.size(), std::size_t{1});
    QCOMPARE(paddings.front()->begin, 13);
    QCOMPARE(paddings.front()->end, 16);
    QVERIFY(all(buildLayoutItems(layout, true), LayoutPart::Padding).empty());
  }

  void longInlineArrayIsShownByItsEnds() {
    engine::TypeLayout layout = handmade::order();
    engine::LayoutField buffer = handmade::field("first", 0, 4);
    buffer.repeat = 16384;
    layout.fields = {handmade::value("numbers", "Zoo.Numbers", 0, 65536, {buffer})};
    layout.paddings.clear();
    layout.baseSize = 65552;
    const LayoutItems items = buildLayoutItems(layout, false);
    QVERIFY(items.items.size() < 10);
    const auto repeated = all(items, LayoutPart::Repeated);
    QCOMPARE(repeated.size(), std::size_t{1});
    QCOMPARE(repeated.front()->repeats, std::uint64_t{16381});
    QCOMPARE(find(items, "[16383]")->end, 8 + 65536);
    QCOMPARE(find(items, "[1]")->end, repeated.front()->begin);
    QCOMPARE(repeated.front()->end, find(items, "[16383]")->begin);
  }

  void shortInlineArrayIsShownElementByElement() {
    engine::TypeLayout layout = handmade::order();
    layout.fields = {handmade::field("first", 0, 4)};
    layout.fields.front().repeat = 4;
    layout.paddings.clear();
    const LayoutItems items = buildLayoutItems(layout, false);
    QCOMPARE(find(items, "[3]")->begin, 8 + 12);
    QVERIFY(all(items, LayoutPart::Repeated).empty());
  }

  void arrayHasLengthElementsAndMoreOfThem() {
    engine::TypeLayout layout;
    layout.kind = engine::TypeKind::Array;
    layout.typeName = "Zoo.Price[]";
    layout.elementTypeName = "Zoo.Price";
    layout.elementKind = engine::FieldKind::ValueType;
    layout.baseSize = 24;
    layout.componentSize = 16;
    layout.elementOffset = 16;
    layout.rank = 1;
    engine::TypeLayout price;
    price.typeName = "Zoo.Price";
    price.valueSize = 16;
    price.fields = {handmade::field("Currency", 0, 1), handmade::field("Amount", 8, 8)};
    price.paddings = {{1, 7, "Zoo.Price", false}};
    layout.elementLayout = {price};
    const LayoutItems items = buildLayoutItems(layout, false);
    QCOMPARE(find(items, "Length")->begin, 8);
    QCOMPARE(all(items, LayoutPart::Unused).front()->begin, 12);
    const LayoutItem& second = *find(items, "[1]");
    QCOMPARE(second.begin, 32);
    QCOMPARE(second.kind, engine::FieldKind::ValueType);
    QCOMPARE(items[second.children[1]].part, LayoutPart::Padding);
    QCOMPARE(items[second.children[1]].begin, 33);
    QCOMPARE(all(items, LayoutPart::Repeated).front()->begin, 48);
  }

  void arrayOfManyDimensionsHasItsBounds() {
    engine::TypeLayout layout;
    layout.kind = engine::TypeKind::Array;
    layout.elementTypeName = "System.Int32";
    layout.baseSize = 40;
    layout.componentSize = 4;
    layout.elementOffset = 32;
    layout.rank = 2;
    const LayoutItems items = buildLayoutItems(layout, false);
    QCOMPARE(find(items, "length[1]")->begin, 20);
    QCOMPARE(find(items, "lower bound[0]")->begin, 24);
    QCOMPARE(find(items, "[0]")->begin, 32);
    QCOMPARE(find(items, "[0]")->kind, engine::FieldKind::Primitive);
  }

  void stringGoesOnAfterItsFirstCharacter() {
    engine::TypeLayout layout;
    layout.kind = engine::TypeKind::String;
    layout.typeName = "System.String";
    layout.baseSize = 22;
    layout.componentSize = 2;
    layout.fieldsBytes = 6;
    layout.fields = {handmade::field("_stringLength", 0, 4), handmade::field("_firstChar", 4, 2)};
    const LayoutItems items = buildLayoutItems(layout, false);
    QCOMPARE(find(items, "_firstChar")->begin, 12);
    QVERIFY(!find(items, "[0]"));
    QCOMPARE(find(items, "[1]")->begin, 14);
  }

  void levelsKeepTheirBytes() {
    const LayoutItems items = buildLayoutItems(handmade::order(), false);
    QCOMPARE(items.levels.size(), std::size_t{1});
    QCOMPARE(items.levels.front().begin, 8);
    QCOMPARE(items.levels.front().end, 21);
  }

  void paddingIsFoundThroughAllDepths() {
    const LayoutItems items = buildLayoutItems(handmade::priced(), false);
    const auto price = static_cast<std::uint32_t>(find(items, "Price") - items.items.data());
    const auto name = static_cast<std::uint32_t>(find(items, "Name") - items.items.data());
    QVERIFY(holdsPadding(items, price));
    QVERIFY(!holdsPadding(items, name));
  }
};

HEAPSCAPE_WINDOW_TEST(LayoutItemsTest)
#include "tst_layout_items.moc"
