// SPDX-License-Identifier: MIT
#include "app/main_window.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QMouseEvent>
#include <QScreen>
#include <QSplitter>
#include <QTimer>
#include <QUrl>

#include "app/bars.h"
#include "app/desktop/desktop_settings.h"
#include "app/files/file_opener.h"
#include "app/go_to/go_to_box.h"
#include "app/guide/guide_bar.h"
#include "app/guide/guided_questions.h"
#include "app/help_dialogs.h"
#include "app/inspector/inspector.h"
#include "app/inspector/inspector_drawer.h"
#include "app/manual/manual_window.h"
#include "app/page_stack.h"
#include "app/place_info.h"
#include "app/place_window.h"
#include "app/status_line.h"
#include "app/window_actions.h"
#include "models/recent_menu.h"
#include "models/source_editor.h"
#include "views/assembly/assembly_place.h"
#include "views/compare/compare_place.h"
#include "views/overview/overview_place.h"
#include "views/review/review_place.h"
#include "views/start/start_place.h"
#include "widgets/drawing/picture_actions.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/filter_line.h"
#include "widgets/state_panel.h"
#include "widgets/tab_order.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

constexpr int kKeepingMs = 2000;
constexpr int kNarrowLetters = 160;

// The first file on this machine among what is dragged; empty if there is none.
QString droppedDump(const QMimeData* data) {
  const QList<QUrl> urls = data->urls();
  for (const QUrl& url : urls) {
    if (url.isLocalFile()) return url.toLocalFile();
  }
  return {};
}

}  // namespace

MainWindow::MainWindow(Settings& settings, DesktopScheme& scheme)
    : m_settings(settings),
      m_scheme(scheme),
      m_bookmarks(m_bridge, m_navigator, &placeTitle),
      m_files(new FileOpener(m_bridge, m_settings, this)),
      m_actions(new WindowActions(this)),
      m_making(new QTimer(this)),
      m_stack(new PageStack(this)),
      m_split(new QSplitter(this)),
      m_placeBar(new PlaceBar(this)),
      m_goTo(new GoToBox(m_bridge, m_navigator, this)),
      m_guide(new GuideBar(m_bridge, m_navigator, this)),
      m_topBar(new TopBar(m_actions->back, m_actions->forward, m_goTo, m_actions->inspector, this)),
      m_inspector(new Inspector(m_bridge, m_navigator, this)),
      m_drawer(new InspectorDrawer(m_inspector, this)),
      m_status(new StatusLine(this)),
      m_focusMark(new FocusMark(this)),
      m_resting(new QTimer(this)) {
  setWindowTitle(u"Heapscape"_s);
  setWindowIcon(QIcon(symbolPixmap(u"heapscape"_s, Qt::black, 128, 1)));
  setAcceptDrops(true);
  updateTheme();  // before there is much to be dressed
  buildStart();
  buildShell();
  connectFileActions();
  connectActions();
  connectInspector();
  connectBridge();
  m_actions->inspector->setChecked(m_settings.isInspectorShown);
  m_actions->reopensLast->setChecked(m_settings.reopensLast);
  useCache();
  engine::nameCode(m_settings.namedCode);
  m_navigator.reset(PlaceId::Start);
  showNothing();
  // At twice the scale even a large screen is small.
  if (!restoreGeometry(m_settings.geometry)) resize(kUsualSize.boundedTo(screen()->availableSize()));
  m_split->restoreState(m_settings.split);
  qApp->installEventFilter(this);
}

// What loses the focus stops its questions, so that this has to happen while there still is a bridge.
MainWindow::~MainWindow() {
  hide();
  qDeleteAll(findChildren<PlaceWindow*>());
}

void MainWindow::buildStart() {
  m_start = new StartPlace(m_bridge, m_navigator, this);
  for (const PlaceId place : allPlaces()) {
    m_placeBar->addPlace(place, m_actions->places.at(place));
    if (place == PlaceId::Start) m_placeBar->addGap();
  }
  addPlace(m_start);
  m_noHeap = new StatePanel(this);
  m_stack->addPage(m_noHeap);
  m_start->setSample(m_files->sample());
  for (const GuidedQuestion& question : guidedQuestions()) m_start->addGuide(question.title, question.about);
  showRecent();
  lookForLast();
  m_stillToMake.assign(allPlaces().begin() + 1, allPlaces().end());
  m_making->setSingleShot(true);
  m_making->setInterval(1);  // between two places the window takes input
  connect(m_making, &QTimer::timeout, this, &MainWindow::makeNextPlace);
}

void MainWindow::addPlace(Place* place) {
  m_places[place->id()] = place;
  m_stack->addPage(place);
}

void MainWindow::makeNextPlace() {
  if (m_stillToMake.empty()) return;
  makePlace(m_stillToMake.front());
  if (!m_stillToMake.empty()) m_making->start();
}

void MainWindow::makePlace(PlaceId id) {
  if (std::erase(m_stillToMake, id) == 0) return;
  if (m_stillToMake.empty()) m_making->stop();
  if (id == PlaceId::Compare) {
    addPlace(m_compare = new ComparePlace(m_bridge, m_navigator, this));
    m_compare->setRecentDumps(m_settings.recentDumps);
  } else if (id == PlaceId::Review) {
    addPlace(m_review = new ReviewPlace(m_bridge, m_navigator, this));
    connect(m_review, &ReviewPlace::openWanted, m_files, &FileOpener::chooseReview);
  } else {
    addPlace(makeDumpPlace(id, m_bridge, m_navigator, this));
  }
  if (id == PlaceId::Overview) {
    m_overview = static_cast<OverviewPlace*>(m_places.at(id));
    m_assembly = new AssemblyPlace(m_bridge, m_navigator, this);
    m_stack->addPage(m_assembly);
    connectOverview();
    m_assembly->clear();
  }
  Place& place = *m_places.at(id);
  place.clear();
  for (const engine::Snapshot& stage : m_bridge.stages()) place.showSnapshot(stage);
  place.follow(m_navigator.location());
}

void MainWindow::buildShell() {
  m_actions->fillMenuBar(menuBar());
  // The place and the inspector are the paper; the bars around them are the desk.
  for (QWidget* paper : {static_cast<QWidget*>(m_stack), static_cast<QWidget*>(m_drawer)}) {
    paper->setBackgroundRole(QPalette::Base);
    paper->setAutoFillBackground(true);
  }
  m_split->addWidget(m_stack);
  m_split->addWidget(m_drawer);
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
  layout->addWidget(m_guide);
  layout->addLayout(middle, 1);
  layout->addWidget(m_status);
  setCentralWidget(body);
  // Nothing has the focus until somebody gives it.
  body->setFocusPolicy(Qt::ClickFocus);
  body->setFocus();
  m_goTo->setCommands(m_actions->all());
  m_goTo->setBookmarks(&m_bookmarks);
}

void MainWindow::connectFileActions() {
  connect(m_actions->newWindow, &QAction::triggered, this, &MainWindow::windowWanted);
  connect(m_actions->open, &QAction::triggered, m_files, &FileOpener::chooseDump);
  connect(m_actions->openAssembly, &QAction::triggered, m_files, &FileOpener::chooseAssembly);
  connect(m_actions->openSample, &QAction::triggered, this, [this] { open(m_files->sample()); });
  connect(m_actions->openReview, &QAction::triggered, m_files, &FileOpener::chooseReview);
  connect(m_actions->recent, &QMenu::aboutToShow, this, &MainWindow::fillRecentMenu);
  connect(m_actions->continueSession, &QAction::triggered, this, &MainWindow::continueSession);
  connect(m_actions->reopensLast, &QAction::toggled, this, [this](bool reopens) {
    m_settings.reopensLast = reopens;
    Q_EMIT settingsChanged();
  });
  connect(m_actions->keepsAnswers, &QAction::toggled, this, [this](bool keeps) {
    m_settings.keepsAnswers = keeps;
    useCache();
    Q_EMIT settingsChanged();
  });
  connect(m_actions->emptyCache, &QAction::triggered, this, &MainWindow::emptyCache);
  connect(m_actions->code, &QAction::triggered, this, &MainWindow::askForCode);
  connect(m_actions->saveCopy, &QAction::triggered, this, &MainWindow::saveCopy);
  connect(m_actions->running, &QAction::triggered, this, &MainWindow::showRunning);
  connect(m_actions->close, &QAction::triggered, &m_bridge, &EngineBridge::close);
  connect(m_actions->closeWindow, &QAction::triggered, this, &QWidget::close);
  connect(m_actions->quit, &QAction::triggered, qApp, &QApplication::closeAllWindows);
}

void MainWindow::connectActions() {
  connect(m_actions->pin, &QAction::triggered, this, &MainWindow::pinFocused);
  connect(m_actions->filter, &QAction::triggered, this, &MainWindow::focusFilter);
  connect(m_actions->back, &QAction::triggered, &m_navigator, &Navigator::back);
  connect(m_actions->forward, &QAction::triggered, &m_navigator, &Navigator::forward);
  connect(m_actions->goTo, &QAction::triggered, m_goTo, &GoToBox::begin);
  connect(m_actions->commands, &QAction::triggered, m_goTo, &GoToBox::beginCommand);
  connect(m_actions->bookmark, &QAction::triggered, this, &MainWindow::toggleBookmark);
  connect(m_actions->bookmarks, &QMenu::aboutToShow, this,
          [this] { fillBookmarkMenu(*m_actions->bookmarks, m_bookmarks); });
  connect(m_actions->bookmarks, &QMenu::aboutToHide, this, &MainWindow::updateActions, Qt::QueuedConnection);
  connect(m_actions->fullScreen, &QAction::triggered, this,
          [this](bool isFull) { isFull ? showFullScreen() : showNormal(); });
  connect(m_actions->placeWindow, &QAction::triggered, this, &MainWindow::openPlaceWindow);
  connect(m_actions->manual, &QAction::triggered, this, [this] { openManual(m_navigator.location().place); });
  connect(m_actions->shortcuts, &QAction::triggered, this, &MainWindow::openShortcuts);
  connect(m_actions->sourceEditor, &QAction::triggered, this, [this] { SourceEditorDialog({}, this).exec(); });
  connect(m_actions->about, &QAction::triggered, this, [this] { showAbout(this); });
  for (std::size_t i = 0; i < m_actions->guides.size(); ++i)
    connect(m_actions->guides[i], &QAction::triggered, this, [this, i] { askGuided(i); });
  connect(m_guide, &GuideBar::questionWanted, this, &MainWindow::askGuided);
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

void MainWindow::connectInspector() {
  connect(m_actions->inspector, &QAction::toggled, m_drawer, &InspectorDrawer::setWanted);
  connect(m_actions->inspector, &QAction::toggled, this, &MainWindow::settingsChanged);
  connect(m_drawer, &InspectorDrawer::closeWanted, m_actions->inspector, [this] {
    m_actions->inspector->setChecked(false);
    m_stack->setFocus();
  });
  connect(&m_navigator, &Navigator::selectionChanged, m_inspector, &Inspector::showSelection);
  connect(&m_navigator, &Navigator::thingPicked, m_inspector, &Inspector::showThing);
  // Where one is, is worth keeping, but not every step of a walk through the places.
  m_resting->setSingleShot(true);
  m_resting->setInterval(kKeepingMs);
  connect(&m_navigator, &Navigator::locationChanged, m_resting, qOverload<>(&QTimer::start));
  connect(m_resting, &QTimer::timeout, this, &MainWindow::settingsChanged);
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
  connect(m_status, &StatusLine::garbageWanted, this, [this] { m_navigator.showGarbage(); });
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
  connect(m_start, &StartPlace::runningRequested, this, &MainWindow::showRunning);
  connect(m_start, &StartPlace::guideRequested, this, &MainWindow::askGuided);
  connect(m_start, &StartPlace::continueRequested, this, &MainWindow::continueSession);
  connect(m_goTo, &GoToBox::openRequested, m_files, &FileOpener::open);
  connect(m_goTo, &GoToBox::manualRequested, this, &MainWindow::openManualAt);
  connect(m_files, &FileOpener::reviewWanted, this, &MainWindow::openReview);
  connect(m_files, &FileOpener::recentChanged, this, &MainWindow::showRecent);
  connect(m_files, &FileOpener::settingsChanged, this, &MainWindow::settingsChanged);
  connect(&m_navigator, &Navigator::locationChanged, this, &MainWindow::follow);
  connect(&m_scheme, &DesktopScheme::changed, this, &MainWindow::updateTheme);
}

void MainWindow::connectOverview() {
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

Place* MainWindow::place(PlaceId place) {
  makePlace(place);
  return m_places.at(place);
}

ReviewPlace* MainWindow::review() {
  makePlace(PlaceId::Review);
  return m_review;
}

AssemblyPlace* MainWindow::assembly() {
  makePlace(PlaceId::Overview);
  return m_assembly;
}

Settings MainWindow::settings() const {
  Settings settings = m_settings;
  settings.isInspectorShown = m_actions->inspector->isChecked();
  settings.geometry = saveGeometry();
  settings.split = m_split->saveState();
  settings.session = session();
  return settings;
}

void MainWindow::follow(const Location& location) {
  makePlace(location.place);
  m_stack->showPage(pageOf(location.place));
  m_placeBar->setCurrent(location.place);
  if (location.place == PlaceId::Start) lookForLast();
  m_inspector->setPlace(placeTitle(location.place), placeAbout(location.place));
  m_drawer->follow(location, m_bridge.snapshot() != nullptr);
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
  m_actions->placeWindow->setEnabled(hasSegments && m_stack->page() != m_noHeap &&
                                     isDumpPlace(m_navigator.location().place));
  m_actions->bookmark->setEnabled(hasSegments && m_navigator.location().place != PlaceId::Start);
  m_actions->bookmark->setChecked(hasSegments && m_bookmarks.isHere());
  m_actions->bookmarks->setEnabled(hasSegments);
  if (m_lookedFor != m_settings.session.path) lookForLast();
  m_actions->continueSession->setEnabled(m_isLastThere);
  m_actions->saveCopy->setEnabled(m_bridge.snapshot() && m_bridge.snapshot()->has(engine::Stage::Objects));
  m_actions->close->setEnabled(m_bridge.snapshot() || hasAssembly || m_bridge.isOpening());
  m_actions->openSample->setEnabled(!m_files->sample().isEmpty());
  for (QAction* guide : m_actions->guides) guide->setEnabled(!m_files->sample().isEmpty());
  m_actions->back->setEnabled(m_navigator.canGoBack());
  m_actions->forward->setEnabled(m_navigator.canGoForward());
}

void MainWindow::takeSettings() {
  m_actions->reopensLast->setChecked(m_settings.reopensLast);
  useCache();
  engine::nameCode(m_settings.namedCode);
  showRecent();
  lookForLast();
  updateTheme();
  updateActions();
}

void MainWindow::setTheme(Theme theme) {
  m_settings.theme = theme;
  updateTheme();
  Q_EMIT settingsChanged();
}

void MainWindow::updateTheme() {
  m_actions->themes.at(m_settings.theme)->setChecked(true);
  applyTheme(m_settings.theme, m_scheme.theme());
}

// Events of the window as a whole: pins, bookmarks, help, keys that nobody took, files that are dropped, the mouse's
// side buttons.

bool MainWindow::event(QEvent* event) {
  if (event->type() == QEvent::Paint && !m_stillToMake.empty()) m_making->start();
  if (event->type() != PinRequest::kind()) return QMainWindow::event(event);
  pin(static_cast<PinRequest&>(*event));
  return true;
}

bool MainWindow::focusNextPrevChild(bool next) {
  return m_focusMark->move(next);
}

void MainWindow::focusFilter() {
  QLineEdit* filter = filterOf(m_stack->page(), focusWidget());
  if (!filter) {
    m_status->showMessage(u"There is no list here to filter"_s);
    return;
  }
  filter->setFocus(Qt::ShortcutFocusReason);
  filter->selectAll();
}

void MainWindow::pinFocused() {
  if (QAction* action = pinActionAround(focusWidget())) {
    action->trigger();
    return;
  }
  m_status->showMessage(u"Nothing to pin: click a picture or table first"_s);
}

void MainWindow::pin(PinRequest& request) {
  request.accept();
  engine::ReviewPage page = request.page();
  page.source = placeTitle(m_navigator.location().place).toStdString();
  const int number = review()->pin(std::move(page));
  m_status->showMessage(number > 0 ? u"Pinned to review · page %1"_s.arg(number)
                                   : u"Not pinned: the saved review of this dump cannot be read"_s);
}

void MainWindow::toggleBookmark() {
  m_status->showMessage(m_bookmarks.toggle());
  updateActions();
}

void MainWindow::openManual(PlaceId place) {
  openManualAt(u"places.md#%1"_s.arg(placeName(place)));
}

void MainWindow::openManualAt(const QString& link) {
  if (!m_manual) m_manual = new ManualWindow(this);
  m_manual->open(link);
}

void MainWindow::openShortcuts() {
  showShortcuts(this, m_actions->sections(), placeTitle(m_navigator.location().place), *m_stack->page());
}

void MainWindow::openPlaceWindow() {
  auto* window = new PlaceWindow(m_navigator.location().place, m_bridge, m_navigator, this);
  connect(window, &PlaceWindow::manualWanted, this, &MainWindow::openManual);
  window->show();
}

void MainWindow::closeEvent(QCloseEvent* event) {
  m_resting->stop();
  Q_EMIT settingsChanged();
  QMainWindow::closeEvent(event);
}

void MainWindow::changeEvent(QEvent* event) {
  QMainWindow::changeEvent(event);
  if (event->type() == QEvent::WindowStateChange) m_actions->fullScreen->setChecked(isFullScreen());
}

void MainWindow::resizeEvent(QResizeEvent* event) {
  QMainWindow::resizeEvent(event);
  m_placeBar->setCompact(width() < fontMetrics().averageCharWidth() * kNarrowLetters);
}

// Keys that the lines of lists leave to the window.
void MainWindow::keyPressEvent(QKeyEvent* event) {
  if (!leaveFilter(focusWidget(), *event)) QMainWindow::keyPressEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (droppedDump(event->mimeData()).isEmpty()) return;
  event->acceptProposedAction();
  m_start->setDropHovered(true);
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent*) {
  m_start->setDropHovered(false);
}

void MainWindow::dropEvent(QDropEvent* event) {
  m_start->setDropHovered(false);
  const QString path = droppedDump(event->mimeData());
  if (path.isEmpty()) return;
  event->acceptProposedAction();
  // A folder is no dump, but may have what the open one lacks.
  if (QFileInfo(path).isDir() && m_bridge.snapshot()) {
    lookElsewhere(path);
  } else {
    open(path);
  }
}

// The side buttons of a mouse go back and forward wherever they are pressed, as in a browser.
bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::MouseButtonPress && watched->isWidgetType() &&
      static_cast<QWidget*>(watched)->window() == this) {
    const Qt::MouseButton button = static_cast<QMouseEvent*>(event)->button();
    if (button == Qt::BackButton) m_navigator.back();
    if (button == Qt::ForwardButton) m_navigator.forward();
    if (button == Qt::BackButton || button == Qt::ForwardButton) return true;
  }
  return QMainWindow::eventFilter(watched, event);
}

}  // namespace heapscape::gui
