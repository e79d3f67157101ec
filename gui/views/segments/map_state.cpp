// SPDX-License-Identifier: MIT
#include "views/segments/map_state.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace heapscape::gui {

namespace {

/// Zoomed in as far as it goes, the smallest object still fills a good part of a lane.
constexpr double kNarrowestSpan = 64;
constexpr double kMostCells = 4096;
/// Drawn smaller than this share of the common scale, a lane says so.
constexpr double kSqueezed = 0.98;
/// Objects are listed one by one when they are this many pixels wide on average.
constexpr double kPixelsPerObject = 2.5;
/// What is fitted leaves some room on both sides, and is never so little that nothing around it shows.
constexpr double kFittedRoom = 1.1;
constexpr double kLeastFittedSpan = 1024;

}  // namespace

void MapState::setSnapshot(const engine::Snapshot& snapshot) {
  m_snapshot = snapshot;
  rebuild();
}

void MapState::clear() {
  m_snapshot.reset();
  m_filter = {};
  m_paint = {};
  m_views.clear();
  rebuild();
}

void MapState::setFilter(const LaneFilter& filter) {
  m_filter = filter;
  rebuild();
}

void MapState::setFillsWidth(bool fills) {
  m_fillsWidth = fills;
  m_views.clear();
  arrange();
}

void MapState::layout(QSize size, const QFontMetrics& text, const QFontMetrics& fixed) {
  m_size = size;
  std::set<std::uint32_t> heaps;
  for (const Lane& lane : m_lanes) heaps.insert(lane.heap);
  m_metrics = MapMetrics::of(text, fixed, size, m_lanes.size(), heaps.size());
  arrange();
}

void MapState::rebuild() {
  m_lanes =
      m_snapshot && m_snapshot->has(engine::Stage::Segments) ? buildLanes(*m_snapshot, m_filter) : std::vector<Lane>{};
  m_commonSpan = static_cast<double>(commonSpan(m_lanes));
  arrange();
}

void MapState::arrange() {
  std::vector<bool> isTall(m_lanes.size());
  for (std::size_t lane = 0; lane < m_lanes.size(); ++lane)
    isTall[lane] = isZoomed(lane) || magnification(lane) < kSqueezed;
  m_geometry = layoutMap(m_lanes, isTall, m_metrics, m_size.width());
}

const engine::Segment& MapState::segment(std::size_t lane) const {
  return m_snapshot->segments()[m_lanes[lane].id.value];
}

const engine::SegmentContents* MapState::contents(std::size_t lane) const {
  if (!hasObjects() || m_lanes[lane].id.value >= m_snapshot->segmentContents().size()) return nullptr;
  return &m_snapshot->segmentContents()[m_lanes[lane].id.value];
}

std::optional<std::size_t> MapState::laneOf(engine::SegmentId segment) const {
  const auto lane = std::find_if(m_lanes.begin(), m_lanes.end(), [&](const Lane& lane) { return lane.id == segment; });
  if (lane == m_lanes.end()) return std::nullopt;
  return static_cast<std::size_t>(lane - m_lanes.begin());
}

std::optional<engine::SegmentId> MapState::segmentHolding(engine::Address address) const {
  if (!m_snapshot) return std::nullopt;
  const auto& segments = m_snapshot->segments();
  const auto found = std::find_if(segments.begin(), segments.end(),
                                  [&](const engine::Segment& segment) { return segment.objects.contains(address); });
  if (found == segments.end()) return std::nullopt;
  return engine::SegmentId{static_cast<std::uint32_t>(found - segments.begin())};
}

double MapState::barWidth() const {
  return barRect(QRect(0, 0, m_size.width(), 1), m_metrics).width();
}

double MapState::withTail(double span) const {
  const double width = barWidth();
  return span * width / std::max(width - m_metrics.tailWidth, width / 4);
}

LaneView MapState::homeView(std::size_t lane) const {
  const double own = std::max(static_cast<double>(m_lanes[lane].bytes), 1.0);
  return {0, withTail(m_fillsWidth ? own : std::max(own, m_commonSpan))};
}

LaneView MapState::view(std::size_t lane) const {
  const auto found = m_views.find(m_lanes[lane].id);
  return found == m_views.end() ? homeView(lane) : clamped(found->second, limits(lane));
}

ViewLimits MapState::limits(std::size_t lane) const {
  return {static_cast<double>(m_lanes[lane].bytes), homeView(lane).span, kNarrowestSpan};
}

AddressScale MapState::scale(std::size_t lane) const {
  const QRect bar = m_geometry.lanes[lane].bar;
  return {segment(lane).objects.start, view(lane), static_cast<double>(bar.left()), static_cast<double>(bar.width())};
}

AddressScale MapState::wholeScale(std::size_t lane, double left, double width) const {
  const double own = std::max(static_cast<double>(m_lanes[lane].bytes), 1.0);
  return {segment(lane).objects.start, LaneView{0, own}, left, width};
}

double MapState::magnification(std::size_t lane) const {
  return withTail(m_fillsWidth ? std::max(static_cast<double>(m_lanes[lane].bytes), 1.0) : m_commonSpan) /
         view(lane).span;
}

bool MapState::isZoomed(std::size_t lane) const {
  return m_views.contains(m_lanes[lane].id);
}

void MapState::setView(std::size_t lane, LaneView view) {
  const LaneView wanted = clamped(view, limits(lane));
  const bool isHome = wanted.span >= limits(lane).widestSpan * 0.999;
  const bool wasZoomed = isZoomed(lane);
  if (isHome) {
    m_views.erase(m_lanes[lane].id);
  } else {
    m_views[m_lanes[lane].id] = wanted;
  }
  if (wasZoomed == isHome) arrange();
}

void MapState::toggleFit(std::size_t lane) {
  const LaneView own{0, withTail(std::max(static_cast<double>(m_lanes[lane].bytes), 1.0))};
  const bool isFit = std::abs(view(lane).span - own.span) < own.span * 1e-3;
  setView(lane, isFit ? homeView(lane) : own);
}

void MapState::fitAll() {
  m_views.clear();
  arrange();
}

void MapState::fitTo(std::size_t lane, engine::AddressRange range) {
  const double bytes = static_cast<double>(range.sizeBytes());
  const double span = std::max(bytes * kFittedRoom, kLeastFittedSpan);
  const double offset = static_cast<double>(range.start - segment(lane).objects.start);
  setView(lane, LaneView{offset + bytes / 2 - span / 2, span});
}

LaneQuestion MapState::question(std::size_t lane, LanePart part, double pixelRatio) const {
  const engine::Segment& segment = this->segment(lane);
  LaneQuestion question;
  question.segment = m_lanes[lane].id;
  question.part = part;
  question.paint = m_paint;
  AddressScale scale = this->scale(lane);
  if (part == LanePart::Strip) scale = wholeScale(lane, 0, barWidth());
  if (part == LanePart::Home) scale = AddressScale(segment.objects.start, homeView(lane), 0, barWidth());
  const engine::AddressRange shown = scale.window();
  question.window = {std::max(shown.start, segment.objects.start), std::min(shown.end, segment.objects.end)};
  if (question.window.isEmpty()) return question;
  const double pixels = scale.xOf(question.window.end) - scale.xOf(question.window.start);
  const double most = std::min(kMostCells, std::ceil(static_cast<double>(question.window.sizeBytes()) / 8));
  question.cells = static_cast<std::size_t>(std::clamp(std::ceil(pixels * pixelRatio), 1.0, std::max(most, 1.0)));
  question.mostObjects = part == LanePart::Strip ? 0 : static_cast<std::size_t>(pixels / kPixelsPerObject) + 1;
  return question;
}

MapSpot MapState::spotAt(QPointF point) const {
  const auto lane = m_geometry.laneAt(static_cast<int>(std::floor(point.y())));
  if (!lane) return {};
  const QRect bar = m_geometry.lanes[*lane].bar;
  MapSpot spot{MapSpot::Kind::Outside, *lane, {}};
  if (point.x() < bar.left() || point.x() > bar.right()) return spot;
  const AddressScale scale = this->scale(*lane);
  const engine::Segment& segment = this->segment(*lane);
  spot.address = scale.addressAt(point.x());
  const double committedEnd = scale.xOf(segment.objects.start + m_lanes[*lane].bytes);
  if (spot.address < segment.objects.end) {
    spot.kind = MapSpot::Kind::Objects;
  } else if (point.x() < committedEnd) {
    spot.kind = MapSpot::Kind::Committed;
  } else if (reservedBytes(segment) > 0 && point.x() < committedEnd + m_metrics.tailWidth) {
    spot.kind = MapSpot::Kind::Reserved;
  }
  return spot;
}

}  // namespace heapscape::gui
