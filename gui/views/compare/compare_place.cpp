// SPDX-License-Identifier: MIT
#include "views/compare/compare_place.h"

#include <QDragEnterEvent>
#include <QMimeData>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <QWidget>
#include <utility>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "models/retained_offer.h"
#include "views/compare/comparison_body.h"
#include "views/compare/comparison_head.h"
#include "views/compare/film/film_view.h"
#include "widgets/state_panel.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

constexpr auto kChannel = "compare";
constexpr auto kReleaseChannel = "compare.release";
constexpr int kBelowButton = 80;  // of the panel that invites, from its middle

/// The files that are dragged; none if anything else is among them.
QStringList draggedFiles(const QMimeData& data) {
  QStringList paths;
  for (const QUrl& url : data.urls()) {
    if (!url.isLocalFile()) return {};
    paths << url.toLocalFile();
  }
  return paths;
}

}  // namespace

ComparePlace::ComparePlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : Place(bridge, navigator, parent),
      m_head(new ComparisonHead(this)),
      m_body(new ComparisonBody(bridge, navigator, this)),
      m_film(new FilmView(bridge, navigator, this)),
      m_state(new StatePanel(this)),
      m_pages(new QStackedLayout),
      m_with(std::make_unique<ComparedWith>()) {
  setAcceptDrops(true);
  m_pages->addWidget(m_state);
  m_pages->addWidget(m_body);
  m_pages->addWidget(m_film);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  column->addWidget(m_head);
  column->addLayout(m_pages, 1);
  connect(&bridge, &EngineBridge::retainedStateChanged, this, &ComparePlace::showLacking);
  connect(&bridge, &EngineBridge::retainedProgressed, this, &ComparePlace::showLacking);
  connect(m_head, &ComparisonHead::picked, this, &ComparePlace::takeFiles);
  connect(m_head, &ComparisonHead::morePicked, this,
          [this](const QStringList& paths) { putInRow(chosenOrder() << paths, true); });
  connect(m_film, &FilmView::openWanted, this, [this](const QString& path) { m_bridge.open(path); });
  connect(m_film, &FilmView::endWanted, this, &ComparePlace::endRow);
  connect(m_head, &ComparisonHead::swapWanted, this, &ComparePlace::swap);
  connect(m_head, &ComparisonHead::openWanted, this, [this] { m_bridge.open(m_with->path); });
  clear();
}

ComparePlace::~ComparePlace() = default;

void ComparePlace::setRecentDumps(const QStringList& paths) {
  m_head->setRecentDumps(paths);
}

void ComparePlace::showSnapshot(const engine::Snapshot& snapshot) {
  if (m_isReady) {
    if (!m_film->isEmpty()) m_film->showAgain();
    return;
  }
  m_head->showFile(m_bridge.path());
  if (!snapshot.has(engine::Stage::Retained)) {
    showLacking();
    return;
  }
  m_isReady = true;
  invite();
  // A row stays as long as one of its own is opened.
  if (m_film->isEmpty()) return;
  if (!m_film->has(m_bridge.path())) {
    endRow();
    return;
  }
  m_head->hide();
  m_film->showAgain();
  m_pages->setCurrentWidget(m_film);
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
  m_state->showEmpty(u"Compare with another dump"_s,
                     u"Choose a dump of the same program, or drop one here. Types, figures, insights and layouts are "
                     "compared by name, also after a rebuild or on another version of .NET. Several dumps are put in a "
                     "row: what grows steadily is kept apart from what fluctuates."_s);
  m_state->setAction(u"Compare with…"_s, [this] {
    m_head->offer(m_state->mapToGlobal(m_state->rect().center() + QPoint(0, kBelowButton)));
  });
  m_pages->setCurrentWidget(m_state);
}

void ComparePlace::clear() {
  m_isReady = false;
  m_bridge.stopAsking(this, kChannel);
  m_body->clear();
  m_film->pause();
  release();
  m_head->show();
  m_head->showFile({});
  m_state->showEmpty(u"Nothing is open"_s, u"Open a core dump to compare it with another one."_s);
  m_pages->setCurrentWidget(m_state);
}

void ComparePlace::compareWith(const QString& path) {
  if (m_isReady) compare({.path = path}, std::nullopt);
}

void ComparePlace::swap() {
  if (!m_compared) return;
  // Once more while it is at work turns it back. The button stays, so that the focus does.
  ask({.path = m_with->path, .isEarlier = !m_with->isEarlier.value_or(m_compared->isOtherEarlier)}, m_compared->other);
}

QStringList ComparePlace::chosenOrder() const {
  const bool isOtherEarlier = m_with->isEarlier.value_or(m_compared && m_compared->isOtherEarlier);
  return isOtherEarlier ? QStringList{m_with->path, m_bridge.path()} : QStringList{m_bridge.path(), m_with->path};
}

void ComparePlace::compare(const ComparedWith& with, std::optional<engine::Snapshot> other) {
  m_head->showNoResult();
  ask(with, std::move(other));
}

void ComparePlace::ask(const ComparedWith& with, std::optional<engine::Snapshot> other) {
  *m_with = with;
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
        m_state->showFailed(u"%1 cannot be compared with"_s.arg(m_with->name()),
                            fromEngine(answer.error().error().message()));
      });
}

void ComparePlace::stop() {
  m_bridge.stopAsking(this, kChannel);
  const bool hadFocus = hasFocusIn(*m_state);
  invite();
  if (hadFocus) m_head->setFocus();
}

void ComparePlace::showProgress(const engine::Progress& progress) {
  const QString percent = QString::number(static_cast<int>(progress.fraction * 100)) + QLatin1Char('%');
  m_state->showLoading(progress.activity.empty()
                           ? u"Comparing with %1"_s.arg(m_with->name())
                           : u"%1: %2, %3"_s.arg(m_with->name(), fromEngine(progress.activity), percent));
  m_state->setAction(u"Stop"_s, [this] { stop(); });
}

void ComparePlace::take(std::shared_ptr<const ComparedDumps> compared) {
  m_body->clear();
  release();
  m_compared = std::move(compared);
  m_head->showResult(*m_compared);
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

// Only their figures are kept, so that no other dump has to stay open.
void ComparePlace::putInRow(const QStringList& paths, bool isOrdered) {
  m_bridge.stopAsking(this, kChannel);
  m_body->clear();
  release();
  m_film->add(paths, isOrdered);
  m_pages->setCurrentWidget(m_film);
  // What was pressed goes: the focus would be handed to the window's first button.
  if (hasFocusIn(*m_head)) m_film->setFocus();
  m_head->showNoResult();
  m_head->hide();
}

void ComparePlace::endRow() {
  const bool hadFocus = hasFocusIn(*m_film);
  m_film->clear();
  m_head->show();
  if (!m_isReady) return;
  invite();
  if (hadFocus) m_head->setFocus();
}

bool ComparePlace::hasFocusIn(const QWidget& part) const {
  const QWidget* focus = window()->focusWidget();
  return focus && (focus == &part || part.isAncestorOf(focus));
}

void ComparePlace::takeFiles(const QStringList& paths) {
  if (!m_isReady || paths.isEmpty()) return;
  if (!m_film->isEmpty()) {
    m_film->add(paths);
    return;
  }
  QStringList others = paths;
  others.removeAll(m_bridge.path());
  others.removeDuplicates();
  if (others.size() > 1) {
    putInRow(QStringList(m_bridge.path()) << others, false);
    return;
  }
  if (others.size() == 1) compareWith(others.front());
}

void ComparePlace::dragEnterEvent(QDragEnterEvent* event) {
  if (m_isReady && !draggedFiles(*event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void ComparePlace::dropEvent(QDropEvent* event) {
  const QStringList paths = draggedFiles(*event->mimeData());
  if (!m_isReady || paths.isEmpty()) return;
  event->acceptProposedAction();
  takeFiles(paths);
}

}  // namespace heapscape::gui
