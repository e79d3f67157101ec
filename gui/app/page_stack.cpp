// SPDX-License-Identifier: MIT
#include "app/page_stack.h"

#include <QEvent>
#include <QScrollArea>

namespace heapscape::gui {

namespace {

/// Between a page and what scrolls it: a QScrollArea would take the height that a page likes best at a width for the
/// least that it needs.
class PageHolder : public QWidget {
 public:
  explicit PageHolder(QWidget* page) : m_page(page) { page->setParent(this); }

  QSize minimumSizeHint() const override { return m_page->minimumSizeHint(); }

 protected:
  bool event(QEvent* event) override {
    if (event->type() == QEvent::LayoutRequest) updateGeometry();
    return QWidget::event(event);
  }
  void resizeEvent(QResizeEvent*) override { m_page->setGeometry(rect()); }

 private:
  QWidget* m_page;
};

}  // namespace

void PageStack::addPage(QWidget* page) {
  auto* frame = new QScrollArea(this);
  frame->setFrameShape(QFrame::NoFrame);
  frame->setFocusPolicy(Qt::NoFocus);
  frame->setWidgetResizable(true);
  frame->setWidget(new PageHolder(page));
  m_frames[page] = frame;
  addWidget(frame);
}

void PageStack::showPage(QWidget* page) {
  // Qt would hold back the painting of every widget on every page for as long as two of them change places.
  setAttribute(Qt::WA_UpdatesDisabled);
  setCurrentWidget(m_frames.at(page));
  setAttribute(Qt::WA_UpdatesDisabled, false);
  update();
}

QWidget* PageStack::page() const {
  for (const auto& [page, frame] : m_frames) {
    if (frame == currentWidget()) return page;
  }
  return nullptr;
}

}  // namespace heapscape::gui
