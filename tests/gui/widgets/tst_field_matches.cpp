// SPDX-License-Identifier: MIT
// Which fields of several layouts are the same, and what is said of each.
#include <QTest>
#include <limits>

#include "support/hand_made_layouts.h"
#include "support/window_test.h"
#include "widgets/layout_diagram/layout_item_text.h"
#include "widgets/layout_diagram/side_by_side_geometry.h"

namespace heapscape::gui {

namespace {

using engine::LayoutItem;
using engine::LayoutItems;
using engine::LayoutPart;

LayoutItem itemOf(const char* name, std::int64_t begin, std::int64_t end) {
  LayoutItem item;
  item.name = name;
  item.typeName = "System.Int32";
  item.declaringType = "Zoo.Order";
  item.begin = begin;
  item.end = end;
  return item;
}

LayoutItem partItem(LayoutPart part, const char* name = "") {
  LayoutItem item = itemOf(name, 8, 12);
  item.part = part;
  return item;
}

LayoutItems madeItems(std::vector<LayoutItem> made) {
  LayoutItems items;
  items.items = std::move(made);
  items.fieldsBegin = 8;
  return items;
}

}  // namespace

class FieldMatchesTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void noColumnsHaveNoFields() {
    const FieldMatches matches(std::vector<const LayoutItems*>{});
    QCOMPARE(matches.count(), 0u);
    QCOMPARE(matches.itemOf(0, 0), LayoutItem::kNoItem);
    QCOMPARE(matches.find("/Zoo.Order::Id"), FieldMatches::kNone);
  }

  void aFieldIsFoundWhereverItLies() {
    const LayoutItems before = madeItems({itemOf("Id", 8, 12), itemOf("Sum", 12, 16)});
    const LayoutItems after = madeItems({itemOf("Sum", 8, 16), itemOf("New", 16, 20), itemOf("Id", 20, 24)});
    const FieldMatches matches({&before, &after});
    QCOMPARE(matches.count(), 3u);
    QCOMPARE(matches.fieldOf(0, 0), matches.fieldOf(1, 2));
    QCOMPARE(matches.fieldOf(0, 1), matches.fieldOf(1, 0));
    QCOMPARE(matches.itemOf(0, matches.fieldOf(1, 1)), LayoutItem::kNoItem);
    QCOMPARE(matches.itemOf(1, matches.fieldOf(0, 0)), 2u);
    QCOMPARE(matches.itemOf(2, 0), LayoutItem::kNoItem);
    QCOMPARE(matches.itemOf(0, FieldMatches::kNone), LayoutItem::kNoItem);
  }

  void keysFindTheSameFieldInOtherColumns() {
    const LayoutItems first = madeItems({itemOf("Id", 8, 12), itemOf("Sum", 12, 16)});
    const LayoutItems second = madeItems({itemOf("Sum", 8, 12)});
    const FieldMatches all({&first, &second});
    const FieldMatches fewer({&second});
    QCOMPARE(fewer.find(all.keyOf(all.fieldOf(0, 1))), fewer.fieldOf(0, 0));
    QCOMPARE(fewer.find(all.keyOf(all.fieldOf(0, 0))), FieldMatches::kNone);
  }

  void fieldsOfOtherTypesAreOthers() {
    LayoutItem inherited = itemOf("Id", 8, 12);
    inherited.declaringType = "Zoo.Entity";
    const LayoutItems items = madeItems({inherited, itemOf("Id", 12, 16)});
    const FieldMatches matches({&items});
    QCOMPARE(matches.count(), 2u);
    QVERIFY(matches.fieldOf(0, 0) != matches.fieldOf(0, 1));
  }

  void whatLiesInsideOfAnotherFieldIsAnother() {
    LayoutItem inner = itemOf("Amount", 8, 16);
    inner.parent = 0;
    LayoutItem innerOfOther = inner;
    innerOfOther.parent = 2;
    const LayoutItems items = madeItems({itemOf("Price", 8, 16), inner, itemOf("Tax", 16, 24), innerOfOther});
    const FieldMatches matches({&items});
    QCOMPARE(matches.count(), 4u);
  }

  void theSameNameTwiceIsToldApartByItsTurn() {
    const LayoutItems once = madeItems({itemOf("x", 8, 12)});
    const LayoutItems twice = madeItems({itemOf("x", 8, 12), itemOf("x", 12, 16)});
    const FieldMatches matches({&once, &twice});
    QCOMPARE(matches.count(), 2u);
    QCOMPARE(matches.fieldOf(0, 0), matches.fieldOf(1, 0));
    QCOMPARE(matches.itemOf(0, matches.fieldOf(1, 1)), LayoutItem::kNoItem);
  }

  void paddingsAreNeverTheSameAndHeadersAlways() {
    const LayoutItems items = madeItems({partItem(LayoutPart::Header), partItem(LayoutPart::MethodTable),
                                         partItem(LayoutPart::Padding), partItem(LayoutPart::Padding)});
    const FieldMatches matches({&items, &items});
    QCOMPARE(matches.fieldOf(0, 0), matches.fieldOf(1, 0));
    QCOMPARE(matches.fieldOf(0, 1), matches.fieldOf(1, 1));
    QVERIFY(matches.fieldOf(0, 2) != matches.fieldOf(1, 2));
    QVERIFY(matches.fieldOf(0, 2) != matches.fieldOf(0, 3));
    QCOMPARE(matches.count(), 6u);
  }

  void fieldsOfARealLayoutMatchThemselves() {
    const engine::TypeLayout layout = handmade::priced();
    const LayoutItems items = buildLayoutItems(layout, false);
    const FieldMatches matches({&items, &items});
    for (std::uint32_t item = 0; item < items.items.size(); ++item) {
      if (items[item].part == LayoutPart::Padding) continue;
      QCOMPARE(matches.itemOf(1, matches.fieldOf(0, item)), item);
    }
  }

  void namesOfWhatIsNoField() {
    QCOMPARE(itemName(partItem(LayoutPart::Header, "ignored")), QStringLiteral("object header"));
    QCOMPARE(itemName(partItem(LayoutPart::MethodTable)), QStringLiteral("method table"));
    QCOMPARE(itemName(partItem(LayoutPart::Padding)), QStringLiteral("padding"));
    QCOMPARE(itemName(partItem(LayoutPart::Unused)), QStringLiteral("unused"));
    QCOMPARE(itemName(partItem(LayoutPart::Field)), QStringLiteral("(no name)"));
    LayoutItem repeated = partItem(LayoutPart::Repeated);
    repeated.repeats = 8'188;
    QCOMPARE(itemName(repeated), QStringLiteral("8,188 more"));
    repeated.hiddenPaddingBytes = 3 * 8'188;
    QCOMPARE(itemName(repeated), QStringLiteral("8,188 more, 24,564 B padding in them"));
    repeated.repeats = 0;
    repeated.hiddenPaddingBytes = 3;
    repeated.mostTailBytes = 4;
    QCOMPARE(itemName(repeated), QStringLiteral("and so on, 3 B padding in each, up to 4 B end padding"));
    repeated.hiddenPaddingBytes = repeated.mostTailBytes = 0;
    QCOMPARE(itemName(repeated), QStringLiteral("and so on"));
    QCOMPARE(itemName(itemOf("<Id>k__BackingField", 8, 12)), QStringLiteral("Id"));
  }

  void onlyFieldsAndElementsHaveATypeToShow() {
    QCOMPARE(itemType(itemOf("Id", 8, 12)), QStringLiteral("Int32"));
    QCOMPARE(itemType(partItem(LayoutPart::Element)), QStringLiteral("Int32"));
    for (const LayoutPart part : {LayoutPart::Header, LayoutPart::MethodTable, LayoutPart::Padding, LayoutPart::Unused})
      QCOMPARE(itemType(partItem(part)), QString());
  }

  void offsetsHaveARealMinusSign() {
    QCOMPARE(offsetText(0), QStringLiteral("0"));
    QCOMPARE(offsetText(-8), QStringLiteral("−8"));
    QCOMPARE(offsetText(std::numeric_limits<std::int64_t>::max()), QStringLiteral("9223372036854775807"));
  }

  void sizesAreExactUpToAPage() {
    QCOMPARE(itemSizeText(itemOf("a", 8, 8)), QStringLiteral("0 B"));
    QCOMPARE(itemSizeText(itemOf("a", 0, 4'096)), QStringLiteral("4,096 B"));
    QCOMPARE(itemSizeText(itemOf("a", 0, 4'097)), QStringLiteral("4.00 KB"));
  }

  void factsCountFromTheObjectAndFromItsFirstField() {
    const LayoutItems items = madeItems({itemOf("Id", 16, 20)});
    QCOMPARE(itemFacts(items, 0), (QStringList{QStringLiteral("System.Int32 · primitive"),
                                               QStringLiteral("offset 16 from the object's address, 8 from its first "
                                                              "field"),
                                               QStringLiteral("4 bytes"), QStringLiteral("declared in Zoo.Order")}));
    LayoutItems unboxed = items;
    unboxed.isUnboxed = true;
    QCOMPARE(itemFacts(unboxed, 0)[1], QStringLiteral("offset 16 in the value"));
    LayoutItems header = madeItems({partItem(LayoutPart::Header)});
    header.items[0].begin = -4;
    header.items[0].end = 0;
    QCOMPARE(itemFacts(header, 0)[1], QStringLiteral("offset −4 from the object's address"));
  }

  void aPropertysFieldSaysWhatItIsCalled() {
    const LayoutItems items = madeItems({itemOf("<Id>k__BackingField", 16, 20)});
    QVERIFY(itemFacts(items, 0).contains(QStringLiteral("the property's field <Id>k__BackingField")));
    QVERIFY(!itemFacts(madeItems({itemOf("Id", 16, 20)}), 0).join(QLatin1Char('\n')).contains(QStringLiteral("prop")));
  }
};

HEAPSCAPE_WINDOW_TEST(FieldMatchesTest)

}  // namespace heapscape::gui

#include "tst_field_matches.moc"
