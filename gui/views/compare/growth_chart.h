// SPDX-License-Identifier: MIT
#pragma once

#include <QRectF>
#include <QSize>
#include <QString>
#include <QWidget>
#include <cstdint>
#include <vector>

#include "insight/comparison/comparison.h"
#include "widgets/accessible/picture_items.h"

namespace heapscape::gui {

/// A type that has grown or shrunk.
struct GrowthBar {
  std::string type;
  engine::Change bytes;
  std::uint32_t row = 0;  // in the comparison's types
};

/// The types that grew most, and behind them those that shrunk most, so many of each at most. The comparison's types
/// are in order of growth.
std::vector<GrowthBar> growthBars(const std::vector<engine::TypeChange>& types, std::size_t each = 8);

/// Where one bar lies: its name on the left, the bar beside the axis, and its figure at the bar's end.
struct GrowthBarShape {
  QRectF line;  // all of it
  QRectF name;
  QRectF bar;  // at least a pixel wide
  QRectF figure;
  bool isGrowth = true;
};

struct GrowthPicture {
  double axis = 0;  // x of no change
  std::vector<GrowthBarShape> bars;
};

/// Growth goes to the right of the axis, shrinking to the left, both to one scale. Bars that find no room below are
/// left out. `lineHeight` and `figureWidth` come from the font.
GrowthPicture layOutGrowth(const std::vector<GrowthBar>& bars, QSizeF size, double lineHeight, double figureWidth);

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
  /// A type was picked, by its row in the comparison's types.
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
