// SPDX-License-Identifier: MIT
// Where bytes, bits and boxes lie, without a pixel.
#include <QTest>
#include <algorithm>
#include <limits>

#include "support/window_test.h"
#include "views/object/anatomy/header_ruler.h"
#include "views/object/anatomy/object_anatomy_picture.h"
#include "views/object/trail_bar.h"
#include "views/object/values/value_node.h"
#include "widgets/hex_view/byte_window.h"
#include "widgets/hex_view/hex_painter.h"
#include "widgets/hex_view/object_page.h"

using namespace heapscape;
using namespace heapscape::gui;
using engine::LayoutItem;
using engine::LayoutItems;

namespace {

HexMetrics metricsOf(std::int64_t objectBytes) {
  HexMetrics metrics;
  metrics.end = objectBytes - 8;
  return metrics;
}

/// A thin lock's header as CoreCLR 8 and later have it.
std::vector<engine::HeaderBits> thinLockBits() {
  const auto bits = [](std::uint8_t first, std::uint8_t count, const char* name, std::uint32_t value = 0) {
    return engine::HeaderBits{first, count, name, value, {}};
  };
  return {bits(31, 1, "unused"),    bits(30, 1, "finalizerRun", 1), bits(29, 1, "gcReserve"),
          bits(28, 1, "spinLock"),  bits(27, 1, "hashOrSyncBlock"), bits(22, 5, "unused"),
          bits(16, 6, "recursion"), bits(0, 16, "threadId", 5)};
}

ObjectAnatomyBox box(int column, int lines) {
  ObjectAnatomyBox box;
  box.column = column;
  for (int line = 0; line < lines; ++line) box.lines << QStringLiteral("line");
  return box;
}

}  // namespace

class ObjectGeometryTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void fewValuesAreNotDivided() {
    QVERIFY(divideValues({0, 0}).empty());
    QVERIFY(divideValues({0, 100}).empty());
  }

  void rangesCoverEveryValueOnce_data() {
    QTest::addColumn<quint64>("count");
    for (const quint64 count : {quint64{101}, quint64{10'000}, quint64{10'001}, quint64{1'000'000},
                                quint64{123'456'789}, quint64{4'294'967'295}, quint64{UINT64_MAX - 7}}) {
      QTest::addRow("%llu", static_cast<unsigned long long>(count)) << count;
    }
  }

  void rangesCoverEveryValueOnce() {
    QFETCH(quint64, count);
    const auto ranges = divideValues({7, count});
    QVERIFY(ranges.size() >= 2 && ranges.size() <= 100);
    std::uint64_t next = 7;
    for (const ValueRange& range : ranges) {
      QCOMPARE(range.first, next);
      QVERIFY(range.count > 0 && range.count <= ranges.front().count);
      next += range.count;
    }
    QCOMPARE(next, count + 7);
  }

  void everyByteIsFoundWhereItIsDrawn_data() {
    QTest::addColumn<double>("width");
    QTest::addColumn<int>("bytesPerRow");
    QTest::addRow("narrow") << 300.0 << 8;
    QTest::addRow("wide") << 1200.0 << 16;
  }

  void everyByteIsFoundWhereItIsDrawn() {
    QFETCH(double, width);
    QFETCH(int, bytesPerRow);
    const HexGeometry geometry(metricsOf(100), width);
    QCOMPARE(geometry.bytesPerRow(), bytesPerRow);
    for (std::int64_t offset = -8; offset < 92; ++offset) {
      QCOMPARE(geometry.byteAt(geometry.byteRect(offset, 2).center(), 2),
               geometry.byteRect(offset, 2).top() < 24 ? std::nullopt : std::optional(offset));
      QCOMPARE(geometry.byteAt(geometry.letterRect(offset, 0).center(), 0), std::optional(offset));
    }
    QVERIFY(!geometry.byteAt(geometry.byteRect(92, 0).center(), 0));
  }

  void addressGivesWayWhereRoomIsShort() {
    QVERIFY(HexGeometry(metricsOf(100), 1200).showsAddress());
    const HexGeometry narrow(metricsOf(100), 420);
    QVERIFY(!narrow.showsAddress());
    QVERIFY(narrow.addressRect(0, 0).isEmpty());
  }

  void objectOfGigabytesHasRows() {
    const HexGeometry geometry(metricsOf(8'000'000'000), 500);
    QCOMPARE(geometry.rows(), std::int64_t{1'000'000'000});
    QCOMPARE(geometry.spanOf(999'999'999).end, std::int64_t{7'999'999'992});
  }

  void windowHoldsWhatIsInSight() {
    const ByteSpan whole{-8, 1'000'000};
    const ByteSpan window = windowAround({500'000, 500'400}, whole);
    QVERIFY(window.contains(ByteSpan{500'000, 500'400}));
    QCOMPARE((window.begin - whole.begin) % 16, std::int64_t{0});
    QCOMPARE(windowAround({-8, 300}, {-8, 300}), (ByteSpan{-8, 300}));
  }

  void bytesThatAreMissingAreNotZero() {
    engine::ObjectBytes bytes;
    bytes.totalBytes = 24;
    bytes.bytes.assign(24, 0);
    bytes.runs = {{engine::ByteOwner::Header, -8, 8, "header", {}}, {engine::ByteOwner::Missing, 0, 16, {}, {}}};
    const ByteWindow window(bytes);
    QCOMPARE(window.byteAt(-8), std::optional<std::uint8_t>(0));
    QVERIFY(!window.byteAt(0));
    QVERIFY(!window.byteAt(16));
    QVERIFY(!window.runAt(-9));
    QCOMPARE(window.runAt(15)->owner, engine::ByteOwner::Missing);
  }

  void bitsLieFromTheHighestToTheLowest() {
    const auto bits = thinLockBits();
    const RulerGeometry geometry = layOutRuler(bits, std::vector<double>(bits.size(), 90), {});
    QCOMPARE(geometry.bits.size(), std::size_t{32});
    for (std::size_t bit = 1; bit < 32; ++bit)
      QVERIFY(geometry.bits[bit].right() <= geometry.bits[bit - 1].left() + 0.01);
    for (std::size_t group = 0; group < bits.size(); ++group) {
      for (int bit = bits[group].first; bit < bits[group].first + bits[group].count; ++bit) {
        QVERIFY(geometry.groups[group].cells.contains(geometry.bits[static_cast<std::size_t>(bit)].center()));
      }
    }
  }

  void namesAndLinesOfBitsNeverMeet_data() {
    QTest::addColumn<double>("labelWidth");
    for (const double width : {20.0, 90.0, 160.0}) QTest::addRow("%.0f", width) << width;
  }

  void namesAndLinesOfBitsNeverMeet() {
    QFETCH(double, labelWidth);
    const auto bits = thinLockBits();
    const RulerGeometry geometry = layOutRuler(bits, std::vector<double>(bits.size(), labelWidth), {});
    for (std::size_t one = 0; one < bits.size(); ++one) {
      QVERIFY(geometry.groups[one].label.right() <= geometry.size.width());
      QVERIFY(geometry.groups[one].label.bottom() <= geometry.size.height());
      for (std::size_t other = 0; other < bits.size(); ++other) {
        if (one == other) continue;
        const QRectF label = geometry.groups[other].label;
        QVERIFY(!geometry.groups[one].label.intersects(label));
        const QRectF line(geometry.groups[one].from,
                          QSizeF(1, geometry.groups[one].to.y() - geometry.groups[one].from.y()));
        QVERIFY2(!line.intersects(label), qPrintable(QString::number(one) + QLatin1Char(' ') + QString::number(other)));
      }
    }
  }

  void absurdBitsStayInTheRuler() {
    const std::vector<engine::HeaderBits> bits{{40, 200, "x", 0, {}}, {3, 0, "y", 0, {}}};
    const RulerGeometry geometry = layOutRuler(bits, {50, 50}, {});
    QCOMPARE(geometry.groups.size(), std::size_t{2});
    QVERIFY(geometry.groups[0].cells.right() <= 900);
  }

  void anatomyBoxesNeverMeetAndArrowsTouchThem() {
    ObjectAnatomy anatomy;
    anatomy.boxes = {box(0, 2), box(1, 4), box(2, 2), box(2, 1), box(2, 2), box(3, 3)};
    anatomy.arrows = {{0, 1}, {1, 2}, {2, 5}, {1, 3}, {1, 4}};
    for (const double width : {400.0, 900.0, 2400.0}) {
      ObjectAnatomyMetrics metrics;
      metrics.width = width;
      metrics.widths.assign(anatomy.boxes.size(), 180);
      const ObjectAnatomyGeometry geometry = layOutObjectAnatomy(anatomy, metrics);
      for (std::size_t one = 0; one < geometry.boxes.size(); ++one) {
        for (std::size_t other = 0; other < one; ++other)
          QVERIFY(!geometry.boxes[one].intersects(geometry.boxes[other]));
      }
      for (std::size_t arrow = 0; arrow < anatomy.arrows.size(); ++arrow) {
        QCOMPARE(geometry.arrows[arrow].first().x(), geometry.boxes[anatomy.arrows[arrow].from].right());
        QCOMPARE(geometry.arrows[arrow].last().x(), geometry.boxes[anatomy.arrows[arrow].to].left());
      }
    }
  }

  void innermostStretchIsFound() {
    LayoutItems items;
    const auto add = [&items](std::int64_t begin, std::int64_t end, std::uint32_t parent) {
      LayoutItem item;
      item.begin = begin;
      item.end = end;
      item.parent = parent;
      items.items.push_back(item);
    };
    add(-8, 0, LayoutItem::kNoItem);
    add(8, 24, LayoutItem::kNoItem);
    add(8, 16, 1);
    add(16, 20, 1);
    items.items[1].children = {2, 3};
    items.roots = {0, 1};
    QCOMPARE(itemAt(items, 17), 3u);
    QCOMPARE(itemAt(items, 22), 1u);
    QCOMPARE(itemAt(items, 99), LayoutItem::kNoItem);
    QCOMPARE(itemOf(items, 8, 24), 1u);
    QCOMPARE(itemOf(items, 8, 16), 2u);
    QCOMPARE(itemOf(items, 9, 10), 2u);
  }

  void trailGrowsByFollowingAndShrinksByNothing() {
    ObjectTrail trail;
    const auto types = [&trail] {
      QStringList all;
      for (const TrailStep& step : trail.steps()) all << step.type;
      return all;
    };
    trail.arrive({0x10}, QStringLiteral("A"));
    trail.follow({0x20}, QStringLiteral("next"));
    trail.arrive({0x20}, QStringLiteral("B"));
    trail.follow({0x30}, QStringLiteral("[3]"));
    trail.arrive({0x30}, QStringLiteral("C"));
    QCOMPARE(types(), (QStringList{QStringLiteral("A"), QStringLiteral("B"), QStringLiteral("C")}));
    QCOMPARE(trail.steps()[2].via, QStringLiteral("[3]"));
    trail.arrive({0x10}, QStringLiteral("A"));  // back
    QCOMPARE(trail.current(), std::size_t{0});
    QCOMPARE(trail.steps().size(), std::size_t{3});
    trail.follow({0x40}, QStringLiteral("other"));
    trail.arrive({0x40}, QStringLiteral("D"));
    QCOMPARE(types(), (QStringList{QStringLiteral("A"), QStringLiteral("D")}));
    trail.arrive({0x50}, QStringLiteral("E"));  // picked elsewhere
    QCOMPARE(types(), QStringList{QStringLiteral("E")});
  }

  void trailForgetsAReferenceThatLedNowhere() {
    ObjectTrail trail;
    trail.arrive({0x10}, QStringLiteral("A"));
    trail.follow({0x20}, QStringLiteral("next"));
    trail.arrive({0x90}, QStringLiteral("Z"));
    trail.arrive({0x20}, QStringLiteral("B"));
    QCOMPARE(trail.steps().size(), std::size_t{1});
  }
};

HEAPSCAPE_WINDOW_TEST(ObjectGeometryTest)
#include "tst_object_geometry.moc"
