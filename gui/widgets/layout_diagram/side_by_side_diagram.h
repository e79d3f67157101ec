// SPDX-License-Identifier: MIT
#pragma once

#include "widgets/layout_diagram/diagram_canvas.h"
#include "widgets/layout_diagram/side_by_side_geometry.h"

namespace heapscape::gui {

class SideBySideCanvas;

/// Layouts of one type beside each other, on the same scale, fields that lie elsewhere joined by curves: scrolls,
/// zooms, names what is under the pointer, opens value types in all columns at once. A single column is the plain
/// diagram.
class SideBySideDiagram : public DiagramScroller {
  Q_OBJECT

 public:
  explicit SideBySideDiagram(QWidget* parent = nullptr);

  /// Another type: nothing is selected, values that hold padding are open. None for nothing.
  void show(std::vector<DiagramColumn> columns);
  /// Other columns of the same type: what was selected and open stays so.
  void setColumns(std::vector<DiagramColumn> columns);
  void setOpen(std::uint32_t field, bool isOpen);
  void setAllOpen(bool isOpen);
  void setBar(bool isBar);
  void select(std::uint32_t field);
  SideBySideCanvas* canvas() const { return m_canvas; }
  const FieldMatches& matches() const;
  bool isOpen(std::uint32_t field) const;
  bool canOpenAny() const;

 Q_SIGNALS:
  void picked(std::uint32_t field);  // FieldMatches::kNone for none
  void openChanged();

 private:
  SideBySideDiagram(SideBySideCanvas* canvas, QWidget* parent);
  void setCanvasZoom(double zoom) override;
  void setCanvasRoom(int width) override;
  void openWherePaddingIs();
  void hover(int column, std::uint32_t item, const QPoint& position);

  SideBySideCanvas* m_canvas;
};

}  // namespace heapscape::gui
