// SPDX-License-Identifier: MIT
#include <QAbstractItemModelTester>
#include <QTest>

#include "models/layout/layout_fields_model.h"
#include "models/layout/layout_types.h"
#include "models/rows/row_question.h"
#include "models/rows/rows_model.h"
#include "support/hand_made_layouts.h"
#include "support/window_test.h"

using namespace heapscape;
using namespace heapscape::gui;
using engine::LayoutItems;

namespace {

std::shared_ptr<const LayoutItems> itemsOf(const engine::TypeLayout& layout) {
  return std::make_shared<const LayoutItems>(buildLayoutItems(layout, false));
}

std::vector<LayoutTypeRow> threeTypes() {
  return {{{"Zoo.Order", "zoo.dll", {1}}, 10, 30},
          {{"System.Unused", "core.dll", {3}}, 0, 0},
          {{"Zoo.Line", "zoo.dll", {2}}, 90, 0}};
}

std::vector<std::string> named(const RowList& list, const RowQuestion& question) {
  std::vector<std::string> names;
  const auto rows = askRows(list, question, {});
  for (const std::uint32_t row : rows.value_or(std::vector<std::uint32_t>()))
    names.push_back(list.as<LayoutTypeRow>(row).type.name);
  return names;
}

}  // namespace

class LayoutModelsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void fieldsModelIsSound() {
    LayoutFieldsModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.show(itemsOf(handmade::priced()));
    QCOMPARE(model.rowCount(), 4);
    model.show(nullptr);
    QCOMPARE(model.rowCount(), 0);
  }

  void nestedFieldsLieUnderTheirValue() {
    LayoutFieldsModel model;
    model.show(itemsOf(handmade::priced()));
    const QModelIndex price = model.index(3, LayoutFieldsModel::FieldColumn);
    QCOMPARE(price.data().toString(), QStringLiteral("Price"));
    const QModelIndex parent = price.siblingAtColumn(0);
    QCOMPARE(model.rowCount(parent), 3);
    const QModelIndex padding = model.index(1, LayoutFieldsModel::FieldColumn, parent);
    QCOMPARE(padding.data().toString(), QStringLiteral("padding"));
    QCOMPARE(padding.siblingAtColumn(LayoutFieldsModel::SizeColumn).data().toString(), QStringLiteral("7"));
    QCOMPARE(model.indexOf(model.itemOf(padding)), padding.siblingAtColumn(0));
  }

  void headerHasANegativeOffset() {
    LayoutFieldsModel model;
    model.show(itemsOf(handmade::order()));
    QCOMPARE(model.index(0, LayoutFieldsModel::OffsetColumn).data().toString(), QStringLiteral("−8"));
  }

  void typesAreOrderedByWhatTheyCostThenByTheirObjects() {
    const auto list = layoutTypeList(threeTypes(), false);
    const RowQuestion question{.text = {}, .kinds = {}, .sortColumn = LayoutPaddingColumn, .descending = true};
    QCOMPARE(named(*list, question), (std::vector<std::string>{"Zoo.Order", "Zoo.Line", "System.Unused"}));
  }

  void typesAreFoundInAnyCase() {
    const auto list = layoutTypeList(threeTypes(), false);
    QCOMPARE(named(*list, {.text = QStringLiteral("zoo.l"), .kinds = {}}), std::vector<std::string>{"Zoo.Line"});
  }

  void typesAreFoundByAQuery() {
    const auto list = layoutTypeList(threeTypes(), false);
    QCOMPARE(named(*list, {.text = QStringLiteral("objects > 0 and not type ~ \"zoo.l\""), .kinds = {}}),
             std::vector<std::string>{"Zoo.Order"});
    const RowQuestion bySize{.text = QStringLiteral("size = 0 and padding >= 0"), .kinds = {}};
    QVERIFY(!askRows(*list, bySize, {}).has_value());  // of an assembly's types only
    QCOMPARE(named(*layoutTypeList(threeTypes(), true), bySize).size(), std::size_t{3});
  }

  void typesAreOrderedByName() {
    const auto list = layoutTypeList(threeTypes(), false);
    QCOMPARE(named(*list, {.text = {}, .kinds = {}, .sortColumn = LayoutNameColumn}),
             (std::vector<std::string>{"System.Unused", "Zoo.Line", "Zoo.Order"}));
  }

  void aTypeWithoutObjectsOrWithoutALayoutShowsIt() {
    std::vector<LayoutTypeRow> types = threeTypes();
    types[1].failure = "Nowhere.dll is missing";
    const auto list = layoutTypeList(std::move(types), false);
    RowsModel model(list->columns());
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.show(list);
    QCOMPARE(model.lineAbout({2}), 1);  // behind what has padding
    QCOMPARE(model.lineAbout({9}), -1);
    const QModelIndex unused = model.index(model.lineAbout({3}), LayoutNameColumn);
    QCOMPARE(unused.siblingAtColumn(LayoutObjectsColumn).data().toString(), QString());
    QCOMPARE(unused.data().toString(), QStringLiteral("⚠ System.Unused"));
    QVERIFY(unused.data(Qt::ToolTipRole).toString().contains(QStringLiteral("Nowhere.dll is missing")));
    QVERIFY(unused.siblingAtColumn(LayoutAssemblyColumn).data(Qt::ForegroundRole).isValid());
  }
};

HEAPSCAPE_WINDOW_TEST(LayoutModelsTest)
#include "tst_layout_models.moc"
