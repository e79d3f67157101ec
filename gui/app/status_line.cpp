// SPDX-License-Identifier: MIT
#include "app/status_line.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QProgressBar>
#include <QTimer>
#include <QToolButton>

#include "widgets/drawing/colours.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/heap_figures.h"

namespace heapscape::gui {

namespace {

constexpr int kBarSteps = 1000;
constexpr int kTellingMs = 5000;

// "complete", "97.2% of the heap walked, 3 findings": for the status line and the overview.
QString completenessText(const engine::Snapshot& snapshot) {
  if (snapshot.isComplete()) return QStringLiteral("complete");
  QStringList parts;
  if (snapshot.summary().runtime.gcInProgress) parts << QStringLiteral("taken in the middle of a collection");
  if (snapshot.coverage() < 1) parts << QStringLiteral("%1 of the heap walked").arg(shareText(snapshot.coverage()));
  const std::size_t findings = snapshot.findings().size() + snapshot.findingsLeftOut();
  if (findings > 0) parts << countedText(findings, QStringLiteral("finding"));
  const std::size_t missing = snapshot.summary().missing.size();
  if (parts.isEmpty() && missing > 0)
    parts << QStringLiteral("%1 missing").arg(countedText(missing, QStringLiteral("thing")));
  return QStringLiteral("incomplete: %1").arg(parts.join(QStringLiteral(", ")));
}

// "24,052 objects · 1.43 MB · complete", or what is missing.
QString totalsLine(const engine::Snapshot& snapshot) {
  QStringList parts;
  if (snapshot.has(engine::Stage::Objects)) {
    const HeapFigures live = heapFigures(snapshot.totals());
    parts << countedText(live.objects, QStringLiteral("object")) << bytesText(live.bytes);
    parts << completenessText(snapshot);
  } else if (snapshot.has(engine::Stage::Segments)) {
    parts << countedText(snapshot.segments().size(), QStringLiteral("segment"));
  }
  return parts.join(QStringLiteral(" · "));
}

}  // namespace

StatusLine::StatusLine(QWidget* parent)
    : QWidget(parent),
      m_warning(new QLabel(this)),
      m_totals(new ElidedText(this)),
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
  m_bar->setAccessibleName(QStringLiteral("Progress"));
  m_cancel->setText(QStringLiteral("Cancel"));
  m_cancel->setToolTip(QStringLiteral("Stop what is being computed"));
  connect(m_cancel, &QToolButton::clicked, this, &StatusLine::cancelRequested);

  m_told->setObjectName(QStringLiteral("told"));
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
    m_totals->setDetail(QStringLiteral("%1, %2, and %3 free between them")
                            .arg(countedText(live.objects, QStringLiteral("object")), exactBytesText(live.bytes),
                                 exactBytesText(live.freeBytes)));
  }
  updateLook();
}

void StatusLine::showAssembly(const QString& line, bool isPartial) {
  m_isPartial = isPartial;
  m_totals->setText(line);
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

void StatusLine::tell(const QString& text) {
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
  hideProgress();
  updateLook();
}

void StatusLine::updateLook() {
  m_warning->setVisible(m_isPartial);
  m_warning->setPixmap(symbolPixmap(QStringLiteral("warning"), Colours(palette()).warning(), fontMetrics().height(),
                                    devicePixelRatioF()));
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
