// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>

#include "views/layouts/array_strip_geometry.h"
#include "views/layouts/column_text.h"
#include "widgets/accessible/picture_items.h"

namespace heapscape::gui {

/// One line of the picture: an array of the type in one of its layouts.
struct ArrayLine {
  QString title;
  QStringList facts;
  ArrayElements elements;
  std::shared_ptr<const engine::LayoutItems> element;  // keeps elements.element
};
/// A line for each of these layouts; none for classes, whose arrays hold references.
std::vector<ArrayLine> arrayLines(const std::vector<AlikeColumns>& columns);

/// The first elements of an array of the type, to scale, with the cache lines they fall on.
class ArrayStrip : public QWidget, public PictureItems {
  Q_OBJECT

 public:
  explicit ArrayStrip(QWidget* parent = nullptr);

  void show(std::vector<ArrayLine> lines);
  const std::vector<ArrayLine>& lines() const { return m_lines; }
  std::size_t itemCount() const override { return m_lines.size(); }
  BubbleText itemText(std::size_t item) const override;
  QRectF itemRect(std::size_t item) const override;
  std::optional<std::size_t> currentItem() const override { return m_current; }
  void goToItem(std::size_t item) override;
  void pressItem(std::size_t item) override { goToItem(item); }

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  double lineHeight() const;
  void paintAll(QPainter& painter) const;
  void paintLine(QPainter& painter, const ArrayLine& line, const QRectF& room) const;

  std::vector<ArrayLine> m_lines;
  std::optional<std::size_t> m_current;
};

}  // namespace heapscape::gui
