// SPDX-License-Identifier: MIT
#include "widgets/drawing/paper_look.h"

#include "widgets/drawing/colours.h"

namespace heapscape::gui {

// Each widget is told, for one that has a palette of its own, or stands below a style sheet, would keep it.
PaperLook::PaperLook(QWidget* picture) {
  QPalette paper(QColor(0xf0, 0xf1, 0xf3), Qt::white);
  paper.setColor(QPalette::PlaceholderText, Colours(paper).dimmedText());
  QList<QWidget*> parts = picture->findChildren<QWidget*>();
  parts.prepend(picture);
  for (QWidget* part : parts) {
    if (part != picture && part->isWindow()) continue;
    m_dressed.push_back({part, part->testAttribute(Qt::WA_SetPalette) ? part->palette() : QPalette()});
    part->setPalette(paper);
  }
}

PaperLook::~PaperLook() {
  m_plain.end();
  for (const Dressed& dressed : m_dressed) {
    if (dressed.widget) dressed.widget->setPalette(dressed.palette);
  }
}

}  // namespace heapscape::gui
