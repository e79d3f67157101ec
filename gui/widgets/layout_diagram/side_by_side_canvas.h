// SPDX-License-Identifier: MIT
#pragma once

#include <QRectF>
#include <optional>
#include <vector>

#include "widgets/layout_diagram/diagram_canvas.h"
#include "widgets/layout_diagram/side_by_side_geometry.h"

class QPainter;

namespace heapscape::gui {

/// The picture of layouts side by side at its full size; SideBySideDiagram scrolls it. Fields are told apart by
/// FieldMatches, and what is picked or opened is so in all columns.
class SideBySideCanvas : public DiagramCanvas {
  Q_OBJECT

 public:
  explicit SideBySideCanvas(QWidget* parent = nullptr);

  /// Keeps what is selected and open where the new columns have it.
  void setColumns(std::vector<DiagramColumn> columns);
  void setOpen(std::vector<bool> isOpen);  // by field
  void select(std::uint32_t field);
  /// The column whose fields can be dragged to another place, and moved by Alt and the arrows.
  void setMovable(std::size_t column) { m_movable = column; }

  const std::vector<DiagramColumn>& columns() const { return m_columns; }
  const FieldMatches& matches() const { return m_matches; }
  const SideBySideGeometry& geometry() const { return m_geometry; }
  const std::vector<bool>& isOpen() const { return m_isOpen; }
  std::uint32_t selected() const { return m_selected; }
  bool canOpen(std::uint32_t field) const;
  /// All parts of a field in a column together; empty if it is not drawn there.
  QRect boundsOf(std::size_t column, std::uint32_t field) const;
  // Drawn items of the first column, then in the second …
  std::size_t itemCount() const override;
  BubbleText itemText(std::size_t item) const override;
  QRectF itemRect(std::size_t item) const override;
  std::optional<std::size_t> currentItem() const override;
  void goToItem(std::size_t item) override;
  void pressItem(std::size_t item) override;
  std::optional<bool> isItemOpen(std::size_t item) const override;

  /// Without what only belongs to the screen.
  void paintPicture(QPainter& painter) const;

 Q_SIGNALS:
  void laidOut();
  void picked(std::uint32_t field);  // FieldMatches::kNone for none
  void openWanted(std::uint32_t field, bool isOpen);
  /// A field was dragged over another one, to before or behind it; neither lies in a value type.
  void dragged(std::uint32_t field, std::uint32_t over, bool isBehind);
  /// One place towards the start (-1) or the end (1).
  void moveWanted(std::uint32_t field, int by);
  /// The column, and the item under the pointer or engine::LayoutItem::kNoItem where it is over the column's head; -1
  /// for none.
  void hovered(int column, std::uint32_t item, const QPoint& position);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  std::uint32_t movableAt(const QPointF& point) const;
  void drag(const QPointF& point);
  SideBySideMetrics metrics() const;
  /// Whether brackets say which type of the inheritance declares what.
  bool namesLevels() const;
  double bracketWidth() const;
  std::size_t drawnColumns() const;  // all but chips
  const DiagramColumn& firstDrawn() const;
  double byteWidth(const SideBySideMetrics& metrics) const;
  std::int64_t bytesShown() const;
  std::vector<DiagramSource> sources() const;
  void divideOpen();
  void layOut() override;
  void wantOpen(bool isOpen) override;
  void hover(const QPointF& point);
  void press(std::uint32_t field);
  SideBySideSpot spotOf(std::size_t item) const;
  std::uint32_t fieldAt(std::size_t item) const;

  std::vector<DiagramColumn> m_columns;
  FieldMatches m_matches;
  std::vector<bool> m_isOpen;                     // by field
  std::vector<std::vector<bool>> m_openByColumn;  // by item
  SideBySideGeometry m_geometry;
  std::uint32_t m_selected = FieldMatches::kNone;
  std::size_t m_column = 0;  // where keys go on
  std::uint32_t m_hovered = FieldMatches::kNone;
  std::optional<std::size_t> m_movable;
  std::uint32_t m_dragged = FieldMatches::kNone;
  QPointF m_pressedAt;
  bool m_isDragging = false;
};

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
  /// Where a column is seen, from left to right, in this widget's coordinates.
  QRectF spanOf(std::size_t column) const;
  bool isOpen(std::uint32_t field) const;
  bool canOpenAny() const;

 Q_SIGNALS:
  void picked(std::uint32_t field);  // FieldMatches::kNone for none
  void openChanged();
  void spansChanged();

 private:
  SideBySideDiagram(SideBySideCanvas* canvas, QWidget* parent);
  void setCanvasZoom(double zoom) override;
  void setCanvasRoom(int width) override;
  void openWherePaddingIs();
  void hover(int column, std::uint32_t item, const QPoint& position);

  SideBySideCanvas* m_canvas;
  bool m_isBar = false;
};

}  // namespace heapscape::gui
