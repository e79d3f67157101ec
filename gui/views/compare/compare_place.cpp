// SPDX-License-Identifier: MIT
#include "views/compare/compare_place.h"

#include <QDragEnterEvent>
#include <QMimeData>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <utility>

#include "models/retained_progress.h"
#include "views/compare/compared_dumps.h"
#include "views/compare/comparison_body.h"
#include "views/compare/comparison_head.h"
#include "widgets/state_panel.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

constexpr auto kChannel = "compare";
constexpr auto kReleaseChannel = "compare.release";

/// The one file that is dragged; empty for anything else.
QString draggedFile(const QMimeData& data) {
  const QList<QUrl> urls = data.urls();
  return urls.size() == 1 && urls.front().isLocalFile() ? urls.front().toLocalFile() : QString();
}

}  // namespace

ComparePlace::ComparePlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : Place(bridge, navigator, parent),
      m_head(new ComparisonHead(this)),
      m_body(new ComparisonBody(bridge, navigator, this)),
      m_state(new StatePanel(this)),
      m_pages(new QStackedLayout),
      m_with(std::make_unique<ComparedWith>()) {
  setAcceptDrops(true);
  m_pages->addWidget(m_state);
  m_pages->addWidget(m_body);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  column->addWidget(m_head);
  column->addLayout(m_pages, 1);
  connect(&bridge, &EngineBridge::retainedStateChanged, this, &ComparePlace::showLacking);
  connect(&bridge, &EngineBridge::retainedProgressed, this, &ComparePlace::showLacking);
  connect(m_head, &ComparisonHead::picked, this, &ComparePlace::compareWith);
  connect(m_head, &ComparisonHead::swapWanted, this, &ComparePlace::swap);
  connect(m_head, &ComparisonHead::openWanted, this, [this] { m_bridge.open(m_with->path); });
  clear();
}

ComparePlace::~ComparePlace() = default;

void ComparePlace::setRecentDumps(const QStringList& paths) {
  m_head->setRecentDumps(paths);
}

void ComparePlace::showSnapshot(const engine::Snapshot& snapshot) {
  if (m_isReady) return;
  m_head->showFile(m_bridge.path());
  if (!snapshot.has(engine::Stage::Retained)) return showLacking();
  m_isReady = true;
  invite();
}

// Retained sizes are compared, too.
void ComparePlace::showLacking() {
  if (m_isReady || !m_bridge.snapshot()) return;
  showRetainedState(*m_state, m_bridge);
  m_pages->setCurrentWidget(m_state);
}

void ComparePlace::invite() {
  m_head->showFile(m_bridge.path());
  m_head->setReady(true);
  m_state->showEmpty(
      QStringLiteral("Compare with another dump"),
      QStringLiteral("Choose a dump of the same program, or drop one here. Types, figures, insights and layouts are "
                     "compared by name, also after a rebuild or on another version of .NET."));
  m_pages->setCurrentWidget(m_state);
}

void ComparePlace::clear() {
  m_isReady = false;
  m_bridge.stopAsking(this, kChannel);
  m_body->clear();
  release();
  m_head->showFile({});
  m_state->showEmpty(QStringLiteral("Nothing is open"),
                     QStringLiteral("Open a core dump to compare it with another one."));
  m_pages->setCurrentWidget(m_state);
}

void ComparePlace::compareWith(const QString& path) {
  if (m_isReady) compare({.path = path, .isEarlier = true}, std::nullopt);
}

void ComparePlace::swap() {
  if (!m_compared) return;
  compare({.path = m_with->path, .isEarlier = !m_with->isEarlier}, m_compared->other);
}

void ComparePlace::compare(const ComparedWith& with, std::optional<engine::Snapshot> other) {
  *m_with = with;
  m_head->showNoResult();
  showProgress({});
  m_pages->setCurrentWidget(m_state);
  using Answer = engine::Outcome<std::shared_ptr<const ComparedDumps>>;
  m_bridge.askLong(
      this, kChannel,
      [with, other = std::move(other)](const engine::Snapshot& open, engine::ProgressSink* progress,
                                       std::stop_token stop) {
        return compareDumps(open, with, other, progress, stop);
      },
      [this](const engine::Progress& progress) { showProgress(progress); },
      [this](Answer answer) {
        if (answer) return take(std::move(*answer));
        if (answer.error().isCancelled()) return;
        m_state->showFailed(QStringLiteral("%1 cannot be compared with").arg(m_with->name()),
                            fromEngine(answer.error().error().message()));
      });
}

void ComparePlace::stop() {
  m_bridge.stopAsking(this, kChannel);
  invite();
}

void ComparePlace::showProgress(const engine::Progress& progress) {
  const QString percent = QString::number(static_cast<int>(progress.fraction * 100)) + QLatin1Char('%');
  m_state->showLoading(progress.activity.empty()
                           ? QStringLiteral("Comparing with %1").arg(m_with->name())
                           : QStringLiteral("%1: %2, %3").arg(m_with->name(), fromEngine(progress.activity), percent));
  m_state->setAction(QStringLiteral("Stop"), [this] { stop(); });
}

void ComparePlace::take(std::shared_ptr<const ComparedDumps> compared) {
  m_body->clear();
  release();
  m_compared = std::move(compared);
  m_head->showResult(*m_compared, *m_with);
  m_body->show(m_compared);
  m_pages->setCurrentWidget(m_body);
}

// A second dump is as large as the first: it is let go on the engine thread.
void ComparePlace::release() {
  if (!m_compared) return;
  m_bridge.compute(
      this, kReleaseChannel, [held = std::exchange(m_compared, nullptr)](std::stop_token) { return held.use_count(); },
      [](long) {});
}

void ComparePlace::dragEnterEvent(QDragEnterEvent* event) {
  if (m_isReady && !draggedFile(*event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void ComparePlace::dropEvent(QDropEvent* event) {
  const QString path = draggedFile(*event->mimeData());
  if (!m_isReady || path.isEmpty()) return;
  event->acceptProposedAction();
  compareWith(path);
}

}  // namespace heapscape::gui
