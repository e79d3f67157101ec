// SPDX-License-Identifier: MIT
#include "widgets/arranging/split_page.h"

#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

namespace heapscape::gui {

SplitPage::SplitPage(QWidget* head, QWidget* first, QWidget* second, Shares shares, QWidget* parent)
    : QWidget(parent), m_shares(shares), m_split(new QSplitter(Qt::Vertical, this)) {
  m_split->addWidget(first);
  m_split->addWidget(second);
  m_split->setStretchFactor(0, 3);
  m_split->setStretchFactor(1, 2);
  m_split->setChildrenCollapsible(false);
  m_split->setHandleWidth(1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  if (head) column->addWidget(head);
  column->addWidget(m_split, 1);
}

void SplitPage::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const auto [needOfFirst, needOfSecond] = m_needs ? m_needs() : std::pair(0, 0);
  const int letters = fontMetrics().averageCharWidth() * m_shares.besideFrom;
  const bool isWide = width() >= std::max(letters, needOfFirst + needOfSecond);
  if (m_needs) m_split->widget(0)->setMinimumWidth(isWide ? needOfFirst : 0);
  const Qt::Orientation orientation = isWide ? Qt::Horizontal : Qt::Vertical;
  if (orientation == m_split->orientation() && m_isArranged) return;
  m_isArranged = true;
  m_split->setOrientation(orientation);
  if (m_needs) layout()->setGeometry(rect());  // so that it is known what the head leaves
  const int whole = isWide ? width() : m_needs ? m_split->height() : height();
  const int share = static_cast<int>(std::lround(whole * (isWide ? m_shares.beside : m_shares.above)));
  const int first = isWide ? std::min(share, whole - needOfSecond) : share;
  m_split->setSizes({first, whole - first});
}

}  // namespace heapscape::gui
