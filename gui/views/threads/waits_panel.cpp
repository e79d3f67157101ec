// SPDX-License-Identifier: MIT
#include "views/threads/waits_panel.h"

#include <QScrollArea>
#include <QScrollBar>
#include <QStackedLayout>

#include "views/threads/waits_picture.h"
#include "widgets/state_panel.h"

namespace heapscape::gui {

WaitsPanel::WaitsPanel(QWidget* parent)
    : QWidget(parent),
      m_picture(new WaitsPicture(this)),
      m_scroll(new QScrollArea(this)),
      m_state(new StatePanel(this)),
      m_pages(new QStackedLayout(this)) {
  m_scroll->setWidget(m_picture);
  m_scroll->setWidgetResizable(true);
  m_scroll->setFrameShape(QFrame::NoFrame);
  m_pages->addWidget(m_state);
  m_pages->addWidget(m_scroll);
}

void WaitsPanel::show(Waits waits) {
  if (waits.isEmpty()) {
    m_state->showEmpty(QStringLiteral("Nobody waits"),
                       QStringLiteral("No thread holds a lock, and none waits for a lock, a task or an event."));
    m_pages->setCurrentWidget(m_state);
  } else {
    m_pages->setCurrentWidget(m_scroll);
  }
  m_picture->show(std::move(waits));
}

// Whether there is a scroll bar follows from what is laid out, and must not change that.
void WaitsPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const int bar = m_scroll->verticalScrollBar()->sizeHint().width();
  m_picture->setRoom(size() - QSize(bar, 0));
}

void WaitsPanel::showWaiting(const QString& text) {
  m_state->showLoading(text);
  m_pages->setCurrentWidget(m_state);
}

void WaitsPanel::clear() {
  m_picture->show({});
  m_state->showEmpty(QStringLiteral("No dump is open"), QStringLiteral("Open a core dump to see who waits for whom."));
  m_pages->setCurrentWidget(m_state);
}

}  // namespace heapscape::gui
