// SPDX-License-Identifier: MIT
#include <QAbstractItemModelTester>
#include <QTest>

#include "hand_made_layouts.h"
#include "models/layout/layout_fields_model.h"
#include "models/layout/layout_types_model.h"
#include "support/window_test.h"

using namespace heapscape;
using namespace heapscape::gui;

namespace {

std::shared_ptr<const LayoutItems> itemsOf(const engine::TypeLayout& layout) {
  return std::make_shared<const LayoutItems>(buildLayoutItems(layout, false));
}

LayoutTypeQuestion threeTypes() {
  LayoutTypes types{{{"Zoo.Order", "zoo.dll", {1}}, 10, 30},
                    {{"Zoo.Line", "zoo.dll", {2}}, 90, 0},
                    {{"System.Unused", "core.dll", {3}}, 0, 0}};
  LayoutTypeQuestion question;
  question.all = std::make_shared<const LayoutTypes>(std::move(types));
  return question;
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

  void typesAreOrderedByWhatTheyCost() {
    const LayoutTypeAnswer answer = answerLayoutTypes(threeTypes());
    QCOMPARE(answer.shown, (std::vector<std::uint32_t>{0, 1, 2}));
    QCOMPARE(answer.mostObjects, std::uint64_t{90});
  }

  void typesAreFoundInAnyCase() {
    LayoutTypeQuestion question = threeTypes();
    question.text = "zoo.l";
    QCOMPARE(answerLayoutTypes(question).shown, std::vector<std::uint32_t>{1});
  }

  void typesAreFoundByAQuery() {
    LayoutTypeQuestion question = threeTypes();
    question.text = "objects > 0 and not type ~ \"zoo.l\"";
    const LayoutTypeAnswer answer = answerLayoutTypes(question);
    for (const std::uint32_t row : answer.shown) {
      QVERIFY((*question.all)[row].objects > 0);
      QVERIFY(row != 1);
    }
    QVERIFY(!answer.shown.empty());
    question.text = "size > 8";  // of an assembly's types only
    QVERIFY(answerLayoutTypes(question).shown.empty());
    question.isOfAssembly = true;
    question.text = "size = 0 and padding >= 0";
    QCOMPARE(answerLayoutTypes(question).shown.size(), question.all->size());
  }

  void typesAreOrderedByName() {
    LayoutTypeQuestion question = threeTypes();
    question.order = LayoutTypeOrder::Name;
    question.descending = false;
    QCOMPARE(answerLayoutTypes(question).shown, (std::vector<std::uint32_t>{2, 1, 0}));
  }

  void typesModelIsSound() {
    LayoutTypesModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.show(answerLayoutTypes(threeTypes()));
    QCOMPARE(model.rowOf(engine::Address{2}), 1);
    QCOMPARE(model.rowOf(engine::Address{9}), -1);
    QCOMPARE(model.index(2, LayoutTypesModel::ObjectsColumn).data().toString(), QString());
    model.show({});
    QCOMPARE(model.rowCount(), 0);
  }
};

HEAPSCAPE_WINDOW_TEST(LayoutModelsTest)
#include "tst_layout_models.moc"
