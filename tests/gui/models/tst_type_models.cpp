// SPDX-License-Identifier: MIT
// The models on what the engine says of a real dump.
#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>
#include <numeric>

#include "models/cells/roles.h"
#include "models/rows/rows_model.h"
#include "models/rows/type_rows.h"
#include "session/open/open_dump.h"
#include "support/window_test.h"
#include "views/types/types_list.h"

using namespace heapscape;
using namespace heapscape::gui;

class TypeModelsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    auto opened = engine::openDump(HEAPSCAPE_TEST_DATA "/shop-10.core.zst", {}, nullptr, {});
    QVERIFY(opened.has_value());
    m_snapshot = *opened;
  }

  void tableIsSound() {
    RowsModel model(typeColumns());
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.show(ask(false)->list);
    QCOMPARE(model.rowCount(), static_cast<int>(m_snapshot->types().size()));
    model.clear();
    QCOMPARE(model.rowCount(), 0);
  }

  void treeIsSound() {
    NamespaceTreeModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.show(ask(true));
    QVERIFY(model.rowCount() > 1);
    model.show(nullptr);
    QCOMPARE(model.rowCount(), 0);
  }

  void rowsAreInTheOrderAskedFor() {
    const auto rows = ask(false);
    for (std::size_t row = 1; row < rows->selection.types.size(); ++row) {
      QVERIFY(rows->figures(row).bytes <= rows->figures(row - 1).bytes);
    }
    QCOMPARE(rows->largest.bytes, rows->figures(0).bytes);
  }

  void everyTypeIsInTheTreeOnce() {
    const auto rows = ask(true);
    std::vector<int> seen(m_snapshot->types().size(), 0);
    for (const engine::NamespaceNode& node : rows->tree.nodes) {
      if (!node.type.isNone()) ++seen[node.type.value];
    }
    QVERIFY(std::ranges::all_of(seen, [](int times) { return times == 1; }));
  }

  void namespaceSumsItsGenerations() {
    const auto rows = ask(true);
    const auto& whole = rows->tree.generations.front();
    QCOMPARE(std::accumulate(whole.begin(), whole.end(), std::uint64_t{0}), rows->selection.bytes);
  }

  void childrenOfANamespaceAreSorted() {
    TypeQuestion question;
    question.asTree = true;
    question.section = ObjectsColumn;
    question.descending = false;
    const auto rows = askTypes(*m_snapshot, question, {}).value();
    for (const engine::NamespaceNode& node : rows->tree.nodes) {
      for (std::size_t child = 1; child < node.children.size(); ++child) {
        QVERIFY(rows->tree.nodes[node.children[child - 1]].objects <= rows->tree.nodes[node.children[child]].objects);
      }
    }
  }

  void typeIsFoundByItsMethodTable() {
    RowsModel table(typeColumns());
    const auto types = ask(false);
    table.show(types->list);
    NamespaceTreeModel tree;
    tree.show(ask(true));
    const engine::TypeRow& type = m_snapshot->types().back();
    QCOMPARE(table.index(table.lineAbout(type.methodTable), NameColumn).data(kPlainRole).toString().toStdString(),
             type.name);
    const QModelIndex leaf = tree.indexOf(type.methodTable);
    QVERIFY(leaf.isValid());
    QCOMPARE(leaf.data(Qt::ToolTipRole).toString(), QString::fromStdString(type.name));
    QCOMPARE(tree.index(leaf.row(), 0, leaf.parent()), leaf);
  }

  void scopeCountsOnlyItsPart() {
    TypeQuestion question;
    question.scope.generation = engine::Generation::Gen0;
    const auto rows = askTypes(*m_snapshot, question, {}).value();
    std::uint64_t expected = 0;
    for (const engine::GenerationRow& row : m_snapshot->generations()) {
      if (row.generation == engine::Generation::Gen0) expected += row.totals.bytes + row.totals.freeBytes;
    }
    QVERIFY(rows->selection.bytes > 0);
    QVERIFY(rows->selection.bytes <= expected);
    QVERIFY(rows->question.counts != nullptr);
  }

  void figuresOfTheTableAndOfTheTreeReadTheSame() {
    const auto flat = ask(false);
    const auto grouped = ask(true);
    RowsModel table(typeColumns());
    table.show(flat->list);
    NamespaceTreeModel tree;
    tree.show(grouped);
    for (int row = 0; row < table.rowCount(); row += 17) {
      const QModelIndex leaf = tree.indexOf(table.identityAt(row));
      for (int column = ObjectsColumn; column <= GenerationsColumn; ++column) {
        for (const int role : {int{Qt::DisplayRole}, int{Qt::ToolTipRole}, int{kPlainRole}}) {
          QCOMPARE(table.index(row, column).data(role).toString(), leaf.siblingAtColumn(column).data(role).toString());
        }
      }
    }
  }

 private:
  std::shared_ptr<const TypeRows> ask(bool asTree) {
    TypeQuestion question;
    question.asTree = asTree;
    return askTypes(*m_snapshot, question, {}).value();
  }

  std::optional<engine::Snapshot> m_snapshot;
};

HEAPSCAPE_WINDOW_TEST(TypeModelsTest)
#include "tst_type_models.moc"
