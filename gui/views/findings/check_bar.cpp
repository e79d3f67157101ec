// SPDX-License-Identifier: MIT
#include "views/findings/check_bar.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/drawing/colours.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/section.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

constexpr int kProgressSteps = 1000;

}  // namespace

CheckBar::CheckBar(QWidget* parent)
    : QWidget(parent),
      m_icon(new QLabel(this)),
      m_headline(makeHeading(QString(), this, 1.2)),
      m_text(makeNote(QString(), this)),
      m_progress(new QProgressBar(this)),
      m_button(new QPushButton(this)) {
  m_headline->setObjectName(QStringLiteral("checkHeadline"));
  m_headline->setWordWrap(true);
  m_text->setObjectName(QStringLiteral("checkText"));
  m_progress->setRange(0, kProgressSteps);
  m_progress->setTextVisible(false);
  m_progress->setAccessibleName(QStringLiteral("Progress of the check"));
  m_button->setObjectName(QStringLiteral("check"));
  connect(m_button, &QPushButton::clicked, this, [this] { m_isRunning ? Q_EMIT stopWanted() : Q_EMIT checkWanted(); });

  auto* words = new QVBoxLayout;
  words->setSpacing(4);
  words->addWidget(m_headline);
  words->addWidget(m_text);
  words->addWidget(m_progress);
  auto* line = new QHBoxLayout(this);
  line->setContentsMargins(16, 12, 16, 8);
  line->setSpacing(12);
  line->addWidget(m_icon, 0, Qt::AlignTop);
  line->addLayout(words, 1);
  line->addWidget(m_button, 0, Qt::AlignTop);
  setFocusProxy(m_button);
  setRunning(false);
}

void CheckBar::setRunning(bool isRunning) {
  m_isRunning = isRunning;
  m_progress->setVisible(isRunning);
  m_button->setText(isRunning ? QStringLiteral("Stop") : QStringLiteral("Check the heap"));
  m_button->setToolTip(isRunning ? QStringLiteral("Stop the check; what it has found so far is dropped")
                                 : QStringLiteral("Look at every object, reference, handle, sync block and static"));
  m_button->setIcon(symbolIcon(isRunning ? QStringLiteral("close") : QStringLiteral("findings")));
}

void CheckBar::showIdle(const QString& headline, const QString& text, Health health) {
  setRunning(false);
  m_health = health;
  m_headline->setText(headline);
  m_text->setText(text);
  updateLook();
}

void CheckBar::showProgress(const engine::Progress& progress) {
  setRunning(true);
  m_headline->setText(QStringLiteral("Checking the heap"));
  m_text->setText(fromEngine(progress.activity));
  m_progress->setValue(qRound(progress.fraction * kProgressSteps));
}

void CheckBar::setCheckable(bool isCheckable) {
  m_button->setEnabled(isCheckable);
}

void CheckBar::updateLook() {
  const Colours colours(palette());
  m_icon->setVisible(m_health != Health::Unknown);
  const bool isGood = m_health == Health::Good;
  const QColor colour = isGood ? colours.of(engine::FieldKind::Primitive) : colours.warning();
  m_icon->setPixmap(symbolPixmap(isGood ? QStringLiteral("check") : QStringLiteral("warning"), colour,
                                 fontMetrics().height() * 3 / 2, devicePixelRatioF()));
}

void CheckBar::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) updateLook();
}

}  // namespace heapscape::gui
