// SPDX-License-Identifier: MIT
#include "views/threads/async_panel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QScrollArea>
#include <QStackedLayout>
#include <QToolButton>
#include <QTreeView>
#include <algorithm>

#include "models/cells/roles.h"
#include "models/lacking_heap.h"
#include "models/names/type_name.h"
#include "models/object_menu.h"
#include "models/rows/row_links.h"
#include "models/rows/rows_panel.h"
#include "models/rows/table_setup.h"
#include "models/source_editor.h"
#include "views/threads/frame_text.h"
#include "views/threads/stack_icicle.h"
#include "views/threads/stack_model.h"
#include "views/threads/thread_rows.h"
#include "widgets/arranging/split_page.h"
#include "widgets/choice_bar.h"
#include "widgets/context_menu.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/picture_legend.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/legend_chip.h"
#include "widgets/section.h"
#include "widgets/state_panel.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/hidden_contents.h"
#include "widgets/text/value_text.h"

namespace heapscape::gui {
namespace {

constexpr std::size_t kMostCalls = 200;

// Length of what stands before the last dot of a method's name.
int dimmedLetters(const std::string& name) {
  return static_cast<int>(fromEngine(name).lastIndexOf(QLatin1Char('.')) + 1);
}

QStringList marksOf(const engine::AsyncFrame& frame) {
  QStringList marks;
  if (!frame.isMethod) marks << u"task"_s;
  if (frame.event && frame.thread != 0) {
    marks << u"blocks thread %1"_s.arg(frame.thread);
  } else if (frame.event) {
    marks << u"blocks a thread"_s;
  }
  return marks;
}

/// ", Orders.cs:31"; empty where the line is not known.
QString lineText(const ChainCall& call) {
  if (call.file.empty()) return {};
  const QString path = fromEngine(call.file);
  return u", %1:%2"_s.arg(path.mid(path.lastIndexOf(QLatin1Char('/')) + 1)).arg(call.frame.line);
}

QString callTip(const ChainCall& call) {
  QStringList lines{fromEngine(call.name), addressText(call.frame.object)};
  if (!call.file.empty()) lines << u"%1, line %2"_s.arg(fromEngine(call.file)).arg(call.frame.line);
  if (!call.missing.empty()) lines << fromEngine(call.missing);
  return lines.join(QLatin1Char('\n'));
}

constexpr auto kListChannel = "threads.async";
constexpr auto kChainChannel = "threads.chain";
constexpr SplitPage::Shares kListShares{.besideFrom = 245, .beside = 0.6, .above = 0.5};

RowsPanelSetup groupsSetup() {
  RowsPanelSetup setup = RowsPanelSetup::ofList(asyncSchema());
  setup.name = u"async"_s;
  setup.title = u"Async chains"_s;
  setup.noun = u"groups"_s;
  setup.one = u"group"_s;
  setup.filterHint = u"Filter by method or by what is waited for"_s;
  setup.hasRetained = true;
  return setup;
}

QString roleText(const engine::AsyncTreeNode& node) {
  return node.isMethod ? u"Async method"_s : u"Waited for"_s;
}

std::vector<StackShape> shapesOf(const std::vector<engine::AsyncTreeNode>& tree) {
  std::vector<StackShape> shapes;
  shapes.reserve(tree.size());
  for (const engine::AsyncTreeNode& node : tree) {
    const bool isAll = node.parent == engine::AsyncTreeNode::kNone;
    const QString name = isAll ? u"All chains"_s : fromEngine(node.name);
    shapes.push_back(
        {.parent = node.parent,
         .depth = node.depth,
         .count = node.chains,
         .family = isAll           ? FrameFamily::Folded
                   : node.isMethod ? FrameFamily::Program
                                   : FrameFamily::Aside,
         .name = node.isMethod ? shortMethodName(name) : name,
         .fullName = name,
         .facts = isAll ? QStringList()
                        : QStringList{u"%1 of all"_s.arg(percentText(node.chains, tree[0].chains)), roleText(node)}});
  }
  return shapes;
}

QString hintText(std::uint64_t chainsLeftOut) {
  const QString hint =
      u"Each chain goes down from where it began to what it waits for; width is the number of chains. A click puts a "
      "call into focus, Escape takes that back."_s;
  if (chainsLeftOut == 0) return hint;
  return hint + QLatin1Char(' ') +
         u"Not drawn, since nothing leads to them any more: %1."_s.arg(countedText(chainsLeftOut, u"chain"_s));
}

}  // namespace

ChainPage readChain(const engine::Snapshot& snapshot, const engine::AsyncList& list, std::uint32_t chain,
                    std::stop_token stop) {
  ChainPage page;
  engine::AsyncLocals locals(snapshot);
  for (const engine::AsyncFrame& frame : list.framesOf(list.chains[chain])) {
    if (page.calls.size() == kMostCalls || stop.stop_requested()) {
      ++page.leftOut;
      continue;
    }
    ChainCall& call = page.calls.emplace_back();
    call.name = list.nameOf(frame.name);
    call.frame = frame;
    if (!frame.isMethod) continue;
    call.file = list.nameOf(frame.file);
    call.missing = list.nameOf(frame.missing);
    if (auto kept = locals.of(frame.object)) call.locals = std::move(*kept);
  }
  return page;
}

ChainModel::ChainModel(QObject* parent)
    : TreeModelOf(
          {{.title = u"Call and its locals"_s}, {.title = u"Value"_s, .holdsContents = true}, {.title = u"Type"_s}},
          parent) {}

void ChainModel::show(ChainPage page) {
  beginResetModel();
  m_page = std::move(page);
  m_top.children.clear();
  for (const ChainCall& call : m_page.calls) {
    ChainLine& line = append(m_top, {.call = &call});
    for (const engine::FieldValue& local : call.locals) append(line, {.call = &call, .local = &local});
  }
  endResetModel();
}

engine::Address ChainModel::objectAt(const QModelIndex& index) const {
  if (!index.isValid()) return {};
  const ChainLine& line = nodeOf(index);
  return line.local ? line.local->value.object : line.call->frame.object;
}

const ChainCall* ChainModel::callAt(const QModelIndex& index) const {
  return index.isValid() && !nodeOf(index).local ? nodeOf(index).call : nullptr;
}

QVariant ChainModel::cell(const QModelIndex& index, int role) const {
  const ChainLine& line = nodeOf(index);
  return line.local ? localData(*line.local, index.column(), role) : callData(*line.call, index.column(), role);
}

QVariant ChainModel::callData(const ChainCall& call, int column, int role) {
  if (role == kIsAsideRole) return !call.frame.isMethod;
  if (column == ValueColumn && role == Qt::DisplayRole && call.frame.await >= 0) {
    return u"at await %1%2"_s.arg(call.frame.await).arg(lineText(call));
  }
  if (role == Qt::ToolTipRole) return callTip(call);
  if (column != NameColumn) return {};
  if (role == Qt::DisplayRole) return fromEngine(call.name);
  if (role == kDimmedPrefixRole) return dimmedLetters(call.name);
  if (role == kMarksRole) return marksOf(call.frame);
  return {};
}

QVariant ChainModel::localData(const engine::FieldValue& local, int column, int role) {
  if (role == Qt::ToolTipRole) return contentsText(valueTip(local.value));
  switch (column) {
    case NameColumn:
      return role == Qt::DisplayRole ? QVariant(fieldNameText(local.name)) : QVariant();
    case ValueColumn: {
      if (role != Qt::DisplayRole) return {};
      const QString suffix = valueSuffix(local.value);
      const QString value = contentsText(valueText(local.value));
      return suffix.isEmpty() ? value : u"%1  %2"_s.arg(value, suffix);
    }
    default:
      return typeNameData(local.value.objectType.empty() ? local.typeName : local.value.objectType, role);
  }
}

struct AsyncPanel::Answer {
  std::shared_ptr<const engine::AsyncList> list;
  std::vector<engine::AsyncTreeNode> tree;
};

AsyncPanel::AsyncPanel(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_navigator(navigator),
      m_form(new ChoiceBar(u"asyncForm"_s, {u"List"_s, u"Icicle"_s},
                           {u"Groups of equal chains"_s, u"All chains laid over each other: width is their number"_s},
                           this)),
      m_summary(makeNote(QString(), this)),
      m_legend(buildLegend()),
      m_hint(makeNote(QString(), this)),
      m_groups(new RowsPanel(bridge, navigator, groupsSetup(), {}, this)),
      m_doing(new ElidedText(this)),
      m_previous(new QToolButton(this)),
      m_next(new QToolButton(this)),
      m_which(makeNote(QString(), this)),
      m_model(new ChainModel(this)),
      m_tree(new QTreeView(this)),
      m_picture(new StackIcicle(this)),
      m_state(new StatePanel(this)),
      m_pages(new QStackedLayout) {
  setUpTree();
  m_picture->setObjectName(u"asyncPicture"_s);
  m_picture->setAccessibleName(u"Async chains"_s);
  auto* head = new QHBoxLayout;
  head->setContentsMargins(12, 8, 12, 4);
  head->setSpacing(12);
  head->addWidget(m_form);
  head->addWidget(m_summary, 1);
  head->addWidget(m_legend);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(head);
  column->addLayout(m_pages, 1);
  m_pages->addWidget(m_state);
  m_pages->addWidget(buildList());
  m_pages->addWidget(buildPicture());
  connectParts();
  clear();
}

QWidget* AsyncPanel::buildLegend() {
  auto* legend = new QWidget(this);
  legend->setObjectName(u"asyncLegend"_s);
  auto* line = new QHBoxLayout(legend);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(12);
  const auto add = [&](FrameFamily family, const QString& text) {
    line->addWidget(new LegendChip(
        text, [family](const Colours& colours) { return ChipSample{.fill = frameFamilyBrush(family, colours)}; },
        legend));
  };
  add(FrameFamily::Program, u"Async method"_s);
  add(FrameFamily::Aside, u"Waited for"_s);
  return legend;
}

QWidget* AsyncPanel::buildPicture() {
  auto* scroll = new QScrollArea(this);
  scroll->setWidget(m_picture);
  setPictureLegend(m_picture, m_legend);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_hint->setObjectName(u"asyncHint"_s);
  m_hint->setContentsMargins(12, 6, 12, 6);
  auto* page = new QWidget(this);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(scroll, 1);
  column->addWidget(m_hint);
  return page;
}

void AsyncPanel::showForm() {
  if (!m_list || m_list->groups.empty()) return;  // which is said in place of both forms
  m_pages->setCurrentIndex(1 + m_form->choice());
  m_legend->setVisible(m_form->choice() == 1);
}

void AsyncPanel::setUpTree() {
  m_tree->setObjectName(u"chain"_s);
  m_tree->setAccessibleName(u"Async chain"_s);
  m_tree->setModel(m_model);
  setUpFrameTree(m_tree, ChainModel::NameColumn);
  QHeaderView* heading = m_tree->header();
  heading->setStretchLastSection(true);
  const int letter = fontMetrics().averageCharWidth();
  heading->resizeSection(ChainModel::NameColumn, letter * 40);
  heading->resizeSection(ChainModel::ValueColumn, letter * 24);
  rememberColumns(heading, u"chain"_s);
}

QWidget* AsyncPanel::buildList() {
  return new SplitPage(nullptr, m_groups, buildChain(), kListShares, this);
}

QWidget* AsyncPanel::buildChain() {
  m_doing->setObjectName(u"chainDoing"_s);
  m_doing->setElideMode(Qt::ElideRight);
  m_previous->setIcon(symbolIcon(u"back"_s));
  m_previous->setToolTip(u"The chain before this one"_s);
  m_next->setIcon(symbolIcon(u"forward"_s));
  m_next->setToolTip(u"The next of the equal chains"_s);
  for (QToolButton* button : {m_previous, m_next}) {
    button->setAccessibleName(button->toolTip());
    button->setFocusPolicy(Qt::TabFocus);
    button->setMinimumSize(26, std::max(26, fontMetrics().height() * 8 / 5));
  }
  m_next->setObjectName(u"nextChain"_s);
  m_which->setObjectName(u"whichChain"_s);
  m_which->setWordWrap(false);
  auto* part = new QWidget(this);
  auto* line = new QHBoxLayout;
  line->setContentsMargins(12, 8, 12, 8);
  line->setSpacing(8);
  line->addWidget(m_doing, 1);
  line->addWidget(m_which);
  line->addWidget(m_previous);
  line->addWidget(m_next);
  auto* column = new QVBoxLayout(part);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(line);
  column->addWidget(m_tree, 1);
  return part;
}

void AsyncPanel::connectParts() {
  connect(m_form, &ChoiceBar::chosen, this, [this] {
    if (m_list) showForm();
  });
  connect(m_groups, &RowsPanel::rowPicked, this, &AsyncPanel::showGroup);
  connect(m_previous, &QToolButton::clicked, this, [this] {
    --m_chain;
    showChain();
  });
  connect(m_next, &QToolButton::clicked, this, [this] {
    ++m_chain;
    showChain();
  });
  connect(m_tree->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
    if (const engine::Address object = m_model->objectAt(index)) {
      m_navigator.select({.object = object, .methodTable = {}, .segment = {}});
    } else if (index.isValid() && isVisible()) {
      tellRow(m_navigator, u"Async method"_s, index, *m_tree->header());
    }
  });
  connect(m_tree, &QAbstractItemView::activated, this, [this](const QModelIndex& index) {
    if (const engine::Address object = m_model->objectAt(index)) m_navigator.showObject(object);
  });
  connect(m_tree, &QWidget::customContextMenuRequested, this, &AsyncPanel::openMenu);
}

void AsyncPanel::clear() {
  for (const char* channel : {kListChannel, kChainChannel}) m_bridge.stopAsking(this, channel);
  m_isAsked = false;
  m_list.reset();
  m_group.reset();
  m_groups->clear();
  m_model->show({});
  m_picture->clear();
  m_summary->clear();
  m_doing->setText({});
  m_which->clear();
  m_previous->setEnabled(false);
  m_next->setEnabled(false);
  m_form->hide();
  m_legend->hide();
  m_state->showEmpty(u"No dump is open"_s, u"Open a core dump to see its async calls."_s);
  m_pages->setCurrentWidget(m_state);
}

void AsyncPanel::refresh() {
  m_isAsked = false;
  if (isVisible()) load();
}

void AsyncPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  load();
}

void AsyncPanel::load() {
  if (m_isAsked || !m_bridge.snapshot()) return;
  m_isAsked = true;
  const engine::Snapshot& open = *m_bridge.snapshot();
  if (lacksHeap(open)) {
    showLackingHeap(*m_state, open);
    m_pages->setCurrentWidget(m_state);
    return;
  }
  if (!m_list) {
    m_state->showLoading(m_bridge.snapshot()->has(engine::Stage::Objects) ? u"Looking for async calls"_s
                                                                          : u"Waiting for the objects of the heap"_s);
    m_pages->setCurrentWidget(m_state);
  }
  if (!m_bridge.snapshot()->has(engine::Stage::Objects)) return;
  const auto query = [](const engine::Snapshot& snapshot, std::stop_token stop) -> engine::Outcome<Answer> {
    HEAPSCAPE_TRY(engine::AsyncList list, engine::listAsync(snapshot, {}, stop));
    std::vector<engine::AsyncTreeNode> tree = engine::asyncTree(list);
    return Answer{std::make_shared<const engine::AsyncList>(std::move(list)), std::move(tree)};
  };
  m_bridge.ask(this, kListChannel, query, [this](const engine::Outcome<Answer>& answer) {
    if (answer) return take(*answer);
    m_isAsked = false;
    if (answer.error().isCancelled()) return;
    m_state->showFailed(u"Async calls cannot be listed"_s, fromEngine(answer.error().error().message()));
    m_pages->setCurrentWidget(m_state);
  });
}

void AsyncPanel::take(const Answer& answer) {
  m_list = answer.list;
  m_summary->setText(u"%1 of async methods pending, in %2"_s.arg(countedText(m_list->methods, u"call"_s),
                                                                 countedText(m_list->chains.size(), u"chain"_s)));
  m_form->setVisible(!m_list->groups.empty());
  m_summary->setVisible(!m_list->groups.empty());
  m_picture->show(shapesOf(answer.tree), u"chain"_s);
  m_hint->setText(hintText(m_list->chains.size() - (answer.tree.empty() ? 0 : answer.tree.front().chains)));
  if (m_list->groups.empty()) {
    m_legend->hide();
    m_state->showEmpty(u"No async calls"_s, u"No call of an async method was waiting or running."_s);
    m_pages->setCurrentWidget(m_state);
    return;
  }
  m_groups->updateRows(makeRowList(engine::listChains(*m_list), asyncSchema(), m_list->findings));
  m_groups->currentRow() ? showGroup(*m_groups->currentRow()) : m_groups->pickFirst();
  showForm();
}

void AsyncPanel::showGroup(std::uint32_t row) {
  m_group = m_groups->rows()->as<engine::ListedChains>(row).group;
  m_chain = 0;
  showChain();
}

void AsyncPanel::showChain() {
  if (!m_list || !m_group) return;
  const std::vector<std::uint32_t>& chains = m_list->groups[*m_group].chains;
  m_chain = std::min(m_chain, chains.size() - 1);
  const std::uint32_t chain = chains[m_chain];
  m_model->show({});
  m_doing->setText(asyncDoingText(*m_list, m_list->chains[chain]));
  m_which->setText(u"%1 of %2"_s.arg(countText(m_chain + 1), countText(chains.size())));
  m_previous->setEnabled(m_chain > 0);
  m_next->setEnabled(m_chain + 1 < chains.size());
  m_bridge.ask(
      this, kChainChannel,
      [list = m_list, chain](const engine::Snapshot& snapshot, std::stop_token stop) {
        return readChain(snapshot, *list, chain, stop);
      },
      [this, list = m_list, chain](ChainPage page) {
        if (m_list == list && m_group && m_list->groups[*m_group].chains[m_chain] == chain)
          m_model->show(std::move(page));
      });
}

void AsyncPanel::openMenu(const QPoint& position) {
  const QModelIndex index = m_tree->indexAt(position);
  if (!index.isValid()) return;
  const ContextMenu opened(this);
  QMenu& menu = *opened;
  if (const engine::Address object = m_model->objectAt(index)) {
    addSelectionLinks(menu, m_navigator, {.object = object, .methodTable = {}, .segment = {}});
  }
  if (const ChainCall* call = m_model->callAt(index))
    addSourceLinks(menu, this, fromEngine(call->file), static_cast<std::uint32_t>(call->frame.line));
  menu.addActions(m_tree->actions());
  menu.exec(m_tree->viewport()->mapToGlobal(position));
}

}  // namespace heapscape::gui
