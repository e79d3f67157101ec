// SPDX-License-Identifier: MIT
#include "app/window_actions.h"

#include <QAction>
#include <QActionGroup>
#include <QMenu>
#include <QMenuBar>
#include <QWidget>

#include "app/guide/guided_questions.h"
#include "app/place_info.h"
#include "widgets/drawing/symbol_icon.h"

namespace heapscape::gui {

namespace {

// In a menu, the mark of the choice takes the icon's room.
void addChoice(QActionGroup* group, QAction* action) {
  action->setCheckable(true);
  action->setIconVisibleInMenu(false);
  group->addAction(action);
}

// There are more places than digits.
QKeySequence placeKeys(PlaceId place) {
  static const std::map<PlaceId, QKeyCombination> keys{
      {PlaceId::Start, Qt::CTRL | Qt::Key_0},
      {PlaceId::Overview, Qt::CTRL | Qt::Key_1},
      {PlaceId::Segments, Qt::CTRL | Qt::Key_2},
      {PlaceId::Generations, Qt::CTRL | Qt::Key_3},
      {PlaceId::Types, Qt::CTRL | Qt::Key_4},
      {PlaceId::Layouts, Qt::CTRL | Qt::Key_5},
      {PlaceId::References, Qt::CTRL | Qt::Key_6},
      {PlaceId::Object, Qt::CTRL | Qt::Key_7},
      {PlaceId::Runtime, Qt::CTRL | Qt::Key_8},
      {PlaceId::Roots, Qt::CTRL | Qt::Key_9},
      {PlaceId::Insights, Qt::CTRL | Qt::SHIFT | Qt::Key_I},
      {PlaceId::Memory, Qt::CTRL | Qt::SHIFT | Qt::Key_M},
      {PlaceId::Threads, Qt::CTRL | Qt::SHIFT | Qt::Key_T},
      {PlaceId::Findings, Qt::CTRL | Qt::SHIFT | Qt::Key_F},
      {PlaceId::Console, Qt::CTRL | Qt::SHIFT | Qt::Key_C},
      {PlaceId::Compare, Qt::CTRL | Qt::SHIFT | Qt::Key_D},
      {PlaceId::Review, Qt::CTRL | Qt::SHIFT | Qt::Key_R},
  };
  return keys.at(place);
}

}  // namespace

WindowActions::WindowActions(QWidget* window) : QObject(window), m_window(window) {
  addFiles();
  addPlaces();
  addViews();
  addWays();
  addHelp();
}

void WindowActions::addFiles() {
  newWindow = add(u"dump"_s, u"&New window"_s, QKeySequence::New, u"One more window, for another dump"_s);
  open = add(u"open"_s, u"&Open…"_s, QKeySequence::Open, u"Open a core dump"_s);
  openAssembly = add(u"assembly"_s, u"Open &assembly…"_s, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O),
                     u"Open a .dll or .exe, to see how its types are laid out"_s);
  recent = new QMenu(u"Open &recent"_s, m_window);
  openSample = add(u"sample"_s, u"Open &sample"_s, {}, u"Open the dump that comes with Heapscape"_s);
  openReview =
      add(u"review"_s, u"Open re&view…"_s, {}, u"Open pages that were pinned and saved; the dump need not be there"_s);
  continueSession = add(u"start"_s, u"Reopen las&t file"_s, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L),
                        u"Open what was open last, at the place where you left it"_s);
  reopensLast = add({}, u"Reopen last file at &start"_s, {},
                    u"Open the last file by itself when Heapscape is started without one"_s);
  reopensLast->setCheckable(true);
  keepsAnswers = add({}, u"Cache &analysis results"_s, {},
                     u"In your cache folder, at most 5 GB of it: the next time it is there at once"_s);
  keepsAnswers->setCheckable(true);
  emptyCache = add({}, u"Cl&ear cache"_s, {}, u"Empty the cache folder; the next time all is computed anew"_s);
  code = add({}, u"&Your code and packages…"_s, {},
             u"Name assemblies that pictures, stacks and lists are to take for your code, or for packages"_s);
  running = add({}, u"Runnin&g programs…"_s, {}, u"List running .NET processes, and have one write a dump of itself"_s);
  saveCopy = add({}, u"Save a co&py without contents…"_s, {},
                 u"Write a dump with the same objects that may be shared: no texts, no values"_s);
  close = add(u"close"_s, u"&Close file"_s, QKeySequence(Qt::CTRL | Qt::Key_W),
              u"Close the dump or assembly and free its memory"_s);
  closeWindow = add({}, u"Close &window"_s, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_W));
  quit = add({}, u"&Quit"_s, QKeySequence::Quit, u"Close all windows"_s);
  quit->setMenuRole(QAction::QuitRole);
  m_sections.push_back(
      {u"&File"_s,
       {newWindow, nullptr,         open,        openAssembly, recent->menuAction(), openSample, openReview, running,
        nullptr,   continueSession, reopensLast, nullptr,      keepsAnswers,         emptyCache, nullptr,    code,
        nullptr,   saveCopy,        nullptr,     close,        closeWindow,          quit}});
}

void WindowActions::addViews() {
  inspector = add(u"inspector"_s, u"&Inspector"_s, QKeySequence(Qt::CTRL | Qt::Key_I),
                  u"Show at the right what is known about whatever is picked"_s);
  inspector->setCheckable(true);
  inspector->setIconVisibleInMenu(false);
  fullScreen = add({}, u"&Full screen"_s, QKeySequence(Qt::Key_F11));
  fullScreen->setCheckable(true);
  pin = add(u"pin"_s, u"&Pin to review"_s, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P),
            u"Make the picture or table that has the focus a page of the review"_s);
  sourceEditor = add({}, u"&Editor for source files…"_s, {},
                     u"Which program opens the lines of source that frames and calls name"_s);
  addThemes();
  QList<QAction*> actions{inspector, fullScreen, pin, sourceEditor, nullptr};
  for (const auto& [theme, action] : themes) actions << action;
  m_sections.push_back({u"&View"_s, actions});
}

void WindowActions::addWays() {
  back = add(u"back"_s, u"&Back"_s, QKeySequence(Qt::ALT | Qt::Key_Left), u"To what was shown before"_s);
  forward = add(u"forward"_s, u"&Forward"_s, QKeySequence(Qt::ALT | Qt::Key_Right), u"Undo going back"_s);
  goTo = add(u"search"_s, u"&Go to…"_s, QKeySequence(Qt::CTRL | Qt::Key_L), u"Go to an address, a type or a command"_s);
  commands = add(u"command"_s, u"&Command palette…"_s, QKeySequence(Qt::CTRL | Qt::Key_K),
                 u"All commands of the window, found by their words"_s);
  filter = add(u"search"_s, u"Filter the &list"_s, QKeySequence::Find,
               u"Write what the list or text beside the focus is to show"_s);
  bookmark = add(u"bookmark"_s, u"Add book&mark"_s, QKeySequence(Qt::CTRL | Qt::Key_D),
                 u"Keep this place and what is picked for this dump; once more to forget it"_s);
  bookmark->setCheckable(true);
  bookmark->setIconVisibleInMenu(false);
  bookmarks = new QMenu(u"Boo&kmarks"_s, m_window);
  m_sections.push_back(
      {u"&Go"_s, {back, forward, nullptr, goTo, commands, filter, nullptr, bookmark, bookmarks->menuAction()}});
}

void WindowActions::addHelp() {
  manual = add(u"info"_s, u"&Manual"_s, QKeySequence(Qt::Key_F1), u"What this place shows, and all the rest"_s);
  shortcuts = add({}, u"&Keyboard shortcuts"_s, QKeySequence(Qt::CTRL | Qt::Key_Slash));
  // Lines of text take the sign for themselves.
  shortcuts->setShortcuts({QKeySequence(Qt::CTRL | Qt::Key_Slash), QKeySequence(Qt::Key_Question)});
  about = add(u"info"_s, u"&About Heapscape"_s);
  about->setMenuRole(QAction::AboutRole);
  QList<QAction*> actions{manual, shortcuts, nullptr};
  for (const GuidedQuestion& question : guidedQuestions()) {
    guides.push_back(add(u"sample"_s, u"Guide to %1"_s.arg(question.subject), {}, question.about));
    actions << guides.back();
  }
  actions << nullptr << about;
  m_sections.push_back({u"&Help"_s, actions});
}

QAction* WindowActions::add(const QString& symbol, const QString& text, const QKeySequence& keys, const QString& tip) {
  auto* action = new QAction(text, m_window);
  if (!symbol.isEmpty()) action->setIcon(symbolIcon(symbol));
  const QString words = tip.isEmpty() ? QString(text).remove(QLatin1Char('&')) : tip;
  const QString written = keys.toString(QKeySequence::NativeText);
  action->setShortcut(keys);
  action->setToolTip(written.isEmpty() ? words : u"%1 (%2)"_s.arg(words, written));
  m_window->addAction(action);
  return action;
}

void WindowActions::addPlaces() {
  auto* group = new QActionGroup(this);
  for (const PlaceId place : allPlaces()) {
    // Where the bar shows icons alone, the tip has to say the name as well.
    const QString tip = u"%1. %2"_s.arg(placeTitle(place), placeAbout(place));
    QAction* action = add(placeName(place), placeTitle(place), placeKeys(place), tip);
    addChoice(group, action);
    places[place] = action;
  }
  placeWindow = add({}, u"&Open in new window"_s, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N),
                    u"Show this place in one more window, of the same dump"_s);
  QList<QAction*> actions;
  for (const auto& [place, action] : places) actions << action;
  actions << nullptr << placeWindow;
  m_sections.push_back({u"&Places"_s, actions});
}

void WindowActions::addThemes() {
  auto* group = new QActionGroup(this);
  const std::map<Theme, QString> words{{Theme::System, u"Theme of the desktop"_s},
                                       {Theme::Light, u"Light theme"_s},
                                       {Theme::Dark, u"Dark theme"_s},
                                       {Theme::Contrast, u"High contrast theme"_s}};
  for (const auto& [theme, text] : words) {
    QAction* action = add(u"theme"_s, text);
    addChoice(group, action);
    themes[theme] = action;
  }
}

void WindowActions::fillMenuBar(QMenuBar* bar) const {
  for (const ActionSection& section : m_sections) {
    QMenu* menu = bar->addMenu(section.title);
    for (QAction* action : section.actions) action ? menu->addAction(action) : void(menu->addSeparator());
  }
}

QList<QAction*> WindowActions::all() const {
  QList<QAction*> actions;
  for (const ActionSection& section : m_sections) {
    for (QAction* action : section.actions) {
      if (action && !action->menu()) actions << action;
    }
  }
  return actions;
}

QString plainText(const QAction& action) {
  QString words = action.text().remove(QLatin1Char('&'));
  if (words.endsWith(u"…"_s)) words.chop(1);
  return words;
}

}  // namespace heapscape::gui
