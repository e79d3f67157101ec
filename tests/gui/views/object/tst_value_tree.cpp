// SPDX-License-Identifier: MIT
// The tree of values on objects made by hand.
#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include "models/cells/roles.h"
#include "support/window_test.h"
#include "views/object/items_panel.h"
#include "views/object/values/fields_panel.h"
#include "views/object/values/value_tree_model.h"
#include "widgets/text/value_text.h"

using namespace heapscape;
using namespace heapscape::gui;
using engine::ValueKind;

namespace {

constexpr std::uint64_t kObject = 0x1000;

engine::Value plain(ValueKind kind, const char* text) {
  engine::Value value;
  value.kind = kind;
  value.text = text;
  return value;
}

engine::Value reference(std::uint64_t object, const char* type) {
  engine::Value value = plain(ValueKind::Reference, type);
  value.object = {object};
  value.objectType = type;
  return value;
}

engine::FieldValue field(const char* declarer, const char* name, std::uint32_t offset, std::uint32_t size,
                         engine::Value value) {
  engine::FieldValue field;
  field.declaringType = declarer;
  field.name = name;
  field.typeName = "System.Object";
  field.offset = offset;
  field.sizeBytes = size;
  field.address = {kObject + offset};
  field.value = std::move(value);
  return field;
}

/// Base: Id, Next; Derived: Money { amount, currency }, Name.
std::shared_ptr<ObjectPage> orderPage() {
  auto page = std::make_shared<ObjectPage>();
  page->object.row.address = {kObject};
  page->object.row.sizeBytes = 48;
  engine::FieldValue money =
      field("Shop.Derived", "<Price>k__BackingField", 24, 12, plain(ValueKind::Struct, "{ 5 EUR }"));
  money.nested = {field("Shop.Money", "amount", 24, 8, plain(ValueKind::Integer, "5")),
                  field("Shop.Money", "currency", 32, 4, plain(ValueKind::Enum, "EUR"))};
  engine::Value text = plain(ValueKind::Reference, "\"first\"");
  text.object = {0x9000};
  text.isString = true;
  text.objectType = "System.String";
  page->object.fields = {field("Shop.Base", "Id", 8, 8, plain(ValueKind::Integer, "7")),
                         field("Shop.Base", "Next", 16, 8, reference(0x2000, "Shop.Derived")), money,
                         field("Shop.Derived", "Name", 40, 8, text)};
  return page;
}

std::shared_ptr<ObjectPage> arrayPage(std::uint64_t count) {
  auto page = std::make_shared<ObjectPage>();
  page->object.row.address = {kObject};
  page->object.row.sizeBytes = 16 + 4 * count;
  page->object.array = engine::ArrayDetails{};
  page->object.array->count = count;
  page->object.array->elementSize = 4;
  page->object.array->elementOffset = 16;
  return page;
}

engine::Outcome<ValueAnswer> elementsAnswer(std::uint64_t first, std::size_t count) {
  ValueAnswer answer;
  for (std::uint64_t index = first; index < first + count; ++index) {
    const std::string name = "[" + std::to_string(index) + "]";
    const auto offset = static_cast<std::uint32_t>(16 + 4 * index);
    answer.elements.push_back(field("", name.c_str(), offset, 4, plain(ValueKind::Integer, "1")));
  }
  return answer;
}

QString textAt(const QAbstractItemModel& model, const QModelIndex& index, int column) {
  return model.data(index.siblingAtColumn(column)).toString();
}

}  // namespace

class ValueTreeTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void fieldsAreLinesAndValueTypesOpen() {
    ValueTreeModel model;
    QAbstractItemModelTester tester(&model);
    tester.setUseFetchMore(false);
    model.show(orderPage());
    QCOMPARE(model.rowCount(), 4);
    const QModelIndex price = model.index(2, 0);
    QCOMPARE(textAt(model, price, ValueTreeModel::NameColumn), QStringLiteral("Price"));
    QCOMPARE(textAt(model, price, ValueTreeModel::ValueColumn), QStringLiteral("{ 5 EUR }"));
    QCOMPARE(textAt(model, price, ValueTreeModel::OffsetColumn), QStringLiteral("24"));
    QCOMPARE(textAt(model, price, ValueTreeModel::SizeColumn), QStringLiteral("12"));
    QCOMPARE(textAt(model, price, ValueTreeModel::DeclaredColumn), QStringLiteral("Shop.Derived"));
    QCOMPARE(model.rowCount(price), 2);
    QCOMPARE(textAt(model, model.index(1, 0, price), ValueTreeModel::ValueColumn), QStringLiteral("EUR"));
    QVERIFY(!model.hasChildren(model.index(0, 0)));
    QVERIFY2(!model.hasChildren(model.index(3, 0)), "a string is whole in its line");
  }

  void referenceIsAskedForOnceWhenItIsOpened() {
    ValueTreeModel model;
    QAbstractItemModelTester tester(&model);
    tester.setUseFetchMore(false);
    qRegisterMetaType<ValueQuestion>();
    QSignalSpy wanted(&model, &ValueTreeModel::valuesWanted);
    model.show(orderPage());
    const QModelIndex next = model.index(1, 0);
    QVERIFY(model.hasChildren(next) && model.canFetchMore(next));
    model.fetchMore(next);
    model.fetchMore(next);
    QCOMPARE(wanted.size(), 1);
    ValueAnswer answer;
    answer.object = orderPage()->object;
    model.take(wanted[0][0].toULongLong(), answer);
    QCOMPARE(model.rowCount(next), 4);
    const QModelIndex inner = model.index(2, 0, next);
    QVERIFY2(model.nodeAt(inner)->span.isEmpty(), "its bytes are another object's");
    QCOMPARE(model.pathAt(model.index(1, 0, inner)), QStringLiteral("Next.Price.currency"));
    QVERIFY2(model.canFetchMore(model.index(1, 0, next)), "a cycle goes on as long as somebody opens it");
  }

  void whatCannotBeReadSaysWhyInItsPlace() {
    ValueTreeModel model;
    QAbstractItemModelTester tester(&model);
    tester.setUseFetchMore(false);
    QSignalSpy wanted(&model, &ValueTreeModel::valuesWanted);
    model.show(orderPage());
    const QModelIndex next = model.index(1, 0);
    model.fetchMore(next);
    model.take(wanted[0][0].toULongLong(),
               tl::unexpected(engine::Unfinished(engine::Error{engine::ErrorCode::Damaged, "No object is there."})));
    QCOMPARE(model.rowCount(next), 1);
    const QModelIndex note = model.index(0, 0, next);
    QCOMPARE(note.data().toString(), QStringLiteral("No object is there."));
    QVERIFY(note.data(kIsWarningRole).toBool());
  }

  void answerForAnObjectThatIsGoneIsDropped() {
    ValueTreeModel model;
    QSignalSpy wanted(&model, &ValueTreeModel::valuesWanted);
    model.show(orderPage());
    model.fetchMore(model.index(1, 0));
    model.show(orderPage());
    ValueAnswer answer;
    answer.object = orderPage()->object;
    model.take(wanted[0][0].toULongLong(), answer);
    QCOMPARE(model.rowCount(model.index(1, 0)), 0);
  }

  void damagedValueIsMarked() {
    auto page = orderPage();
    page->object.fields[1].value.damage = "points into the middle of nothing";
    ValueTreeModel model;
    model.show(page);
    const QModelIndex value = model.index(1, ValueTreeModel::ValueColumn);
    QVERIFY(value.data(kIsWarningRole).toBool());
    QVERIFY(value.data(Qt::ToolTipRole).toString().contains(QStringLiteral("points into the middle of nothing")));
  }

  void fieldsAreGroupedByTheClassThatDeclaresThem() {
    ValueTreeModel model;
    QAbstractItemModelTester tester(&model);
    tester.setUseFetchMore(false);
    model.show(orderPage());
    model.setGrouped(true);
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("Shop.Base"));
    QCOMPARE(model.rowCount(model.index(1, 0)), 2);
    QCOMPARE(model.pathAt(model.index(0, 0, model.index(1, 0))), QStringLiteral("Price"));
    model.setGrouped(false);
    QCOMPARE(model.rowCount(), 4);
  }

  void byteLeadsToTheInnermostField() {
    ValueTreeModel model;
    model.show(orderPage());
    QCOMPARE(textAt(model, model.indexAt({32, 36}), ValueTreeModel::NameColumn), QStringLiteral("currency"));
    QCOMPARE(textAt(model, model.indexAt({24, 36}), ValueTreeModel::NameColumn), QStringLiteral("Price"));
    QVERIFY(!model.indexAt({0, 8}).isValid());
  }

  void millionElementsAreRangesUntilOneIsOpened() {
    ValueTreeModel model;
    QAbstractItemModelTester tester(&model);
    tester.setUseFetchMore(false);
    QSignalSpy wanted(&model, &ValueTreeModel::valuesWanted);
    model.show(arrayPage(1'000'000));
    QCOMPARE(model.rowCount(), 100);
    const QModelIndex last = model.index(99, 0);
    QCOMPARE(last.data().toString(), QStringLiteral("[990,000 … 999,999]"));
    model.fetchMore(last);
    QCOMPARE(model.rowCount(last), 100);
    QCOMPARE(wanted.size(), 0);
    const QModelIndex inner = model.index(99, 0, last);
    model.fetchMore(inner);
    QCOMPARE(wanted.size(), 1);
    model.take(wanted[0][0].toULongLong(), elementsAnswer(999'900, 100));
    QCOMPARE(textAt(model, model.index(99, 0, inner), ValueTreeModel::NameColumn), QStringLiteral("[999999]"));
    QCOMPARE(model.indexAt({16 + 4 * 999'999, 20 + 4 * 999'999}), model.index(99, 0, inner));
  }

  void absurdLengthDoesNoHarm() {
    auto page = arrayPage(UINT64_MAX);
    page->object.row.sizeBytes = 64;
    page->object.array->elementSize = UINT32_MAX;
    page->object.array->damage = "longer than its segment";
    ValueTreeModel model;
    QAbstractItemModelTester tester(&model);
    tester.setUseFetchMore(false);
    model.show(page);
    QVERIFY(model.rowCount() > 1 && model.rowCount() <= 101);
    QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("longer than its segment"));
  }

  void collectionBehindAReferenceShowsItsItems() {
    ValueTreeModel model;
    QAbstractItemModelTester tester(&model);
    tester.setUseFetchMore(false);
    QSignalSpy wanted(&model, &ValueTreeModel::valuesWanted);
    model.show(orderPage());
    model.fetchMore(model.index(1, 0));
    ValueAnswer answer;
    answer.object = orderPage()->object;
    answer.object->collection = engine::CollectionDetails{};
    answer.object->collection->count = 1;
    answer.object->collection->hasKeys = true;
    engine::CollectionItem item;
    item.key = plain(ValueKind::Reference, "\"key\"");
    item.value = plain(ValueKind::Integer, "3");
    answer.object->collection->items = {item};
    model.take(wanted[0][0].toULongLong(), answer);
    const QModelIndex next = model.index(1, 0);
    QCOMPARE(model.rowCount(next), 2);
    QCOMPARE(model.index(0, 0, next).data().toString(), QStringLiteral("[\"key\"]"));
    const QModelIndex internals = model.index(1, 0, next);
    QCOMPARE(model.rowCount(internals), 4);
    QCOMPARE(model.pathAt(model.index(0, 0, internals)), QStringLiteral("Next.Id"));
  }

  void filterLooksAtNamesAndValues() {
    ValueTreeModel model;
    ValueFilter filter;
    QAbstractItemModelTester tester(&filter);
    filter.setSourceModel(&model);
    model.show(orderPage());
    filter.setText(QStringLiteral("eur"));
    QCOMPARE(filter.rowCount(), 1);
    QCOMPARE(filter.index(0, 0).data().toString(), QStringLiteral("Price"));
    filter.setText(QStringLiteral("name"));
    QCOMPARE(filter.index(0, 0).data().toString(), QStringLiteral("Name"));
    filter.setText({});
    QCOMPARE(filter.rowCount(), 4);
  }

  void itemsArePagedAndJumpedTo() {
    ItemsModel model;
    QAbstractItemModelTester tester(&model);
    tester.setUseFetchMore(false);
    QSignalSpy wanted(&model, &ItemsModel::itemsWanted);
    engine::CollectionDetails list;
    list.count = 5'000'000;
    list.items.resize(100);
    model.show(list);
    wanted.clear();
    if (model.canFetchMore({})) model.fetchMore({});
    model.append(100, std::vector<engine::CollectionItem>(500));
    QCOMPARE(model.rowCount(), 600);
    wanted.clear();
    model.jumpTo(4'999'990);
    QCOMPARE(model.rowCount(), 0);
    QCOMPARE(wanted[0][0].toULongLong(), 4'999'990ull);
    QCOMPARE(wanted[0][1].toULongLong(), 10ull);
    model.append(600, std::vector<engine::CollectionItem>(500));  // an answer from before the jump
    QCOMPARE(model.rowCount(), 0);
    model.append(4'999'990, std::vector<engine::CollectionItem>(10));
    QCOMPARE(model.rowCount(), 10);
    QVERIFY(!model.canFetchMore({}));
    QCOMPARE(model.index(9, ItemsModel::LabelColumn).data().toString(), QStringLiteral("4,999,999"));
  }

  void itemsWithKeysAreNumbered() {
    ItemsModel model;
    engine::CollectionDetails dictionary;
    dictionary.hasKeys = true;
    dictionary.count = 1;
    dictionary.items.resize(1);
    dictionary.items[0].label = "[\"a long key\"]";
    dictionary.items[0].key = plain(ValueKind::Known, "\"a long key\"");
    model.show(dictionary);
    QCOMPARE(model.index(0, ItemsModel::LabelColumn).data().toString(), QStringLiteral("0"));
    QCOMPARE(model.index(0, ItemsModel::KeyColumn).data().toString(), QStringLiteral("\"a long key\""));
  }

  void namesOfPropertiesAreTheirs() {
    QCOMPARE(fieldNameText("<Id>k__BackingField"), QStringLiteral("Id"));
    QCOMPARE(fieldNameText("<Total>k__BackingField.<Net>k__BackingField.m_lo"), QStringLiteral("Total.Net.m_lo"));
    QCOMPARE(fieldNameText(">k__BackingField"), QStringLiteral(">k__BackingField"));
    QCOMPARE(fieldNameText("<>c__DisplayClass0"), QStringLiteral("<>c__DisplayClass0"));
  }

  void pointersToMethodsAreShownByTheirNames() {
    const engine::Value pointer{.kind = engine::ValueKind::Pointer,
                                .text = "0x7f10 Shop.Rules.Check(System.Int32)",
                                .pointed = engine::PointedKind::Code};
    QCOMPARE(valueText(pointer), QStringLiteral("→ Check(Int32)"));
    QCOMPARE(valueSuffix(pointer), QStringLiteral("0x7f10"));
    QCOMPARE(valueTip(pointer), QStringLiteral("0x7f10 Shop.Rules.Check(System.Int32)"));
    const engine::Value plain{.kind = engine::ValueKind::Pointer, .text = "0x7f10"};
    QCOMPARE(valueText(plain), QStringLiteral("0x7f10"));
    QCOMPARE(valueSuffix(plain), QString());
    const engine::Value typed{.kind = engine::ValueKind::Pointer, .text = "0x7f10 to System.Int32"};
    QCOMPARE(valueText(typed), QStringLiteral("0x7f10 to System.Int32"));
  }

  void noValueIsShownAsNothing() {
    QCOMPARE(valueText({}), QStringLiteral("damaged"));
    QCOMPARE(valueText(plain(ValueKind::Null, "")), QStringLiteral("null"));
    QVERIFY(!valueText(plain(ValueKind::Struct, "")).isEmpty());
    QCOMPARE(valueText(reference(0x10, "System.Collections.Generic.List<System.Int32>")),
             QStringLiteral("List<Int32>"));
    QCOMPARE(valueText(plain(ValueKind::Character, "'\n'")), QStringLiteral("'\\n'"));
  }
};

HEAPSCAPE_WINDOW_TEST(ValueTreeTest)
#include "tst_value_tree.moc"
