// SPDX-License-Identifier: MIT
#pragma once

#include <QFont>
#include <QFontMetricsF>
#include <QPalette>

#include "widgets/drawing/colours.h"
#include "widgets/layout_diagram/layout_diagram_geometry.h"

class QPainter;

namespace heapscape::gui {

/// Draws a diagram that is laid out; on the screen and into saved pictures.
class LayoutDiagramPainter {
 public:
  struct Look {
    QPalette palette;
    QFont font;
    std::uint32_t selected = engine::LayoutItem::kNoItem;
    std::uint32_t hovered = engine::LayoutItem::kNoItem;
    bool isBar = false;
    bool showsRuler = true;
    bool showsOffsets = true;
    bool hasFocus = false;
  };

  LayoutDiagramPainter(const engine::LayoutItems& items, const DiagramGeometry& geometry, const Look& look);

  /// The width that a box needs to have the name of what is in it written into it.
  static double nameWidth(const engine::LayoutItem& item, const QFontMetricsF& font);

  /// Only what lies in `exposed`.
  void paint(QPainter& painter, const QRectF& exposed) const;

 private:
  void paintOffsets(QPainter& painter, const QRectF& exposed) const;
  void paintRuler(QPainter& painter, const QRectF& exposed) const;
  void paintCacheLines(QPainter& painter, const QRectF& exposed) const;
  void paintStraddleMark(QPainter& painter, const DiagramBox& box) const;
  void paintBrackets(QPainter& painter, const QRectF& exposed) const;
  void paintBox(QPainter& painter, const DiagramBox& box, const QRectF& exposed) const;
  void paintPart(QPainter& painter, const engine::LayoutItem& item, const QRectF& rect, bool isFirst,
                 bool isOpen) const;
  static QString nameText(const engine::LayoutItem& item);
  void paintLabel(QPainter& painter, const DiagramBox& box) const;
  void paintCallout(QPainter& painter, const DiagramCallout& callout, const QRectF& exposed) const;
  void paintFieldLabel(QPainter& painter, const engine::LayoutItem& item, const QRectF& room, bool isOpen) const;
  void paintPaddingLabel(QPainter& painter, const engine::LayoutItem& item, const QRectF& room) const;
  void paintOutline(QPainter& painter, const DiagramBox& box) const;
  QColor kindColour(const engine::LayoutItem& item) const;
  QColor fillColour(const engine::LayoutItem& item, bool isOpen) const;

  const engine::LayoutItems& m_items;
  const DiagramGeometry& m_geometry;
  Look m_look;
  Colours m_colours;
  QFont m_small;
};

}  // namespace heapscape::gui
