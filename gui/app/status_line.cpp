// SPDX-License-Identifier: MIT
#include "app/status_line.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QProgressBar>
#include <QTimer>
#include <QToolButton>

#include "models/names/reach_text.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/tool_button.h"

namespace heapscape::gui {

namespace {

constexpr int kBarSteps = 1000;
constexpr int kTellingMs = 5000;

// "complete", "97.2% of the heap walked, 3 findings": for the status line and the overview.
QString completenessText(const engine::Snapshot& snapshot) {
  if (snapshot.isComplete()) return u"complete"_s;
  QStringList parts;
  if (snapshot.summary().runtime.gcInProgress) parts << u"taken in the middle of a collection"_s;
  if (snapshot.coverage() < 1) parts << u"%1 of the heap walked"_s.arg(shareText(snapshot.coverage()));
  const std::size_t findings = snapshot.findings().size() + snapshot.findingsLeftOut();
  if (findings > 0) parts << countedText(findings, u"finding"_s);
  const std::size_t missing = snapshot.summary().missing.size();
  if (parts.isEmpty() && missing > 0) parts << u"%1 missing"_s.arg(countedText(missing, u"thing"_s));
  return u"incomplete: %1"_s.arg(parts.join(u", "_s));
}

// "24,052 objects · 1.43 MB · complete", or what is missing.
QString totalsLine(const engine::Snapshot& snapshot) {
  QStringList parts;
  if (snapshot.has(engine::Stage::Objects)) {
    const HeapFigures live = heapFigures(snapshot.totals());
    parts << countedText(live.objects, u"object"_s) << bytesText(live.bytes);
    parts << completenessText(snapshot);
  } else if (snapshot.has(engine::Stage::Segments)) {
    parts << countedText(snapshot.segments().size(), u"segment"_s);
  }
  return parts.join(u" · "_s);
}

}  // namespace

StatusLine::StatusLine(QWidget* parent)
    : QWidget(parent),
      m_warning(new QLabel(this)),
      m_totals(new ElidedText(this)),
      m_garbage(new QToolButton(this)),
      m_activity(new ElidedText(this)),
      m_bar(new QProgressBar(this)),
      m_cancel(new QToolButton(this)),
      m_told(new ElidedText(this)),
      m_telling(new QTimer(this)) {
  m_totals->setElideMode(Qt::ElideRight);
  m_activity->setAlignment(Qt::AlignRight);
  m_activity->setDimmed(true);
  m_bar->setRange(0, kBarSteps);
  m_bar->setTextVisible(false);
  m_bar->setFixedWidth(fontMetrics().averageCharWidth() * 24);
  m_bar->setAccessibleName(u"Progress"_s);
  m_cancel->setText(u"Cancel"_s);
  m_cancel->setToolTip(u"Stop what is being computed"_s);
  connect(m_cancel, &QToolButton::clicked, this, &StatusLine::cancelRequested);

  setUpTextButton(m_garbage, u"statusGarbage"_s, {}, {});
  m_garbage->hide();
  connect(m_garbage, &QToolButton::clicked, this, &StatusLine::garbageWanted);
  m_told->setObjectName(u"told"_s);
  m_told->setElideMode(Qt::ElideRight);
  m_told->setAlignment(Qt::AlignRight);
  m_told->hide();
  m_telling->setSingleShot(true);
  m_telling->setInterval(kTellingMs);
  connect(m_telling, &QTimer::timeout, m_told, &QWidget::hide);

  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(12, 3, 8, 2);
  layout->setSpacing(8);
  layout->addWidget(m_warning);
  layout->addWidget(m_totals, 3);
  layout->addWidget(m_garbage);
  layout->addWidget(m_told, 2);
  layout->addWidget(m_activity, 2);
  layout->addWidget(m_bar);
  layout->addWidget(m_cancel);
  setFixedHeight(qMax(30, qRound(fontMetrics().height() * 1.6) + 6));
  showNothing();
}

void StatusLine::showSnapshot(const engine::Snapshot& snapshot) {
  m_isPartial = !snapshot.isComplete();
  m_totals->setText(totalsLine(snapshot));
  if (snapshot.has(engine::Stage::Objects)) {
    const HeapFigures live = heapFigures(snapshot.totals());
    m_totals->setDetail(u"%1, %2, and %3 free between them"_s.arg(
        countedText(live.objects, u"object"_s), exactBytesText(live.bytes), exactBytesText(live.freeBytes)));
  }
  showGarbage(snapshot);
  updateLook();
}

void StatusLine::showGarbage(const engine::Snapshot& snapshot) {
  const engine::RetainedTotals totals = snapshot.retainedTotals();
  m_garbage->setVisible(totals.garbageObjects() > 0);
  m_garbage->setText(garbageText(totals));
  m_garbage->setToolTip(garbageTip(totals));
}

void StatusLine::showAssembly(const QString& line, bool isPartial) {
  m_isPartial = isPartial;
  m_totals->setText(line);
  m_garbage->hide();
  updateLook();
}

void StatusLine::showProgress(const engine::Progress& progress) {
  const QString percent = QString::number(static_cast<int>(progress.fraction * 100)) + QLatin1Char('%');
  m_activity->setText(fromEngine(progress.activity) + QLatin1Char(' ') + percent);
  m_bar->setValue(static_cast<int>(progress.fraction * kBarSteps));
  setProgressVisible(true);
}

void StatusLine::hideProgress() {
  setProgressVisible(false);
}

void StatusLine::showMessage(const QString& text) {
  m_told->setText(text);
  m_told->show();
  m_telling->start();
}

void StatusLine::setProgressVisible(bool isVisible) {
  m_activity->setVisible(isVisible);
  m_bar->setVisible(isVisible);
  m_cancel->setVisible(isVisible);
}

void StatusLine::showNothing() {
  m_isPartial = false;
  m_totals->setText(QString());
  m_totals->setDetail(QString());
  m_garbage->hide();
  hideProgress();
  updateLook();
}

void StatusLine::updateLook() {
  m_warning->setVisible(m_isPartial);
  m_warning->setPixmap(
      symbolPixmap(u"warning"_s, Colours(palette()).warning(), fontMetrics().height(), devicePixelRatioF()));
}

void StatusLine::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) updateLook();
}

void StatusLine::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(QRect(0, 0, width(), 1), Colours(palette()).gridLine());
}

}  // namespace heapscape::gui
