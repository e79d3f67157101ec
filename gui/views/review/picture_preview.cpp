// SPDX-License-Identifier: MIT
#include "views/review/picture_preview.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

namespace heapscape::gui {
namespace {

constexpr double kPicturePreviewPixelsPerPoint = 4.0 / 3;
constexpr int kGround = 8;  // white around it
constexpr int kPicturePreviewMargin = 16 + kGround;

}  // namespace

PicturePreview::PicturePreview(QWidget* parent) : QWidget(parent) {
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void PicturePreview::show(const engine::ReviewPicture& picture, const QString& title) {
  m_renderer.load(QByteArray::fromStdString(picture.svg));
  m_size = QSizeF(picture.width, picture.height) * kPicturePreviewPixelsPerPoint;
  setAccessibleName(title);
  updateGeometry();
  update();
}

QSizeF PicturePreview::fitted(double width) const {
  const double room = std::max(1.0, width - 2 * kPicturePreviewMargin);
  const double scale = m_size.width() > 0 ? std::min(1.0, room / m_size.width()) : 1;
  return m_size * scale;
}

int PicturePreview::heightForWidth(int width) const {
  return static_cast<int>(std::ceil(fitted(width).height())) + 2 * kPicturePreviewMargin;
}

QSize PicturePreview::sizeHint() const {
  return {320, heightForWidth(std::max(width(), 320))};
}

void PicturePreview::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QRectF place(QPointF(kPicturePreviewMargin, kPicturePreviewMargin), fitted(width()));
  painter.fillRect(place.adjusted(-kGround, -kGround, kGround, kGround), Qt::white);
  m_renderer.render(&painter, place);
}

}  // namespace heapscape::gui
