// SPDX-License-Identifier: MIT
#include "app/window_actions.h"

#include <QAction>
#include <QActionGroup>
#include <QMenu>
#include <QMenuBar>
#include <QWidget>

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
  newWindow = add(QStringLiteral("dump"), QStringLiteral("&New window"), QKeySequence::New,
                  QStringLiteral("One more window, for another dump"));
  open = add(QStringLiteral("open"), QStringLiteral("&Open…"), QKeySequence::Open, QStringLiteral("Open a core dump"));
  openAssembly =
      add(QStringLiteral("assembly"), QStringLiteral("Open &assembly…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O),
          QStringLiteral("Open a .dll or .exe, to see how its types are laid out"));
  recent = new QMenu(QStringLiteral("Open &recent"), m_window);
  openSample = add(QStringLiteral("sample"), QStringLiteral("Open &sample"), {},
                   QStringLiteral("Open the dump that comes with Heapscape"));
  openReview = add(QStringLiteral("review"), QStringLiteral("Open re&view…"), {},
                   QStringLiteral("Open pages that were pinned and saved; the dump need not be there"));
  continueSession = add(QStringLiteral("start"), QStringLiteral("Con&tinue with the last file"),
                        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L),
                        QStringLiteral("Open what was open last, at the place where you left it"));
  reopensLast = add({}, QStringLiteral("Continue whenever the program &starts"), {},
                    QStringLiteral("Open the last file by itself when Heapscape is started without one"));
  reopensLast->setCheckable(true);
  keepsAnswers = add({}, QStringLiteral("&Keep what is computed of a dump"), {},
                     QStringLiteral("In your cache folder, at most 5 GB of it: the next time it is there at once"));
  keepsAnswers->setCheckable(true);
  emptyCache = add({}, QStringLiteral("&Remove what was kept"), {},
                   QStringLiteral("Empty the cache folder; the next time all is computed anew"));
  close = add(QStringLiteral("close"), QStringLiteral("&Close file"), QKeySequence(Qt::CTRL | Qt::Key_W),
              QStringLiteral("Close the dump or assembly and free its memory"));
  closeWindow = add({}, QStringLiteral("Close &window"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_W));
  quit = add({}, QStringLiteral("&Quit"), QKeySequence::Quit, QStringLiteral("Close all windows"));
  quit->setMenuRole(QAction::QuitRole);
  m_sections.push_back(
      {QStringLiteral("&File"),
       {newWindow, nullptr, open, openAssembly, recent->menuAction(), openSample, openReview, nullptr, continueSession,
        reopensLast, nullptr, keepsAnswers, emptyCache, nullptr, close, closeWindow, quit}});
}

void WindowActions::addViews() {
  inspector = add(QStringLiteral("inspector"), QStringLiteral("&Inspector"), QKeySequence(Qt::CTRL | Qt::Key_I),
                  QStringLiteral("Tell at the right what is known about whatever is picked"));
  inspector->setCheckable(true);
  inspector->setIconVisibleInMenu(false);
  fullScreen = add({}, QStringLiteral("&Full screen"), QKeySequence(Qt::Key_F11));
  fullScreen->setCheckable(true);
  pin = add(QStringLiteral("pin"), QStringLiteral("&Pin to review"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P),
            QStringLiteral("Make the picture or table that has the focus a page of the review"));
  addThemes();
  QList<QAction*> actions{inspector, fullScreen, pin, nullptr};
  for (const auto& [theme, action] : themes) actions << action;
  m_sections.push_back({QStringLiteral("&View"), actions});
}

void WindowActions::addWays() {
  back = add(QStringLiteral("back"), QStringLiteral("&Back"), QKeySequence(Qt::ALT | Qt::Key_Left),
             QStringLiteral("To what was shown before"));
  forward = add(QStringLiteral("forward"), QStringLiteral("&Forward"), QKeySequence(Qt::ALT | Qt::Key_Right),
                QStringLiteral("Undo going back"));
  goTo = add(QStringLiteral("search"), QStringLiteral("&Go to…"), QKeySequence(Qt::CTRL | Qt::Key_L),
             QStringLiteral("Go to an address, a type or a command"));
  commands = add(QStringLiteral("command"), QStringLiteral("&Commands…"), QKeySequence(Qt::CTRL | Qt::Key_K),
                 QStringLiteral("All that the window can be told to do, found by its words"));
  filter = add(QStringLiteral("search"), QStringLiteral("Filter the &list"), QKeySequence::Find,
               QStringLiteral("Write what the list or text beside the focus is to show"));
  bookmark = add(QStringLiteral("bookmark"), QStringLiteral("Book&mark this"), QKeySequence(Qt::CTRL | Qt::Key_D),
                 QStringLiteral("Keep this place and what is picked for this dump; once more to forget it"));
  bookmark->setCheckable(true);
  bookmark->setIconVisibleInMenu(false);
  bookmarks = new QMenu(QStringLiteral("Boo&kmarks"), m_window);
  m_sections.push_back({QStringLiteral("&Go"),
                        {back, forward, nullptr, goTo, commands, filter, nullptr, bookmark, bookmarks->menuAction()}});
}

void WindowActions::addHelp() {
  manual = add(QStringLiteral("info"), QStringLiteral("&Manual"), QKeySequence(Qt::Key_F1),
               QStringLiteral("What this place shows, and all the rest"));
  shortcuts = add({}, QStringLiteral("&Keyboard shortcuts"), QKeySequence(Qt::CTRL | Qt::Key_Slash));
  // Lines of text take the sign for themselves.
  shortcuts->setShortcuts({QKeySequence(Qt::CTRL | Qt::Key_Slash), QKeySequence(Qt::Key_Question)});
  about = add(QStringLiteral("info"), QStringLiteral("&About Heapscape"));
  about->setMenuRole(QAction::AboutRole);
  m_sections.push_back({QStringLiteral("&Help"), {manual, shortcuts, about}});
}

QAction* WindowActions::add(const QString& symbol, const QString& text, const QKeySequence& keys, const QString& tip) {
  auto* action = new QAction(text, m_window);
  if (!symbol.isEmpty()) action->setIcon(symbolIcon(symbol));
  const QString words = tip.isEmpty() ? QString(text).remove(QLatin1Char('&')) : tip;
  const QString written = keys.toString(QKeySequence::NativeText);
  action->setShortcut(keys);
  action->setToolTip(written.isEmpty() ? words : QStringLiteral("%1 (%2)").arg(words, written));
  m_window->addAction(action);
  return action;
}

void WindowActions::addPlaces() {
  auto* group = new QActionGroup(this);
  const std::map<PlaceId, std::pair<QString, QString>> words{
      {PlaceId::Start, {QStringLiteral("Start"), QStringLiteral("Open a dump")}},
      {PlaceId::Overview, {QStringLiteral("Overview"), QStringLiteral("How big, of what, what is odd")}},
      {PlaceId::Insights,
       {QStringLiteral("Insights"), QStringLiteral("Where memory is wasted, and what would win it back")}},
      {PlaceId::Memory, {QStringLiteral("Memory"), QStringLiteral("Whose the process's memory is")}},
      {PlaceId::Segments, {QStringLiteral("Segments"), QStringLiteral("Where memory lies")}},
      {PlaceId::Generations, {QStringLiteral("Generations"), QStringLiteral("How old memory is")}},
      {PlaceId::Types, {QStringLiteral("Types"), QStringLiteral("Which types cost most")}},
      {PlaceId::Layouts, {QStringLiteral("Layouts"), QStringLiteral("What objects look like inside")}},
      {PlaceId::References, {QStringLiteral("References"), QStringLiteral("Who holds what, and why it is alive")}},
      {PlaceId::Object, {QStringLiteral("Object"), QStringLiteral("What one object holds")}},
      {PlaceId::Runtime, {QStringLiteral("Runtime"), QStringLiteral("What the runtime knows about types")}},
      {PlaceId::Roots, {QStringLiteral("Roots"), QStringLiteral("What keeps memory alive from outside the heap")}},
      {PlaceId::Threads, {QStringLiteral("Threads"), QStringLiteral("Who runs, and who holds which lock")}},
      {PlaceId::Findings, {QStringLiteral("Findings"), QStringLiteral("What is damaged, and a check of the heap")}},
      {PlaceId::Compare, {QStringLiteral("Compare"), QStringLiteral("What changed between two dumps")}},
      {PlaceId::Review, {QStringLiteral("Review"), QStringLiteral("Pages for a review")}},
  };
  for (const auto& [place, text] : words) {
    const QKeySequence keys = placeKeys(place);
    // Where the bar shows icons alone, the tip has to say the name as well.
    QAction* action = add(placeName(place), text.first, keys, QStringLiteral("%1. %2").arg(text.first, text.second));
    addChoice(group, action);
    places[place] = action;
  }
  placeWindow = add({}, QStringLiteral("In a window of its &own"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N),
                    QStringLiteral("Show this place in one more window, of the same dump"));
  QList<QAction*> actions;
  for (const auto& [place, action] : places) actions << action;
  actions << nullptr << placeWindow;
  m_sections.push_back({QStringLiteral("&Places"), actions});
}

void WindowActions::addThemes() {
  auto* group = new QActionGroup(this);
  const std::map<Theme, QString> words{{Theme::System, QStringLiteral("Theme of the desktop")},
                                       {Theme::Light, QStringLiteral("Light theme")},
                                       {Theme::Dark, QStringLiteral("Dark theme")},
                                       {Theme::Contrast, QStringLiteral("High contrast theme")}};
  for (const auto& [theme, text] : words) {
    QAction* action = add(QStringLiteral("theme"), text);
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
  if (words.endsWith(QStringLiteral("…"))) words.chop(1);
  return words;
}

}  // namespace heapscape::gui
