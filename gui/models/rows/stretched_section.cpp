// SPDX-License-Identifier: MIT
#include "models/rows/stretched_section.h"

#include <QAbstractItemView>
#include <QEvent>
#include <QHeaderView>
#include <algorithm>

namespace heapscape::gui {

StretchedSection::StretchedSection(QAbstractItemView* view, QHeaderView* header, int section, int leastWidth)
    : QObject(view), m_view(view), m_header(header), m_section(section), m_leastWidth(leastWidth) {
  // What was kept of an earlier session may say otherwise.
  header->setSectionResizeMode(section, QHeaderView::Interactive);
  header->setStretchLastSection(false);
  view->viewport()->installEventFilter(this);
  connect(header, &QHeaderView::sectionResized, this, [this](int resized, int before, int after) {
    if (resized != m_section || before == 0 || after == 0) stretch();
  });
  stretch();
}

bool StretchedSection::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) stretch();
  return QObject::eventFilter(watched, event);
}

void StretchedSection::stretch() {
  // Where it is hidden, the last one takes the room.
  const bool isHidden = m_header->isSectionHidden(m_section);
  if (m_header->stretchLastSection() != isHidden) m_header->setStretchLastSection(isHidden);
  if (isHidden) return;
  const int others = m_header->length() - m_header->sectionSize(m_section);
  m_header->resizeSection(m_section, std::max(m_leastWidth, m_view->viewport()->width() - others));
}

}  // namespace heapscape::gui
