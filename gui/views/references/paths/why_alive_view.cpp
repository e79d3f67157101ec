// SPDX-License-Identifier: MIT
#include "views/references/paths/why_alive_view.h"

#include <QApplication>
#include <QLabel>
#include <QMenu>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>
#include <utility>

#include "models/cells/item_painting.h"
#include "models/cells/roles.h"
#include "models/names/reach_text.h"
#include "models/object_menu.h"
#include "models/rows/picked_sets.h"
#include "models/rows/table_setup.h"
#include "session/objects/object_query.h"
#include "session/objects/retained_query.h"
#include "session/references/cuts.h"
#include "views/references/paths/object_paths_panel.h"
#include "widgets/arranging/layouts.h"
#include "widgets/context_menu.h"
#include "widgets/dimming.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/state_panel.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"
#include "widgets/text/hidden_contents.h"

namespace heapscape::gui {

MergedPathsModel::MergedPathsModel(QObject* parent)
    : NumberedTreeModel(
          {{u"Held by, up to the roots"_s, u"Held by, up to the roots"_s},
           {u"Objects held"_s, u"Objects held"_s, TreeColumn::Look::Figure},
           {u"Bytes"_s, u"What the objects that are held this way take up themselves"_s, TreeColumn::Look::Figure},
           {u"Holders"_s, u"Different objects on this step"_s, TreeColumn::Look::Figure}},
          parent) {}

void MergedPathsModel::show(std::shared_ptr<const engine::MergedPaths> paths) {
  beginResetModel();
  m_paths = std::move(paths);
  const std::size_t nodes = m_paths ? m_paths->nodes.size() : 0;
  m_children.assign(nodes, {});
  for (std::uint32_t node = 1; node < nodes; ++node) m_children[m_paths->nodes[node].parent].push_back(node);
  numberRows(nodes);
  endResetModel();
}

const MergedPathsModel::Numbers& MergedPathsModel::childrenOf(std::uint32_t node) const {
  static const Numbers objectsThemselves{0};
  if (node != kAboveAll) return m_children[node];
  return m_children.empty() ? none() : objectsThemselves;
}

QVariant MergedPathsModel::cell(const QModelIndex& index, int role) const {
  if (index.column() == NameColumn) return nameData(nodeOf(index), role);
  const engine::MergedPathNode& node = nodeAt(index);
  if (index.column() == BytesColumn) return bytesCell(node.bytes, role);
  if (index.column() == HoldersColumn) return countCell(node.holders, role);
  if (role == kShareRole) return m_paths->objects > 0 ? shareOfWhole(node.objects, m_paths->objects) : QVariant();
  return countCell(node.objects, role);
}

QVariant MergedPathsModel::nameData(std::uint32_t number, int role) const {
  const engine::MergedPathNode& node = m_paths->nodes[number];
  const QString name = node.isRoot         ? givenNameText(node.name)
                       : node.name.empty() ? u"Objects of several types"_s
                                           : fromEngine(node.name);
  switch (role) {
    case Qt::DisplayRole:
    case kPlainRole:
      if (node.isRoot) return u"Root: %1"_s.arg(name);
      if (node.via.empty()) return name;
      // A list of nodes that hold each other is one line.
      return (node.isRun ? u"%1… · %2"_s : u"%1 · %2"_s).arg(stepText(fromEngine(node.via)), name);
    case Qt::ToolTipRole:
      if (number == 0) return name;
      if (node.isRoot) return u"%1\nA root: nothing has to hold it"_s.arg(name);
      return u"Held through the field %1 of %2"_s.arg(fromEngine(node.via), name);
    default:
      return {};
  }
}

/// Why all objects of a type, or of a set, are alive, as one tree.
class MergedPathsPanel : public QWidget {
 public:
  MergedPathsPanel(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  void show(std::shared_ptr<const engine::MergedPaths> paths);  // null for none

 private:
  void openFirst();
  void openMenu(const QPoint& position);

  EngineBridge& m_bridge;
  Navigator& m_navigator;
  MergedPathsModel* m_model;
  QTreeView* m_tree;
  QLabel* m_note;
};

namespace {

constexpr int kStepsOpenedAtOnce = 12;

// Words of one stack and handles of one kind are one line, whose root is the first of them.
std::string cutOfRootNode(const engine::RootList& list, std::uint32_t root) {
  const engine::RootRow& row = list.roots[root];
  const bool isAlone = row.kind == engine::RootKind::Static || row.kind == engine::RootKind::ThreadStatic ||
                       row.group == engine::RootGroup::kNone;
  return isAlone ? engine::cutOfRoot(row) : engine::cutOfRootGroup(list, row.group);
}

}  // namespace

MergedPathsPanel::MergedPathsPanel(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_navigator(navigator),
      m_model(new MergedPathsModel(this)),
      m_tree(new QTreeView(this)),
      m_note(new QLabel(this)) {
  m_tree->setObjectName(u"mergedPaths"_s);
  m_tree->setAccessibleName(u"What holds these objects"_s);
  m_tree->setModel(m_model);
  setUpTree(m_tree, new TableHeading(m_tree));
  m_tree->setItemDelegateForColumn(MergedPathsModel::NameColumn, new NameDelegate(m_tree));
  m_tree->setItemDelegateForColumn(MergedPathsModel::ObjectsColumn,
                                   new ShareBarDelegate(ShareBarDelegate::Bar::Plain, m_tree));
  QHeaderView* heading = m_tree->header();
  heading->setStretchLastSection(false);
  heading->resizeSection(MergedPathsModel::ObjectsColumn, figureColumnWidth(*this) * 3 / 2);
  heading->resizeSection(MergedPathsModel::BytesColumn, figureColumnWidth(*this));
  heading->resizeSection(MergedPathsModel::HoldersColumn, figureColumnWidth(*this));
  rememberColumns(heading, u"mergedPaths"_s);
  new StretchedSection(m_tree, heading, MergedPathsModel::NameColumn, fontMetrics().averageCharWidth() * 36);
  connect(m_tree, &QWidget::customContextMenuRequested, this, &MergedPathsPanel::openMenu);
  m_note->setContentsMargins(12, 8, 12, 8);
  m_note->setWordWrap(true);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_note);
  column->addWidget(m_tree, 1);
  setFocusProxy(m_tree);
}

void MergedPathsPanel::show(std::shared_ptr<const engine::MergedPaths> paths) {
  m_note->clear();
  if (paths) {
    QString text = u"The shortest way to each of %1; ways that go through the same fields are one line."_s.arg(
        countedText(paths->objects, u"object"_s));
    if (const std::uint64_t garbage = paths->unreachable - paths->frozen; garbage > 0)
      text += garbage == 1 ? u" 1 more is garbage."_s : u" %1 more are garbage."_s.arg(countText(garbage));
    if (paths->frozen > 0)
      text += paths->frozen == 1 ? u" 1 more is frozen and unreferenced."_s
                                 : u" %1 more are frozen and unreferenced."_s.arg(countText(paths->frozen));
    m_note->setText(text);
  }
  m_model->show(std::move(paths));
  openFirst();
}

void MergedPathsPanel::openMenu(const QPoint& position) {
  const QModelIndex index = m_tree->indexAt(position);
  if (!index.isValid() || !m_bridge.snapshot()) return;
  const engine::MergedPathNode& node = m_model->nodeAt(index);
  const ContextMenu opened(this);
  QMenu& menu = *opened;
  if (node.isRoot) {
    addCut(menu, m_navigator, cutHereText(), cutOfRootNode(m_bridge.snapshot()->roots(), node.root));
  } else {
    const auto take = [this, members = node.members,
                       name = shortTypeName(node.name)](const std::function<void(const QString&)>& use) {
      use(PickedSets::of(m_bridge).add(members, name.isEmpty() ? u"objects"_s : name));
    };
    if (!node.members.empty()) addSetLinks(menu, m_navigator, take);
    const auto& types = m_bridge.snapshot()->types();
    if (node.type.value < types.size()) {
      menu.addSeparator();
      addSelectionLinks(menu, m_navigator,
                        {.object = {}, .methodTable = types[node.type.value].methodTable, .segment = {}});
    }
  }
  menu.addSeparator();
  menu.addActions(m_tree->actions());
  menu.exec(m_tree->viewport()->mapToGlobal(position));
}

// The way that holds the most, which is what people look for.
void MergedPathsPanel::openFirst() {
  QModelIndex index = m_model->index(0, 0);
  for (int step = 0; step < kStepsOpenedAtOnce && index.isValid(); ++step) {
    m_tree->expand(index);
    index = m_model->index(0, 0, index);
  }
}

namespace {

constexpr auto kChannel = "whyAlive";
constexpr std::size_t kMergedNodes = 5000;

QString retainedText(const engine::RetainedRow& retained) {
  const QString bytes = bytesText(retained.retainedBytes);
  return retained.retainedCount == 1
             ? u"retains itself, %1"_s.arg(bytes)
             : u"retains %1 in %2"_s.arg(bytes, countedText(retained.retainedCount, u"object"_s));
}

}  // namespace

WhyAliveView::WhyAliveView(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_navigator(navigator),
      m_headline(new ElidedText(this)),
      m_figures(new QLabel(this)),
      m_withCuts(new QToolButton(this)),
      m_allOfType(new QToolButton(this)),
      m_paths(new ObjectPathsPanel(bridge, navigator, this)),
      m_merged(new MergedPathsPanel(bridge, navigator, this)),
      m_state(new StatePanel(this)),
      m_pages(new QStackedWidget(this)) {
  addParts();
  connect(m_allOfType, &QToolButton::toggled, this, &WhyAliveView::load);
  connect(m_withCuts, &QToolButton::toggled, this, &WhyAliveView::loadAgain);
  clear();
}

void WhyAliveView::addParts() {
  m_headline->setFont(scaledFont(font(), 1.15, QFont::DemiBold));
  m_headline->setObjectName(u"whyAliveHeadline"_s);
  m_withCuts->setObjectName(u"withCuts"_s);
  m_withCuts->setText(u"With the cuts"_s);
  m_withCuts->setToolTip(u"The ways that would be left with what is cut, rather than those that there are"_s);
  m_withCuts->setCheckable(true);
  m_withCuts->setChecked(true);
  m_withCuts->setIcon(symbolIcon(u"cut"_s));
  m_allOfType->setObjectName(u"allOfType"_s);
  m_allOfType->setText(u"All objects of its type"_s);
  m_allOfType->setToolTip(u"The ways to all objects of the type, laid over each other"_s);
  m_allOfType->setCheckable(true);
  m_allOfType->setIcon(symbolIcon(u"types"_s));
  for (QToolButton* button : {m_withCuts, m_allOfType}) {
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setMinimumHeight(std::max(28, fontMetrics().height() * 8 / 5));
  }
  auto* tools = new QWidget(this);
  auto* toolLine = new FlowLayout(tools, 12);
  for (QWidget* part : std::initializer_list<QWidget*>{m_figures, m_withCuts, m_allOfType}) toolLine->addWidget(part);
  auto* line = new HeadLayout;
  line->setContentsMargins(12, 8, 12, 4);
  line->addWidget(m_headline);
  line->addWidget(tools);
  m_pages->addWidget(m_state);
  m_pages->addWidget(m_paths);
  m_pages->addWidget(m_merged);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(line);
  column->addWidget(m_pages, 1);
}

void WhyAliveView::showSnapshot(const engine::Snapshot&) {
  m_isStale = true;
  if (isVisible()) load();
}

void WhyAliveView::clear() {
  m_bridge.stopAsking(this, kChannel);
  m_selection = {};
  m_set.clear();
  m_shown = {};
  m_isStale = true;
  m_paths->clear();
  m_merged->show(nullptr);
  m_headline->setText({});
  m_figures->clear();
  m_whatIf.reset();
  m_allOfType->hide();
  m_withCuts->hide();
  m_state->showEmpty(u"Nothing picked"_s,
                     u"Pick an object or a type, anywhere in the window, to see what keeps it alive."_s);
  m_pages->setCurrentWidget(m_state);
}

void WhyAliveView::showCuts(std::shared_ptr<const engine::WhatIf> whatIf) {
  if (whatIf == m_whatIf) return;
  m_whatIf = std::move(whatIf);
  m_withCuts->setVisible(m_whatIf && m_shown.object);
  if (m_withCuts->isChecked()) loadAgain();
}

// What is explained stays, though a step of its way may be picked.
void WhyAliveView::loadAgain() {
  m_isStale = true;
  if (!isVisible() || !m_shown.object) return;
  m_isStale = false;
  loadObject(m_shown.object);
}

std::shared_ptr<const engine::WhatIf> WhyAliveView::wantedCuts() const {
  return m_withCuts->isChecked() ? m_whatIf : nullptr;
}

void WhyAliveView::follow(const Location& location) {
  m_selection = location.selection;
  m_set = location.set;
  // A step of a way that is picked is looked at; it does not become what is explained.
  if (isVisible() && location.place == PlaceId::References && m_pages->currentWidget() == m_paths &&
      m_paths->isAncestorOf(QApplication::focusWidget()))
    return;
  if (isVisible()) load();
}

void WhyAliveView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  load();
}

WhyAliveView::Subject WhyAliveView::subject() const {
  if (!m_bridge.snapshot() || !m_bridge.snapshot()->has(engine::Stage::Retained)) return {};
  if (!m_set.isEmpty()) return {.set = m_set};
  if (m_selection.object && !m_allOfType->isChecked()) return {.object = m_selection.object};
  engine::Address methodTable = m_selection.methodTable;
  if (m_selection.object && !methodTable) {
    if (const auto row = engine::objectAt(*m_bridge.snapshot(), m_selection.object)) return {.type = row->type};
  }
  return {.type = m_bridge.snapshot()->typeOf(methodTable)};
}

void WhyAliveView::load() {
  const Subject wanted = subject();
  if (wanted.isEmpty() || (wanted == m_shown && !m_isStale)) return;
  m_shown = wanted;
  m_isStale = false;
  m_allOfType->setVisible(m_set.isEmpty() && m_selection.object);
  m_withCuts->setVisible(m_whatIf && wanted.object);
  showHeadline(wanted);
  m_pages->setCurrentWidget(m_state);
  if (!wanted.set.isEmpty()) {
    loadSet(wanted.set);
    return;
  }
  if (wanted.object) {
    loadObject(wanted.object);
  } else {
    loadType(wanted.type);
  }
}

void WhyAliveView::showHeadline(const Subject& subject) {
  const engine::Snapshot& snapshot = *m_bridge.snapshot();
  if (!subject.set.isEmpty()) {
    m_headline->setText(subject.set);
    const auto objects = PickedSets::of(m_bridge).find(subject.set);
    m_figures->setText(objects ? countedText(objects->size(), u"object"_s) : QString());
    m_figures->setToolTip({});
    return;
  }
  if (!subject.object) {
    const engine::RetainedOfType& type = snapshot.typeRetained()[subject.type.value];
    m_headline->setText(fromEngine(snapshot.types()[subject.type.value].name));
    m_figures->setText(type.instances == 1 ? u"1 object held · retains %1"_s.arg(bytesText(type.retainedBytes))
                                           : u"%1 objects held · retain %2"_s.arg(countText(type.instances),
                                                                                  bytesText(type.retainedBytes)));
    m_figures->setToolTip(exactBytesText(type.retainedBytes));
    return;
  }
  const auto retained = engine::retainedOf(snapshot, subject.object);
  const bool isKnown = retained && !retained->type.isNone();
  const QString type = isKnown ? fromEngine(snapshot.types()[retained->type.value].name) : u"Object"_s;
  m_headline->setText(u"%1  %2"_s.arg(type, addressText(subject.object)));
  m_figures->setText(retained && retained->isReachable ? retainedText(*retained)
                                                       : unreachedText(!retained || retained->isGarbage));
  m_figures->setToolTip(retained ? exactBytesText(retained->retainedBytes) : QString());
}

void WhyAliveView::showWaiting(const QString& text) {
  m_state->showLoading(text);
  m_pages->setCurrentWidget(m_state);
}

void WhyAliveView::showFailure(const engine::Unfinished& why) {
  if (why.isCancelled()) return;
  m_state->showFailed(u"Not available"_s, fromEngine(why.error().message()));
  m_pages->setCurrentWidget(m_state);
}

void WhyAliveView::loadObject(engine::Address object) {
  // Paths found for the same object stay until there are others.
  const bool isThere = m_pages->currentWidget() == m_paths;
  setDimmed(m_paths, isThere);
  if (!isThere) showWaiting(u"Looking for what holds it"_s);
  m_bridge.askLong(
      this, kChannel,
      [object, whatIf = wantedCuts()](const engine::Snapshot& snapshot, engine::ProgressSink* progress,
                                      std::stop_token stop) {
        return askPaths(whatIf ? whatIf->snapshot() : snapshot, object, whatIf.get(), progress, stop);
      },
      [this](const engine::Progress& progress) {
        if (m_pages->currentWidget() == m_state) showWaiting(fromEngine(progress.activity));
      },
      [this](engine::Outcome<ObjectPathsAnswer> answer) { answer ? showWays(*answer) : showFailure(answer.error()); });
}

void WhyAliveView::showWays(const ObjectPathsAnswer& answer) {
  setDimmed(m_paths, false);
  if (answer.isFreed) {
    m_state->showEmpty(u"It would be freed"_s, u"With what is cut, no root leads to this object any more."_s);
    m_state->setAction(u"Show what holds it as it is"_s, [this] { m_withCuts->setChecked(false); });
    m_pages->setCurrentWidget(m_state);
    return;
  }
  m_paths->show(answer);
  m_pages->setCurrentWidget(m_paths);
}

void WhyAliveView::loadType(engine::TypeId type) {
  showWaiting(u"Laying the ways to all objects over each other"_s);
  m_bridge.askLong(
      this, kChannel,
      [type](const engine::Snapshot& snapshot, engine::ProgressSink* progress, std::stop_token stop) {
        return engine::mergedPathsOfType(snapshot, type, kMergedNodes, progress, stop);
      },
      [this](const engine::Progress& progress) { showWaiting(fromEngine(progress.activity)); },
      [this](engine::Outcome<engine::MergedPaths> answer) {
        showMerged(std::move(answer), u"No root leads to any object of this type any more."_s);
      });
}

void WhyAliveView::loadSet(const QString& set) {
  const auto objects = PickedSets::of(m_bridge).find(set);
  if (!objects) {
    m_state->showEmpty(u"No such set any more"_s, u"It was of another dump."_s);
    m_pages->setCurrentWidget(m_state);
    return;
  }
  showWaiting(u"Laying the ways to all objects over each other"_s);
  m_bridge.askLong(
      this, kChannel,
      [objects](const engine::Snapshot& snapshot, engine::ProgressSink* progress, std::stop_token stop) {
        return engine::mergedPathsOfSet(snapshot, *objects, kMergedNodes, progress, stop);
      },
      [this](const engine::Progress& progress) { showWaiting(fromEngine(progress.activity)); },
      [this](engine::Outcome<engine::MergedPaths> answer) {
        showMerged(std::move(answer), u"No root leads to any object of the set any more."_s);
      });
}

void WhyAliveView::showMerged(engine::Outcome<engine::MergedPaths> answer, const QString& none) {
  if (!answer) {
    showFailure(answer.error());
    return;
  }
  if (answer->objects == 0) {
    m_state->showEmpty(u"They are garbage"_s, none);
    m_pages->setCurrentWidget(m_state);
    return;
  }
  m_merged->show(std::make_shared<const engine::MergedPaths>(std::move(*answer)));
  m_pages->setCurrentWidget(m_merged);
}

}  // namespace heapscape::gui
