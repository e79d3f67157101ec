// SPDX-License-Identifier: MIT
#include "app/inspector/inspector_drawer.h"

#include <QToolButton>
#include <QVBoxLayout>

#include "app/inspector/inspector.h"
#include "widgets/drawing/symbol_icon.h"

namespace heapscape::gui {

namespace {

constexpr int kCloseMargin = 14;  // beside a scroll bar

}  // namespace

InspectorDrawer::InspectorDrawer(Inspector* inspector, QWidget* parent)
    : QWidget(parent), m_inspector(inspector), m_close(new QToolButton(this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(inspector);
  m_close->setObjectName(u"closeInspector"_s);
  m_close->setIcon(symbolIcon(u"close"_s));
  m_close->setToolTip(u"Close the inspector; Ctrl+I brings it back"_s);
  m_close->setAccessibleName(u"Close the inspector"_s);
  m_close->setFocusPolicy(Qt::TabFocus);
  connect(m_close, &QToolButton::clicked, this, &InspectorDrawer::closeWanted);
  hide();
}

QSize InspectorDrawer::sizeHint() const {
  return m_inspector->sizeHint();
}

void InspectorDrawer::setWanted(bool isWanted) {
  m_isWanted = isWanted;
  showIfWanted();
}

// What there is to say of an assembly's type, Layouts says; of an object, its own page.
void InspectorDrawer::follow(const Location& location, bool hasHeap) {
  const bool isOwnPage = location.place == PlaceId::Object;
  const bool isAboutHeap = location.place != PlaceId::Start && location.place != PlaceId::Review;
  m_hasRoom = hasHeap && isAboutHeap && !isOwnPage;
  showIfWanted();
}

void InspectorDrawer::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const QSize size = m_close->sizeHint();
  m_close->setGeometry(width() - size.width() - kCloseMargin, kCloseMargin / 2, size.width(), size.height());
  m_close->raise();
}

}  // namespace heapscape::gui
