// SPDX-License-Identifier: MIT
#include <QAbstractItemModelTester>
#include <QTest>

#include "models/cells/roles.h"
#include "support/builders/hand_made_stacks.h"
#include "support/window_test.h"
#include "views/threads/frame_text.h"
#include "views/threads/stack_model.h"
#include "widgets/text/hidden_contents.h"

namespace heapscape::gui {

namespace {

using engine::managedFrame;
using engine::nativeFrame;
using engine::runtimeFrame;

// Restock with two locals, called from .NET, called from Main.
std::shared_ptr<const engine::ThreadStackRow> someStack() {
  engine::FrameRow restock = managedFrame("Shop.Warehouse", "Restock", "(System.Int32)");
  restock.isFunclet = true;
  restock.file = "C:\\src\\Warehouse.cs";
  restock.line = 42;
  restock.isExact = false;
  restock.problem = "The GC info is not in the dump.";
  restock.rootCount = 2;
  engine::ThreadStackRow stack = engine::stackOf(
      7, {nativeFrame("libc.so.6", "read+0x1a"), runtimeFrame("InlinedCallFrame"), restock,
          managedFrame("System.Threading.Thread", "StartCallback"), managedFrame("Shop.Program", "Main")});
  engine::StackRootRow order{.frame = 2,
                             .slot = {0x7ffe12345678},
                             .reg = {},
                             .variable = "order",
                             .object = {0x7f4c59812340},
                             .value = {0x7f4c59812340},
                             .typeName = "Shop.Orders.Order"};
  engine::StackRootRow text = order;
  text.slot = {};
  text.reg = "rbx";
  text.variable.clear();
  text.typeName = "System.String";
  text.isPinned = true;
  stack.roots = {order, text};
  return std::make_shared<const engine::ThreadStackRow>(std::move(stack));
}

// The same with what debug info tells of Restock: `this` in rbx, a count, and a price of two fields; and registers.
std::shared_ptr<const engine::ThreadStackRow> stackWithVariables() {
  engine::ThreadStackRow stack = *someStack();
  engine::VariableRow self{.isParameter = true, .name = "this", .reg = "rbx"};
  self.value.typeName = "Shop.Warehouse";
  self.value.value = {.kind = engine::ValueKind::Reference, .text = "Shop.Depot", .object = {0x7f4c59812340}};
  self.value.value.objectType = "Shop.Depot";
  engine::VariableRow count{.isParameter = true, .index = 1, .name = "count", .reg = "rsi"};
  count.value.typeName = "System.Int32";
  count.value.value = {.kind = engine::ValueKind::Integer, .text = "42"};
  engine::VariableRow price{.index = 0};
  price.value.typeName = "Shop.Price";
  price.value.address = {0x7ffe12345600};
  price.value.sizeBytes = 16;
  price.value.value = {.kind = engine::ValueKind::Struct, .text = "{ 7, EUR }"};
  for (const char* name : {"<Amount>k__BackingField", "Currency"}) {
    engine::FieldValue& field = price.value.nested.emplace_back();
    field.name = name;
    field.typeName = "System.Int32";
    field.value = {.kind = engine::ValueKind::Integer, .text = "7"};
  }
  engine::VariableRow lost{.index = 3, .problem = "The code keeps it nowhere at this instruction."};
  lost.value.typeName = "System.Boolean";
  stack.frames[2].variables = {self, count, price, lost};
  stack.frames[2].registers = {{"rip", 0x7f0000001000, true}, {"rbx", 0x7f4c59812340}};
  stack.registers = {{"rip", 0x7f0000002000, true}};
  return std::make_shared<const engine::ThreadStackRow>(std::move(stack));
}

QStringList names(const StackModel& model, const QModelIndex& parent = {}) {
  QStringList all;
  for (int row = 0; row < model.rowCount(parent); ++row) all << model.index(row, 0, parent).data().toString();
  return all;
}

}  // namespace

class StackModelTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void framesStandInnermostFirstWithTheirLocalsBelow() {
    StackModel model;
    const QAbstractItemModelTester tester(&model);
    model.show(someStack());
    QCOMPARE(names(model), (QStringList{QStringLiteral("libc.so.6!read+0x1a"), QStringLiteral("[InlinedCallFrame]"),
                                        QStringLiteral("Shop.Warehouse.Restock(System.Int32)"),
                                        QStringLiteral("System.Threading.Thread.StartCallback()"),
                                        QStringLiteral("Shop.Program.Main()")}));
    const QModelIndex restock = model.index(2, 0);
    QCOMPARE(names(model, restock), (QStringList{QStringLiteral("order"), QStringLiteral("rbx")}));
    QCOMPARE(model.index(0, StackModel::TypeColumn, restock).data().toString(), QStringLiteral("Shop.Orders.Order"));
    QCOMPARE(model.index(0, StackModel::ObjectColumn, restock).data().toString(), QStringLiteral("0x7f4c59812340"));
    QCOMPARE(model.index(0, StackModel::PlaceColumn, restock).data().toString(), QStringLiteral("slot 0x7ffe12345678"));
    QCOMPARE(model.localAt(model.index(1, 0, restock))->reg, std::string("rbx"));
    QVERIFY(!model.frameAt(model.index(1, 0, restock)));
    QCOMPARE(model.frameAt(restock)->method, std::string("Restock"));
  }

  void variablesTellWhatTheyHold() {
    StackModel model;
    const QAbstractItemModelTester tester(&model);
    model.show(stackWithVariables());
    const QModelIndex restock = model.index(3, 0);  // behind the registers of the thread
    // What is in rbx is `this`, and is not told twice.
    QCOMPARE(names(model, restock),
             (QStringList{QStringLiteral("this"), QStringLiteral("count"), QStringLiteral("local 0"),
                          QStringLiteral("local 3"), QStringLiteral("order"), QStringLiteral("Registers")}));
    const auto value = [&](int row) { return model.index(row, StackModel::ValueColumn, restock).data().toString(); };
    QCOMPARE(value(0), QStringLiteral("Depot"));
    QCOMPARE(value(1), QStringLiteral("42"));
    QCOMPARE(value(2), QStringLiteral("{ 7, EUR }"));
    QCOMPARE(value(3), QStringLiteral("The code keeps it nowhere at this instruction."));
    const QModelIndex self = model.index(0, 0, restock);
    QCOMPARE(model.objectAt(self).value, 0x7f4c59812340u);
    QCOMPARE(self.data(kMarksRole).toStringList(), QStringList{QStringLiteral("pinned")});
    QCOMPARE(model.index(1, 0, restock).data(kMarksRole).toStringList(), QStringList{QStringLiteral("parameter")});
    QCOMPARE(self.siblingAtColumn(StackModel::TypeColumn).data().toString(), QStringLiteral("Shop.Depot"));
    QCOMPARE(self.siblingAtColumn(StackModel::PlaceColumn).data().toString(), QStringLiteral("rbx"));
    const QModelIndex price = model.index(2, 0, restock);
    QCOMPARE(names(model, price), (QStringList{QStringLiteral("Amount"), QStringLiteral("Currency")}));
    QCOMPARE(model.parent(model.index(1, 0, price)), price);
    QCOMPARE(model.memoryAt(price).value, 0x7ffe12345600u);
    const QString text = stackAsText(*model.stack());
    QVERIFY(text.contains(QStringLiteral("count  System.Int32  = 42")));
    QVERIFY(!text.contains(QStringLiteral("\n      rbx")));
    model.setFilter(QStringLiteral("eur"));
    QCOMPARE(names(model), QStringList{QStringLiteral("Shop.Warehouse.Restock(System.Int32)")});
    QCOMPARE(names(model, model.index(0, 0)), QStringList{QStringLiteral("local 0")});
  }

  void contentsOfVariablesAndRegistersAreHidden() {
    StackModel model;
    model.show(stackWithVariables());
    const QModelIndex restock = model.index(3, 0);
    const HiddenContents hidden;
    QCOMPARE(model.index(1, StackModel::ValueColumn, restock).data().toString(), QStringLiteral("•••"));
    const QModelIndex registers = model.index(5, 0, restock);
    QCOMPARE(model.index(0, StackModel::ValueColumn, registers).data().toString(),
             QStringLiteral("0x00007f0000001000"));
    QCOMPARE(model.index(1, StackModel::ValueColumn, registers).data().toString(), QStringLiteral("•••"));
    QVERIFY(!stackAsText(*model.stack()).contains(QStringLiteral("= 42")));
  }

  void aGapIsALineBetweenTheFramesThatItParts() {
    engine::ThreadStackRow stack = *someStack();
    stack.isComplete = false;
    stack.problem = "A page of the stack is not in the dump.";
    stack.gap = 2;
    StackModel model;
    const QAbstractItemModelTester tester(&model);
    model.show(std::make_shared<const engine::ThreadStackRow>(stack));
    QCOMPARE(model.rowCount(), 6);
    QVERIFY(model.isGap(model.index(3, 0)) && !model.isGap(model.index(2, 0)));
    const QString said = QStringLiteral("⚠ Frames are missing here: A page of the stack is not in the dump.");
    QCOMPARE(model.index(3, 0).data().toString(), said);
    QVERIFY(stackAsText(stack).contains(said + QStringLiteral("\n  System.Threading")));
    model.setOnlyMyCode(true);
    QVERIFY(model.isGap(model.index(2, 0)));
    model.setFilter(QStringLiteral("Main"));
    QCOMPARE(names(model), QStringList{QStringLiteral("Shop.Program.Main()")});
  }

  void framesThatRepeatAreOneLineUntilAllAreWanted() {
    engine::ThreadStackRow deep = engine::stackOf(7, {managedFrame("Shop.Tree", "Leaf")});
    for (int i = 0; i < 1000; ++i) {
      deep.frames.push_back(managedFrame("Shop.Tree", "Walk"));
      deep.frames.push_back(managedFrame("Shop.Tree", "Visit"));
    }
    deep.frames.push_back(managedFrame("Shop.Program", "Main"));
    StackModel model;
    const QAbstractItemModelTester tester(&model);
    model.show(std::make_shared<const engine::ThreadStackRow>(deep));
    QVERIFY(model.hasRepeats());
    QCOMPARE(names(model), (QStringList{QStringLiteral("Shop.Tree.Leaf()"), QStringLiteral("Shop.Tree.Walk()"),
                                        QStringLiteral("Shop.Tree.Visit()"), QStringLiteral("Shop.Program.Main()")}));
    QCOMPARE(model.index(1, 0).data(kMarksRole).toStringList(), QStringList{QStringLiteral("1,000 times")});
    QVERIFY(stackAsText(deep).contains(QStringLiteral("Shop.Tree.Visit()  [1,000 times]")));
    model.setAllFrames(true);
    QCOMPARE(model.rowCount(), 2002);
    model.setAllFrames(false);
    model.setFilter(QStringLiteral("Visit"));
    QCOMPARE(model.rowCount(), 1000);
    model.show(someStack());
    QVERIFY(!model.hasRepeats());
  }

  void whatIsSpecialIsSaidInWords() {
    StackModel model;
    model.show(someStack());
    QCOMPARE(model.index(0, 0).data(kMarksRole).toStringList(), QStringList{QStringLiteral("native")});
    QCOMPARE(model.index(1, 0).data(kMarksRole).toStringList(), QStringList{QStringLiteral("runtime")});
    const QModelIndex restock = model.index(2, 0);
    QCOMPARE(restock.data(kMarksRole).toStringList(),
             (QStringList{QStringLiteral("handler"), QStringLiteral("⚠ not exact")}));
    QVERIFY(restock.data(Qt::ToolTipRole).toString().contains(QStringLiteral("The GC info is not in the dump.")));
    QCOMPARE(restock.data(kDimmedPrefixRole).toInt(), static_cast<int>(qstrlen("Shop.Warehouse.")));
    QCOMPARE(model.index(2, StackModel::PlaceColumn).data().toString(), QStringLiteral("Warehouse.cs:42"));
    QVERIFY(model.index(1, 0).data(kIsAsideRole).toBool() && !restock.data(kIsAsideRole).toBool());
    QCOMPARE(model.index(1, 0, restock).data(kMarksRole).toStringList(), QStringList{QStringLiteral("pinned")});
  }

  void onlyTheProgramsCodeLeavesTheRestAsOneLineEach() {
    StackModel model;
    const QAbstractItemModelTester tester(&model);
    model.show(someStack());
    model.setOnlyMyCode(true);
    QCOMPARE(
        names(model),
        (QStringList{QStringLiteral("[External code] 2 frames"), QStringLiteral("Shop.Warehouse.Restock(System.Int32)"),
                     QStringLiteral("[External code] 1 frame"), QStringLiteral("Shop.Program.Main()")}));
    QVERIFY(model.index(0, 0).data(Qt::ToolTipRole).toString().contains(QStringLiteral("[InlinedCallFrame]")));
    QVERIFY(!model.frameAt(model.index(0, 0)));
    model.setOnlyMyCode(false);
    QCOMPARE(model.rowCount(), 5);
  }

  void theFilterFindsFramesAndLocals() {
    StackModel model;
    const QAbstractItemModelTester tester(&model);
    model.show(someStack());
    model.setFilter(QStringLiteral("orders.order"));
    QCOMPARE(names(model), QStringList{QStringLiteral("Shop.Warehouse.Restock(System.Int32)")});
    QCOMPARE(names(model, model.index(0, 0)), QStringList{QStringLiteral("order")});
    model.setFilter(QStringLiteral("restock"));
    QCOMPARE(model.rowCount(model.index(0, 0)), 2);
    model.setFilter(QStringLiteral("nowhere"));
    QCOMPARE(model.rowCount(), 0);
  }

  void localsStandInGroupsWithTheFrameThatEachIsOf() {
    engine::ThreadStackRow stack = *someStack();
    engine::StackRootRow again = stack.roots[0];  // the same object once more, in Main
    again.frame = 4;
    again.variable = "current";
    stack.frames[4].firstRoot = 2;
    stack.frames[4].rootCount = 1;
    stack.roots.push_back(again);
    stack.roots[1].frame = 1;  // one of the runtime
    StackModel model;
    const QAbstractItemModelTester tester(&model);
    model.show(std::make_shared<const engine::ThreadStackRow>(stack));
    model.group(std::make_shared<const std::vector<LocalGroup>>(std::vector<LocalGroup>{
        {.name = QStringLiteral("Shop.Orders.Order"), .locals = {{0, 96}, {2, 96}}, .isOfType = true},
        {.name = QStringLiteral("System.String"), .locals = {{1, 40}}, .isOfType = true}}));
    QCOMPARE(names(model), (QStringList{QStringLiteral("Shop.Orders.Order"), QStringLiteral("System.String")}));
    const QModelIndex orders = model.index(0, 0);
    QCOMPARE(orders.data(kMarksRole).toStringList(), QStringList{QStringLiteral("2 locals")});
    QCOMPARE(model.index(0, StackModel::ObjectColumn).data().toString(), QStringLiteral("1 object"));
    QCOMPARE(model.index(0, StackModel::PlaceColumn).data().toString(), QStringLiteral("96 B"));
    QCOMPARE(model.objectsOf(orders).size(), std::size_t{1});
    QCOMPARE(names(model, orders), (QStringList{QStringLiteral("order"), QStringLiteral("current")}));
    QCOMPARE(model.index(1, StackModel::PlaceColumn, orders).data().toString(), QStringLiteral("in Program.Main()"));
    QCOMPARE(model.index(0, StackModel::PlaceColumn, model.index(1, 0)).data().toString(),
             QStringLiteral("in [InlinedCallFrame]"));
    QVERIFY(!model.frameAt(orders) && !model.localAt(orders));
    QCOMPARE(model.localAt(model.index(1, 0, orders))->variable, std::string("current"));
    model.setFilter(QStringLiteral("current"));
    QCOMPARE(names(model), QStringList{QStringLiteral("Shop.Orders.Order")});
    QCOMPARE(model.index(0, 0).data(kMarksRole).toStringList(), QStringList{QStringLiteral("1 local")});
    model.setFilter({});
    model.group(nullptr);
    QCOMPARE(model.rowCount(), 5);
  }

  void aStackCanBeCopiedAsText() {
    const QString text = stackAsText(*someStack());
    QVERIFY(text.startsWith(QStringLiteral("Thread 7, OS id 1007")));
    QVERIFY(text.contains(QStringLiteral("Shop.Warehouse.Restock(System.Int32) in C:\\src\\Warehouse.cs:42")));
    QVERIFY(text.contains(QStringLiteral("order  Shop.Orders.Order  0x7f4c59812340")));
    QVERIFY(!text.contains(QStringLiteral("ends early")));
  }

  void rootsBeyondTheListAreNoLocals() {
    engine::ThreadStackRow stack = *someStack();
    stack.frames[2].rootCount = 1000;
    stack.frames[3].firstRoot = 5000;
    stack.frames[3].rootCount = 2;
    StackModel model;
    const QAbstractItemModelTester tester(&model);
    model.show(std::make_shared<const engine::ThreadStackRow>(stack));
    QCOMPARE(model.rowCount(model.index(2, 0)), 2);
    QCOMPARE(model.rowCount(model.index(3, 0)), 0);
    QVERIFY(!stackAsText(stack).isEmpty());
  }
};

HEAPSCAPE_WINDOW_TEST(StackModelTest)

}  // namespace heapscape::gui

#include "tst_stack_model.moc"
