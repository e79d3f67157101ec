// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include "views/compare/growth_bars.h"
#include "widgets/accessible/picture_items.h"

namespace heapscape::gui {

/// The types that grew and shrunk most, as bars beside an axis. A click picks a type, as
/// do the arrow keys and Enter.
class GrowthChart : public QWidget, public PictureItems {
  Q_OBJECT

 public:
  explicit GrowthChart(QWidget* parent = nullptr);

  void show(std::vector<GrowthBar> bars);
  std::size_t itemCount() const override { return m_bars.size(); }
  BubbleText itemText(std::size_t item) const override;
  QRectF itemRect(std::size_t item) const override;
  std::optional<std::size_t> currentItem() const override;
  void goToItem(std::size_t item) override { setCurrent(static_cast<int>(item)); }
  void pressItem(std::size_t item) override { pick(static_cast<int>(item)); }

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  /// By its row in the comparison's types.
  void picked(std::uint32_t row);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

 private:
  GrowthPicture layOut(QSize size) const;
  void paint(QPainter& painter, QSize size) const;
  double lineHeight() const;
  int barAt(QPointF point) const;  // -1 for none
  void setCurrent(int bar);
  void pick(int bar);

  std::vector<GrowthBar> m_bars;
  int m_current = -1;  // pointed at, or reached by the keys
};

}  // namespace heapscape::gui
