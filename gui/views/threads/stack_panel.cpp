// SPDX-License-Identifier: MIT
#include "views/threads/stack_panel.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QStackedLayout>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "models/cells/item_painting.h"
#include "models/object_menu.h"
#include "models/rows/picked_sets.h"
#include "models/rows/row_groups.h"
#include "models/rows/seen_values.h"
#include "models/rows/table_setup.h"
#include "models/source_editor.h"
#include "session/objects/object_query.h"
#include "session/references/cuts.h"
#include "session/threads/thread_waits.h"
#include "views/threads/frame_text.h"
#include "views/threads/stack_model.h"
#include "views/threads/thread_rows.h"
#include "widgets/arranging/layouts.h"
#include "widgets/context_menu.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/filter_line.h"
#include "widgets/state_panel.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

void addThreadCuts(QMenu& menu, Navigator& navigator, const engine::Snapshot& snapshot, engine::Address thread) {
  if (!thread || !snapshot.has(engine::Stage::Retained)) return;
  const engine::RootList& list = snapshot.roots();
  const auto owned = std::ranges::find(list.groups, thread, &engine::RootGroup::owner);
  if (owned == list.groups.end()) return;
  const auto group = static_cast<std::uint32_t>(owned - list.groups.begin());
  // References of frames, and what stands in where these are not known.
  std::vector<std::string> stack;
  for (std::uint32_t each = group + 1; each < list.groups.size(); ++each) {
    const engine::RootGroup& part = list.groups[each];
    if (part.parent == group && (part.name == engine::kStackGroup || part.name == engine::kInexactStackGroup))
      stack.push_back(engine::cutOfRootGroup(list, each));
  }
  if (!stack.empty()) {
    menu.addAction(symbolIcon(u"cut"_s), u"What if its whole stack were gone?"_s, &navigator, [&navigator, stack] {
      for (const std::string& cut : stack) navigator.cut(fromEngine(cut));
    });
  }
  addCut(menu, navigator, u"What if all that it holds were released?"_s, engine::cutOfRootGroup(list, group));
  menu.addSeparator();
}

namespace {

constexpr auto kStackPanelChannel = "threads.stack";
constexpr auto kLocalGroupsChannel = "threads.localGroups";
constexpr auto kLocalSetChannel = "threads.localSet";
constexpr int kByFrame = 0;
constexpr std::array kGroupFields{engine::ObjectField::Type, engine::ObjectField::Namespace, engine::ObjectField::Gen,
                                  engine::ObjectField::Value};
constexpr int kLateMs = 150;  // an answer that is here by then is not announced

}  // namespace

StackPanel::StackPanel(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_navigator(navigator),
      m_model(new StackModel(this)),
      m_tree(new QTreeView(this)),
      m_heading(new ElidedText(this)),
      m_problem(new ElidedText(this)),
      m_filter(new QLineEdit(this)),
      m_group(new GroupChoice(bridge, u"stackGroup"_s, u"locals"_s, this)),
      m_onlyMyCode(makeSwitch(u"stackOnlyMyCode"_s, u"Only my code"_s, u"Frames of .NET, in a row, become one line"_s)),
      m_native(
          makeSwitch(u"stackNative"_s, u"Native"_s, u"Frames of native code above and below those of managed code"_s)),
      m_allFrames(makeSwitch(u"stackAllFrames"_s, u"All frames"_s,
                             u"Frames that repeat one by one, not once with how often"_s)),
      m_locals(makeSwitch(u"stackLocals"_s, u"Locals"_s, u"Open the locals of all frames"_s)),
      m_registers(makeSwitch(u"stackRegisters"_s, u"Registers"_s,
                             u"What registers held: all of the thread, and those known of each frame"_s)),
      m_copy(new QToolButton(this)),
      m_late(new QTimer(this)),
      m_state(new StatePanel(this)),
      m_pages(new QStackedLayout) {
  setUpTree();
  addParts();
  connectParts();
  clear(false);
}

QToolButton* StackPanel::makeSwitch(const QString& name, const QString& text, const QString& tip) {
  auto* button = new QToolButton(this);
  button->setObjectName(name);
  button->setText(text);
  button->setToolTip(tip);
  button->setAccessibleName(text);
  button->setCheckable(true);
  button->setFocusPolicy(Qt::TabFocus);
  button->setMinimumHeight(std::max(26, fontMetrics().height() * 8 / 5));
  return button;
}

void StackPanel::setUpTree() {
  m_tree->setObjectName(u"stack"_s);
  m_tree->setAccessibleName(u"Stack"_s);
  m_tree->setModel(m_model);
  setUpFrameTree(m_tree, StackModel::NameColumn);
  QHeaderView* heading = m_tree->header();
  const int letter = fontMetrics().averageCharWidth();
  heading->resizeSection(StackModel::TypeColumn, letter * 26);
  heading->resizeSection(StackModel::ObjectColumn,
                         fontMetrics().horizontalAdvance(u"0x7f8888888888"_s) + 2 * kItemMargin + 8);
  heading->resizeSection(StackModel::PlaceColumn, letter * 32);
  heading->resizeSection(StackModel::ValueColumn, letter * 28);
  rememberColumns(heading, u"stack"_s);
  new StretchedSection(m_tree, heading, StackModel::NameColumn, letter * 44,
                       {StackModel::TypeColumn, StackModel::ValueColumn});
  new SeenValues(
      m_bridge, *m_tree,
      {StackModel::ValueColumn, [this](const QModelIndex& row) { return m_model->objectAt(row); }, m_model->values()});
}

void StackPanel::addParts() {
  m_heading->setObjectName(u"stackHeading"_s);
  m_heading->setElideMode(Qt::ElideRight);
  m_heading->setFont(scaledFont(font(), 1, QFont::DemiBold));
  m_problem->setObjectName(u"stackProblem"_s);
  m_problem->setWarning(true);
  m_problem->setElideMode(Qt::ElideRight);
  m_filter->setObjectName(u"stackFilter"_s);
  m_filter->setPlaceholderText(u"Filter frames and locals"_s);
  m_filter->setAccessibleName(u"Filter the frames and locals of the stack"_s);
  setUpFilter(m_filter);
  m_filter->setFixedWidth(fontMetrics().averageCharWidth() * 32);
  m_group->add(u"By frame"_s, kByFrame);
  for (const engine::ObjectField field : kGroupFields) m_group->add(field);
  m_group->addPrompt();
  m_group->setMinimumHeight(m_native->minimumHeight());
  m_group->setToolTip(u"How the locals are put together; sums count each object once"_s);
  m_copy->setObjectName(u"stackCopy"_s);
  m_copy->setIcon(symbolIcon(u"copy"_s));
  m_copy->setToolTip(u"Copy the whole stack as text"_s);
  m_copy->setAccessibleName(m_copy->toolTip());
  m_copy->setFocusPolicy(Qt::TabFocus);
  m_copy->setMinimumHeight(m_native->minimumHeight());

  auto* tools = new QWidget(this);
  auto* toolLine = new FlowLayout(tools);
  toolLine->addWidget(m_filter);
  toolLine->addWidget(m_group);
  for (QToolButton* button : {m_onlyMyCode, m_native, m_allFrames, m_locals, m_registers, m_copy})
    toolLine->addWidget(button);
  auto* line = new HeadLayout;
  line->addWidget(m_heading);
  line->addWidget(tools);
  auto* head = new QVBoxLayout;
  head->setContentsMargins(12, 8, 12, 8);
  head->setSpacing(6);
  head->addLayout(line);
  head->addWidget(m_problem);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(head);
  column->addLayout(m_pages, 1);
  m_pages->addWidget(m_state);
  m_pages->addWidget(m_tree);
  m_late->setSingleShot(true);
  m_late->setInterval(kLateMs);
  setFocusProxy(m_tree);
}

void StackPanel::connectParts() {
  connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
    m_model->setFilter(text);
    openMatches();
  });
  connect(m_onlyMyCode, &QToolButton::toggled, this, [this](bool isOn) {
    m_model->setOnlyMyCode(isOn);
    openMatches();
  });
  connect(m_allFrames, &QToolButton::toggled, this, [this](bool isOn) {
    m_model->setAllFrames(isOn);
    openMatches();
  });
  connect(m_locals, &QToolButton::toggled, this, &StackPanel::openMatches);
  connect(m_native, &QToolButton::toggled, this, &StackPanel::ask);
  connect(m_registers, &QToolButton::toggled, this, &StackPanel::ask);
  connect(m_group, &GroupChoice::chosen, this, &StackPanel::regroup);
  connect(m_copy, &QToolButton::clicked, this, &StackPanel::copy);
  connect(m_late, &QTimer::timeout, this, [this] {
    m_state->showLoading(u"Reading the stack"_s);
    m_pages->setCurrentWidget(m_state);
  });
  connect(m_tree->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &StackPanel::pick);
  connect(m_tree, &QAbstractItemView::activated, this, &StackPanel::follow);
  connect(m_tree, &QWidget::customContextMenuRequested, this, &StackPanel::openMenu);
}

void StackPanel::showWaiting(const QString& text) {
  clear(true);
  m_state->showLoading(text);
}

void StackPanel::clear(bool hasDump) {
  m_thread.reset();
  m_bridge.stopAsking(this, kStackPanelChannel);
  m_bridge.stopAsking(this, kLocalGroupsChannel);
  m_late->stop();
  m_model->show(nullptr);
  showHeading();
  if (hasDump) {
    m_state->showEmpty(u"No thread picked"_s, u"Pick a thread, and its stack is shown here."_s);
  } else {
    m_state->showEmpty(u"No dump is open"_s, u"Open a core dump to see the stacks of its threads."_s);
  }
  m_pages->setCurrentWidget(m_state);
}

void StackPanel::showThread(const engine::ThreadRow& thread) {
  const bool isOther = !m_thread || m_thread->address != thread.address;
  m_thread = thread;
  if (!isOther && m_model->stack()) {
    showHeading();
    return;
  }
  m_model->show(nullptr);
  m_problem->hide();
  showHeading();
  ask();
}

void StackPanel::ask() {
  if (!m_thread) return;
  if (!m_model->stack()) m_late->start();
  const engine::StackOptions options{.thread = m_thread->address,
                                     .native = m_native->isChecked(),
                                     .variables = true,
                                     .registers = m_registers->isChecked()};
  m_bridge.ask(
      this, kStackPanelChannel,
      [options](const engine::Snapshot& snapshot, std::stop_token stop) {
        return engine::listStacks(snapshot, options, stop);
      },
      [this, asked = m_thread->address](const engine::Outcome<engine::StackList>& answer) {
        if (m_thread && m_thread->address == asked) take(answer);
      });
}

void StackPanel::take(const engine::Outcome<engine::StackList>& answer) {
  m_late->stop();
  if (!answer && answer.error().isCancelled()) return;
  if (!answer) {
    m_model->show(nullptr);
    m_state->showFailed(u"The stack cannot be read"_s, fromEngine(answer.error().error().message()));
    m_pages->setCurrentWidget(m_state);
    return;
  }
  const auto isIt = [this](const engine::ThreadStackRow& stack) { return stack.thread == m_thread->address; };
  const auto found = std::ranges::find_if(answer->threads, isIt);
  showStack(found == answer->threads.end() ? nullptr : std::make_shared<const engine::ThreadStackRow>(*found));
}

void StackPanel::showStack(std::shared_ptr<const engine::ThreadStackRow> stack) {
  m_model->show(stack);
  showHeading();
  openMatches();
  regroup();
  if (stack && !stack->frames.empty()) {
    m_pages->setCurrentWidget(m_tree);
    return;
  }
  if (!m_thread->isAlive || !stack) {
    m_state->showEmpty(u"No stack"_s, m_thread->isAlive ? u"The dump holds no stack of this thread."_s
                                                        : u"The thread has ended; its stack is gone."_s);
  } else if (!stack->isComplete) {
    m_state->showEmpty(u"No stack"_s, fromEngine(stack->problem));
  } else {
    m_state->showEmpty(u"No managed frames"_s, u"The thread was not in managed code."_s);
    if (!m_native->isChecked()) m_state->setAction(u"Show its native frames"_s, [this] { m_native->setChecked(true); });
  }
  m_pages->setCurrentWidget(m_state);
}

void StackPanel::regroup() {
  m_bridge.stopAsking(this, kLocalGroupsChannel);
  const auto& stack = m_model->stack();
  if (!m_group->field() || !stack) {
    m_model->group(nullptr);
    openMatches();
    return;
  }
  m_bridge.ask(
      this, kLocalGroupsChannel,
      [stack, field = *m_group->field()](const engine::Snapshot& snapshot, std::stop_token stop) {
        return groupLocals(snapshot, *stack, field, std::move(stop));
      },
      [this, stack](engine::Outcome<std::vector<LocalGroup>> groups) {
        if (m_model->stack() != stack) return;
        if (groups) {
          m_model->group(std::make_shared<const std::vector<LocalGroup>>(std::move(*groups)));
          return openMatches();
        }
        if (groups.error().isCancelled()) return;
        m_state->showFailed(u"The locals cannot be grouped"_s, fromEngine(groups.error().error().message()));
        m_pages->setCurrentWidget(m_state);
      });
}

void StackPanel::showHeading() {
  const engine::ThreadStackRow* stack = m_model->stack().get();
  QString text;
  if (m_thread) text = u"Thread %1"_s.arg(threadText(m_thread->managedId, m_thread->name));
  if (stack && !stack->doing.empty()) text += u" · %1"_s.arg(fromEngine(stack->doing));
  m_heading->setText(text);
  m_tree->setAccessibleName(m_thread ? u"Stack of thread %1"_s.arg(m_thread->managedId) : u"Stack"_s);
  const bool hasFrames = stack && !stack->frames.empty();
  m_problem->setVisible(hasFrames && !stack->isComplete && !stack->gap);
  if (hasFrames) m_problem->setText(gapText(*stack));
  for (QWidget* part : std::initializer_list<QWidget*>{m_filter, m_group, m_onlyMyCode, m_locals, m_copy}) {
    part->setEnabled(hasFrames);
  }
  m_native->setEnabled(m_thread.has_value());
  m_registers->setEnabled(m_thread.has_value());
  m_allFrames->setVisible(m_model->hasRepeats());
}

// What the filter has found is of use only if it can be seen.
void StackPanel::openMatches() {
  spanGap();
  if (!m_filter->text().trimmed().isEmpty()) {
    m_tree->expandAll();
    return;
  }
  m_tree->collapseAll();
  if (!m_locals->isChecked()) return;
  // Structs and registers stay closed: they have more lines than all else.
  for (int row = 0; row < m_model->rowCount(); ++row) {
    const QModelIndex line = m_model->index(row, 0);
    if (m_model->isFrame(line)) m_tree->expand(line);
  }
}

void StackPanel::spanGap() {
  for (int row = 0; row < m_model->rowCount(); ++row)
    m_tree->setFirstColumnSpanned(row, {}, m_model->isGap(m_model->index(row, 0)));
}

void StackPanel::pick(const QModelIndex& index) {
  if (const engine::Address object = m_model->objectAt(index))
    m_navigator.select({.object = object, .methodTable = {}, .segment = {}});
  else if (const engine::FrameRow* frame = m_model->frameAt(index))
    m_navigator.tell(thingOf(*frame));
}

void StackPanel::follow(const QModelIndex& index) {
  if (const engine::Address object = m_model->objectAt(index)) {
    m_navigator.showObject(object);
    return;
  }
  const engine::FrameRow* frame = m_model->frameAt(index);
  if (frame && !frame->file.empty() && index.column() == StackModel::PlaceColumn) {
    openSource(this, fromEngine(frame->file), frame->line);
    return;
  }
  m_tree->setExpanded(index.siblingAtColumn(0), !m_tree->isExpanded(index.siblingAtColumn(0)));
}

void StackPanel::openMenu(const QPoint& position) {
  const QModelIndex index = m_tree->indexAt(position);
  if (!index.isValid()) return;
  const ContextMenu opened(this);
  QMenu& menu = *opened;
  const engine::FrameRow* frame = m_model->frameAt(index);
  if (const engine::Address object = m_model->objectAt(index))
    addSelectionLinks(menu, m_navigator, {.object = object, .methodTable = {}, .segment = {}});
  if (frame && frame->methodTable)
    addSelectionLinks(menu, m_navigator, {.object = {}, .methodTable = frame->methodTable, .segment = {}});
  addMemoryLinks(menu, index);
  addSetOf(menu, index);
  if (m_thread && m_bridge.snapshot()) addThreadCuts(menu, m_navigator, *m_bridge.snapshot(), m_thread->address);
  if (frame) addSourceLinks(menu, this, fromEngine(frame->file), frame->line);
  if (frame) addCopy(menu, u"Copy the frame's name"_s, frameName(*frame).text);
  addCopy(menu, u"Copy the whole stack"_s, stackAsText(*m_model->stack()));
  menu.addActions(m_tree->actions());
  menu.exec(m_tree->viewport()->mapToGlobal(position));
}

void StackPanel::addMemoryLinks(QMenu& menu, const QModelIndex& index) {
  const engine::Address at = m_model->memoryAt(index);
  addMemoryLink(menu, m_navigator, at);
  const engine::FrameRow* frame = m_model->frameAt(index);
  if (frame && frame->stackPointer != at) addMemoryLink(menu, m_navigator, frame->stackPointer);
  if (at || frame) menu.addSeparator();
}

void StackPanel::addSetOf(QMenu& menu, const QModelIndex& group) {
  const std::vector<engine::Address> objects = m_model->objectsOf(group);
  if (objects.empty() || !m_bridge.snapshot()) return;
  const QString name = group.siblingAtColumn(StackModel::NameColumn).data().toString();
  addSetLinks(menu, m_navigator, [this, objects, name](const std::function<void(const QString&)>& use) {
    m_bridge.ask(
        this, kLocalSetChannel,
        [objects](const engine::Snapshot& snapshot, std::stop_token stop) {
          return engine::idsOfSet(snapshot, {.objects = objects}, std::move(stop));
        },
        [this, use, name](engine::Outcome<std::vector<std::uint32_t>> ids) {
          if (ids && !ids->empty()) use(PickedSets::of(m_bridge).add(std::move(*ids), name));
        });
  });
  menu.addSeparator();
}

void StackPanel::copy() const {
  if (m_model->stack()) QGuiApplication::clipboard()->setText(stackAsText(*m_model->stack()));
}

void StackPanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) m_heading->setFont(scaledFont(font(), 1, QFont::DemiBold));
}

}  // namespace heapscape::gui
