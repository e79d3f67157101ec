// SPDX-License-Identifier: MIT
#include "views/references/references_place.h"

#include <QAction>
#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QStackedWidget>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWidget>

#include "models/names/reach_text.h"
#include "models/retained_offer.h"
#include "models/root_switch.h"
#include "models/rows/picked_sets.h"
#include "views/references/cuts/cut_list.h"
#include "views/references/cuts/what_if_view.h"
#include "views/references/dominators/dominator_view.h"
#include "views/references/graph/edge_item.h"
#include "views/references/graph/reference_graph_view.h"
#include "views/references/paths/why_alive_view.h"
#include "widgets/drawing/picture_actions.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/state_panel.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/tool_button.h"

namespace heapscape::gui {

/// A bar that says what the cuts would free, in one line, below whatever is shown with them; gone while there are none
/// and nothing can be undone.
class CutBar : public QWidget {
  Q_OBJECT

 public:
  explicit CutBar(CutList& cuts, QWidget* parent = nullptr);

  /// Whether all that would be freed is listed above already.
  void setIsListed(bool isListed);

 Q_SIGNALS:
  /// Signals that what would be freed is to be listed.
  void listWanted();

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void updateLook();
  QToolButton* add(const char* name, const char* symbol, const QString& text, const QString& tip);
  void showCuts();
  void say(const QString& text, const QString& detail, bool isOld);

  CutList& m_cuts;
  QLabel* m_symbol;
  ElidedText* m_text;
  QToolButton* m_undo;
  QToolButton* m_redo;
  QToolButton* m_clear;
  QToolButton* m_copy;
  QToolButton* m_pin;
  QToolButton* m_list;
  bool m_isListed = false;
};

namespace {

constexpr int kSymbolSide = 16;
constexpr int kLettersForWords = 120;  // of the whole bar: fewer leave what it says no room beside the buttons' words

QString missingText(const CutAnswer& answer) {
  if (answer.failed.empty()) return {};
  return u" · %1 not there, seen from these roots"_s.arg(countText(answer.failed.size()));
}

QString exactFreedText(const CutAnswer& answer) {
  return QStringList{freedText(answer), exactBytesText(answer.whatIf.freed().bytes), togetherText(answer)}
      .join(QLatin1Char('\n'))
      .trimmed();
}

constexpr int kLongestSet = 40;  // letters

}  // namespace

CutBar::CutBar(CutList& cuts, QWidget* parent)
    : QWidget(parent), m_cuts(cuts), m_symbol(new QLabel(this)), m_text(new ElidedText(this)) {
  setObjectName(u"cutBar"_s);
  setAccessibleName(u"What the cuts would free"_s);
  m_text->setObjectName(u"cutBarText"_s);
  m_text->setElideMode(Qt::ElideRight);
  updateLook();
  auto* line = new QHBoxLayout(this);
  line->setContentsMargins(12, 2, 12, 2);
  line->setSpacing(4);
  line->addWidget(m_symbol);
  line->addSpacing(4);
  line->addWidget(m_text, 1);
  m_list = add("cutsList", "empty", u"What if"_s, u"The cuts one by one, and all that would be freed"_s);
  m_undo = add("cutsUndo", "back", u"Undo"_s, u"Take the last change of the cuts back (Ctrl+Z)"_s);
  m_redo = add("cutsRedo", "forward", QString(), u"Make it again (Ctrl+Shift+Z)"_s);
  m_clear = add("cutsClear", "close", u"Clear"_s, u"Take all cuts back"_s);
  m_copy = add("cutsCopy", "copy", u"Copy as command"_s,
               u"The same question for the command line: heapscape-cli retained … --without …\n"
               "A set is read from a file of its name, with an address a line."_s);
  m_pin = add("cutsPin", "pin", QString(), u"Pin the cuts and what they would free to the review"_s);
  connect(m_list, &QToolButton::clicked, this, &CutBar::listWanted);
  connect(m_undo, &QToolButton::clicked, &cuts, &CutList::undo);
  connect(m_redo, &QToolButton::clicked, &cuts, &CutList::redo);
  connect(m_clear, &QToolButton::clicked, &cuts, &CutList::removeAll);
  connect(m_copy, &QToolButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_cuts.command()); });
  connect(m_pin, &QToolButton::clicked, this, [this] {
    if (m_cuts.answer()) requestPin(this, cutPage(*m_cuts.answer()));
  });
  connect(&cuts, &CutList::changed, this, &CutBar::showCuts);
  connect(&cuts, &CutList::progressed, this, [this](const engine::Progress& progress) {
    if (m_cuts.answer()) return;
    say(u"%1, %2%"_s.arg(fromEngine(progress.activity), QString::number(static_cast<int>(progress.fraction * 100))), {},
        true);
  });
  showCuts();
}

void CutBar::updateLook() {
  m_symbol->setPixmap(symbolPixmap(u"cut"_s, palette().color(QPalette::WindowText), kSymbolSide, devicePixelRatioF()));
}

void CutBar::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) updateLook();
}

void CutBar::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const bool hasWords = width() >= kLettersForWords * fontMetrics().averageCharWidth();
  for (QToolButton* button : {m_undo, m_clear, m_copy})
    button->setToolButtonStyle(hasWords ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
}

QToolButton* CutBar::add(const char* name, const char* symbol, const QString& text, const QString& tip) {
  auto* button = new QToolButton(this);
  setUpSymbolButton(button, QString::fromLatin1(name), QString::fromLatin1(symbol), tip);
  if (!text.isEmpty()) {
    button->setText(text);
    button->setAccessibleName(text);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  }
  layout()->addWidget(button);
  return button;
}

void CutBar::setIsListed(bool isListed) {
  m_isListed = isListed;
  showCuts();
}

void CutBar::showCuts() {
  setVisible(!m_cuts.isEmpty() || m_cuts.canUndo() || m_cuts.canRedo());
  const bool isAnswered = m_cuts.answer() && !m_cuts.isAsking();
  m_undo->setEnabled(m_cuts.canUndo());
  m_redo->setVisible(m_cuts.canRedo());
  for (QToolButton* button : {m_clear, m_copy}) button->setEnabled(!m_cuts.isEmpty());
  m_pin->setEnabled(isAnswered);
  m_list->setVisible(!m_isListed);
  if (m_cuts.isEmpty()) {
    say(u"No what-if yet"_s, {}, true);
    return;
  }
  if (!m_cuts.trouble().isEmpty()) {
    say(m_cuts.trouble(), {}, false);
    return;
  }
  if (m_cuts.answer()) {
    say(freedText(*m_cuts.answer()) + missingText(*m_cuts.answer()), exactFreedText(*m_cuts.answer()),
        m_cuts.isAsking());
    return;
  }
  say(u"%1: what they would free is being found out"_s.arg(
          countedText(static_cast<std::uint64_t>(m_cuts.cuts().size()), u"cut"_s)),
      {}, true);
}

void CutBar::say(const QString& text, const QString& detail, bool isOld) {
  m_text->setText(text);
  m_text->setDetail(detail);
  m_text->setDimmed(isOld);
}

ReferencesPlace::ReferencesPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : Place(bridge, navigator, parent),
      m_cuts(new CutList(bridge, this)),
      m_graph(new ReferenceGraphView(bridge, navigator, this)),
      m_dominators(new DominatorView(bridge, navigator, this)),
      m_whyAlive(new WhyAliveView(bridge, navigator, this)),
      m_whatIf(new WhatIfView(bridge, navigator, *m_cuts, this)),
      m_cutBar(new CutBar(*m_cuts, this)),
      m_tabs(new QTabWidget(this)),
      m_set(new QToolButton(this)),
      m_live(new QLabel(this)),
      m_garbage(new QToolButton(this)),
      m_state(new StatePanel(this)),
      m_stack(new QStackedWidget(this)) {
  buildTabs();
  connectCuts();
  connect(&bridge, &EngineBridge::retainedStateChanged, this, &ReferencesPlace::showState);
  connect(&bridge, &EngineBridge::retainedProgressed, this, &ReferencesPlace::showState);
  clear();
}

void ReferencesPlace::buildTabs() {
  m_tabs->setObjectName(u"referencesPages"_s);
  m_tabs->setDocumentMode(true);
  // In the order of ReferencesPage.
  m_tabs->addTab(m_graph, u"Graph"_s);
  m_tabs->addTab(m_dominators, u"Dominators"_s);
  m_tabs->addTab(m_whyAlive, u"Why alive"_s);
  m_tabs->addTab(m_whatIf, u"What if"_s);
  connect(m_tabs, &QTabWidget::tabBarClicked, this, [this](int index) {
    if (index >= 0) m_navigator.showReferences(static_cast<ReferencesPage>(index));
  });
  connect(m_tabs, &QTabWidget::currentChanged, this, &ReferencesPlace::letShownPageCount);
  letShownPageCount();
  m_set->setObjectName(u"referencesSet"_s);
  m_set->setIcon(symbolIcon(u"close"_s));
  m_set->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  m_set->setLayoutDirection(Qt::RightToLeft);  // the cross behind the text, as on every chip
  m_set->setFocusPolicy(Qt::TabFocus);
  m_set->hide();
  connect(m_set, &QToolButton::clicked, this, [this] {
    const Location& here = m_navigator.location();
    m_navigator.showReferences(here.page, here.selection);
  });
  m_tabs->setCornerWidget(m_set);

  auto* foot = new QHBoxLayout;
  foot->setContentsMargins(12, 4, 12, 4);
  foot->addWidget(new RootSwitch(m_bridge, this));
  foot->addStretch(1);
  foot->addWidget(m_live);
  foot->addWidget(m_garbage);
  setUpTextButton(m_garbage, u"referencesGarbage"_s, {}, {});
  connect(m_garbage, &QToolButton::clicked, this, [this] { m_navigator.showGarbage(); });
  auto* page = new QWidget(this);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 4, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_tabs, 1);
  column->addWidget(m_cutBar);
  column->addLayout(foot);
  m_stack->addWidget(page);
  m_stack->addWidget(m_state);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_stack);
  setFocusProxy(m_tabs);
}

// A page that is not shown must not make a small window scroll.
void ReferencesPlace::letShownPageCount() {
  for (int page = 0; page < m_tabs->count(); ++page) {
    const auto policy = page == m_tabs->currentIndex() ? QSizePolicy::Preferred : QSizePolicy::Ignored;
    m_tabs->widget(page)->setSizePolicy(policy, policy);
  }
}

void ReferencesPlace::connectCuts() {
  connect(m_cuts, &CutList::changed, this, &ReferencesPlace::showCuts);
  connect(&m_graph->cuts(), &CutMarker::takeBackWanted, m_cuts, &CutList::remove);
  connect(m_cutBar, &CutBar::listWanted, this, [this] { m_navigator.showReferences(ReferencesPage::WhatIf); });
  // Where the answer is not drawn, it is gone to.
  connect(&m_navigator, &Navigator::cutWanted, this, [this](const QString& cut) {
    m_cuts->add(cut);
    const Location& here = m_navigator.location();
    const bool isDrawn = here.place == PlaceId::References && here.page != ReferencesPage::Dominators;
    if (!isDrawn) m_navigator.showReferences(ReferencesPage::WhatIf);
  });
  const auto addShortcut = [this](QKeySequence::StandardKey key, void (CutList::*act)()) {
    auto* action = new QAction(this);
    action->setShortcuts(key);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, m_cuts, act);
    addAction(action);
  };
  addShortcut(QKeySequence::Undo, &CutList::undo);
  addShortcut(QKeySequence::Redo, &CutList::redo);
}

void ReferencesPlace::showCuts() {
  const std::shared_ptr<const CutAnswer>& answer = m_cuts->answer();
  const std::shared_ptr<const engine::WhatIf> whatIf(answer, answer ? &answer->whatIf : nullptr);
  m_graph->cuts().showCuts(whatIf);
  m_dominators->showCuts(whatIf);
  m_whyAlive->showCuts(whatIf);
}

void ReferencesPlace::showSnapshot(const engine::Snapshot& snapshot) {
  if (snapshot.has(engine::Stage::Retained)) {
    m_graph->showSnapshot(snapshot);
    m_dominators->showSnapshot(snapshot);
    m_whyAlive->showSnapshot(snapshot);
    m_cuts->showSnapshot(snapshot);
    m_whatIf->showSnapshot(snapshot);
    const engine::RetainedTotals totals = snapshot.retainedTotals();
    m_live->setText(u"%1 live"_s.arg(bytesText(totals.reachableBytes)));
    m_live->setToolTip(u"%1 of %2 can be reached from the roots"_s.arg(
        countedText(totals.reachableObjects, u"object"_s), exactBytesText(totals.reachableBytes)));
    m_garbage->setText(garbageText(totals));
    m_garbage->setToolTip(garbageTip(totals));
    m_garbage->setEnabled(totals.garbageObjects() > 0);
  }
  showState();
}

void ReferencesPlace::clear() {
  m_cuts->clear();
  m_graph->clear();
  m_dominators->clear();
  m_whyAlive->clear();
  m_whatIf->clear();
  showState();
}

void ReferencesPlace::showState() {
  const bool isKnown = m_bridge.snapshot() && m_bridge.snapshot()->has(engine::Stage::Retained);
  m_stack->setCurrentIndex(isKnown ? 0 : 1);
  if (!isKnown) showRetainedState(*m_state, m_bridge);
}

void ReferencesPlace::showSet(const QString& set) {
  const auto objects = PickedSets::of(m_bridge).find(set);
  m_set->setVisible(!set.isEmpty());
  if (set.isEmpty()) return;
  const QString count = countedText(objects ? objects->size() : 0, u"object"_s);
  const int most = fontMetrics().averageCharWidth() * kLongestSet;
  m_set->setText(fontMetrics().elidedText(u"%1: %2"_s.arg(set, count), Qt::ElideMiddle, most));
  m_set->setToolTip(u"About the set “%1”, %2. Click for what is selected."_s.arg(set, count));
  m_set->setAccessibleName(u"About the set %1, %2; remove"_s.arg(set, count));
}

void ReferencesPlace::follow(const Location& location) {
  m_tabs->setCurrentIndex(static_cast<int>(location.page));
  showSet(location.set);
  m_cutBar->setIsListed(location.page == ReferencesPage::WhatIf);
  m_graph->follow(location);
  m_dominators->follow(location);
  m_whyAlive->follow(location);
  m_whatIf->follow(location);
}

}  // namespace heapscape::gui

#include "references_place.moc"
