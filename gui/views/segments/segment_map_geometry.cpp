// SPDX-License-Identifier: MIT
#include "views/segments/segment_map_geometry.h"

#include <algorithm>
#include <cmath>

#include "bridge/literals.h"

namespace heapscape::gui {

namespace {
/// Share of the width in which the segment's end stays visible however far one pans.
constexpr double kKeptInSight = 0.05;
}  // namespace

LaneView clamped(LaneView view, const ViewLimits& limits) {
  const double widest = std::max(limits.widestSpan, 1.0);
  view.span = std::clamp(view.span, std::min(limits.narrowestSpan, widest), widest);
  const double highest = std::min(widest - view.span, limits.ownSpan - view.span * kKeptInSight);
  view.offset = std::clamp(view.offset, 0.0, std::max(0.0, highest));
  return view;
}

LaneView zoomed(LaneView view, double factor, double share, const ViewLimits& limits) {
  const double kept = view.offset + view.span * share;
  const double widest = std::max(limits.widestSpan, 1.0);
  const double span = std::clamp(view.span * factor, std::min(limits.narrowestSpan, widest), widest);
  return clamped({kept - span * share, span}, limits);
}

LaneView panned(LaneView view, double share, const ViewLimits& limits) {
  return clamped({view.offset + view.span * share, view.span}, limits);
}

LaneView revealing(LaneView view, double offset, double bytes, const ViewLimits& limits) {
  const double room = view.span * 0.1;
  if (bytes + 2 * room >= view.span) return clamped({offset - room, view.span}, limits);
  if (offset - room < view.offset || offset + bytes + room > view.offset + view.span) {
    const bool isInside = offset >= view.offset && offset + bytes <= view.offset + view.span;
    if (!isInside) view.offset = offset + bytes / 2 - view.span / 2;
  }
  return clamped(view, limits);
}

AddressScale::AddressScale(engine::Address origin, LaneView view, double left, double width)
    : m_origin(origin), m_view(view), m_left(left), m_width(std::max(width, 1.0)) {
  m_view.span = std::max(m_view.span, 1e-3);
}

double AddressScale::xOf(engine::Address address) const {
  // The distance is signed: a selection may lie in front of the segment.
  const double offset =
      address >= m_origin ? static_cast<double>(address - m_origin) : -static_cast<double>(m_origin - address);
  return m_left + (offset - m_view.offset) / m_view.span * m_width;
}

engine::Address AddressScale::addressAt(double x) const {
  const double offset = m_view.offset + (x - m_left) / m_width * m_view.span;
  return m_origin + static_cast<std::uint64_t>(std::max(0.0, std::floor(offset + 1e-6)));
}

double AddressScale::bytesPerPixel() const {
  return m_view.span / m_width;
}

engine::AddressRange AddressScale::window() const {
  return {m_origin + static_cast<std::uint64_t>(std::max(0.0, std::floor(m_view.offset))),
          m_origin + static_cast<std::uint64_t>(std::max(0.0, std::ceil(m_view.offset + m_view.span)))};
}

std::vector<RulerTick> rulerTicks(const AddressScale& scale, double spacing) {
  std::vector<RulerTick> ticks;
  const double wanted = std::max(scale.bytesPerPixel() * std::max(spacing, 1.0), 1.0);
  std::uint64_t step = 8;
  while (static_cast<double>(step) < wanted && step < (1ull << 62)) step *= 2;
  const engine::AddressRange window = scale.window();
  for (std::uint64_t value = engine::alignUp(window.start.value, step); value < window.end.value; value += step) {
    const double x = scale.xOf({value});
    if (x >= scale.left() && x <= scale.right()) ticks.push_back({{value}, x});
    if (value > UINT64_MAX - step) break;
  }
  return ticks;
}

namespace {

constexpr int kZoomedLaneInText = 4;  // times the text's height
constexpr int kRoomForAddressInText = 56;
constexpr int kEnoughInText = 2;
constexpr int kRulerTicks = 6;

}  // namespace

MapMetrics MapMetrics::of(const QFontMetrics& text, const QFontMetrics& fixed, QSize size, std::size_t lanes,
                          std::size_t headings) {
  MapMetrics metrics;
  const int line = text.height();
  metrics.padding = std::max(8, line / 2);
  const int least = std::max(24, line * 17 / 10);
  metrics.headingHeight = line * 2;
  const int left = size.height() - static_cast<int>(headings) * metrics.headingHeight;
  const int each = lanes == 0 ? least : static_cast<int>(left / static_cast<long long>(lanes));
  metrics.laneHeight = std::max(each, least);
  metrics.rulerHeight = fixed.height() + kRulerTicks;
  // Where lanes are high enough for a ruler they keep their height; else a zoomed one is as high as it has to be, but
  // never more than is in sight.
  const int room = std::max(least, size.height() - metrics.headingHeight - metrics.rulerHeight);
  const int needed = std::min(line * kZoomedLaneInText, room) + metrics.rulerHeight;
  const bool isHighEnough = metrics.laneHeight >= line * kEnoughInText + metrics.rulerHeight;
  metrics.zoomedLaneHeight = isHighEnough ? metrics.laneHeight : std::max(metrics.laneHeight, needed);
  metrics.figureWidth = text.horizontalAdvance(u"1,023 KB"_s) + metrics.padding;
  metrics.tailWidth = text.horizontalAdvance(u"1,023 KB"_s) + 2 * metrics.padding;
  const bool hasRoom = size.width() > text.averageCharWidth() * kRoomForAddressInText * 2;
  metrics.addressWidth = hasRoom ? fixed.horizontalAdvance(u"0x7f0000000000"_s) + metrics.padding : 0;
  metrics.labelWidth = text.horizontalAdvance(u"Ephemeral "_s) + line + metrics.padding + metrics.addressWidth;
  return metrics;
}

QRect labelRect(const QRect& row, const MapMetrics& metrics) {
  return {row.left() + metrics.padding, row.top(), metrics.labelWidth, row.height()};
}

QRect barRect(const QRect& row, const MapMetrics& metrics) {
  const int left = row.left() + metrics.labelWidth + 2 * metrics.padding;
  const int right = row.right() + 1 - metrics.padding - static_cast<int>(kFigureColumns) * metrics.figureWidth;
  return {left, row.top(), std::max(right - left - metrics.padding, 16), row.height()};
}

std::array<QRect, kFigureColumns> figureRects(const QRect& row, const MapMetrics& metrics) {
  std::array<QRect, kFigureColumns> rects;
  int right = row.right() + 1 - metrics.padding;
  for (std::size_t column = kFigureColumns; column-- > 0; right -= metrics.figureWidth) {
    rects[column] = QRect(right - metrics.figureWidth, row.top(), metrics.figureWidth, row.height());
  }
  return rects;
}

MapGeometry layoutMap(const std::vector<Lane>& lanes, const std::vector<bool>& isZoomed, const MapMetrics& metrics,
                      int width) {
  MapGeometry geometry;
  geometry.lanes.reserve(lanes.size());
  int y = 0;
  for (std::size_t index = 0; index < lanes.size(); ++index) {
    if (index == 0 || lanes[index].heap != lanes[index - 1].heap) {
      const QRect row(0, y, width, metrics.headingHeight);
      geometry.headings.push_back({lanes[index].heap, row, labelRect(row, metrics), figureRects(row, metrics)});
      y += metrics.headingHeight;
    }
    const bool isTall = index < isZoomed.size() && isZoomed[index];
    const QRect row(0, y, width, isTall ? metrics.zoomedLaneHeight : metrics.laneHeight);
    const int margin = std::max(2, metrics.padding / 3);
    QRect bar = barRect(row, metrics).adjusted(0, margin, 0, -margin);
    QRect ruler;
    if (isTall) {
      bar.setBottom(bar.bottom() - metrics.rulerHeight);
      ruler = QRect(bar.left(), bar.bottom() + 1, bar.width(), metrics.rulerHeight);
    }
    geometry.lanes.push_back({index, row, labelRect(row, metrics), bar, ruler, figureRects(row, metrics)});
    y += row.height();
  }
  geometry.height = y;
  return geometry;
}

std::vector<PicturedRow> picturedRows(const MapGeometry& geometry, int top, int bottom) {
  std::vector<PicturedRow> pictured;
  int y = 0;
  const auto add = [&](bool isHeading, std::size_t index, const QRect& row) {
    if (y + row.height() > bottom - top) return false;
    pictured.push_back({isHeading, index, y});
    y += row.height();
    return true;
  };
  const auto& headings = geometry.headings;
  std::size_t lane = geometry.firstLaneBelow(top);
  if (lane < geometry.lanes.size() && geometry.lanes[lane].row.top() < top) ++lane;
  // The heading that the lane stands under.
  std::size_t heading = headings.size();
  for (; lane < geometry.lanes.size() && geometry.lanes[lane].row.bottom() < bottom; ++lane) {
    const QRect& row = geometry.lanes[lane].row;
    std::size_t own = heading < headings.size() ? heading : 0;
    while (own + 1 < headings.size() && headings[own + 1].row.top() < row.top()) ++own;
    if (own < headings.size() && own != heading && !add(true, own, headings[own].row)) break;
    heading = own;
    if (!add(false, lane, row)) break;
  }
  return pictured;
}

std::size_t MapGeometry::firstLaneBelow(int y) const {
  const auto lane =
      std::partition_point(lanes.begin(), lanes.end(), [y](const LaneRow& row) { return row.row.bottom() < y; });
  return static_cast<std::size_t>(lane - lanes.begin());
}

std::optional<std::size_t> MapGeometry::laneAt(int y) const {
  const std::size_t index = firstLaneBelow(y);
  if (index < lanes.size() && lanes[index].row.top() <= y) return index;
  return std::nullopt;
}

}  // namespace heapscape::gui
