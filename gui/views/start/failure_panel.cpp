// SPDX-License-Identifier: MIT
#include "views/start/failure_panel.h"

#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/drawing/marks.h"
#include "widgets/section.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

constexpr int kFailurePanelMargin = 16;

}  // namespace

FailurePanel::FailurePanel(QWidget* parent)
    : QWidget(parent),
      m_heading(makeHeading(QString(), this, 1.15)),
      m_what(new QLabel(this)),
      m_help(makeNote(QString(), this)) {
  for (QLabel* label : {m_heading, m_what, m_help}) {
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  }
  auto* button = new QPushButton(u"Open another…"_s, this);
  connect(button, &QPushButton::clicked, this, &FailurePanel::chooseRequested);

  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(kFailurePanelMargin * 2 + qRound(fontMetrics().height() * 1.6), kFailurePanelMargin,
                             kFailurePanelMargin, kFailurePanelMargin);
  layout->setSpacing(6);
  layout->addWidget(m_heading);
  layout->addWidget(m_what);
  layout->addWidget(m_help);
  layout->addSpacing(6);
  layout->addWidget(button, 0, Qt::AlignLeft);
}

void FailurePanel::showError(const QString& path, const engine::Error& error) {
  m_heading->setText(u"%1 could not be opened"_s.arg(QFileInfo(path).fileName()));
  m_what->setText(fromEngine(error.what));
  m_help->setText(fromEngine(error.help));
  m_help->setVisible(!error.help.empty());
  setAccessibleName(m_heading->text());
  setAccessibleDescription(fromEngine(error.message()));
}

void FailurePanel::paintEvent(QPaintEvent*) {
  const int side = qRound(fontMetrics().height() * 1.6);
  paintWarningGround(*this, {kFailurePanelMargin, kFailurePanelMargin}, side);
}

}  // namespace heapscape::gui
