// SPDX-License-Identifier: MIT
#include "views/compare/film/film_reel.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QFile>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLocale>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QProgressBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "base/progress.h"
#include "bridge/file_work.h"
#include "session/open/open_dump.h"
#include "widgets/drawing/colours.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

using engine::Outcome;
using engine::Snapshot;

constexpr auto kReadChannel = "film.read";
constexpr auto kRowsChannel = "film.rows";
constexpr double kOpenedAt = 0.25;  // of reading a dump

std::string localPath(const QString& path) {
  return QFile::encodeName(path).toStdString();
}

/// Opening a dump is the first part of reading it.
class OpeningFilmed : public engine::OpenListener {
 public:
  explicit OpeningFilmed(engine::ProgressSink* whole) : m_part(whole, 0, kOpenedAt) {}
  void progressed(const engine::Progress& progress) override { m_part.progressed(progress); }
  void stageReady(const Snapshot&) override {}

 private:
  engine::PartOfProgress m_part;
};

Outcome<engine::SampledDump> readDump(const QString& path, const std::optional<Snapshot>& open,
                                      const engine::RootOptions& roots, engine::ProgressSink* progress,
                                      std::stop_token stop) {
  const auto opener = [&](const std::string& file) -> Outcome<Snapshot> {
    if (open) return *open;
    OpeningFilmed listener(progress);
    engine::OpenOptions options;
    options.stopAfter = engine::Stage::Retained;
    options.retained.roots = roots;
    return engine::openDump(std::filesystem::path(file), options, &listener, stop);
  };
  engine::PartOfProgress part(progress, open ? 0 : kOpenedAt, 1);
  return engine::sampleDump(localPath(path), opener, {}, &part, stop);
}

}  // namespace

FilmReel::FilmReel(EngineBridge& bridge, QObject* parent) : QObject(parent), m_bridge(bridge) {}

QStringList FilmReel::paths() const {
  QStringList paths;
  for (const Dump& dump : m_dumps) paths << dump.path;
  return paths;
}

int FilmReel::indexOf(const QString& path) const {
  const auto found = std::ranges::find(m_dumps, path, &Dump::path);
  return found == m_dumps.end() ? -1 : static_cast<int>(found - m_dumps.begin());
}

void FilmReel::add(const QStringList& paths) {
  for (const QString& path : paths)
    if (indexOf(path) < 0) m_dumps.push_back({path, std::nullopt});
  Q_EMIT changed();
}

void FilmReel::move(int from, int to) {
  if (from == to || std::min(from, to) < 0 || std::max(from, to) >= static_cast<int>(m_dumps.size())) return;
  const QString reading = isReading() ? m_dumps[static_cast<std::size_t>(m_reading)].path : QString();
  Dump dump = std::move(m_dumps[static_cast<std::size_t>(from)]);
  m_dumps.erase(m_dumps.begin() + from);
  m_dumps.insert(m_dumps.begin() + to, std::move(dump));
  if (isReading()) m_reading = indexOf(reading);
  Q_EMIT changed();
  if (!isReading()) makeRows();
}

void FilmReel::remove(int index) {
  if (index < 0 || index >= static_cast<int>(m_dumps.size())) return;
  const bool wasReading = index == m_reading;
  if (wasReading) m_bridge.stopAsking(this, kReadChannel);
  m_dumps.erase(m_dumps.begin() + index);
  if (m_reading > index) --m_reading;
  if (wasReading) m_reading = -1;
  Q_EMIT changed();
  if (wasReading) {
    readNext();
    return;
  }
  if (!isReading()) makeRows();
}

void FilmReel::sortByTime() {
  ++m_sortsAsked;
  askForFiles(paths(), this, [this, paths = paths()](const std::vector<FileFacts>& files) {
    std::map<QString, QDateTime> written;
    for (std::size_t i = 0; i < files.size(); ++i) written[paths[static_cast<qsizetype>(i)]] = files[i].written;
    sort(written);
    if (--m_sortsAsked == 0 && std::exchange(m_readsOnceSorted, false)) read();
  });
}

// One that was added meanwhile has no time yet, as one whose file is gone: these come first.
void FilmReel::sort(const std::map<QString, QDateTime>& written) {
  const QString reading = isReading() ? m_dumps[static_cast<std::size_t>(m_reading)].path : QString();
  std::ranges::stable_sort(m_dumps, {}, [&](const Dump& dump) {
    const auto found = written.find(dump.path);
    return found == written.end() ? QDateTime() : found->second;
  });
  if (isReading()) m_reading = indexOf(reading);
  Q_EMIT changed();
  if (!isReading()) makeRows();
}

void FilmReel::read() {
  if (m_sortsAsked > 0) {
    m_readsOnceSorted = true;
    return;
  }
  const engine::RootOptions& roots = m_bridge.rootOptions();
  if (roots.includeInexact != m_roots.includeInexact || roots.includeStacks != m_roots.includeStacks) {
    m_bridge.stopAsking(this, kReadChannel);
    m_reading = -1;
    for (Dump& dump : m_dumps) dump.filmed.reset();
  }
  // Objects that the user has picked as the only roots are of the open dump alone.
  m_roots.includeInexact = roots.includeInexact;
  m_roots.includeStacks = roots.includeStacks;
  if (!isReading()) readNext();
}

void FilmReel::readNext() {
  const auto unread = std::ranges::find_if(m_dumps, [](const Dump& dump) { return !dump.filmed; });
  if (unread == m_dumps.end()) {
    m_reading = -1;
    Q_EMIT changed();
    makeRows();
    return;
  }
  m_reading = static_cast<int>(unread - m_dumps.begin());
  m_progress = {};
  m_bridge.stopAsking(this, kRowsChannel);
  Q_EMIT changed();
  const bool isOpen = unread->path == m_bridge.path() && !m_bridge.rootOptions().only;
  m_bridge.askLong(
      this, kReadChannel,
      [path = unread->path, isOpen, roots = m_roots](const Snapshot& open, engine::ProgressSink* progress,
                                                     std::stop_token stop) {
        return readDump(path, isOpen ? std::optional(open) : std::nullopt, roots, progress, stop);
      },
      [this](const engine::Progress& progress) {
        m_progress = progress;
        Q_EMIT progressed();
      },
      [this, path = unread->path](Outcome<engine::SampledDump> answer) {
        if (answer) return take(path, std::move(*answer));
        if (!answer.error().isCancelled()) take(path, {localPath(path), nullptr, answer.error().error()});
      });
}

void FilmReel::take(const QString& path, engine::SampledDump filmed) {
  if (const int index = indexOf(path); index >= 0) m_dumps[static_cast<std::size_t>(index)].filmed = std::move(filmed);
  readNext();
}

void FilmReel::makeRows() {
  std::vector<engine::SampledDump> film;
  for (const Dump& dump : m_dumps) {
    if (!dump.filmed) return;  // it comes once all are read
    film.push_back(*dump.filmed);
  }
  m_bridge.ask(
      this, kRowsChannel,
      [film = std::move(film)](const Snapshot& open, std::stop_token) { return filmRowsOf(open, film); },
      [this](std::shared_ptr<const FilmRows> rows) { Q_EMIT rowsReady(std::move(rows)); });
}

void FilmReel::stop() {
  if (!isReading()) return;
  m_bridge.stopAsking(this, kReadChannel);
  m_reading = -1;
  std::erase_if(m_dumps, [](const Dump& dump) { return !dump.filmed; });
  Q_EMIT changed();
  makeRows();
}

void FilmReel::pause() {
  m_readsOnceSorted = false;
  m_bridge.stopAsking(this, kReadChannel);
  m_bridge.stopAsking(this, kRowsChannel);
  m_reading = -1;
}

void FilmReel::clear() {
  pause();
  m_dumps.clear();
  Q_EMIT changed();
}

namespace {

constexpr int kBoxLetters = 32;
constexpr int kBarHeight = 4;
constexpr int kBoxMargin = 8;

QString timeOf(const engine::DumpSample& sample) {
  return sample.written ? QLocale().toString(QDateTime::fromSecsSinceEpoch(*sample.written), QLocale::ShortFormat)
                        : u"of no known time"_s;
}

}  // namespace

std::uint64_t heapBytesOf(const engine::DumpSample& sample) {
  return sample.totals.bytes - sample.totals.freeBytes;
}

FilmDumpBox::FilmDumpBox(QWidget* parent)
    : QFrame(parent),
      m_name(new ElidedText(this)),
      m_time(new ElidedText(this)),
      m_heap(new ElidedText(this)),
      m_progress(new QProgressBar(this)),
      m_more(new QToolButton(this)),
      m_menu(new QMenu(this)),
      m_open(m_menu->addAction(u"Open it in this window"_s)),
      m_left(m_menu->addAction(u"Move to the left"_s)),
      m_right(m_menu->addAction(u"Move to the right"_s)),
      m_remove(m_menu->addAction(u"Remove"_s)) {
  setFixedWidth(fontMetrics().averageCharWidth() * kBoxLetters);
  setCursor(Qt::OpenHandCursor);
  QFont bold = font();
  bold.setWeight(QFont::DemiBold);
  m_name->setFont(bold);
  m_time->setDimmed(true);
  m_progress->setTextVisible(false);
  m_progress->setFixedHeight(kBarHeight);
  m_progress->setRange(0, 1000);
  m_more->setObjectName(u"filmDumpMenu"_s);
  m_more->setText(u"⋯"_s);
  m_more->setAutoRaise(true);
  m_menu->setObjectName(u"filmDumpActions"_s);
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
  setObjectName(u"filmDump%1"_s.arg(index));
}

void FilmDumpBox::show(const FilmReel::Dump& dump, bool isOpen, bool isReading, std::uint64_t largest) {
  m_path = dump.path;
  const QString name = QFileInfo(dump.path).fileName();
  m_name->setText(name);
  m_name->setDetail(dump.path);
  m_more->setAccessibleName(u"What to do with %1"_s.arg(name));
  m_open->setEnabled(!isOpen);
  m_progress->setVisible(isReading);
  m_heap->setWarning(false);
  m_share = 0;
  if (dump.filmed && dump.filmed->sample) {
    showFigures(*dump.filmed->sample, largest);
    if (isOpen) m_time->setText(u"open · "_s + m_time->text());
  } else if (dump.filmed && dump.filmed->error) {
    m_time->setText(u"cannot be read"_s);
    m_heap->setWarning(true);
    m_heap->setText(u"⚠ "_s + fromEngine(dump.filmed->error->message()));
    m_heap->setDetail({});
  } else {
    m_time->setText(isReading ? u"being read"_s : u"waits to be read"_s);
    m_heap->setText({});
    m_heap->setDetail({});
  }
  setAccessibleName(QStringList{m_name->text(), m_time->text(), m_heap->text()}.join(u", "_s));
  update();
}

void FilmDumpBox::showFigures(const engine::DumpSample& sample, std::uint64_t largest) {
  m_time->setText(timeOf(sample));
  m_time->setDetail(sample.summary.dump.kind == engine::DumpKind::GcDump
                        ? u"When the file was last written."_s
                        : u"When the file was last written; a core itself says no time. .NET %1"_s.arg(
                              fromEngine(sample.summary.runtime.version)));
  m_heap->setText(bytesText(heapBytesOf(sample)));
  m_heap->setDetail(u"%1 in %2 objects"_s.arg(exactBytesText(heapBytesOf(sample)),
                                              countText(sample.totals.objects - sample.totals.freeObjects)));
  m_share = largest ? static_cast<double>(heapBytesOf(sample)) / static_cast<double>(largest) : 0;
}

void FilmDumpBox::showProgress(const engine::Progress& progress) {
  m_progress->setValue(static_cast<int>(progress.fraction * 1000));
  m_time->setText(progress.activity.empty() ? u"being read"_s : fromEngine(progress.activity));
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

void FilmDumpBox::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) m_grip = event->position().toPoint().x();
}

void FilmDumpBox::mouseMoveEvent(QMouseEvent* event) {
  if (!(event->buttons() & Qt::LeftButton)) return;
  const int moved = event->position().toPoint().x() - m_grip;
  if (!m_isDragged && std::abs(moved) < QApplication::startDragDistance()) return;
  m_isDragged = true;
  setCursor(Qt::ClosedHandCursor);
  raise();
  move(qBound(0, x() + moved, parentWidget()->width() - width()), y());
}

void FilmDumpBox::mouseReleaseEvent(QMouseEvent*) {
  if (!std::exchange(m_isDragged, false)) return;
  setCursor(Qt::OpenHandCursor);
  Q_EMIT dropped(geometry().center().x());
}

void FilmDumpBox::contextMenuEvent(QContextMenuEvent* event) {
  m_menu->popup(event->globalPos());
}

}  // namespace heapscape::gui
