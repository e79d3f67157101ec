// SPDX-License-Identifier: MIT
#include "views/compare/order_banner.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLayout>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>
#include <cstdlib>

#include "widgets/drawing/colours.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

DumpChip::DumpChip(const QString& name, QWidget* parent)
    : QFrame(parent), m_name(new ElidedText(this)), m_detail(new ElidedText(this)) {
  setObjectName(name);
  setCursor(Qt::OpenHandCursor);
  m_name->setFont(scaledFont(font(), 1.1, QFont::DemiBold));
  m_detail->setDimmed(true);
  // What is pressed on the texts drags the chip.
  for (ElidedText* text : {m_name, m_detail}) text->setAttribute(Qt::WA_TransparentForMouseEvents);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(10, 4, 10, 4);
  column->setSpacing(0);
  column->addWidget(m_name);
  column->addWidget(m_detail);
}

void DumpChip::setDump(const QString& dump, const QString& detail) {
  m_name->setText(dump);
  m_detail->setText(detail);
  setAccessibleName(u"%1, %2"_s.arg(dump, detail));
}

QString DumpChip::dump() const {
  return m_name->text();
}

void DumpChip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Colours colours(palette());
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(colours.surface());
  painter.setPen(m_isDragged ? QPen(palette().color(QPalette::Highlight), 2) : QPen(colours.outline(), 1));
  painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
}

void DumpChip::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) m_grip = event->position().toPoint();
}

void DumpChip::mouseMoveEvent(QMouseEvent* event) {
  if (!(event->buttons() & Qt::LeftButton)) return;
  const int moved = event->position().toPoint().x() - m_grip.x();
  if (!m_isDragged && std::abs(moved) < QApplication::startDragDistance()) return;
  if (!m_isDragged) {
    m_isDragged = true;
    setCursor(Qt::ClosedHandCursor);
    raise();
  }
  move(qBound(0, x() + moved, parentWidget()->width() - width()), y());
}

void DumpChip::mouseReleaseEvent(QMouseEvent*) {
  if (!m_isDragged) return;
  m_isDragged = false;
  setCursor(Qt::OpenHandCursor);
  const int middle = geometry().center().x();
  parentWidget()->layout()->invalidate();
  parentWidget()->layout()->activate();
  update();
  Q_EMIT dropped(middle);
}

OrderBanner::OrderBanner(QWidget* parent)
    : QWidget(parent),
      m_before(new DumpChip(u"comparisonBefore"_s, this)),
      m_after(new DumpChip(u"comparisonAfter"_s, this)),
      m_swap(new QPushButton(u"⇄ Swap"_s, this)),
      m_doubt(new ElidedText(this)) {
  m_swap->setObjectName(u"comparisonSwap"_s);
  m_swap->setToolTip(u"Swap before and after; a dump can be dragged beyond the other, too"_s);
  m_doubt->setObjectName(u"comparisonDoubt"_s);
  m_doubt->setDimmed(true);
  auto* arrow = new QLabel(u"→"_s, this);
  arrow->setAccessibleName(u"to"_s);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(8);
  row->addWidget(m_before);
  row->addWidget(arrow);
  row->addWidget(m_after);
  row->addWidget(m_swap);
  row->addWidget(m_doubt, 1);
  const auto middleOf = [](const QWidget& chip) { return chip.geometry().center().x(); };
  connect(m_swap, &QPushButton::clicked, this, &OrderBanner::swapWanted);
  connect(m_before, &DumpChip::dropped, this, [this, middleOf](int middle) {
    if (m_swap->isEnabled() && middle > middleOf(*m_after)) Q_EMIT swapWanted();
  });
  connect(m_after, &DumpChip::dropped, this, [this, middleOf](int middle) {
    if (m_swap->isEnabled() && middle < middleOf(*m_before)) Q_EMIT swapWanted();
  });
}

void OrderBanner::showOrder(const Side& before, const Side& after, const QString& why, const QString& doubt) {
  m_before->setDump(before.name, u"before · %1"_s.arg(before.detail));
  m_after->setDump(after.name, u"after · %1"_s.arg(after.detail));
  for (DumpChip* chip : {m_before, m_after}) chip->setToolTip(why);
  m_doubt->setText(doubt);
}

void OrderBanner::setUsable(bool isUsable) {
  m_swap->setEnabled(isUsable);
}

}  // namespace heapscape::gui
