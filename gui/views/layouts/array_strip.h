// SPDX-License-Identifier: MIT
#pragma once

#include <QRectF>
#include <QWidget>
#include <cstdint>
#include <memory>
#include <vector>

#include "layout/layout_items.h"
#include "views/layouts/layout_column.h"
#include "widgets/accessible/picture_items.h"

namespace heapscape::gui {

/// How the elements of an array follow each other. `elementOffset` is that of the first from the array's address.
struct ArrayElements {
  std::int64_t stride = 0;
  std::int64_t elementOffset = 16;
  const engine::LayoutItems* element = nullptr;  // unboxed; null for what has no inside
};

/// How the elements fall on cache lines over and over again.
struct LineRhythm {
  std::int64_t elements = 1;    // after so many it begins anew
  std::int64_t straddling = 0;  // of those, that cross a line though they would fit into one
};
/// The rhythm of cache lines in an array that begins at one; arrays are aligned to 8 only.
LineRhythm lineRhythm(const ArrayElements& elements);

struct ArrayElementBox {
  QRectF rect;
  bool straddles = false;
};

/// The first elements in a row, to scale.
struct ArrayStripGeometry {
  std::vector<ArrayElementBox> elements;
  std::vector<QRectF> paddings;
  std::vector<double> lines;  // where cache lines begin
  double byteWidth = 0;
};
/// Between four and eight elements, as many as `width` has room for at a legible size.
ArrayStripGeometry layOutArrayStrip(const ArrayElements& elements, const QRectF& room, double leastByteWidth);

/// One line of the picture: an array of the type in one of its layouts.
struct ArrayLine {
  QString title;
  QStringList facts;
  ArrayElements elements;
  std::shared_ptr<const engine::LayoutItems> element;  // keeps elements.element
};
/// A line for each of these layouts; none for classes, whose arrays hold references.
std::vector<ArrayLine> arrayLines(const std::vector<AlikeColumns>& columns);

/// Objects of a class as the GC puts those of one thread, one behind the other.
ArrayLine objectsInARow(const engine::TypeLayout& layout, std::shared_ptr<const engine::LayoutItems> items);

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
