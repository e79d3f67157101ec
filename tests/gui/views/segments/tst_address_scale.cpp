// SPDX-License-Identifier: MIT
#include <QTest>
#include <cmath>

#include "support/window_test.h"
#include "views/segments/segment_map_geometry.h"

using namespace heapscape::gui;
using heapscape::engine::Address;

namespace {

constexpr Address kAddressScaleStart{0x7f92d5800028};
constexpr ViewLimits kLimits{.ownSpan = 4'000'000, .widestSpan = 5'000'000, .narrowestSpan = 64};

}  // namespace

class AddressScaleTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void addressesSurviveTheWayToPixelsAndBack_data() {
    QTest::addColumn<double>("offset");
    QTest::addColumn<double>("span");
    QTest::newRow("whole segment") << 0.0 << 1'000'000.0;
    QTest::newRow("a few objects") << 131'072.0 << 512.0;
    QTest::newRow("edges between bytes") << 1000.25 << 333.3;
    QTest::newRow("a terabyte") << 0.0 << 1.0e12;
  }

  void addressesSurviveTheWayToPixelsAndBack() {
    QFETCH(double, offset);
    QFETCH(double, span);
    const AddressScale scale(kAddressScaleStart, {offset, span}, 200, 800);
    for (int step = 1; step < 10; ++step) {
      const auto bytes = static_cast<std::uint64_t>(std::ceil(offset + span * step / 10));
      QCOMPARE(scale.addressAt(scale.xOf(kAddressScaleStart + bytes)).value, (kAddressScaleStart + bytes).value);
    }
  }

  void theLaneBeginsAtTheViewsFirstByte() {
    const AddressScale scale(kAddressScaleStart, {4096, 8192}, 200, 800);
    QCOMPARE(scale.xOf(kAddressScaleStart + 4096), 200.0);
    QCOMPARE(scale.xOf(kAddressScaleStart + 4096 + 8192), 1000.0);
    QVERIFY(scale.xOf(kAddressScaleStart - 16) < 200.0);
    QCOMPARE(scale.addressAt(-1e9).value, kAddressScaleStart.value);
  }

  void zoomingKeepsTheByteUnderThePointer() {
    LaneView view{0, kLimits.widestSpan};
    constexpr double kShare = 0.37;
    const double under = view.offset + view.span * kShare;
    for (int step = 0; step < 20; ++step) {
      view = zoomed(view, 0.6, kShare, kLimits);
      QVERIFY(std::abs(view.offset + view.span * kShare - under) < 1);
    }
    for (int step = 0; step < 5; ++step) {
      view = zoomed(view, 1.5, kShare, kLimits);
      QVERIFY(std::abs(view.offset + view.span * kShare - under) < 1);
    }
  }

  void zoomingEndsAtTheLimits() {
    LaneView view{0, kLimits.widestSpan};
    for (int step = 0; step < 100; ++step) view = zoomed(view, 0.5, 0.5, kLimits);
    QCOMPARE(view.span, kLimits.narrowestSpan);
    for (int step = 0; step < 100; ++step) view = zoomed(view, 2, 0.5, kLimits);
    QCOMPARE(view, (LaneView{0, kLimits.widestSpan}));
  }

  void panningNeverLosesTheSegment() {
    const LaneView near{1'000'000, 1000};
    const LaneView first = panned(near, -1e9, kLimits);
    QCOMPARE(first.offset, 0.0);
    QCOMPARE(first.span, near.span);
    const LaneView last = panned(near, 1e9, kLimits);
    QVERIFY(last.offset < kLimits.ownSpan);
    QVERIFY(last.offset + last.span > kLimits.ownSpan * 0.99);
    QCOMPARE(panned({0, kLimits.widestSpan}, 0.5, kLimits).offset, 0.0);
  }

  void revealingLeavesAViewThatShowsTheObjectAlone() {
    const LaneView view{10'000, 1000};
    QCOMPARE(revealing(view, 10'400, 80, kLimits), view);
    const LaneView moved = revealing(view, 50'000, 80, kLimits);
    QCOMPARE(moved.span, view.span);
    QVERIFY(moved.offset < 50'000 && moved.offset + moved.span > 50'080);
  }

  void ticksAreRoundInViewAndApart() {
    const AddressScale scale(kAddressScaleStart, {0, 1'249'240}, 100, 900);
    const auto ticks = rulerTicks(scale, 130);
    QVERIFY(ticks.size() >= 3);
    for (std::size_t tick = 0; tick < ticks.size(); ++tick) {
      QVERIFY(ticks[tick].x >= 100 && ticks[tick].x <= 1000);
      QCOMPARE(ticks[tick].address.value % 0x1000, 0u);
      if (tick > 0) QVERIFY(ticks[tick].x - ticks[tick - 1].x >= 130);
    }
  }
};

HEAPSCAPE_WINDOW_TEST(AddressScaleTest)
#include "tst_address_scale.moc"
