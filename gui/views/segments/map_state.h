// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "session/snapshot/snapshot.h"
#include "views/segments/lane_content.h"
#include "views/segments/segment_lane.h"
#include "views/segments/segment_map_geometry.h"

namespace heapscape::gui {

/// The thing that a point of a lane stands for.
struct MapSpot {
  enum class Kind : std::uint8_t { Outside, Objects, Committed, Reserved } kind = Kind::Outside;
  std::size_t lane = 0;
  engine::Address address;
};

/// The state of the map: which lanes it shows, at what zoom, and where: everything about the map but its drawing.
class MapState {
 public:
  void setSnapshot(const engine::Snapshot& snapshot);
  void clear();
  void setFilter(const LaneFilter& filter);
  const LaneFilter& filter() const { return m_filter; }
  /// Every segment as wide as the map, instead of all at one scale.
  void setFillsWidth(bool fills);
  /// How what is read from now on is painted.
  void setPaint(engine::MapPaint paint) { m_paint = std::move(paint); }
  const engine::MapPaint& paint() const { return m_paint; }
  void layout(QSize size, const QFontMetrics& text, const QFontMetrics& fixed);

  const std::optional<engine::Snapshot>& snapshot() const { return m_snapshot; }
  bool hasObjects() const { return m_snapshot && m_snapshot->has(engine::Stage::Objects); }
  const std::vector<Lane>& lanes() const { return m_lanes; }
  const MapGeometry& geometry() const { return m_geometry; }
  const MapMetrics& metrics() const { return m_metrics; }
  const engine::Segment& segment(std::size_t lane) const;
  /// Null before the objects are walked.
  const engine::SegmentContents* contents(std::size_t lane) const;
  std::optional<std::size_t> laneOf(engine::SegmentId segment) const;
  std::optional<engine::SegmentId> segmentHolding(engine::Address address) const;

  LaneView view(std::size_t lane) const;
  ViewLimits limits(std::size_t lane) const;
  AddressScale scale(std::size_t lane) const;
  /// The scale of the whole segment over another width, for the overview strip.
  AddressScale wholeScale(std::size_t lane, double left, double width) const;
  /// How much larger than the scale that lanes share it is drawn; less than 1 for one too long for it.
  double magnification(std::size_t lane) const;
  bool isZoomed(std::size_t lane) const;
  bool isAnyZoomed() const { return !m_views.empty(); }
  /// What zoomed lanes show; all others are as they begin.
  using Views = std::unordered_map<engine::SegmentId, LaneView>;
  const Views& views() const { return m_views; }
  void setViews(Views views) { m_views = std::move(views); }
  void setView(std::size_t lane, LaneView view);
  /// The segment's own length fills the lane; once more: back to the scale that all share.
  void toggleFit(std::size_t lane);
  void fitAll();
  /// Shows a range of the lane's addresses with some room around it.
  void fitTo(std::size_t lane, engine::AddressRange range);

  /// The part that has to be read to draw the lane at `pixelRatio` device pixels to a pixel.
  LaneQuestion question(std::size_t lane, LanePart part, double pixelRatio) const;
  /// `point` in the map's coordinates.
  MapSpot spotAt(QPointF point) const;

 private:
  void rebuild();
  void arrange();
  LaneView homeView(std::size_t lane) const;
  double withTail(double span) const;
  double barWidth() const;

  std::optional<engine::Snapshot> m_snapshot;
  LaneFilter m_filter;
  bool m_fillsWidth = false;
  engine::MapPaint m_paint;
  std::vector<Lane> m_lanes;
  double m_commonSpan = 1;
  Views m_views;
  QSize m_size{800, 600};
  MapMetrics m_metrics;
  MapGeometry m_geometry;
};

}  // namespace heapscape::gui
