// SPDX-License-Identifier: MIT
#include "views/threads/threads_chip.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <algorithm>

#include "widgets/drawing/symbol_icon.h"
#include "widgets/text/counted_text.h"

namespace heapscape::gui {

namespace {

constexpr int kLetters = 80;

}  // namespace

ThreadsChip::ThreadsChip(QWidget* parent) : QWidget(parent), m_button(new QPushButton(this)) {
  m_button->setObjectName(QStringLiteral("threadsChip"));
  m_button->setIcon(symbolIcon(QStringLiteral("close")));
  m_button->setFocusPolicy(Qt::TabFocus);
  m_button->setMinimumHeight(std::max(26, fontMetrics().height() * 8 / 5));
  auto* line = new QHBoxLayout(this);
  line->setContentsMargins(12, 8, 12, 0);
  line->addWidget(m_button);
  line->addStretch(1);
  connect(m_button, &QPushButton::clicked, this, &ThreadsChip::removed);
  hide();
}

void ThreadsChip::limitTo(const QString& what, const std::vector<engine::Address>& threads) {
  m_threads = {threads.begin(), threads.end()};
  const QString text = QStringLiteral("Only %1 %2").arg(countedText(m_threads.size(), QStringLiteral("thread")), what);
  m_button->setText(fontMetrics().elidedText(text, Qt::ElideRight, fontMetrics().averageCharWidth() * kLetters));
  m_button->setToolTip(QStringLiteral("%1.\nClick to show all threads again.").arg(text));
  m_button->setAccessibleName(QStringLiteral("%1; show all threads again").arg(text));
  setVisible(isLimited());
}

void ThreadsChip::clear() {
  m_threads.clear();
  hide();
}

}  // namespace heapscape::gui
