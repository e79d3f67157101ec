// SPDX-License-Identifier: MIT
#include <QPainter>
#include <QSvgRenderer>
#include <algorithm>

#include "print/print_item.h"

namespace heapscape::gui {
namespace {

class Picture : public PrintItem {
 public:
  Picture(const engine::ReviewPicture& picture, QSizeF size)
      : m_renderer(QByteArray::fromStdString(picture.svg)), m_size(size) {
    flow.height = size.height();
  }

  void paint(QPainter& painter, double y) const override {
    // Rendering only reads, whatever the signature says.
    const_cast<QSvgRenderer&>(m_renderer).render(&painter, QRectF(QPointF(0, y), m_size));
  }

 private:
  QSvgRenderer m_renderer;
  QSizeF m_size;
};

}  // namespace

void addPicture(PrintItems& items, const PrintStyle& style, const engine::ReviewPicture& picture, double sheetHeight) {
  QSizeF size(style.points(picture.width), style.points(picture.height));
  if (size.isEmpty()) return;
  const double scale = std::min({1.0, style.width / size.width(), sheetHeight / size.height()});
  items.push_back(std::make_unique<Picture>(picture, size * scale));
  items.back()->flow.spaceBefore = style.points(8);
}

}  // namespace heapscape::gui
