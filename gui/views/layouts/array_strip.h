// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>

#include "views/layouts/array_strip_geometry.h"
#include "views/layouts/column_text.h"

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
class ArrayStrip : public QWidget {
  Q_OBJECT

 public:
  explicit ArrayStrip(QWidget* parent = nullptr);

  void show(std::vector<ArrayLine> lines);
  const std::vector<ArrayLine>& lines() const { return m_lines; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  double lineHeight() const;
  void paintAll(QPainter& painter) const;
  void paintLine(QPainter& painter, const ArrayLine& line, const QRectF& room) const;

  std::vector<ArrayLine> m_lines;
};

}  // namespace heapscape::gui
