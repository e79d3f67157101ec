// SPDX-License-Identifier: MIT
#include <QTest>

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
  for (std::size_t i = 0; i < waits.threads.size(); ++i) {
    if (waits.threads[i].managedId == id) return i;
  }
  return waits.threads.size();
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
    for (const QRectF& one : geometry.boxes[a].locks) QVERIFY(geometry.boxes[a].box.contains(one));
  }
}

}  // namespace

class WaitsGeometryTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void threadsThatNeitherHoldNorWaitAreLeftOut() {
    const Waits waits = someWaits();
    QCOMPARE(waits.threads.size(), std::size_t{6});
    QCOMPARE(indexOf(waits, 7), std::size_t{6});
    QCOMPARE(waits.cycles.size(), std::size_t{1});
    QVERIFY(findWaits({}, {}).isEmpty());
  }

  void theWantedLockIsNamedOnlyWhereItIsCertain() {
    Waits waits = someWaits();
    QCOMPARE(waits.threads[indexOf(waits, 2)].wantedLock, std::optional<std::size_t>(0));
    engine::ThreadList threads;
    threads.threads = {threadRow(1), threadRow(2, 1)};
    engine::LockList locks;
    locks.locks = {lockRow(1, 1), lockRow(1, 1)};
    waits = findWaits(threads, locks);
    QVERIFY(!waits.threads[indexOf(waits, 2)].wantedLock);
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
      const WaitThread& from = waits.threads[arrow.from];
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

}  // namespace heapscape::gui

QTEST_GUILESS_MAIN(heapscape::gui::WaitsGeometryTest)
#include "tst_waits_geometry.moc"
