// SPDX-License-Identifier: MIT
#include "views/threads/parallel_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QStackedLayout>
#include <QToolButton>
#include <algorithm>
#include <iterator>

#include "views/threads/frame_text.h"
#include "views/threads/stack_icicle.h"
#include "views/threads/thread_rows.h"
#include "widgets/arranging/layouts.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/picture_legend.h"
#include "widgets/legend_chip.h"
#include "widgets/section.h"
#include "widgets/state_panel.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

constexpr auto kParallelPanelChannel = "threads.parallel";
constexpr std::size_t kThreadsInFacts = 8;

FrameFamily familyOf(const engine::ParallelFrame& frame) {
  if (frame.isFolded) return FrameFamily::Folded;
  if (frame.kind != engine::FrameKind::Managed) return FrameFamily::Aside;
  switch (frame.owner) {
    case engine::CodeOwner::Own:
      return FrameFamily::Program;
    case engine::CodeOwner::Package:
      return FrameFamily::Package;
    case engine::CodeOwner::Framework:
      break;
  }
  return FrameFamily::Framework;
}

QStringList threadFacts(const engine::StackList& stacks, const engine::ParallelFrame& frame) {
  QStringList facts;
  for (std::size_t i = 0; i < std::min(frame.threads.size(), kThreadsInFacts); ++i) {
    const engine::ThreadStackRow& thread = stacks.threads[frame.threads[i]];
    facts << u"Thread %1"_s.arg(threadText(thread.managedId, thread.name));
  }
  if (frame.threads.size() > kThreadsInFacts) {
    facts << u"and %1 more"_s.arg(countText(frame.threads.size() - kThreadsInFacts));
  }
  return facts;
}

}  // namespace

std::vector<StackShape> stackShapes(const engine::StackList& stacks, const engine::ParallelStacks& parallel) {
  std::vector<StackShape> shapes;
  shapes.reserve(parallel.frames.size());
  for (const engine::ParallelFrame& frame : parallel.frames) {
    const QString name = frame.parent == engine::ParallelFrame::kNone ? u"All threads"_s : fromEngine(frame.name);
    const QString shorter = frame.kind == engine::FrameKind::Managed ? shortFrameName(frame.type, frame.method) : name;
    shapes.push_back({.parent = frame.parent,
                      .depth = frame.depth,
                      .count = frame.threads.size(),
                      .family = familyOf(frame),
                      .name = frame.isFolded ? name : shorter,
                      .fullName = name,
                      .facts = threadFacts(stacks, frame)});
  }
  return shapes;
}

ParallelPanel::ParallelPanel(EngineBridge& bridge, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_onlyMyCode(new QToolButton(this)),
      m_count(makeNote(QString(), this)),
      m_picture(new StackIcicle(this)),
      m_scroll(new QScrollArea(this)),
      m_state(new StatePanel(this)),
      m_pages(new QStackedLayout) {
  m_picture->setObjectName(u"parallelStacks"_s);
  m_picture->setAccessibleName(u"Parallel stacks"_s);
  m_scroll->setWidget(m_picture);
  m_scroll->setWidgetResizable(true);
  m_scroll->setFrameShape(QFrame::NoFrame);
  m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(buildHead());
  column->addLayout(m_pages, 1);
  m_pages->addWidget(m_state);
  m_pages->addWidget(m_scroll);
  setFocusProxy(m_picture);
  connect(m_onlyMyCode, &QToolButton::toggled, this, [this] {
    tell(0);
    lay();
  });
  connect(m_picture, &StackIcicle::focusChanged, this, &ParallelPanel::tell);
  clear();
}

QWidget* ParallelPanel::buildHead() {
  m_onlyMyCode->setObjectName(u"parallelOnlyMyCode"_s);
  m_onlyMyCode->setText(u"Only my code"_s);
  m_onlyMyCode->setAccessibleName(m_onlyMyCode->text());
  m_onlyMyCode->setToolTip(u"Frames of .NET, in a row, become one"_s);
  m_onlyMyCode->setCheckable(true);
  m_onlyMyCode->setFocusPolicy(Qt::TabFocus);
  m_onlyMyCode->setMinimumHeight(std::max(26, fontMetrics().height() * 8 / 5));
  m_count->setObjectName(u"parallelCount"_s);
  auto* head = new QWidget(this);
  auto* line = new QHBoxLayout(head);
  line->setContentsMargins(12, 8, 12, 8);
  line->setSpacing(12);
  line->addWidget(m_onlyMyCode);
  line->addWidget(m_count);
  line->addStretch(1);
  for (const FrameFamily family :
       {FrameFamily::Program, FrameFamily::Package, FrameFamily::Framework, FrameFamily::Aside}) {
    line->addWidget(new LegendChip(
        frameFamilyText(family),
        [family](const Colours& colours) { return ChipSample{.fill = frameFamilyBrush(family, colours)}; }, head));
  }
  setPictureLegend(m_picture, head);
  return head;
}

void ParallelPanel::clear() {
  m_bridge.stopAsking(this, kParallelPanelChannel);
  m_stacks.reset();
  m_parallel.reset();
  m_picture->clear();
  m_count->clear();
  m_state->showEmpty(u"No dump is open"_s, u"Open a core dump to see what its threads were doing."_s);
  m_pages->setCurrentWidget(m_state);
}

void ParallelPanel::showWaiting(const QString& text) {
  m_state->showLoading(text);
  m_pages->setCurrentWidget(m_state);
}

void ParallelPanel::showFailure(const engine::Error& error) {
  m_state->showFailed(u"The stacks cannot be read"_s, fromEngine(error.message()));
  m_pages->setCurrentWidget(m_state);
}

void ParallelPanel::show(Stacks stacks) {
  m_stacks = std::move(stacks);
  lay();
}

void ParallelPanel::lay() {
  if (!m_stacks) return;
  const auto query = [stacks = m_stacks, onlyMyCode = m_onlyMyCode->isChecked()](std::stop_token) {
    return std::make_shared<const engine::ParallelStacks>(engine::parallelStacks(*stacks, {.onlyMyCode = onlyMyCode}));
  };
  m_bridge.compute(this, kParallelPanelChannel, query, [this](std::shared_ptr<const engine::ParallelStacks> parallel) {
    if (!m_stacks) return;
    m_parallel = std::move(parallel);
    m_picture->show(stackShapes(*m_stacks, *m_parallel), u"thread"_s);
    const auto hasFrames = [](const engine::ThreadStackRow& stack) { return !stack.frames.empty(); };
    const auto read = std::ranges::count_if(m_stacks->threads, hasFrames);
    m_count->setText(countedText(m_stacks->threads.size(), u"thread"_s));
    if (read > 0) return m_pages->setCurrentWidget(m_scroll);
    m_state->showEmpty(u"No stacks"_s, u"The dump holds no stack with frames of managed code."_s);
    m_pages->setCurrentWidget(m_state);
  });
}

void ParallelPanel::showAll() {
  m_picture->setFocusShape(0);
}

// With .NET's frames folded there are other shapes.
std::uint32_t ParallelPanel::zoomStep() const {
  const std::uint32_t shape = m_picture->focusShape();
  return shape == 0 ? 0 : shape * 2 + (m_onlyMyCode->isChecked() ? 1 : 0);
}

void ParallelPanel::goToStep(std::uint32_t step) {
  if (step == zoomStep()) return;
  const bool isOfThese = (step % 2 != 0) == m_onlyMyCode->isChecked();
  const std::uint32_t shape = isOfThese ? step / 2 : 0;
  if (shape == m_picture->focusShape() || shape >= m_picture->shapes().size()) return;
  m_picture->setFocusShape(shape);
  tell(shape);
}

void ParallelPanel::tell(std::uint32_t shape) {
  if (!m_parallel || shape >= m_parallel->frames.size()) return;
  std::vector<engine::Address> threads;
  if (shape != 0) {
    for (const std::uint32_t thread : m_parallel->frames[shape].threads) {
      threads.push_back(m_stacks->threads[thread].thread);
    }
  }
  Q_EMIT threadsWanted(shape == 0 ? QString() : m_picture->shapes()[shape].name, threads);
}

}  // namespace heapscape::gui
