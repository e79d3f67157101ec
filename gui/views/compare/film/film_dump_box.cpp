// SPDX-License-Identifier: MIT
#include "views/compare/film/film_dump_box.h"

#include <QContextMenuEvent>
#include <QDateTime>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLocale>
#include <QMenu>
#include <QPainter>
#include <QProgressBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/drawing/colours.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

constexpr int kBoxLetters = 32;
constexpr int kBarHeight = 4;
constexpr int kBoxMargin = 8;

QString timeOf(const engine::DumpFrame& frame) {
  return frame.written ? QLocale().toString(QDateTime::fromSecsSinceEpoch(*frame.written), QLocale::ShortFormat)
                       : QStringLiteral("of no known time");
}

}  // namespace

std::uint64_t heapBytesOf(const engine::DumpFrame& frame) {
  return frame.totals.bytes - frame.totals.freeBytes;
}

FilmDumpBox::FilmDumpBox(QWidget* parent)
    : QFrame(parent),
      m_name(new ElidedText(this)),
      m_time(new ElidedText(this)),
      m_heap(new ElidedText(this)),
      m_progress(new QProgressBar(this)),
      m_more(new QToolButton(this)),
      m_menu(new QMenu(this)),
      m_open(m_menu->addAction(QStringLiteral("Open it in this window"))),
      m_left(m_menu->addAction(QStringLiteral("Move to the left"))),
      m_right(m_menu->addAction(QStringLiteral("Move to the right"))),
      m_remove(m_menu->addAction(QStringLiteral("Take out of the row"))) {
  setFixedWidth(fontMetrics().averageCharWidth() * kBoxLetters);
  QFont bold = font();
  bold.setWeight(QFont::DemiBold);
  m_name->setFont(bold);
  m_time->setDimmed(true);
  m_progress->setTextVisible(false);
  m_progress->setFixedHeight(kBarHeight);
  m_progress->setRange(0, 1000);
  m_more->setObjectName(QStringLiteral("filmDumpMenu"));
  m_more->setText(QStringLiteral("⋯"));
  m_more->setAutoRaise(true);
  m_menu->setObjectName(QStringLiteral("filmDumpActions"));
  auto* first = new QHBoxLayout;
  first->setSpacing(4);
  first->addWidget(m_name, 1);
  first->addWidget(m_more);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(kBoxMargin, 4, 4, kBoxMargin + kBarHeight);
  column->setSpacing(2);
  column->addLayout(first);
  column->addWidget(m_time);
  column->addWidget(m_heap);
  column->addWidget(m_progress);
  // Not as the button's own menu, which would put an arrow beside the points.
  connect(m_more, &QToolButton::clicked, this,
          [this] { m_menu->popup(m_more->mapToGlobal(QPoint(0, m_more->height()))); });
  connect(m_open, &QAction::triggered, this, &FilmDumpBox::opened);
  connect(m_left, &QAction::triggered, this, [this] { Q_EMIT moved(m_index - 1); });
  connect(m_right, &QAction::triggered, this, [this] { Q_EMIT moved(m_index + 1); });
  connect(m_remove, &QAction::triggered, this, &FilmDumpBox::removed);
}

void FilmDumpBox::setPlace(int index, int count) {
  m_index = index;
  m_left->setEnabled(index > 0);
  m_right->setEnabled(index + 1 < count);
  setObjectName(QStringLiteral("filmDump%1").arg(index));
}

void FilmDumpBox::show(const FilmReel::Dump& dump, bool isOpen, bool isReading, std::uint64_t largest) {
  m_path = dump.path;
  const QString name = QFileInfo(dump.path).fileName();
  m_name->setText(name);
  m_name->setDetail(dump.path);
  m_more->setAccessibleName(QStringLiteral("What to do with %1").arg(name));
  m_open->setEnabled(!isOpen);
  m_progress->setVisible(isReading);
  m_heap->setWarning(false);
  m_share = 0;
  if (dump.filmed && dump.filmed->frame) {
    showFigures(*dump.filmed->frame, largest);
    if (isOpen) m_time->setText(QStringLiteral("open · ") + m_time->text());
  } else if (dump.filmed && dump.filmed->error) {
    m_time->setText(QStringLiteral("cannot be read"));
    m_heap->setWarning(true);
    m_heap->setText(QStringLiteral("⚠ ") + fromEngine(dump.filmed->error->message()));
    m_heap->setDetail({});
  } else {
    m_time->setText(isReading ? QStringLiteral("being read") : QStringLiteral("waits to be read"));
    m_heap->setText({});
    m_heap->setDetail({});
  }
  setAccessibleName(QStringList{m_name->text(), m_time->text(), m_heap->text()}.join(QStringLiteral(", ")));
  update();
}

void FilmDumpBox::showFigures(const engine::DumpFrame& frame, std::uint64_t largest) {
  m_time->setText(timeOf(frame));
  m_time->setDetail(QStringLiteral("When the file was last written; a core itself says no time. .NET %1")
                        .arg(fromEngine(frame.summary.runtime.version)));
  m_heap->setText(bytesText(heapBytesOf(frame)));
  m_heap->setDetail(
      QStringLiteral("%1 in %2 objects")
          .arg(exactBytesText(heapBytesOf(frame)), countText(frame.totals.objects - frame.totals.freeObjects)));
  m_share = largest ? static_cast<double>(heapBytesOf(frame)) / static_cast<double>(largest) : 0;
}

void FilmDumpBox::showProgress(const engine::Progress& progress) {
  m_progress->setValue(static_cast<int>(progress.fraction * 1000));
  m_time->setText(progress.activity.empty() ? QStringLiteral("being read") : fromEngine(progress.activity));
}

void FilmDumpBox::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Colours colours(palette());
  painter.fillRect(rect(), colours.surface());
  painter.setPen(colours.gridLine());
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
  const double room = width() - 2.0 * kBoxMargin;
  painter.fillRect(QRectF(kBoxMargin, height() - kBoxMargin, room * m_share, kBarHeight), colours.heatStep(3));
}

void FilmDumpBox::contextMenuEvent(QContextMenuEvent* event) {
  m_menu->popup(event->globalPos());
}

}  // namespace heapscape::gui
