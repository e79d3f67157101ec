// SPDX-License-Identifier: MIT
// How files come and go: what is opened, shown as far as it is read, offered again, and closed.
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <utility>

#include "app/bars.h"
#include "app/code_dialog.h"
#include "app/files/file_opener.h"
#include "app/files/redact_dialog.h"
#include "app/files/running_dialog.h"
#include "app/guide/guide_bar.h"
#include "app/inspector/inspector.h"
#include "app/main_window.h"
#include "app/place_info.h"
#include "app/session/bookmarks.h"
#include "app/status_line.h"
#include "app/window_actions.h"
#include "bridge/file_work.h"
#include "models/lacking_heap.h"
#include "models/recent_menu.h"
#include "session/cache/answer_cache.h"
#include "session/types/type_owner.h"
#include "views/assembly/assembly_place.h"
#include "views/compare/compare_place.h"
#include "views/overview/overview_place.h"
#include "views/review/review_place.h"
#include "views/start/start_place.h"
#include "widgets/state_panel.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

void MainWindow::open(const QString& path) {
  m_files->open(path);
}

void MainWindow::openReview(const QString& path) {
  review()->openReview(path, [this](const QString& trouble) {
    if (trouble.isEmpty()) {
      m_navigator.goTo(PlaceId::Review);
      Q_EMIT settled();
      return;
    }
    auto* box = new QMessageBox(QMessageBox::Warning, u"Open review"_s, trouble, QMessageBox::Ok, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
    refuse(trouble);
  });
}

void MainWindow::refuse(const QString& why) {
  Q_EMIT refused(why);
  Q_EMIT settled();
}

void MainWindow::useCache() {
  const std::filesystem::path folder = engine::userCacheFolder();
  m_actions->keepsAnswers->setChecked(m_settings.keepsAnswers && !folder.empty());
  m_actions->keepsAnswers->setEnabled(!folder.empty());
  m_actions->emptyCache->setEnabled(!folder.empty());
  m_bridge.setCache(m_actions->keepsAnswers->isChecked()
                        ? std::make_shared<const engine::AnswerCache>(folder, engine::CacheLimits())
                        : nullptr);
}

void MainWindow::emptyCache() {
  const auto empty = [](const std::stop_token&) {
    const engine::AnswerCache cache(engine::userCacheFolder(), {});
    const std::uint64_t before = cache.use().bytes;
    cache.clear();
    return before - std::min(before, cache.use().bytes);
  };
  m_bridge.compute(this, "cache", empty, [this](std::uint64_t freed) {
    m_status->showMessage(freed ? u"Emptied: %1 are free again."_s.arg(bytesText(freed)) : u"The cache was empty."_s);
  });
}

void MainWindow::startOpening(const QString& path) {
  m_returnTo.reset();
  m_guidedNext.reset();
  m_guide->end();
  clearPlaces();
  m_status->showProgress({.activity = u"Opening"_s.toStdString(), .fraction = 0});
  m_topBar->showOpening(path);
  setWindowTitle(u"%1 – Heapscape"_s.arg(QFileInfo(path).fileName()));
  m_navigator.reset(PlaceId::Start);
  updateActions();
}

void MainWindow::showStage(const engine::Snapshot& snapshot) {
  for (const auto& [id, place] : m_places) place->showSnapshot(snapshot);
  // What looks for insights, and where one goes first. Places that are made later hear of all stages then.
  makePlace(PlaceId::Overview);
  m_status->showSnapshot(snapshot);
  m_topBar->showDump(snapshot.summary());
  m_inspector->refresh();
  updateActions();
  if (snapshot.stage() == engine::Stage::Segments && m_navigator.location().place == PlaceId::Start) {
    m_overview->setSearchPlaces(m_settings.searchPlacesFor(m_bridge.path()));
    // Another dump under the same name has other addresses.
    if (m_returnTo && !m_returnIdentity.isEmpty() && m_returnIdentity != identityOf(snapshot))
      m_returnTo->selection = {};
    m_navigator.reset(m_returnTo ? m_returnTo->place : m_firstPlace.value_or(PlaceId::Overview));
  }
}

void MainWindow::showRetainedState() {
  if (m_bridge.retainedState() == RetainedState::Computing) {
    m_status->showProgress({.activity = u"Finding who holds what"_s.toStdString(), .fraction = 0});
  } else {
    m_status->hideProgress();
    Q_EMIT settled();
  }
}

void MainWindow::finishOpening() {
  // The same dump has the same addresses.
  if (m_returnTo && m_returnTo->place == m_navigator.location().place) m_navigator.go(*m_returnTo);
  m_returnTo.reset();
  m_status->hideProgress();
  m_files->remember();
  updateActions();
  if (const auto question = std::exchange(m_guidedNext, std::nullopt)) m_guide->begin(*question);
}

void MainWindow::lookElsewhere(const QString& place) {
  const Location shown = m_navigator.location();
  m_files->lookElsewhere(place);
  returnTo(shown, {});
}

void MainWindow::forgetSearchPlaces() {
  const Location shown = m_navigator.location();
  m_files->forgetSearchPlaces();
  returnTo(shown, {});
}

void MainWindow::askForCode() {
  const auto& snapshot = m_bridge.snapshot();
  auto* dialog =
      new CodeDialog(m_settings.namedCode, snapshot ? engine::codeOwnersOf(*snapshot) : engine::CodeOwners(), this);
  connect(dialog, &QDialog::accepted, this, [this, dialog] {
    if (dialog->named() == m_settings.namedCode) return;
    m_settings.namedCode = dialog->named();
    engine::nameCode(m_settings.namedCode);
    Q_EMIT settingsChanged();
    if (!m_bridge.snapshot()) return;
    const Location shown = m_navigator.location();
    m_files->openAgain();
    returnTo(shown, {});
  });
  dialog->open();
}

void MainWindow::saveCopy() {
  auto* dialog = new RedactDialog(m_bridge, this);
  connect(dialog, &RedactDialog::openWanted, this, &MainWindow::open);
  dialog->open();
}

void MainWindow::showRunning() {
  auto* dialog = new RunningDialog(this);
  connect(dialog, &RunningDialog::captured, this, &MainWindow::takeCaptured);
  dialog->open();
}

void MainWindow::askGuided(std::size_t question) {
  if (m_bridge.snapshot() && !m_bridge.isOpening() && m_bridge.path() == m_files->sample()) {
    m_guide->begin(question);
    return;
  }
  m_files->openThen(m_files->sample(), [this, question] { m_guidedNext = question; });
}

void MainWindow::takeCaptured(const QString& path, const DumpedProcess& process) {
  const bool goesOn = process == m_dumped && !m_captured.isEmpty() && m_bridge.snapshot() &&
                      QFileInfo(m_bridge.path()) == QFileInfo(m_captured.front());
  if (!goesOn) {
    m_dumped = process;
    m_captured = {path};
    open(path);
    return;
  }
  m_captured << path;
  m_navigator.goTo(PlaceId::Compare);
  m_compare->takeFiles(m_captured.mid(1));
}

void MainWindow::showRecent() {
  m_start->setRecentDumps(m_settings.recentDumps);
  if (m_compare) m_compare->setRecentDumps(m_settings.recentDumps);
}

void MainWindow::lookForLast() {
  const QString path = m_settings.session.path;
  if (path != m_lookedFor) m_isLastThere = false;
  m_lookedFor = path;
  showLast();
  if (path.isEmpty()) return;
  askForFiles({path}, this, [this, path](const std::vector<FileFacts>& files) {
    if (path != m_lookedFor || m_isLastThere == files.front().isThere) return;
    m_isLastThere = files.front().isThere;
    showLast();
    updateActions();
  });
}

void MainWindow::showLast() {
  const Session& last = m_settings.session;
  const auto location = locationOf(last.location);
  const QString name = m_isLastThere ? QFileInfo(last.path).fileName() : u"last file"_s;
  // What is open already is not opened again, see goOnWith().
  const bool isOpen = m_isLastThere && last.path == m_bridge.path() && (m_bridge.snapshot() || m_bridge.hasLayouts());
  const QString title = (isOpen ? u"Back to %1"_s : u"Reopen %1"_s).arg(name);
  m_actions->continueSession->setText(QString(title).replace(QLatin1Char('&'), u"&&"_s));
  m_start->setLast(m_isLastThere ? last.path : QString(), title,
                   location && location->place != PlaceId::Start
                       ? u"in %1, where you left it"_s.arg(placeTitle(location->place))
                   : isOpen ? u"It is open"_s
                            : u"from the beginning"_s);
}

// The sample is no work that one would come back to.
Session MainWindow::session() const {
  const bool isOpen = m_bridge.snapshot() || (m_bridge.isAssembly() && m_bridge.hasLayouts());
  if (!isOpen || m_bridge.isOpening() || m_bridge.path() == m_files->sample()) return m_settings.session;
  const bool isAtStart = m_navigator.location().place == PlaceId::Start;
  if (isAtStart && m_settings.session.path == m_bridge.path()) return m_settings.session;
  const bool hasHeap = m_bridge.snapshot() && m_bridge.snapshot()->has(engine::Stage::Segments);
  return {.path = m_bridge.path(),
          .identity = hasHeap ? identityOf(*m_bridge.snapshot()) : QString(),
          .location = keptText(m_navigator.location())};
}

void MainWindow::continueSession() {
  const Session last = m_settings.session;
  askForFiles({last.path}, this, [this, last](const std::vector<FileFacts>& files) {
    if (files.front().isThere) goOnWith(last);
  });
}

void MainWindow::goOnWith(const Session& last) {
  const auto location = locationOf(last.location);
  const bool leadsSomewhere = location && location->place != PlaceId::Start;
  const bool isOpen = last.path == m_bridge.path() && (m_bridge.snapshot() || m_bridge.hasLayouts());
  if (isOpen) {
    m_navigator.go(leadsSomewhere ? *location : Location{.place = PlaceId::Overview, .selection = {}, .scope = {}});
    return;
  }
  // Opening forgets where another file led to.
  m_files->openThen(last.path, [this, leadsSomewhere, location, last] {
    if (leadsSomewhere) returnTo(*location, last.identity);
  });
}

void MainWindow::returnTo(const Location& location, const QString& identity) {
  m_returnTo = location;
  m_returnIdentity = identity;
}

void MainWindow::fillRecentMenu() {
  m_actions->recent->clear();
  addRecent(*m_actions->recent, m_settings.recentDumps, [this](const QString& path) { open(path); });
  if (m_actions->recent->isEmpty()) m_actions->recent->addAction(u"None yet"_s)->setEnabled(false);
}

// Where to go first comes first, so that what the place picks is a selection in it.
void MainWindow::showAssembly(const engine::DeclaredLayouts& layouts) {
  for (const PlaceId needed : {PlaceId::Overview, PlaceId::Layouts}) makePlace(needed);
  m_status->hideProgress();
  m_files->remember();
  const std::optional<Location> last = std::exchange(m_returnTo, std::nullopt);
  m_navigator.reset(last ? last->place : m_firstPlace.value_or(PlaceId::Layouts));
  m_assembly->setSearchPlaces(m_settings.searchPlacesFor(m_bridge.path()));
  for (Place* place : {static_cast<Place*>(m_assembly), m_places.at(PlaceId::Layouts)}) place->showAssembly(layouts);
  // Only which page it was: types have other numbers once the assembly was built anew.
  if (last && last->place == PlaceId::Layouts) m_navigator.showLayouts(last->layoutsPage);
  updateActions();
}

void MainWindow::clearPlaces() {
  for (const auto& [id, place] : m_places) place->clear();
  if (m_assembly) m_assembly->clear();
  m_inspector->clear();
  m_status->showNothing();
}

void MainWindow::showNothing() {
  m_guide->end();
  clearPlaces();
  m_topBar->showNothing();
  setWindowTitle(u"Heapscape"_s);
  m_navigator.reset(PlaceId::Start);
  updateActions();
}

QWidget* MainWindow::pageOf(PlaceId place) {
  if (m_bridge.snapshot() && lacksHeap(*m_bridge.snapshot()) && needsHeap(place)) {
    showLackingHeap(*m_noHeap, *m_bridge.snapshot());
    m_noHeap->setAction(u"Show its threads"_s, [this] { m_navigator.goTo(PlaceId::Threads); });
    return m_noHeap;
  }
  if (m_bridge.snapshot() && m_bridge.snapshot()->isRecorded() && !isToldByGraph(place)) {
    m_noHeap->showEmpty(u"Not in a .gcdump file"_s, notRecordedText());
    m_noHeap->setAction(u"Show its types"_s, [this] { m_navigator.goTo(PlaceId::Types); });
    return m_noHeap;
  }
  if (const auto lack = m_bridge.snapshot() ? lackOfTypes(place, *m_bridge.snapshot()) : std::nullopt) {
    m_noHeap->showEmpty(u"Not in a Native AOT program"_s, fromEngine(lack->message()));
    m_noHeap->setAction(u"Show its types"_s, [this] { m_navigator.goTo(PlaceId::Types); });
    return m_noHeap;
  }
  const bool isShown =
      !m_bridge.isAssembly() || place == PlaceId::Start || place == PlaceId::Layouts || place == PlaceId::Review;
  if (isShown) return m_places.at(place);
  if (place == PlaceId::Overview) return m_assembly;
  m_noHeap->showEmpty(u"An assembly has no heap"_s,
                      u"An assembly has no memory to show. See Layouts for the types that %1 declares."_s.arg(
                          QFileInfo(m_bridge.path()).fileName()));
  m_noHeap->setAction(u"Open a dump…"_s, [this] { m_files->chooseDump(); });
  return m_noHeap;
}

}  // namespace heapscape::gui
