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
  open = add(QStringLiteral("open"), QStringLiteral("&Open…"), QKeySequence::Open, QStringLiteral("Open a core dump"));
  openAssembly =
      add(QStringLiteral("assembly"), QStringLiteral("Open &assembly…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O),
          QStringLiteral("Open a .dll or .exe, to see how its types are laid out"));
  recent = new QMenu(QStringLiteral("Open &recent"), window);
  openSample = add(QStringLiteral("sample"), QStringLiteral("Open &sample"), {},
                   QStringLiteral("Open the dump that comes with Heapscape"));
  openReview = add(QStringLiteral("review"), QStringLiteral("Open re&view…"), {},
                   QStringLiteral("Open pages that were pinned and saved; the dump need not be there"));
  close = add(QStringLiteral("close"), QStringLiteral("&Close"), QKeySequence(Qt::CTRL | Qt::Key_W),
              QStringLiteral("Close the dump or assembly and free its memory"));
  quit = add({}, QStringLiteral("&Quit"), QKeySequence::Quit);
  quit->setMenuRole(QAction::QuitRole);
  back = add(QStringLiteral("back"), QStringLiteral("&Back"), QKeySequence(Qt::ALT | Qt::Key_Left),
             QStringLiteral("To what was shown before"));
  forward = add(QStringLiteral("forward"), QStringLiteral("&Forward"), QKeySequence(Qt::ALT | Qt::Key_Right),
                QStringLiteral("Undo going back"));
  goTo = add(QStringLiteral("search"), QStringLiteral("&Go to…"), QKeySequence(Qt::CTRL | Qt::Key_L),
             QStringLiteral("Go to an address, a type or a command"));
  filter = add(QStringLiteral("search"), QStringLiteral("&Filter the list"), QKeySequence::Find,
               QStringLiteral("Write what the list or text beside the focus is to show"));
  inspector = add(QStringLiteral("inspector"), QStringLiteral("&Inspector"), QKeySequence(Qt::CTRL | Qt::Key_I),
                  QStringLiteral("Show or hide what is known about the selection"));
  inspector->setCheckable(true);
  inspector->setIconVisibleInMenu(false);
  pin = add(QStringLiteral("pin"), QStringLiteral("&Pin to review"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P),
            QStringLiteral("Make the picture or table that has the focus a page of the review"));
  shortcuts = add({}, QStringLiteral("&Keyboard shortcuts"), QKeySequence(Qt::Key_F1));
  about = add(QStringLiteral("info"), QStringLiteral("&About Heapscape"));
  about->setMenuRole(QAction::AboutRole);
  addPlaces();
  addThemes();
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
    QAction* action = add(placeName(place), text.first, keys, text.second);
    addChoice(group, action);
    places[place] = action;
  }
}

void WindowActions::addThemes() {
  auto* group = new QActionGroup(this);
  const std::map<Theme, QString> words{{Theme::System, QStringLiteral("Theme of the desktop")},
                                       {Theme::Light, QStringLiteral("Light theme")},
                                       {Theme::Dark, QStringLiteral("Dark theme")}};
  for (const auto& [theme, text] : words) {
    QAction* action = add(QStringLiteral("theme"), text);
    addChoice(group, action);
    themes[theme] = action;
  }
}

void WindowActions::fillMenuBar(QMenuBar* bar) {
  QMenu* file = bar->addMenu(QStringLiteral("&File"));
  file->addAction(open);
  file->addAction(openAssembly);
  file->addMenu(recent);
  file->addAction(openSample);
  file->addAction(openReview);
  file->addSeparator();
  file->addAction(close);
  file->addSeparator();
  file->addAction(quit);

  QMenu* view = bar->addMenu(QStringLiteral("&View"));
  for (const auto& [place, action] : places) view->addAction(action);
  view->addSeparator();
  view->addAction(inspector);
  view->addAction(pin);
  view->addSeparator();
  for (const auto& [theme, action] : themes) view->addAction(action);

  QMenu* go = bar->addMenu(QStringLiteral("&Go"));
  go->addAction(back);
  go->addAction(forward);
  go->addAction(goTo);
  go->addAction(filter);

  QMenu* help = bar->addMenu(QStringLiteral("&Help"));
  help->addAction(shortcuts);
  help->addAction(about);
}

QList<QAction*> WindowActions::all() const {
  QList<QAction*> actions;
  for (const auto& [place, action] : places) actions << action;
  actions << open << openAssembly << openSample << openReview << close << back << forward << filter << inspector << pin;
  for (const auto& [theme, action] : themes) actions << action;
  actions << shortcuts << about << quit;
  return actions;
}

}  // namespace heapscape::gui
