// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "widgets/layout_diagram/diagram_rows.h"
#include "widgets/layout_diagram/field_matches.h"
#include "widgets/layout_diagram/layout_diagram_geometry.h"

namespace heapscape::gui {

/// Sizes in device-independent pixels that layouts side by side are laid out with.
struct SideBySideMetrics {
  DiagramMetrics diagram;   // of each
  double curveGutter = 56;  // between columns, or between bars
  double headHeight = 80;   // above a column, or beside a bar
  double headWidth = 160;   // beside a bar
};

/// A field that lies elsewhere in the next column. It runs in the gutter between the two.
struct FieldCurve {
  std::size_t column = 0;  // the left one, or the upper one
  std::uint32_t field = 0;
  QPointF from;
  QPointF to;
};

/// Columns with the same rows at the same heights; or, as bars, one below the other with the same offsets above each
/// other.
struct SideBySideGeometry {
  std::vector<DiagramGeometry> columns;
  std::vector<QRectF> heads;
  std::vector<FieldCurve> curves;
  QSizeF size;
};

SideBySideGeometry layOutSideBySide(const std::vector<DiagramSource>& columns, const FieldMatches& matches,
                                    const SideBySideMetrics& metrics);

/// What lies at a point: the column, and the innermost item of it.
struct SideBySideSpot {
  std::size_t column = 0;
  std::uint32_t item = 0;
};
std::optional<SideBySideSpot> spotAt(const SideBySideGeometry& geometry, const QPointF& point);

}  // namespace heapscape::gui
