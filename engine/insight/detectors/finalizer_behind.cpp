// SPDX-License-Identifier: MIT
#include "insight/detectors/detectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/figures.h"
#include "insight/detectors/ready_queue.h"
#include "runtime/threads/threads.h"
#include "session/objects/object_query.h"
#include "session/stacks/parallel_stacks.h"
#include "session/threads/thread_waits.h"

namespace heapscape::engine {
namespace {

/// Tells of a finalizer thread that does not keep up: objects wait for it though it has something in hand, and what
/// that is. One insight; the bytes are what nothing but the queue holds.
class FinalizerBehind : public Detector {
 public:
  std::vector<InsightKind> kinds() const override { return {InsightKind::FinalizerBehind}; }
  Outcome<void> find(const InsightInput& input, FoundInsights& found, FindingList& findings, StageProgress& progress,
                     std::stop_token stop) override;

  static constexpr std::size_t kManyReady = 100;  // a collection leaves some, which are soon done with
  static constexpr std::size_t kSomeReady = 10;   // if the thread waits for a lock
};

constexpr std::size_t kShownTypes = 10;

struct FinalizerState {
  Address thread;     // of the runtime's Thread; 0 if it is not known
  std::string lock;   // type and address of the object whose monitor it waits to enter; empty if of none
  std::string owner;  // who holds that
};

FinalizerState stateOf(const Snapshot& snapshot) {
  const RuntimeReaders& readers = *snapshot.contents().readers;
  FinalizerState state;
  FindingList known;  // opening has told of them
  for (const RuntimeThread& thread : readThreads(readers.runtime, known)) {
    const ThreadDetails details = readThreadDetails(readers, thread);
    if (!details.isFinalizer) continue;
    state.thread = thread.address;
    const auto list = readStacks(snapshot, {.thread = thread.address}, {});
    ThreadWaits waits(snapshot);
    const SyncBlock* block = list && !list->threads.empty() ? waits.awaitedMonitor(list->threads.front()) : nullptr;
    if (!block) break;
    state.lock = fmt::format("{} at {}", referredObject(snapshot, block->object).typeName, toString(block->object));
    if (block->isHeld) state.owner = fmt::format("thread {}", block->holderManagedId);
    if (block->hasHolderEnded) state.owner = "a thread that has ended";
    break;
  }
  return state;
}

class QueueReader {
 public:
  explicit QueueReader(const InsightInput& input) : m_input(input), m_heap(input) {}

  void find(FoundInsights& all) {
    const std::vector<std::uint32_t> ready = readyObjects();
    if (ready.size() < FinalizerBehind::kSomeReady) return;
    const FinalizerState state = stateOf(m_input.snapshot);
    if (ready.size() < FinalizerBehind::kManyReady && state.lock.empty()) return;
    FoundInsight found;
    Insight& insight = found.insight;
    insight.kind = InsightKind::FinalizerBehind;
    insight.meaning = InsightMeaning::Leak;
    insight.title =
        fmt::format("{} {} for the finalizer thread{}", countOf(ready.size(), "object"),
                    ready.size() == 1 ? "waits" : "wait", state.lock.empty() ? "" : ", which waits for a lock");
    insight.subject = "finalizer thread";
    insight.advice = state.lock.empty()
                         ? "Dispose of objects rather than leaving them to finalizers, and keep finalizers short."
                         : "A finalizer must not wait: take no lock in it that others hold for long.";
    insight.objects = ready.size();
    insight.ids = ready;
    found.dominating = ReadyQueue(m_heap).tops();
    for (const std::uint32_t top : found.dominating) insight.bytes += m_heap.retainedBytesOf(top);
    addState(state, insight);
    addObjects(ready, insight);
    all.insights.push_back(std::move(found));
  }

 private:
  /// Each once.
  std::vector<std::uint32_t> readyObjects() const {
    std::vector<std::uint32_t> objects;
    for (const RootRow& root : m_heap.contents().retention->roots.roots) {
      const std::uint32_t object =
          root.kind == RootKind::FinalizerReady ? m_heap.objectAt(root.object) : HeapObjects::kNone;
      if (object != HeapObjects::kNone) objects.push_back(object);
    }
    std::ranges::sort(objects);
    objects.erase(std::ranges::unique(objects).begin(), objects.end());
    return objects;
  }

  void addState(const FinalizerState& state, Insight& insight) const {
    if (!state.lock.empty()) {
      insight.facts.push_back({"The finalizer thread waits for", state.lock});
      if (!state.owner.empty()) insight.facts.push_back({"Which is held by", state.owner});
    }
    const auto list = listStacks(m_input.snapshot, {.thread = state.thread}, {});
    if (state.thread && list && !list->threads.empty()) addStack(list->threads.front(), insight);
  }

  void addStack(const ThreadStackRow& stack, Insight& insight) const {
    insight.facts.push_back({"The finalizer thread", activityOf(stack)});
    const auto own = std::ranges::find_if(stack.frames, isMyCode);
    if (own == stack.frames.end()) return;
    insight.facts.push_back({"It runs", nameOf(*own)});
    for (std::uint32_t i = own->firstRoot; i < own->firstRoot + own->rootCount; ++i) {
      const std::uint32_t object = m_heap.objectAt(stack.roots[i].object);
      if (object == HeapObjects::kNone || !hasFinalizer(object)) continue;
      insight.facts.push_back(
          {"In hand", fmt::format("{} at {}", m_heap.typeNameOf(object), toString(stack.roots[i].object))});
      return;
    }
  }

  bool hasFinalizer(std::uint32_t object) const {
    const auto type = m_heap.readers().methodTables.read(m_heap.typeRowOf(object).methodTable);
    return type && type->flags & m_heap.readers().runtime.contract().constant("MTFlags.HasFinalizer");
  }

  void addObjects(const std::vector<std::uint32_t>& ready, Insight& insight) const {
    std::map<std::uint32_t, InsightOwner> byType;
    for (const std::uint32_t object : ready) {
      const std::uint64_t bytes = m_heap.retainedBytesOf(object);
      const TypeRow& row = m_heap.typeRowOf(object);
      insight.items.push_back({m_heap.addressOf(object), bytes, row.name});
      InsightOwner& type = byType[m_heap.typeOf(object).value];
      type.kind = InsightOwner::Kind::Type;
      type.name = row.name;
      type.methodTable = row.methodTable;
      ++type.objects;
      type.bytes += bytes;
    }
    keepCostliest(insight.items);
    for (auto& [type, owner] : byType) insight.owners.push_back(std::move(owner));
    std::ranges::stable_sort(insight.owners, std::greater(), &InsightOwner::objects);
    if (!insight.owners.empty()) insight.methodTable = insight.owners.front().methodTable;
    for (std::size_t i = 0; i < std::min(insight.owners.size(), kShownTypes); ++i)
      insight.facts.push_back({insight.owners[i].name, countOf(insight.owners[i].objects, "object")});
    if (insight.owners.size() > Insight::kMaximumOwners) insight.owners.resize(Insight::kMaximumOwners);
  }

  const InsightInput& m_input;
  HeapObjects m_heap;
};

}  // namespace

Outcome<void> FinalizerBehind::find(const InsightInput& input, FoundInsights& found, FindingList&,
                                    StageProgress& progress, std::stop_token) {
  QueueReader(input).find(found);
  progress.report(1);
  return {};
}

std::unique_ptr<Detector> makeFinalizerBehind() {
  return std::make_unique<FinalizerBehind>();
}

}  // namespace heapscape::engine
