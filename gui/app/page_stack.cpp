// SPDX-License-Identifier: MIT
#include "app/page_stack.h"

#include <QScrollArea>

namespace heapscape::gui {

void PageStack::addPage(QWidget* page) {
  auto* frame = new QScrollArea(this);
  frame->setFrameShape(QFrame::NoFrame);
  frame->setFocusPolicy(Qt::NoFocus);
  frame->setWidgetResizable(true);
  frame->setWidget(page);
  m_frames[page] = frame;
  addWidget(frame);
}

void PageStack::showPage(QWidget* page) {
  setCurrentWidget(m_frames.at(page));
}

QWidget* PageStack::page() const {
  auto* frame = qobject_cast<QScrollArea*>(currentWidget());
  return frame ? frame->widget() : nullptr;
}

}  // namespace heapscape::gui
