// SPDX-License-Identifier: MIT
#include "app/main_window.h"

#include <QAction>
#include <QApplication>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QSplitter>
#include <QStackedWidget>

#include "app/desktop_scheme.h"
#include "app/dump_places.h"
#include "app/files/file_opener.h"
#include "app/go_to/go_to_box.h"
#include "app/help_dialogs.h"
#include "app/inspector/inspector.h"
#include "app/place_bar.h"
#include "app/status_line.h"
#include "app/top_bar.h"
#include "app/window_actions.h"
#include "models/recent_menu.h"
#include "views/assembly/assembly_place.h"
#include "views/compare/compare_place.h"
#include "views/overview/overview_place.h"
#include "views/review/review_place.h"
#include "views/start/start_place.h"
#include "widgets/drawing/pin_request.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/filter_line.h"
#include "widgets/state_panel.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

MainWindow::MainWindow(const Settings& settings, DesktopScheme& scheme)
    : m_settings(settings),
      m_scheme(scheme),
      m_files(new FileOpener(m_bridge, m_settings, this)),
      m_actions(new WindowActions(this)),
      m_stack(new QStackedWidget(this)),
      m_split(new QSplitter(this)),
      m_placeBar(new PlaceBar(this)),
      m_goTo(new GoToBox(m_bridge, m_navigator, this)),
      m_topBar(new TopBar(m_actions->back, m_actions->forward, m_goTo, m_actions->inspector, this)),
      m_inspector(new Inspector(m_bridge, m_navigator, this)),
      m_status(new StatusLine(this)) {
  setWindowTitle(QStringLiteral("Heapscape"));
  setWindowIcon(QIcon(symbolPixmap(QStringLiteral("heapscape"), Qt::black, 128, 1)));
  setAcceptDrops(true);
  updateTheme();  // before there is much to be dressed
  buildPlaces();
  buildShell();
  connectActions();
  connectBridge();
  m_actions->inspector->setChecked(m_settings.isInspectorShown);
  m_navigator.reset(PlaceId::Start);
  showNothing();
  if (!restoreGeometry(m_settings.geometry)) resize(1440, 900);
  m_split->restoreState(m_settings.split);
  qApp->installEventFilter(this);
}

MainWindow::~MainWindow() = default;

void MainWindow::buildPlaces() {
  m_start = new StartPlace(m_bridge, m_navigator, this);
  m_review = new ReviewPlace(m_bridge, m_navigator, this);
  m_compare = new ComparePlace(m_bridge, m_navigator, this);
  std::vector<Place*> places = makeDumpPlaces(m_bridge, m_navigator, this);
  places.insert(places.begin(), m_start);
  places.insert(places.end(), {m_compare, m_review});
  for (Place* place : places) {
    m_places[place->id()] = place;
    m_stack->addWidget(place);
    m_placeBar->addPlace(place->id(), m_actions->places.at(place->id()));
    if (place == m_start) m_placeBar->addGap();
  }
  m_overview = static_cast<OverviewPlace*>(m_places.at(PlaceId::Overview));
  m_assembly = new AssemblyPlace(m_bridge, m_navigator, this);
  m_noHeap = new StatePanel(this);
  m_stack->addWidget(m_assembly);
  m_stack->addWidget(m_noHeap);
  m_start->setSample(m_files->sample());
  showRecent();
}

void MainWindow::buildShell() {
  m_actions->fillMenuBar(menuBar());
  // The place and the inspector are the paper; the bars around them are the desk.
  for (QWidget* paper : {static_cast<QWidget*>(m_stack), static_cast<QWidget*>(m_inspector)}) {
    paper->setBackgroundRole(QPalette::Base);
    paper->setAutoFillBackground(true);
  }
  m_split->addWidget(m_stack);
  m_split->addWidget(m_inspector);
  m_split->setStretchFactor(0, 1);
  m_split->setCollapsible(0, false);
  m_split->setCollapsible(1, false);

  auto* middle = new QHBoxLayout;
  middle->setSpacing(0);
  middle->addWidget(m_placeBar);
  middle->addWidget(m_split, 1);
  auto* body = new QWidget(this);
  auto* layout = new QVBoxLayout(body);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_topBar);
  layout->addLayout(middle, 1);
  layout->addWidget(m_status);
  setCentralWidget(body);
  // So that nothing has the focus until somebody gives it.
  body->setFocusPolicy(Qt::ClickFocus);
  body->setFocus();
  m_goTo->setCommands(m_actions->all());
}

void MainWindow::connectActions() {
  connect(m_actions->open, &QAction::triggered, m_files, &FileOpener::chooseDump);
  connect(m_actions->openAssembly, &QAction::triggered, m_files, &FileOpener::chooseAssembly);
  connect(m_actions->openSample, &QAction::triggered, this, [this] { open(m_files->sample()); });
  connect(m_actions->openReview, &QAction::triggered, m_files, &FileOpener::chooseReview);
  connect(m_actions->pin, &QAction::triggered, this, &MainWindow::pinFocused);
  connect(m_actions->filter, &QAction::triggered, this, &MainWindow::focusFilter);
  connect(m_review, &ReviewPlace::openWanted, m_files, &FileOpener::chooseReview);
  connect(m_actions->close, &QAction::triggered, &m_bridge, &EngineBridge::close);
  connect(m_actions->quit, &QAction::triggered, this, &QWidget::close);
  connect(m_actions->back, &QAction::triggered, &m_navigator, &Navigator::back);
  connect(m_actions->forward, &QAction::triggered, &m_navigator, &Navigator::forward);
  connect(m_actions->goTo, &QAction::triggered, this, [this] {
    m_goTo->setFocus(Qt::ShortcutFocusReason);
    m_goTo->selectAll();
  });
  connect(m_actions->inspector, &QAction::toggled, m_inspector, &QWidget::setVisible);
  connect(m_actions->inspector, &QAction::toggled, this, &MainWindow::settingsChanged);
  connect(m_actions->shortcuts, &QAction::triggered, this,
          [this] { showShortcuts(this, m_actions->all() << m_actions->goTo); });
  connect(m_actions->about, &QAction::triggered, this, [this] { showAbout(this); });
  connect(m_actions->recent, &QMenu::aboutToShow, this, &MainWindow::fillRecentMenu);
  for (const auto& [id, action] : m_actions->places) {
    connect(action, &QAction::triggered, this, [this, place = id] {
      m_navigator.goTo(place);
      m_placeBar->setCurrent(m_navigator.location().place);
    });
  }
  for (const auto& [id, action] : m_actions->themes) {
    connect(action, &QAction::triggered, this, [this, theme = id] { setTheme(theme); });
  }
}

void MainWindow::connectBridge() {
  connect(&m_bridge, &EngineBridge::openStarted, this, &MainWindow::startOpening);
  connect(&m_bridge, &EngineBridge::progressed, m_status, &StatusLine::showProgress);
  connect(&m_bridge, &EngineBridge::stageReady, this, &MainWindow::showStage);
  connect(&m_bridge, &EngineBridge::openFinished, this, &MainWindow::finishOpening);
  connect(&m_bridge, &EngineBridge::assemblyOpened, this, &MainWindow::showAssembly);
  for (const auto signal : {&EngineBridge::openCancelled, &EngineBridge::closed}) {
    connect(&m_bridge, signal, this, &MainWindow::showNothing);
  }
  connect(&m_bridge, &EngineBridge::openCancelled, this, &MainWindow::settled);
  connect(&m_bridge, &EngineBridge::openFailed, this, [this](const engine::Error& error) {
    showNothing();
    refuse(fromEngine(error.message()));
  });
  connect(&m_bridge, &EngineBridge::retainedProgressed, m_status, &StatusLine::showProgress);
  connect(&m_bridge, &EngineBridge::retainedStateChanged, this, &MainWindow::showRetainedState);
  connect(m_status, &StatusLine::cancelRequested, this, [this] {
    if (m_bridge.isOpening()) {
      m_bridge.cancel();
    } else {
      m_bridge.stopRetained();
    }
  });
  connect(m_start, &StartPlace::chooseRequested, m_files, &FileOpener::chooseDump);
  connect(m_start, &StartPlace::chooseAssemblyRequested, m_files, &FileOpener::chooseAssembly);
  connect(m_start, &StartPlace::openRequested, m_files, &FileOpener::open);
  connectAssembly();
  connect(m_goTo, &GoToBox::openRequested, m_files, &FileOpener::open);
  connect(m_files, &FileOpener::reviewWanted, this, &MainWindow::openReview);
  connect(m_files, &FileOpener::recentChanged, this, &MainWindow::showRecent);
  connect(m_files, &FileOpener::settingsChanged, this, &MainWindow::settingsChanged);
  connect(&m_navigator, &Navigator::locationChanged, this, &MainWindow::follow);
  connect(&m_navigator, &Navigator::selectionChanged, m_inspector, &Inspector::showSelection);
  connect(&m_scheme, &DesktopScheme::changed, this, &MainWindow::updateTheme);
}

void MainWindow::connectAssembly() {
  connect(m_assembly, &AssemblyPlace::described, this, [this](const AssemblyFacts& facts) {
    m_topBar->showAssembly(m_bridge.path(), assemblyTitleLine(facts));
    m_status->showAssembly(assemblyStatusLine(facts), facts.failing > 0 || facts.missing > 0);
    Q_EMIT settled();
  });
  connect(m_assembly, &AssemblyPlace::failed, this, [this](const QString& why) {
    m_status->showAssembly(why, true);
    refuse(why);
  });
  connect(m_overview, &OverviewPlace::searchPlacePicked, this, &MainWindow::lookElsewhere);
  connect(m_overview, &OverviewPlace::forgetSearchPlacesWanted, this, &MainWindow::forgetSearchPlaces);
  connect(m_assembly, &AssemblyPlace::searchPlacePicked, m_files, &FileOpener::lookElsewhere);
  connect(m_assembly, &AssemblyPlace::forgetSearchPlacesWanted, m_files, &FileOpener::forgetSearchPlaces);
}

Place* MainWindow::place(PlaceId place) const {
  return m_places.at(place);
}

Settings MainWindow::settings() const {
  Settings settings = m_settings;
  settings.isInspectorShown = m_actions->inspector->isChecked();
  settings.geometry = saveGeometry();
  settings.split = m_split->saveState();
  return settings;
}

void MainWindow::open(const QString& path) {
  m_files->open(path);
}

void MainWindow::openReview(const QString& path) {
  const QString trouble = m_review->openReview(path);
  if (trouble.isEmpty()) {
    m_navigator.goTo(PlaceId::Review);
    Q_EMIT settled();
    return;
  }
  auto* box = new QMessageBox(QMessageBox::Warning, QStringLiteral("Open review"), trouble, QMessageBox::Ok, this);
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->open();
  refuse(trouble);
}

void MainWindow::refuse(const QString& why) {
  Q_EMIT refused(why);
  Q_EMIT settled();
}

void MainWindow::focusFilter() {
  QLineEdit* filter = filterOf(m_stack->currentWidget(), focusWidget());
  if (!filter) return m_status->tell(QStringLiteral("There is no list here to filter"));
  filter->setFocus(Qt::ShortcutFocusReason);
  filter->selectAll();
}

void MainWindow::pinFocused() {
  if (QAction* action = pinActionAround(focusWidget())) return action->trigger();
  m_status->tell(QStringLiteral("Nothing to pin: click a picture or table first"));
}

void MainWindow::pin(PinRequest& request) {
  request.accept();
  engine::ReviewPage page = request.page();
  page.source = m_places.at(m_navigator.location().place)->title().toStdString();
  const int number = m_review->pin(std::move(page));
  m_status->tell(number > 0 ? QStringLiteral("Pinned to review · page %1").arg(number)
                            : QStringLiteral("Not pinned: the saved review of this dump cannot be read"));
}

void MainWindow::startOpening(const QString& path) {
  m_returnTo.reset();
  clearPlaces();
  m_status->showProgress({.activity = QStringLiteral("Opening").toStdString(), .fraction = 0});
  m_topBar->showOpening(path);
  setWindowTitle(QStringLiteral("%1 – Heapscape").arg(QFileInfo(path).fileName()));
  m_navigator.reset(PlaceId::Start);
  updateActions();
}

void MainWindow::showStage(const engine::Snapshot& snapshot) {
  for (const auto& [id, place] : m_places) place->showSnapshot(snapshot);
  m_status->showSnapshot(snapshot);
  m_topBar->showDump(snapshot.summary());
  m_inspector->refresh();
  updateActions();
  if (snapshot.stage() == engine::Stage::Segments && m_navigator.location().place == PlaceId::Start) {
    m_overview->setSearchPlaces(m_settings.searchPlacesFor(m_bridge.path()));
    m_navigator.reset(m_returnTo ? m_returnTo->place : m_firstPlace.value_or(PlaceId::Overview));
  }
}

void MainWindow::showRetainedState() {
  if (m_bridge.retainedState() == RetainedState::Computing) {
    m_status->showProgress({.activity = QStringLiteral("Finding who holds what").toStdString(), .fraction = 0});
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
}

void MainWindow::lookElsewhere(const QString& place) {
  const Location shown = m_navigator.location();
  m_files->lookElsewhere(place);
  m_returnTo = shown;
}

void MainWindow::forgetSearchPlaces() {
  const Location shown = m_navigator.location();
  m_files->forgetSearchPlaces();
  m_returnTo = shown;
}

void MainWindow::showRecent() {
  m_start->setRecentDumps(m_settings.recentDumps);
  m_compare->setRecentDumps(m_settings.recentDumps);
}

void MainWindow::fillRecentMenu() {
  m_actions->recent->clear();
  addRecent(*m_actions->recent, m_settings.recentDumps, [this](const QString& path) { open(path); });
  if (m_actions->recent->isEmpty()) m_actions->recent->addAction(QStringLiteral("None yet"))->setEnabled(false);
}

// Where to go first comes first, so that what the place picks is a selection in it.
void MainWindow::showAssembly(const engine::DeclaredLayouts& layouts) {
  m_status->hideProgress();
  m_files->remember();
  m_navigator.reset(m_firstPlace.value_or(PlaceId::Layouts));
  m_assembly->setSearchPlaces(m_settings.searchPlacesFor(m_bridge.path()));
  for (Place* place : {static_cast<Place*>(m_assembly), m_places.at(PlaceId::Layouts)}) place->showAssembly(layouts);
  updateActions();
}

void MainWindow::clearPlaces() {
  for (const auto& [id, place] : m_places) place->clear();
  m_assembly->clear();
  m_inspector->clear();
  m_status->showNothing();
}

void MainWindow::showNothing() {
  clearPlaces();
  m_topBar->showNothing();
  setWindowTitle(QStringLiteral("Heapscape"));
  m_navigator.reset(PlaceId::Start);
  updateActions();
}

QWidget* MainWindow::pageOf(PlaceId place) {
  const bool isShown =
      !m_bridge.isAssembly() || place == PlaceId::Start || place == PlaceId::Layouts || place == PlaceId::Review;
  if (isShown) return m_places.at(place);
  if (place == PlaceId::Overview) return m_assembly;
  m_noHeap->showEmpty(
      QStringLiteral("An assembly has no heap"),
      QStringLiteral("%1 is about the memory of a program. A core dump has it; %2 has the declarations of types, "
                     "which Layouts shows.")
          .arg(m_places.at(place)->title(), QFileInfo(m_bridge.path()).fileName()));
  m_noHeap->setAction(QStringLiteral("Open a dump…"), [this] { m_files->chooseDump(); });
  return m_noHeap;
}

void MainWindow::follow(const Location& location) {
  m_stack->setCurrentWidget(pageOf(location.place));
  m_placeBar->setCurrent(location.place);
  // What there is to say of an assembly's type, Layouts says.
  m_inspector->setVisible(m_actions->inspector->isChecked() && location.place != PlaceId::Start &&
                          !m_bridge.isAssembly());
  for (const auto& [id, place] : m_places) place->follow(location);
  updateActions();
}

void MainWindow::updateActions() {
  const bool hasSegments = m_bridge.snapshot() && m_bridge.snapshot()->has(engine::Stage::Segments);
  const bool hasAssembly = m_bridge.isAssembly() && m_bridge.hasLayouts();
  for (const auto& [place, action] : m_actions->places) {
    const bool isAlways = place == PlaceId::Start || place == PlaceId::Review;
    action->setEnabled(isAlways || hasSegments || hasAssembly);
  }
  m_actions->inspector->setEnabled(hasSegments);
  m_actions->close->setEnabled(m_bridge.snapshot() || hasAssembly || m_bridge.isOpening());
  m_actions->openSample->setEnabled(!m_files->sample().isEmpty());
  m_actions->back->setEnabled(m_navigator.canGoBack());
  m_actions->forward->setEnabled(m_navigator.canGoForward());
}

void MainWindow::setTheme(Theme theme) {
  m_settings.theme = theme;
  updateTheme();
  Q_EMIT settingsChanged();
}

void MainWindow::updateTheme() {
  m_actions->themes.at(m_settings.theme)->setChecked(true);
  applyTheme(m_settings.theme, m_scheme.isDark());
}

}  // namespace heapscape::gui
