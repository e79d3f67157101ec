// SPDX-License-Identifier: MIT
#pragma once

#include <QFontMetrics>
#include <QRect>
#include <array>
#include <optional>
#include <vector>

#include "views/segments/segment_lane.h"

namespace heapscape::gui {

/// Sizes that the map is laid out with, all from the fonts.
struct MapMetrics {
  int laneHeight = 28;
  int zoomedLaneHeight = 56;
  int headingHeight = 32;
  int labelWidth = 160;
  int addressWidth = 0;  // part of the label; 0 where there is no room for it
  int figureWidth = 64;
  int tailWidth = 96;  // reserved address space, not to scale
  int padding = 8;

  /// For a map of this width, with `lanes` lanes sharing `height`: few lanes get taller.
  static MapMetrics of(const QFontMetrics& text, const QFontMetrics& fixed, QSize size, std::size_t lanes,
                       std::size_t headings);
};

inline constexpr std::size_t kFigureColumns = 4;  // used, free, fragmentation, coverage

struct LaneRow {
  std::size_t lane = 0;  // index into the lanes
  QRect row;
  QRect label;
  QRect bar;  // where addresses are drawn, the tail included
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

/// `isZoomed` tells of each lane whether it is zoomed; such a lane gets more height.
MapGeometry layoutMap(const std::vector<Lane>& lanes, const std::vector<bool>& isZoomed, const MapMetrics& metrics,
                      int width);

/// The label, bar and figure columns of one row.
QRect labelRect(const QRect& row, const MapMetrics& metrics);
QRect barRect(const QRect& row, const MapMetrics& metrics);
std::array<QRect, kFigureColumns> figureRects(const QRect& row, const MapMetrics& metrics);

}  // namespace heapscape::gui
