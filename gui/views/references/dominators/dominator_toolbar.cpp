// SPDX-License-Identifier: MIT
#include "views/references/dominators/dominator_toolbar.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "models/object_menu.h"
#include "models/rows/picked_sets.h"
#include "session/references/cuts.h"
#include "views/references/dominators/dominator_text.h"
#include "widgets/arranging/layouts.h"
#include "widgets/choice_bar.h"
#include "widgets/drawing/colours.h"
#include "widgets/filter_line.h"
#include "widgets/text/figures.h"
#include "widgets/tool_button.h"

namespace heapscape::gui {
namespace {

bool isCalled(const engine::DominatorShape& shape, const QString& text) {
  if (shape.isRest) return false;
  const auto isIt = [&text](const engine::DominatorNode& node) {
    if (text.startsWith(QLatin1String("0x"), Qt::CaseInsensitive))
      return node.object && addressText(node.object).startsWith(text, Qt::CaseInsensitive);
    return dominatorName(node).contains(text, Qt::CaseInsensitive);
  };
  return isIt(shape.node) || std::ranges::any_of(shape.folded, isIt);
}

}  // namespace

DominatorToolbar::DominatorToolbar(QWidget* parent)
    : QWidget(parent),
      m_search(new QLineEdit(this)),
      m_matches(new QLabel(this)),
      m_note(new QLabel(this)),
      m_sides(new ChoiceBar(u"dominatorSide"_s, {u"Live"_s, u"Garbage"_s},
                            {u"What is live, from the roots down"_s,
                             u"What no root leads to, from the objects down that nothing else refers to; retained is "
                             "what became garbage with an object"_s},
                            this)),
      m_groupings(new ChoiceBar(u"dominatorGrouping"_s, {u"Object"_s, u"Type"_s, u"Namespace"_s},
                                {u"Each object for itself"_s, u"Objects of one type that the same owner holds as one"_s,
                                 u"The same, with types in their namespaces"_s},
                                this)),
      m_forms(new ChoiceBar(
          u"dominatorForm"_s, {u"Table"_s, u"Icicle"_s, u"Sunburst"_s, u"Treemap"_s},
          {u"Rows that open"_s, u"From the roots down: width is retained size"_s,
           u"Rings around the roots: angle is retained size"_s, u"Areas within each other: area is retained size"_s},
          this)),
      m_label(new QLabel(u"Group by"_s, this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* head = new QWidget(this);
  auto* line = new HeadLayout(head);
  line->setContentsMargins(12, 8, 12, 4);
  column->addWidget(head);
  column->addWidget(m_note);
  line->addWidget(buildSearch());
  line->addWidget(buildChoices());
  QToolButton* save =
      makeTool(u"dominatorExport"_s, u"save"_s, u"Save what is shown for flame graph tools, as collapsed stacks"_s);
  line->addWidget(save);
  connect(save, &QToolButton::clicked, this, &DominatorToolbar::exportWanted);
  // A heap has too many objects for a first look.
  m_groupings->choose(static_cast<int>(engine::DominatorGrouping::Type));
  for (ChoiceBar* bar : {m_sides, m_groupings}) connect(bar, &ChoiceBar::chosen, this, &DominatorToolbar::treeChanged);
  connect(m_forms, &ChoiceBar::chosen, this, &DominatorToolbar::formChanged);
  updateLook();
}

QWidget* DominatorToolbar::buildChoices() {
  auto* choices = new QWidget(this);
  auto* line = new FlowLayout(choices, 12);
  line->addWidget(m_label);
  line->addWidget(m_groupings);
  line->addWidget(m_forms);
  return choices;
}

QWidget* DominatorToolbar::buildSearch() {
  auto* search = new QWidget(this);
  auto* line = new QHBoxLayout(search);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(2);
  m_search->setObjectName(u"dominatorSearch"_s);
  m_search->setPlaceholderText(u"Find a type, a root or an address"_s);
  m_search->setAccessibleName(u"Find a type, a root or an address in the dominator tree"_s);
  setUpFilter(m_search);
  m_search->setMinimumWidth(fontMetrics().averageCharWidth() * 24);
  m_search->setMaximumWidth(fontMetrics().averageCharWidth() * 48);
  m_search->setToolTip(
      u"What is called so stands out in the picture. Enter goes to the next one, or to the largest object "
      "of that type where the picture has none."_s);
  m_matches->setObjectName(u"dominatorMatches"_s);
  m_note->setObjectName(u"dominatorNote"_s);
  m_note->setWordWrap(true);
  m_note->setContentsMargins(12, 0, 12, 4);
  m_note->hide();
  line->addWidget(m_search, 4);
  m_previous = makeTool(u"dominatorPrevious"_s, u"back"_s, u"The match before (Shift+F3)"_s);
  m_next = makeTool(u"dominatorNext"_s, u"forward"_s, u"The next match (F3)"_s);
  for (QToolButton* tool : {m_previous, m_next}) line->addWidget(tool);
  addFindActions(this, [this](int step) { Q_EMIT stepWanted(step); });
  line->addSpacing(6);
  line->addWidget(m_matches);
  line->addStretch(1);  // the field has a greatest width, and stands at the left
  connect(m_previous, &QToolButton::clicked, this, [this] { Q_EMIT stepWanted(-1); });
  connect(m_next, &QToolButton::clicked, this, [this] { Q_EMIT stepWanted(1); });
  showMatches({}, false);
  connect(m_search, &QLineEdit::returnPressed, this, [this] {
    if (!searchText().isEmpty()) Q_EMIT searched(searchText());
  });
  connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
    showNote({});
    Q_EMIT searchEdited(text);
  });
  return search;
}

QToolButton* DominatorToolbar::makeTool(const QString& name, const QString& symbol, const QString& tip) {
  auto* tool = new QToolButton(this);
  setUpSymbolButton(tool, name, symbol, tip);
  return tool;
}

QString DominatorToolbar::searchText() const {
  return m_search->text().trimmed();
}

void DominatorToolbar::showMatches(const QString& status, bool canStep) {
  m_matches->setText(status);
  m_matches->setVisible(!status.isEmpty());
  m_previous->setVisible(canStep);
  m_next->setVisible(canStep);
}

engine::DominatorGrouping DominatorToolbar::grouping() const {
  return static_cast<engine::DominatorGrouping>(m_groupings->choice());
}

QWidget* DominatorToolbar::sides() const {
  return m_sides;
}

bool DominatorToolbar::isOfGarbage() const {
  return m_sides->choice() != 0;
}

void DominatorToolbar::setIsOfGarbage(bool isOfGarbage) {
  const QSignalBlocker isSetHere(m_sides);
  m_sides->choose(isOfGarbage ? 1 : 0);
}

void DominatorToolbar::setGrouping(engine::DominatorGrouping grouping) {
  const QSignalBlocker isSetHere(m_groupings);
  m_groupings->choose(static_cast<int>(grouping));
}

DominatorForm DominatorToolbar::form() const {
  return static_cast<DominatorForm>(m_forms->choice());
}

void DominatorToolbar::setForm(DominatorForm form) {
  m_forms->choose(static_cast<int>(form));
}

void DominatorToolbar::showNote(const QString& note) {
  m_note->setText(note.isEmpty() ? QString() : u"⚠ "_s + note);
  m_note->setVisible(!note.isEmpty());
  m_note->setToolTip(note);
  m_note->setAccessibleName(note);
}

void DominatorToolbar::clearSearch() {
  m_search->clear();
  showNote({});
}

void DominatorToolbar::updateLook() {
  const Colours colours(palette());
  QPalette warning = palette();
  warning.setColor(QPalette::WindowText, colours.warning());
  m_note->setPalette(warning);
  QPalette dimmed = palette();
  dimmed.setColor(QPalette::WindowText, colours.dimmedText());
  m_label->setPalette(dimmed);
  m_matches->setPalette(dimmed);
}

void DominatorToolbar::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) updateLook();
  QWidget::changeEvent(event);
}

Selection selectionOf(const engine::DominatorNode& node, const engine::Snapshot& snapshot) {
  Selection selection;
  selection.object = node.object;
  if (node.type.value < snapshot.types().size()) selection.methodTable = snapshot.types()[node.type.value].methodTable;
  return selection;
}

void openDominator(Navigator& navigator, const Selection& selection) {
  if (selection.object) {
    navigator.showObject(selection.object);
  } else if (selection.methodTable) {
    navigator.showType(selection.methodTable);
  }
}

void addDominatorLinks(QMenu& menu, Navigator& navigator, const engine::DominatorNode& node,
                       const Selection& selection) {
  addSelectionLinks(menu, navigator, selection);
  addCopy(menu, u"Copy name"_s, dominatorName(node));
}

namespace {

bool isOfRootsAlone(const engine::DominatorNode& node) {
  return node.kind == engine::DominatorKind::Root || node.kind == engine::DominatorKind::RootGroup;
}

std::string cutOfRoots(const engine::DominatorNode& node, const engine::RootList& list) {
  if (node.kind == engine::DominatorKind::RootGroup) return engine::cutOfRootGroup(list, node.root);
  return node.roots == 1 ? engine::cutOfRoot(list.roots[node.root]) : engine::cutOfRootsNamed(node.name);
}

}  // namespace

DominatorCuts::DominatorCuts(EngineBridge& bridge, Navigator& navigator, QObject* parent)
    : QObject(parent), m_bridge(bridge), m_navigator(navigator) {}

void DominatorCuts::takeObjects(const engine::DominatorNode& node, engine::DominatorGrouping grouping, bool isOfGarbage,
                                const std::function<void(const QString& set)>& use) {
  m_bridge.ask(
      this, "objects",
      [grouping, isOfGarbage, id = node.node](const engine::Snapshot& snapshot,
                                              std::stop_token stop) -> engine::Outcome<std::vector<std::uint32_t>> {
        HEAPSCAPE_TRY(const engine::Snapshot seen, dominatorSide(snapshot, isOfGarbage, nullptr, stop));
        return engine::objectsOfDominator(seen, grouping, id, std::move(stop));
      },
      [this, use, name = dominatorName(node)](engine::Outcome<std::vector<std::uint32_t>> objects) {
        if (objects && !objects->empty()) use(PickedSets::of(m_bridge).add(std::move(*objects), name));
      });
}

void DominatorCuts::addTo(QMenu& menu, const engine::DominatorNode& node, const DominatorScene& scene) {
  if (isOfRootsAlone(node)) {
    addCut(menu, m_navigator, cutHereText(), cutOfRoots(node, m_bridge.snapshot()->roots()));
    menu.addSeparator();
  }
  if (isOfRootsAlone(node) || node.kind == engine::DominatorKind::Whole || node.objects < 2) return;
  addSetLinks(menu, m_navigator,
              [this, node, grouping = scene.grouping, isOfGarbage = scene.isOfGarbage](const auto& use) {
                takeObjects(node, grouping, isOfGarbage, use);
              });
  menu.addSeparator();
}

DominatorMatches findMatches(const DominatorScene& scene, const QString& text) {
  DominatorMatches matches;
  matches.isMatch.resize(scene.shapes.size());
  std::vector<bool> isCounted(scene.shapes.size());  // or something above it is
  for (std::uint32_t i = 0; i < scene.shapes.size(); ++i) {
    const engine::DominatorShape& shape = scene.shapes[i];
    isCounted[i] = i > 0 && isCounted[shape.parent];
    if (!isCalled(shape, text)) continue;
    matches.isMatch[i] = true;
    matches.shapes.push_back(i);
    if (!isCounted[i]) matches.bytes += shape.node.retainedBytes;
    isCounted[i] = true;
  }
  std::ranges::stable_sort(matches.shapes, std::greater(),
                           [&](std::uint32_t shape) { return scene.shapes[shape].node.retainedBytes; });
  return matches;
}

void DominatorSearch::setScene(SharedScene scene) {
  m_scene = std::move(scene);
  look();
}

void DominatorSearch::setText(const QString& text) {
  m_text = text.trimmed();
  look();
}

void DominatorSearch::look() {
  m_at.reset();
  m_matches.reset();
  if (m_scene && !m_text.isEmpty()) m_matches = std::make_shared<const DominatorMatches>(findMatches(*m_scene, m_text));
}

std::optional<std::uint32_t> DominatorSearch::next(int step) {
  if (!hasMatches()) return std::nullopt;
  const auto count = static_cast<std::ptrdiff_t>(m_matches->shapes.size());
  const std::ptrdiff_t at = m_at ? static_cast<std::ptrdiff_t>(*m_at) + step : (step > 0 ? 0 : -1);
  m_at = static_cast<std::size_t>((at + count) % count);
  return m_matches->shapes[*m_at];
}

QString DominatorSearch::status() const {
  if (!m_matches) return {};
  if (!hasMatches()) return u"none in this picture"_s;
  const std::size_t count = m_matches->shapes.size();
  const QString counted =
      m_at ? u"%1 of %2"_s.arg(countText(*m_at + 1), countText(count)) : countedText(count, u"match"_s, u"matches"_s);
  return u"%1 · %2"_s.arg(counted, bytesText(m_matches->bytes));
}

}  // namespace heapscape::gui
