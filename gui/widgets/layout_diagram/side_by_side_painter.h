// SPDX-License-Identifier: MIT
#pragma once

#include <QFont>
#include <QPalette>
#include <optional>

#include "widgets/layout_diagram/diagram_column.h"
#include "widgets/layout_diagram/side_by_side_geometry.h"

class QPainter;

namespace heapscape::gui {

/// Draws layouts side by side: heads, bytes, and the curves of what lies elsewhere.
class SideBySidePainter {
 public:
  struct Look {
    QPalette palette;
    QFont font;
    std::uint32_t selected = FieldMatches::kNone;  // fields
    std::uint32_t hovered = FieldMatches::kNone;
    bool isBar = false;
    std::optional<std::size_t> focused = {};  // the column that has the focus
  };

  SideBySidePainter(const std::vector<DiagramColumn>& columns, const FieldMatches& matches,
                    const SideBySideGeometry& geometry, const Look& look);

  /// Only what lies in `exposed`.
  void paint(QPainter& painter, const QRectF& exposed) const;

 private:
  void paintCurve(QPainter& painter, const FieldCurve& curve) const;
  bool isEmphasised(std::uint32_t field) const;

  const std::vector<DiagramColumn>& m_columns;
  const FieldMatches& m_matches;
  const SideBySideGeometry& m_geometry;
  Look m_look;
};

}  // namespace heapscape::gui
