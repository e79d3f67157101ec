// SPDX-License-Identifier: MIT
#pragma once

#include <QFontMetrics>
#include <QRect>
#include <array>
#include <optional>
#include <vector>

#include "base/address.h"
#include "views/segments/segment_lane.h"

namespace heapscape::gui {

/// The part of a segment that its lane shows, in bytes from the segment's start. Zooming may put the edges between two
/// bytes.
struct LaneView {
  double offset = 0;
  double span = 0;
  bool operator==(const LaneView&) const = default;
};

/// How far a lane can be zoomed and panned, in bytes.
struct ViewLimits {
  double ownSpan = 0;     // what there is to see
  double widestSpan = 0;  // zoomed out; more than `ownSpan` where lanes share one scale
  double narrowestSpan = 0;
};

/// The nearest view within the limits: some of the segment always stays in sight.
LaneView clamped(LaneView view, const ViewLimits& limits);
/// Shows `factor` times as much (less than 1 zooms in); the byte under `share` of the width stays where it is.
LaneView zoomed(LaneView view, double factor, double share, const ViewLimits& limits);
/// Moves by a share of the width; positive shows higher addresses.
LaneView panned(LaneView view, double share, const ViewLimits& limits);
/// Moves as little as needed to show [offset, offset + bytes) with some room around it; keeps the span.
LaneView revealing(LaneView view, double offset, double bytes, const ViewLimits& limits);

/// Turns addresses into pixels of a lane and back.
class AddressScale {
 public:
  AddressScale() = default;
  AddressScale(engine::Address origin, LaneView view, double left, double width);

  double xOf(engine::Address address) const;
  /// The byte under x; addresses below the segment's start come out as its start.
  engine::Address addressAt(double x) const;
  double bytesPerPixel() const;
  double left() const { return m_left; }
  double right() const { return m_left + m_width; }
  /// The whole bytes that are in view.
  engine::AddressRange window() const;

 private:
  engine::Address m_origin;
  LaneView m_view;
  double m_left = 0;
  double m_width = 1;
};

struct RulerTick {
  engine::Address address;
  double x = 0;
};

/// Round addresses along the scale, at least `spacing` pixels apart; the step is a power of two.
std::vector<RulerTick> rulerTicks(const AddressScale& scale, double spacing);

/// Sizes that the map is laid out with, all from the fonts.
struct MapMetrics {
  int laneHeight = 28;
  int zoomedLaneHeight = 56;
  int rulerHeight = 20;  // of a zoomed lane's own
  int headingHeight = 32;
  int labelWidth = 160;
  int addressWidth = 0;  // part of the label; 0 where there is no room for it
  int figureWidth = 64;
  int tailWidth = 96;  // reserved address space, not to scale
  int padding = 8;

  /// The geometry of a map of this size, whose height its lanes share, as long as they are not lower than can be hit.
  static MapMetrics of(const QFontMetrics& text, const QFontMetrics& fixed, QSize size, std::size_t lanes,
                       std::size_t headings);
};

inline constexpr std::size_t kFigureColumns = 4;  // used, free, fragmentation, coverage

struct LaneRow {
  std::size_t lane = 0;  // index into the lanes
  QRect row;
  QRect label;
  QRect bar;    // where addresses are drawn, the tail included
  QRect ruler;  // below it, of a lane with a scale of its own; else empty
  std::array<QRect, kFigureColumns> figures;
};

struct HeadingRow {
  std::uint32_t heap = 0;
  QRect row;
  QRect label;
  std::array<QRect, kFigureColumns> figures;
};

/// Where everything of the map lies, in its own coordinates: 0 is the top of the first heading.
struct MapGeometry {
  std::vector<LaneRow> lanes;
  std::vector<HeadingRow> headings;
  int height = 0;

  /// The first lane that ends below y.
  std::size_t firstLaneBelow(int y) const;
  std::optional<std::size_t> laneAt(int y) const;
};

/// A row of the map that a picture of a part of it has, and where.
struct PicturedRow {
  bool isHeading = false;
  std::size_t index = 0;  // of the headings or the lanes
  int y = 0;              // of its top, from the picture's
};

/// The rows that lie between `top` and `bottom` as wholes, moved up to begin at 0. Lanes whose heading is above them
/// get it all the same, for as many as there is room for then.
std::vector<PicturedRow> picturedRows(const MapGeometry& geometry, int top, int bottom);

/// `isZoomed` tells of each lane whether it is zoomed; such a lane gets more height, and a ruler of its own.
MapGeometry layoutMap(const std::vector<Lane>& lanes, const std::vector<bool>& isZoomed, const MapMetrics& metrics,
                      int width);

/// The label, bar and figure columns of one row.
QRect labelRect(const QRect& row, const MapMetrics& metrics);
QRect barRect(const QRect& row, const MapMetrics& metrics);
std::array<QRect, kFigureColumns> figureRects(const QRect& row, const MapMetrics& metrics);

}  // namespace heapscape::gui
