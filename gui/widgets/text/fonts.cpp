// SPDX-License-Identifier: MIT
#include "widgets/text/fonts.h"

#include <QFontDatabase>

namespace heapscape::gui {

namespace {

void setSize(QFont& font, const QFont& base, double factor) {
  if (base.pointSizeF() > 0) {
    font.setPointSizeF(base.pointSizeF() * factor);
  } else {
    font.setPixelSize(qRound(base.pixelSize() * factor));
  }
}

}  // namespace

QFont fixedFont(const QFont& base) {
  QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  setSize(font, base, 1);
  return font;
}

QFont scaledFont(const QFont& base, double factor, QFont::Weight weight) {
  QFont font = base;
  setSize(font, base, factor);
  font.setWeight(weight);
  return font;
}

}  // namespace heapscape::gui
