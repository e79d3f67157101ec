// SPDX-License-Identifier: MIT
#pragma once

#include <QPalette>
#include <QPointer>
#include <QWidget>
#include <vector>

#include "widgets/drawing/plain_patterns.h"

namespace heapscape::gui {

/// Dresses a picture and the widgets in it for paper as long as it lives: dark on light whatever the theme is, and
/// without patterns, which an SVG file cannot keep.
class PaperLook {
 public:
  explicit PaperLook(QWidget* picture);
  ~PaperLook();
  PaperLook(const PaperLook&) = delete;
  PaperLook& operator=(const PaperLook&) = delete;

 private:
  struct Dressed {
    QPointer<QWidget> widget;
    QPalette palette;  // of its own; empty where it takes that of the widget around it
  };

  PlainPatterns m_plain;
  std::vector<Dressed> m_dressed;
};

}  // namespace heapscape::gui
