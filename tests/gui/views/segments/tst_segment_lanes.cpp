// SPDX-License-Identifier: MIT
#include <QTest>

#include "support/window_test.h"
#include "views/segments/segment_lane.h"
#include "views/segments/spot_text.h"

using namespace heapscape::gui;
using namespace heapscape::engine;

namespace {

Segment segmentOf(SegmentKind kind, std::uint32_t heap, std::uint64_t start, std::uint64_t used,
                  std::uint64_t committed, std::vector<Generation> generations) {
  Segment segment;
  segment.kind = kind;
  segment.heap = heap;
  segment.objects = {{start}, {start + used}};
  segment.committedEnd = {start + committed};
  segment.reservedEnd = {start + 0x400000};
  const std::uint64_t part = generations.empty() ? 0 : used / generations.size();
  for (std::size_t index = 0; index < generations.size(); ++index) {
    segment.generations.push_back({generations[index], {{start + part * index}, {start + part * (index + 1)}}});
  }
  return segment;
}

std::vector<Segment> twoHeaps() {
  return {segmentOf(SegmentKind::Large, 0, 0x100000, 5000, 8192, {Generation::Large}),
          segmentOf(SegmentKind::Gen2, 1, 0x200000, 0, 4096, {Generation::Gen2}),
          segmentOf(SegmentKind::Gen0, 0, 0x300000, 3000, 4096, {Generation::Gen0}),
          segmentOf(SegmentKind::Ephemeral, 1, 0x400000, 9000, 16384,
                    {Generation::Gen2, Generation::Gen1, Generation::Gen0}),
          segmentOf(SegmentKind::Gen0, 0, 0x500000, 4000, 4096, {Generation::Gen0})};
}

std::vector<std::uint32_t> idsOf(const std::vector<Lane>& lanes) {
  std::vector<std::uint32_t> ids;
  for (const Lane& lane : lanes) ids.push_back(lane.id.value);
  return ids;
}

}  // namespace

class SegmentLanesTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void lanesGoByHeapThenGenerationThenAddress() {
    QCOMPARE(idsOf(buildLanes(twoHeaps(), {}, {})), (std::vector<std::uint32_t>{2, 4, 0, 3, 1}));
  }

  void orderCanBeByAddressOrSize() {
    LaneFilter filter;
    filter.order = LaneFilter::Order::Address;
    QCOMPARE(idsOf(buildLanes(twoHeaps(), {}, filter)), (std::vector<std::uint32_t>{0, 2, 4, 1, 3}));
    filter.order = LaneFilter::Order::Size;
    QCOMPARE(idsOf(buildLanes(twoHeaps(), {}, filter)), (std::vector<std::uint32_t>{0, 4, 2, 3, 1}));
  }

  void filterKeepsAHeapAGenerationOrWhatIsUsed() {
    LaneFilter filter;
    filter.heap = 1;
    QCOMPARE(idsOf(buildLanes(twoHeaps(), {}, filter)), (std::vector<std::uint32_t>{3, 1}));
    filter = {};
    filter.hideEmpty = true;
    QCOMPARE(idsOf(buildLanes(twoHeaps(), {}, filter)), (std::vector<std::uint32_t>{2, 4, 0, 3}));
    filter = {};
    filter.generations = {false, true, false, false, false, false};
    QCOMPARE(idsOf(buildLanes(twoHeaps(), {}, filter)), (std::vector<std::uint32_t>{3}));
  }

  void anUnreadableSegmentIsNotHiddenAsEmpty() {
    std::vector<SegmentContents> contents(5);
    contents[1].unreadBytes = 4096;
    LaneFilter filter;
    filter.hideEmpty = true;
    QCOMPARE(idsOf(buildLanes(twoHeaps(), contents, filter)), (std::vector<std::uint32_t>{1}));
  }

  void oneHugeSegmentDoesNotSqueezeTheRest() {
    std::vector<Lane> lanes;
    for (std::uint32_t index = 0; index < 40; ++index) lanes.push_back({SegmentId{index}, 0, 4'194'264});
    lanes.push_back({SegmentId{40}, 0, 268'435'456});
    QCOMPARE(commonSpan(lanes), 4'194'264u);
    lanes.back().bytes = 6'000'000;
    QCOMPARE(commonSpan(lanes), 6'000'000u);
  }

  void reservedBeginsWhereCommittedEnds() {
    const Segment segment = twoHeaps()[0];
    QCOMPARE(committedSpan(segment), 8192u);
    QCOMPARE(committedSpan(segment) + reservedBytes(segment), 0x400000u);
  }

  void totalsOfAHeapAreThoseOfItsLanes() {
    std::vector<SegmentContents> contents(5);
    contents[0].totals = {10, 1000, 2, 200};
    contents[2].totals = {1, 100, 0, 0};
    contents[3].totals = {7, 700, 0, 0};
    const ObjectTotals totals = totalsOf(buildLanes(twoHeaps(), contents, {}), 0, twoHeaps(), contents).objects;
    QCOMPARE(totals.objects, 11u);
    QCOMPARE(totals.bytes, 1100u);
    QCOMPARE(totals.freeBytes, 200u);
  }

  void whatCouldNotBeReadIsAFigureWithASignOfItsOwn() {
    std::vector<Segment> segments = twoHeaps();
    std::vector<SegmentContents> contents(5);
    contents[0].totals = {10, segments[0].objects.sizeBytes(), 0, 0};
    QCOMPARE(figureTexts(totalsOf(segments[0], contents[0])).back(), QStringLiteral("100%"));
    contents[0].unreadBytes = 8;
    QVERIFY(figureTexts(totalsOf(segments[0], contents[0])).back().startsWith(QStringLiteral("⚠ ")));
    QVERIFY(!figureTexts(totalsOf(segments[0], contents[0])).back().contains(QStringLiteral("100%")));
    QCOMPARE(totalsOf(buildLanes(segments, contents, {}), segments[0].heap, segments, contents).unreadBytes, 8u);
    contents[0].unreadBytes = segments[0].objects.sizeBytes();
    contents[0].totals = {};
    QCOMPARE(figureTexts(totalsOf(segments[0], contents[0])).front(), QStringLiteral("empty"));
    QCOMPARE(figureTexts(totalsOf(segments[0], contents[0])).back(), QStringLiteral("⚠ 0%"));
  }
};

HEAPSCAPE_WINDOW_TEST(SegmentLanesTest)
#include "tst_segment_lanes.moc"
