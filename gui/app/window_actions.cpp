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
  open = add(QStringLiteral("open"), tr("&Open…"), QKeySequence::Open, tr("Open a core dump"));
  openAssembly = add(QStringLiteral("assembly"), tr("Open &assembly…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O),
                     tr("Open a .dll or .exe, to see how its types are laid out"));
  recent = new QMenu(tr("Open &recent"), window);
  openSample = add(QStringLiteral("sample"), tr("Open &sample"), {}, tr("Open the dump that comes with Heapscape"));
  openReview = add(QStringLiteral("review"), tr("Open re&view…"), {},
                   tr("Open pages that were pinned and saved; the dump need not be there"));
  close = add(QStringLiteral("close"), tr("&Close"), QKeySequence(Qt::CTRL | Qt::Key_W),
              tr("Close the dump or assembly and free its memory"));
  quit = add({}, tr("&Quit"), QKeySequence::Quit);
  quit->setMenuRole(QAction::QuitRole);
  back = add(QStringLiteral("back"), tr("&Back"), QKeySequence(Qt::ALT | Qt::Key_Left), tr("To what was shown before"));
  forward =
      add(QStringLiteral("forward"), tr("&Forward"), QKeySequence(Qt::ALT | Qt::Key_Right), tr("Undo going back"));
  goTo = add(QStringLiteral("search"), tr("&Go to…"), QKeySequence(Qt::CTRL | Qt::Key_L),
             tr("Go to an address, a type or a command"));
  filter = add(QStringLiteral("search"), tr("&Filter the list"), QKeySequence::Find,
               tr("Write what the list or text beside the focus is to show"));
  inspector = add(QStringLiteral("inspector"), tr("&Inspector"), QKeySequence(Qt::CTRL | Qt::Key_I),
                  tr("Show or hide what is known about the selection"));
  inspector->setCheckable(true);
  inspector->setIconVisibleInMenu(false);
  pin = add(QStringLiteral("pin"), tr("&Pin to review"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P),
            tr("Make the picture or table that has the focus a page of the review"));
  shortcuts = add({}, tr("&Keyboard shortcuts"), QKeySequence(Qt::Key_F1));
  about = add(QStringLiteral("info"), tr("&About Heapscape"));
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
      {PlaceId::Start, {tr("Start"), tr("Open a dump")}},
      {PlaceId::Overview, {tr("Overview"), tr("How big, of what, what is odd")}},
      {PlaceId::Insights, {tr("Insights"), tr("Where memory is wasted, and what would win it back")}},
      {PlaceId::Memory, {tr("Memory"), tr("Whose the process's memory is")}},
      {PlaceId::Segments, {tr("Segments"), tr("Where memory lies")}},
      {PlaceId::Generations, {tr("Generations"), tr("How old memory is")}},
      {PlaceId::Types, {tr("Types"), tr("Which types cost most")}},
      {PlaceId::Layouts, {tr("Layouts"), tr("What objects look like inside")}},
      {PlaceId::References, {tr("References"), tr("Who holds what, and why it is alive")}},
      {PlaceId::Object, {tr("Object"), tr("What one object holds")}},
      {PlaceId::Runtime, {tr("Runtime"), tr("What the runtime knows about types")}},
      {PlaceId::Roots, {tr("Roots"), tr("What keeps memory alive from outside the heap")}},
      {PlaceId::Threads, {tr("Threads"), tr("Who runs, and who holds which lock")}},
      {PlaceId::Findings, {tr("Findings"), tr("What is damaged, and a check of the heap")}},
      {PlaceId::Compare, {tr("Compare"), tr("What changed between two dumps")}},
      {PlaceId::Review, {tr("Review"), tr("Pages for a review")}},
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
  const std::map<Theme, QString> words{
      {Theme::System, tr("Theme of the desktop")}, {Theme::Light, tr("Light theme")}, {Theme::Dark, tr("Dark theme")}};
  for (const auto& [theme, text] : words) {
    QAction* action = add(QStringLiteral("theme"), text);
    addChoice(group, action);
    themes[theme] = action;
  }
}

void WindowActions::fillMenuBar(QMenuBar* bar) {
  QMenu* file = bar->addMenu(tr("&File"));
  file->addAction(open);
  file->addAction(openAssembly);
  file->addMenu(recent);
  file->addAction(openSample);
  file->addAction(openReview);
  file->addSeparator();
  file->addAction(close);
  file->addSeparator();
  file->addAction(quit);

  QMenu* view = bar->addMenu(tr("&View"));
  for (const auto& [place, action] : places) view->addAction(action);
  view->addSeparator();
  view->addAction(inspector);
  view->addAction(pin);
  view->addSeparator();
  for (const auto& [theme, action] : themes) view->addAction(action);

  QMenu* go = bar->addMenu(tr("&Go"));
  go->addAction(back);
  go->addAction(forward);
  go->addAction(goTo);
  go->addAction(filter);

  QMenu* help = bar->addMenu(tr("&Help"));
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
