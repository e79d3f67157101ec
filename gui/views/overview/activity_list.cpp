// SPDX-License-Identifier: MIT
#include "views/overview/activity_list.h"

#include <QVBoxLayout>
#include <algorithm>

#include "models/lacking_heap.h"
#include "session/threads/thread_waits.h"
#include "widgets/bar_row.h"
#include "widgets/section.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

// The threads' number, its share as a bar, and what they were doing.
BarLine lineOf(const engine::ActivityGroup& group, std::uint64_t all) {
  const std::uint64_t threads = group.threads.size();
  const QString doing = fromEngine(group.doing);
  const QString tip = u"%1: %2"_s.arg(countedText(threads, u"thread"_s), doing);
  return {.text = doing,
          .figures = {{.text = countText(threads), .room = threads < 1000 ? u"888"_s : QString()}},
          .share = all == 0 ? 0 : static_cast<double>(threads) / static_cast<double>(all),
          .tip = tip,
          .spoken = tip};
}

constexpr auto kActivityListChannel = "overview.activities";
constexpr std::size_t kMostLines = 8;

}  // namespace

ActivityList::ActivityList(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent), m_bridge(bridge), m_navigator(navigator), m_lines(new QVBoxLayout(this)) {
  m_lines->setContentsMargins(0, 0, 0, 0);
  m_lines->setSpacing(0);
  setObjectName(u"activities"_s);
}

void ActivityList::removeLines() {
  while (QLayoutItem* item = m_lines->takeAt(0)) {
    // One of them may be what was just clicked.
    if (item->widget()) item->widget()->hide();
    if (item->widget()) item->widget()->deleteLater();
    delete item;
  }
}

void ActivityList::say(const QString& text) {
  removeLines();
  m_lines->addWidget(makeNote(text, this));
}

void ActivityList::clear() {
  m_bridge.stopAsking(this, kActivityListChannel);
  m_groups.clear();
  say(u"Waiting for the objects of the heap"_s);
}

void ActivityList::showSnapshot(const engine::Snapshot& snapshot) {
  const bool hasNoHeap = lacksHeap(snapshot);
  if (snapshot.stage() != engine::Stage::Objects && !hasNoHeap) return;
  say(u"Reading the stacks"_s);
  using Groups = engine::Outcome<std::vector<engine::ActivityGroup>>;
  const auto query = [](const engine::Snapshot& open, std::stop_token stop) -> Groups {
    HEAPSCAPE_TRY(const engine::StackList stacks, engine::listStacks(open, {.roots = false}, stop));
    return engine::activitiesOf(stacks);
  };
  m_bridge.ask(this, kActivityListChannel, query, [this](Groups groups) {
    if (groups) return show(std::move(*groups));
    if (!groups.error().isCancelled()) say(fromEngine(groups.error().error().message()));
  });
}

void ActivityList::show(std::vector<engine::ActivityGroup> groups) {
  m_groups = std::move(groups);
  if (m_groups.empty()) {
    say(u"The dump holds no stack of the runtime's threads."_s);
    return;
  }
  removeLines();
  std::uint64_t all = 0;
  for (const engine::ActivityGroup& group : m_groups) all += group.threads.size();
  for (std::size_t i = 0; i < std::min(m_groups.size(), kMostLines); ++i) {
    const engine::ActivityGroup& group = m_groups[i];
    auto* row = new BarRow(lineOf(group, all), this);
    row->setObjectName(u"activity%1"_s.arg(i));
    connect(row, &QAbstractButton::clicked, this, [this, activity = ActivityKey{group.doing}] {
      m_navigator.showListed(PlaceId::Threads, activity, m_navigator.location().selection);
    });
    m_lines->addWidget(row);
  }
  if (m_groups.size() > kMostLines) {
    std::uint64_t rest = 0;
    for (std::size_t i = kMostLines; i < m_groups.size(); ++i) rest += m_groups[i].threads.size();
    m_lines->addWidget(makeNote(u"and %1 that do something else"_s.arg(countedText(rest, u"thread"_s)), this));
  }
}

}  // namespace heapscape::gui
