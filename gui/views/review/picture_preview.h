// SPDX-License-Identifier: MIT
#pragma once

#include <QSvgRenderer>
#include <QWidget>

#include "review/board.h"

namespace heapscape::gui {

/// A pinned picture on light ground, as wide as it was or as there is room for.
class PicturePreview : public QWidget {
  Q_OBJECT

 public:
  explicit PicturePreview(QWidget* parent = nullptr);

  void show(const engine::ReviewPicture& picture, const QString& title);
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QSizeF fitted(double width) const;

  QSvgRenderer m_renderer;
  QSizeF m_size;  // in device-independent pixels
};

}  // namespace heapscape::gui
