// SPDX-License-Identifier: MIT
#include "views/start/opening_page.h"

#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QShortcut>
#include <QVBoxLayout>

#include "widgets/drawing/colours.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

namespace {

constexpr int kBarSteps = 1000;
constexpr int kOpeningPageColumns = 60;

}  // namespace

OpeningPage::OpeningPage(QWidget* parent)
    : QWidget(parent), m_name(new ElidedText(this)), m_bar(new QProgressBar(this)), m_activity(new ElidedText(this)) {
  m_name->setFont(scaledFont(font(), 1.35, QFont::DemiBold));
  m_bar->setRange(0, kBarSteps);
  m_bar->setTextVisible(false);
  m_bar->setAccessibleName(QStringLiteral("Opening"));
  m_activity->setDimmed(true);
  auto* cancel = new QPushButton(QStringLiteral("Cancel"), this);
  cancel->setToolTip(QStringLiteral("Stop opening this file (Esc)"));
  connect(cancel, &QPushButton::clicked, this, &OpeningPage::cancelRequested);
  // Not the button's own, which would animate a click first.
  auto* escape = new QShortcut(Qt::Key_Escape, this);
  connect(escape, &QShortcut::activated, this, &OpeningPage::cancelRequested);

  auto* column = new QWidget(this);
  column->setFixedWidth(fontMetrics().averageCharWidth() * kOpeningPageColumns);
  auto* inner = new QVBoxLayout(column);
  inner->setContentsMargins(0, 0, 0, 0);
  inner->setSpacing(8);
  inner->addWidget(m_name);
  inner->addSpacing(8);
  m_stages = buildStages();
  inner->addWidget(m_stages);
  inner->addSpacing(8);
  inner->addWidget(m_bar);
  inner->addWidget(m_activity);
  inner->addSpacing(8);
  inner->addWidget(cancel, 0, Qt::AlignLeft);

  auto* layout = new QVBoxLayout(this);
  layout->addStretch(2);
  layout->addWidget(column, 0, Qt::AlignHCenter);
  layout->addStretch(3);
}

QWidget* OpeningPage::buildStages() {
  const std::array<QString, 4> names{QStringLiteral("Read the file and find the runtime"),
                                     QStringLiteral("Find the heap's segments"), QStringLiteral("Walk the objects"),
                                     QStringLiteral("Measure the types")};
  auto* stages = new QWidget(this);
  auto* grid = new QGridLayout(stages);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(10);
  grid->setVerticalSpacing(0);
  grid->setColumnStretch(1, 1);
  for (std::size_t i = 0; i < names.size(); ++i) {
    m_rows[i] = {new QLabel(stages), new QLabel(names[i], stages)};
    const int row = static_cast<int>(i);
    grid->setRowMinimumHeight(row, qMax(24, qRound(fontMetrics().height() * 1.6)));
    grid->addWidget(m_rows[i].icon, row, 0);
    grid->addWidget(m_rows[i].text, row, 1);
  }
  return stages;
}

void OpeningPage::start(const QString& path) {
  m_stagesDone = 0;
  m_name->setText(QStringLiteral("Opening %1").arg(QFileInfo(path).fileName()));
  m_name->setDetail(QDir::toNativeSeparators(path));
  m_bar->setRange(0, kBarSteps);
  m_bar->setValue(0);
  m_activity->setText(QString());
  m_stages->show();
  updateLook();
}

void OpeningPage::startAssembly(const QString& path) {
  start(path);
  m_bar->setRange(0, 0);
  m_activity->setText(QStringLiteral("Reading its metadata"));
  m_stages->hide();
}

void OpeningPage::showProgress(const engine::Progress& progress) {
  m_bar->setValue(static_cast<int>(progress.fraction * kBarSteps));
  m_activity->setText(
      QStringLiteral("%1 · %2%").arg(fromEngine(progress.activity)).arg(static_cast<int>(progress.fraction * 100)));
}

void OpeningPage::showStage(engine::Stage done) {
  m_stagesDone = static_cast<int>(done) + 1;
  updateLook();
}

void OpeningPage::updateLook() {
  const Colours colours(palette());
  const QColor accent = palette().color(QPalette::Highlight);
  for (std::size_t i = 0; i < m_rows.size(); ++i) {
    const int stage = static_cast<int>(i);
    const bool isDone = stage < m_stagesDone;
    const bool isRunning = stage == m_stagesDone;
    const QString symbol = isDone      ? QStringLiteral("check")
                           : isRunning ? QStringLiteral("running")
                                       : QStringLiteral("pending");
    m_rows[i].icon->setPixmap(symbolPixmap(symbol, isDone || isRunning ? accent : colours.dimmedText(),
                                           fontMetrics().height(), devicePixelRatioF()));
    m_rows[i].text->setForegroundRole(isDone || isRunning ? QPalette::WindowText : QPalette::PlaceholderText);
  }
}

void OpeningPage::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) updateLook();
}

}  // namespace heapscape::gui
