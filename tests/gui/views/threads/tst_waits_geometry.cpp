// SPDX-License-Identifier: MIT
#include <QTest>

#include "support/window_test.h"
#include "views/threads/waits_geometry.h"

namespace heapscape::gui {

namespace {

engine::ThreadRow threadRow(std::uint32_t id, std::uint32_t waitsFor = 0) {
  engine::ThreadRow row;
  row.address = {0x1000 + std::uint64_t{id}};
  row.managedId = id;
  row.waitsForManagedId = waitsFor;
  return row;
}

engine::LockRow lockRow(std::uint32_t owner, std::uint32_t waiting = 0) {
  engine::LockRow row;
  row.kind = engine::LockKind::SyncBlock;
  row.object = {0x2000 + std::uint64_t{owner}};
  row.typeName = "Shop.Door";
  row.isHeld = true;
  row.ownerManagedId = owner;
  row.recursion = 1;
  row.waiting = waiting;
  return row;
}

std::size_t indexOf(const Waits& waits, std::uint32_t id) {
  for (std::size_t i = 0; i < waits.nodes.size(); ++i) {
    if (waits.nodes[i].managedId == id) return i;
  }
  return waits.nodes.size();
}

engine::ThreadStackRow stackRow(std::uint32_t id, const char* method, const char* doing) {
  engine::ThreadStackRow row;
  row.thread = {0x1000 + std::uint64_t{id}};
  row.managedId = id;
  row.doing = doing;
  row.frames.resize(2);
  row.frames[0].owner = engine::CodeOwner::Framework;
  row.frames[0].type = "System.Threading.Monitor";
  row.frames[0].method = "Enter";
  row.frames[1].type = "Shop.Bank";
  row.frames[1].method = method;
  row.frames[1].parameters = "(System.Int32)";
  row.frames[1].file = "/src/Bank.cs";
  row.frames[1].line = 31;
  return row;
}

engine::BlockedThread blockedRow(std::uint32_t id, engine::BlockedOn kind, std::uint64_t object,
                                 std::uint32_t owner = 0) {
  engine::BlockedThread blocked;
  blocked.managedId = id;
  blocked.kind = kind;
  blocked.object = {object};
  blocked.owner = owner;
  return blocked;
}

/// 2 and 3 wait for 1; 4 waits for 3; 5 and 6 for each other; 7 does nothing.
Waits someWaits() {
  engine::ThreadList threads;
  threads.threads = {threadRow(1),    threadRow(2, 1), threadRow(3, 1), threadRow(4, 3),
                     threadRow(5, 6), threadRow(6, 5), threadRow(7)};
  engine::LockList locks;
  locks.locks = {lockRow(1, 2), lockRow(1), lockRow(3, 1), lockRow(5, 1), lockRow(6, 1)};
  locks.cycles = {{5, 6}};
  return findWaits(threads, locks);
}

void verifyApart(const WaitsGeometry& geometry) {
  for (std::size_t a = 0; a < geometry.boxes.size(); ++a) {
    QVERIFY(geometry.boxes[a].box.isValid());
    QVERIFY(QRectF(QPointF(), geometry.size).contains(geometry.boxes[a].box));
    for (std::size_t b = a + 1; b < geometry.boxes.size(); ++b) {
      QVERIFY(!geometry.boxes[a].box.intersects(geometry.boxes[b].box));
    }
    std::vector<QRectF> parts{geometry.boxes[a].title};
    parts.insert(parts.end(), geometry.boxes[a].lines.begin(), geometry.boxes[a].lines.end());
    parts.insert(parts.end(), geometry.boxes[a].locks.begin(), geometry.boxes[a].locks.end());
    for (std::size_t i = 0; i < parts.size(); ++i) {
      QVERIFY(geometry.boxes[a].box.contains(parts[i]));
      QVERIFY(i == 0 || !parts[i].intersects(parts[i - 1]));
    }
  }
}

}  // namespace

class WaitsGeometryTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void threadsThatNeitherHoldNorWaitAreLeftOut() {
    const Waits waits = someWaits();
    QCOMPARE(waits.nodes.size(), std::size_t{6});
    QCOMPARE(indexOf(waits, 7), std::size_t{6});
    QCOMPARE(waits.cycles.size(), std::size_t{1});
    QVERIFY(findWaits({}, {}).isEmpty());
  }

  void theWantedLockIsNamedOnlyWhereItIsCertain() {
    Waits waits = someWaits();
    QCOMPARE(waits.nodes[indexOf(waits, 2)].wantedLock, std::optional<std::size_t>(0));
    engine::ThreadList threads;
    threads.threads = {threadRow(1), threadRow(2, 1)};
    engine::LockList locks;
    locks.locks = {lockRow(1, 1), lockRow(1, 1)};
    waits = findWaits(threads, locks);
    QVERIFY(!waits.nodes[indexOf(waits, 2)].wantedLock);
  }

  void whoWaitsStandsBehindWhomItWaitsFor() {
    const Waits waits = someWaits();
    const WaitsGeometry geometry = layOutWaits(waits, {});
    const auto column = [&](std::uint32_t id) { return geometry.boxes[indexOf(waits, id)].column; };
    QCOMPARE(column(1), std::size_t{0});
    QCOMPARE(column(2), std::size_t{1});
    QCOMPARE(column(3), std::size_t{1});
    QCOMPARE(column(4), std::size_t{2});
    QCOMPARE(column(5), std::size_t{0});
    QCOMPARE(column(6), std::size_t{0});
    verifyApart(geometry);
  }

  void arrowsEndAtTheLockThatIsWanted() {
    const Waits waits = someWaits();
    const WaitsGeometry geometry = layOutWaits(waits, {});
    QCOMPARE(geometry.arrows.size(), std::size_t{5});
    for (const WaitArrow& arrow : geometry.arrows) {
      const WaitNode& from = waits.nodes[arrow.from];
      QCOMPARE(arrow.to, *from.waitsFor);
      QCOMPARE(arrow.isInCycle, from.managedId == 5 || from.managedId == 6);
      const QRectF wanted = geometry.boxes[arrow.to].locks[*from.wantedLock];
      QVERIFY(arrow.line.last().y() > wanted.top() && arrow.line.last().y() < wanted.bottom());
    }
  }

  void aDeadlockHasATitleAboveItsThreads() {
    const Waits waits = someWaits();
    const WaitsGeometry geometry = layOutWaits(waits, {});
    QCOMPARE(geometry.cycleTitles.size(), std::size_t{1});
    QVERIFY(geometry.cycleTitles[0].bottom() <= geometry.boxes[indexOf(waits, 5)].box.top());
    for (const WaitBox& box : geometry.boxes) QVERIFY(!box.box.intersects(geometry.cycleTitles[0]));
  }

  void threadsNameTheFrameThatWaits() {
    engine::ThreadList threads;
    threads.threads = {threadRow(1), threadRow(2, 1), threadRow(3)};
    engine::LockList locks;
    locks.locks = {lockRow(1, 1), lockRow(3)};
    engine::StackList stacks;
    stacks.threads = {stackRow(1, "Sum", "waits in Thread.Sleep"),
                      stackRow(2, "Transfer", "waits in Monitor.Enter on Shop.Door, which thread 1 holds"),
                      stackRow(3, "Count", "runs Shop.Bank.Count"), stackRow(4, "Rest", "waits in Thread.Sleep")};
    const StackFacts facts{stacks, {}};
    const Waits waits = findWaits(threads, locks, &facts);
    QCOMPARE(waits.nodes.size(), std::size_t{3});
    const auto lines = [&](std::uint32_t id) { return waits.nodes[indexOf(waits, id)].lines; };
    QCOMPARE(lines(2), (QStringList{QStringLiteral("in Bank.Transfer, Bank.cs:31")}));
    // Of one that waits for none of these, what it does.
    QCOMPARE(lines(1),
             (QStringList{QStringLiteral("in Bank.Sum, Bank.cs:31"), QStringLiteral("waits in Thread.Sleep")}));
    QCOMPARE(lines(3), (QStringList{QStringLiteral("in Bank.Count, Bank.cs:31")}));
    const QStringList& told = waits.nodes[indexOf(waits, 2)].facts;
    QVERIFY(told.contains(QStringLiteral("in Shop.Bank.Transfer(System.Int32)")));
    QVERIFY(told.contains(QStringLiteral("/src/Bank.cs:31")));
    verifyApart(layOutWaits(waits, {}));
  }

  void whatIsNoMonitorIsANodeOfItsOwn() {
    engine::ThreadList threads;
    for (std::uint32_t id = 1; id <= 6; ++id) threads.threads.push_back(threadRow(id));
    engine::BlockedThreads blocked;
    blocked.threads = {
        blockedRow(1, engine::BlockedOn::Task, 0x5000, 4), blockedRow(2, engine::BlockedOn::Object, 0x7f0000006000),
        blockedRow(3, engine::BlockedOn::Object, 0x7f0000006000), blockedRow(5, engine::BlockedOn::Thread, 0x7000, 4),
        blockedRow(6, engine::BlockedOn::Object, 0)};
    engine::BlockedThread& task = blocked.threads[0];
    task.name = "Shop.Orders.PlaceAsync";
    task.isMethod = true;
    task.await = 2;
    task.innermost = "Shop.Mailer.SendAsync";
    blocked.threads[1].name = blocked.threads[2].name = "System.Threading.SemaphoreSlim";
    blocked.threads[1].called = "SemaphoreSlim.Wait";
    const StackFacts facts{{}, blocked};
    const Waits waits = findWaits(threads, {}, &facts);
    const auto awaited = [&](std::uint32_t id) { return waits.nodes[indexOf(waits, id)].waitsFor; };
    const WaitNode& call = waits.nodes[*awaited(1)];
    QCOMPARE(call.kind, WaitNodeKind::Task);
    QCOMPARE(call.title, QStringLiteral("Orders.PlaceAsync"));
    QCOMPARE(call.lines,
             (QStringList{QStringLiteral("async method, at await 2"), QStringLiteral("waits for Mailer.SendAsync"),
                          QStringLiteral("which runs"), QStringLiteral("runs on thread 4")}));
    QCOMPARE(call.waitsFor, std::optional(indexOf(waits, 4)));
    QCOMPARE(awaited(2), awaited(3));
    QCOMPARE(waits.nodes[*awaited(2)].title, QStringLiteral("SemaphoreSlim …06000"));
    QCOMPARE(awaited(5), std::optional(indexOf(waits, 4)));
    QVERIFY(!awaited(6));  // which one is not known
    verifyApart(layOutWaits(waits, {}));
  }

  void aDeadlockMayLeadThroughATask() {
    engine::ThreadList threads;
    threads.threads = {threadRow(1), threadRow(2, 1)};
    engine::LockList locks;
    locks.locks = {lockRow(1, 1)};
    engine::BlockedThreads blocked;
    blocked.threads = {blockedRow(1, engine::BlockedOn::Task, 0x5000, 2)};
    blocked.deadlocks = {{1, 2}};
    const StackFacts facts{{}, blocked};
    const Waits waits = findWaits(threads, locks, &facts);
    QCOMPARE(waits.cycles.size(), std::size_t{1});
    QCOMPARE(waits.cycles[0].size(), std::size_t{3});
    for (const std::size_t member : waits.cycles[0]) QCOMPARE(waits.nodes[member].cycle, std::optional<std::size_t>(0));
    const WaitsGeometry geometry = layOutWaits(waits, {});
    verifyApart(geometry);
    for (const WaitArrow& arrow : geometry.arrows) QVERIFY(arrow.isInCycle);
  }

  void columnsAreAsWideAsWhatIsInThem() {
    const Waits waits = someWaits();
    WaitsScale scale;
    scale.contentWidth = [](const WaitNode& node) { return node.managedId == 2 ? 400.0 : 20.0; };
    scale.cycleTitleWidth = [](std::size_t) { return 2000.0; };
    const WaitsGeometry geometry = layOutWaits(waits, scale);
    QVERIFY(geometry.boxes[indexOf(waits, 2)].title.width() >= 400);
    QCOMPARE(geometry.boxes[indexOf(waits, 3)].box.width(), geometry.boxes[indexOf(waits, 2)].box.width());
    QCOMPARE(geometry.boxes[indexOf(waits, 1)].box.width(), scale.width);
    QVERIFY(geometry.size.width() >= geometry.cycleTitles[0].right());
    verifyApart(geometry);
  }

  void whatIsHigherThanTheRoomGoesOnBesideItself() {
    engine::ThreadList threads;
    for (std::uint32_t id = 1; id <= 40; id += 2) {
      threads.threads.push_back(threadRow(id));
      threads.threads.push_back(threadRow(id + 1, id));
    }
    engine::LockList locks;
    locks.locks = {lockRow(1, 1)};
    locks.cycles = {{5, 6}};
    const Waits waits = findWaits(threads, locks);
    const WaitsGeometry high = layOutWaits(waits, {});
    const auto placed = [&](double width, double height) {
      WaitsScale scale;
      scale.room = QSizeF(width, height);
      return layOutWaits(waits, scale);
    };
    QCOMPARE(placed(5000, 5000).size, high.size);
    QCOMPARE(placed(300, 200).size, high.size);
    const double half = high.size.height() / 2 + 100;
    QVERIFY(placed(5000, half).size.height() <= half);
    QVERIFY(placed(5000, half).size.width() > high.size.width());
    const double third = placed(3 * high.size.width() + 100, 50).size.height();
    QVERIFY(third < high.size.height() / 2 && third > 50);
    for (const WaitsGeometry& geometry : {placed(5000, half), placed(3000, 50)}) {
      verifyApart(geometry);
      for (const WaitBox& box : geometry.boxes) QVERIFY(!box.box.intersects(geometry.cycleTitles[0]));
      for (const WaitArrow& arrow : geometry.arrows) {
        // Who waits for the same stands together, wherever that is.
        const WaitBox &from = geometry.boxes[arrow.from], &to = geometry.boxes[arrow.to];
        if (from.column > to.column) QCOMPARE(from.box.top(), to.box.top());
      }
    }
  }

  void pointsAreFound() {
    const Waits waits = someWaits();
    const WaitsGeometry geometry = layOutWaits(waits, {});
    const WaitBox& box = geometry.boxes[indexOf(waits, 1)];
    QCOMPARE(waitSpotAt(geometry, box.title.center()), (WaitSpot{indexOf(waits, 1), std::nullopt}));
    QCOMPARE(waitSpotAt(geometry, box.locks[1].center()), (WaitSpot{indexOf(waits, 1), std::size_t{1}}));
    QVERIFY(!waitSpotAt(geometry, QPointF(1, 1)));
  }

  // What a damaged dump may say.
  void circlesThatNobodyNamedAndOwnersThatAreNotThereDoNoHarm() {
    engine::ThreadList threads;
    threads.threads = {threadRow(1, 2), threadRow(2, 1), threadRow(3, 3), threadRow(4, 99), threadRow(4, 1)};
    engine::LockList locks;
    locks.locks = {lockRow(0), lockRow(77, 1000)};
    locks.cycles = {{}, {5, 6}, {1, 77}};
    const Waits waits = findWaits(threads, locks);
    verifyApart(layOutWaits(waits, {}));
  }

  void aChainOfManyThousandsIsLaidOut() {
    constexpr std::uint32_t kLength = 20'000;
    engine::ThreadList threads;
    for (std::uint32_t id = 1; id < kLength; ++id) threads.threads.push_back(threadRow(id, id + 1));
    const Waits waits = findWaits(threads, {});
    const WaitsGeometry geometry = layOutWaits(waits, {});
    QCOMPARE(geometry.boxes[indexOf(waits, 1)].column, std::size_t{kLength - 1});
  }
};

HEAPSCAPE_WINDOW_TEST(WaitsGeometryTest)

}  // namespace heapscape::gui

#include "tst_waits_geometry.moc"
