// SPDX-License-Identifier: MIT
#pragma once

#include <QtCharts/QChartView>
#include <optional>
#include <vector>

#include "views/generations/generation_stacks.h"
#include "widgets/accessible/picture_items.h"

class QAbstractBarSeries;
class QCategoryAxis;
class QGraphicsSimpleTextItem;

namespace heapscape::gui {

/// Stacked bars that tell exact figures under the pointer and can be clicked, also where a bar is too short to be hit:
/// the whole row or column of a bar answers. Arrow keys along the bars go from bar to bar, those across into its parts.
class StackedChart : public QChartView, public PictureItems {
  Q_OBJECT

 public:
  enum class Direction { Rows, Columns };

  StackedChart(Direction direction, QWidget* parent = nullptr);

  void setTable(const StackTable& table);
  const StackTable& table() const { return m_table; }
  /// Below columns: names at the lines between them, as far as there is room. Without them, the bars' own names.
  void setBoundaryNames(const std::vector<QString>& names);
  /// A line between or within columns, counted from the beginning of the first, each as wide as 1, with what it means;
  /// none for nothing.
  void setMark(std::optional<double> place, const QString& meaning);
  /// The middle of a bar's row or column, in the view; for tests and the keyboard.
  QPoint middleOf(std::size_t bar) const;
  const HoverBubble& bubble() const { return *m_bubble; }

  // Each bar, followed by its parts that are not empty.
  std::size_t itemCount() const override { return spots().size(); }
  BubbleText itemText(std::size_t item) const override;
  QRectF itemRect(std::size_t item) const override { return rectOf(spots()[item]); }
  std::optional<std::size_t> currentItem() const override;
  void goToItem(std::size_t item) override { goTo(spots()[item]); }
  void pressItem(std::size_t item) override;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void picked(const heapscape::engine::HeapScope& scope, bool isGarbage);

 protected:
  void changeEvent(QEvent* event) override;
  void drawForeground(QPainter* painter, const QRectF& rect) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  struct Spot {
    std::size_t bar = 0;
    std::optional<std::size_t> part;
    bool operator==(const Spot&) const = default;
  };

  std::vector<Spot> spots() const;
  /// A bar's area in the view.
  QRectF rectOf(const Spot& spot) const;
  void goTo(const Spot& spot);
  void goAlong(bool isForward);
  void goAcross(bool isForward);

  void rebuild();
  void buildSeries();
  void buildAxes();
  void colour();
  void updateBarNames();
  void placeTotals();
  /// The end of the values' axis, for bars and what of their memory is drawn.
  double longestBar() const;
  void tellPicked(const Spot& spot);
  void paintSpaces(QPainter& painter) const;
  void paintMark(QPainter& painter) const;
  std::optional<Spot> spotAt(QPoint point) const;
  QRectF bandOf(std::size_t bar) const;
  void setCurrent(std::optional<Spot> spot);
  void tell(const Spot& spot, QPoint at);
  // Rows count from the bottom in Qt Charts, but the first heap belongs on top.
  std::size_t slotOf(std::size_t bar) const;

  Direction m_direction;
  StackTable m_table;
  std::vector<QString> m_boundaryNames;
  QAbstractBarSeries* m_series = nullptr;
  QCategoryAxis* m_names = nullptr;
  QCategoryAxis* m_values = nullptr;
  std::size_t m_namesEach = 0;
  std::vector<QGraphicsSimpleTextItem*> m_totals;
  HoverBubble* m_bubble;
  std::optional<Spot> m_current;
  std::optional<double> m_mark;
  QString m_markMeaning;
};

}  // namespace heapscape::gui
