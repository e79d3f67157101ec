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
  connect(header, &QHeaderView::sectionResized, this, [this](int resized) {
    if (resized != m_section) stretch();
  });
  stretch();
}

bool StretchedSection::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) stretch();
  return QObject::eventFilter(watched, event);
}

void StretchedSection::stretch() {
  if (m_header->isSectionHidden(m_section)) return;
  const int others = m_header->length() - m_header->sectionSize(m_section);
  m_header->resizeSection(m_section, std::max(m_leastWidth, m_view->viewport()->width() - others));
}

}  // namespace heapscape::gui
