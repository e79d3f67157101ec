// SPDX-License-Identifier: MIT
// The models on what the engine says of a real dump.
#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>
#include <numeric>

#include "models/instances_model.h"
#include "models/namespace_tree_model.h"
#include "models/type_table_model.h"
#include "session/door/open_dump.h"
#include "support/window_test.h"

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
    TypeTableModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.show(ask(false));
    QCOMPARE(model.rowCount(), static_cast<int>(m_snapshot->types().size()));
    model.show(nullptr);
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
    question.query.sortBy = engine::TypeColumn::Count;
    question.query.descending = false;
    const auto rows = askTypes(*m_snapshot, question, {}).value();
    for (const engine::NamespaceNode& node : rows->tree.nodes) {
      for (std::size_t child = 1; child < node.children.size(); ++child) {
        QVERIFY(rows->tree.nodes[node.children[child - 1]].objects <= rows->tree.nodes[node.children[child]].objects);
      }
    }
  }

  void typeIsFoundByItsMethodTable() {
    TypeTableModel table;
    table.show(ask(false));
    NamespaceTreeModel tree;
    tree.show(ask(true));
    const engine::TypeRow& type = m_snapshot->types().back();
    QCOMPARE(m_snapshot->types()[table.typeAt(table.rowOf(type.methodTable)).value].name, type.name);
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

  void instancesModelIsSound() {
    InstancesModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.start();
    model.append(engine::listObjects(*m_snapshot, {}, 0, 30), true);
    QCOMPARE(model.rowCount(), 30);
    model.clear();
    QCOMPARE(model.rowCount(), 0);
  }

  void instancesAreLoadedPageByPage() {
    InstancesModel model;
    QSignalSpy wanted(&model, &InstancesModel::pageWanted);
    model.start();
    QCOMPARE(wanted.count(), 1);
    QVERIFY(!model.canFetchMore({}));  // one page at a time
    const auto objects = engine::listObjects(*m_snapshot, {}, 0, 30);
    model.append({objects.begin(), objects.begin() + 20}, true);
    QVERIFY(model.canFetchMore({}));
    model.fetchMore({});
    QCOMPARE(wanted.count(), 2);
    QCOMPARE(wanted.back().front().value<engine::Address>().value, objects[19].address.value + 1);
    model.append({objects.begin() + 20, objects.end()}, false);
    QVERIFY(!model.canFetchMore({}));
    QCOMPARE(model.rowCount(), 30);
    QCOMPARE(model.rowOf(objects[25].address), 25);
    QCOMPARE(model.rowOf(objects[25].address + 1), -1);
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
