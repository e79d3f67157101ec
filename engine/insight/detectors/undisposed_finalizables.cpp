// SPDX-License-Identifier: MIT
#include "insight/detectors/detectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/figures.h"
#include "base/large_array.h"
#include "base/progress.h"
#include "heap/object_head.h"
#include "insight/detectors/ready_queue.h"
#include "insight/heap_objects.h"
#include "runtime/gc/finalizer_queue.h"
#include "runtime/types/method_tables.h"

namespace heapscape::engine {
namespace {

/// Finds objects that nobody disposed of: they can be disposed and have a finalizer that was not suppressed, yet
/// nothing holds them any more, or only the queue of the finalizer thread. One insight for each type, and another for
/// those in gen0, which are common garbage and no leak. The bytes are those that disposing would have freed at once:
/// all that only these objects lead to, and that has to wait for their finalizers. An object that another undisposed
/// one leads to is in that one's share, and not counted itself.
class UndisposedFinalizables : public Detector {
 public:
  std::vector<InsightKind> kinds() const override { return {InsightKind::UndisposedFinalizables}; }
  Outcome<void> find(const InsightInput& input, FoundInsights& found, FindingList& findings, StageProgress& progress,
                     std::stop_token stop) override;

  // In use, of one type: worth a look.
  static constexpr std::size_t kManyLive = 100;
  static constexpr std::size_t kManyLiveOfFramework = 1000;
};

constexpr std::uint8_t kPending = 1;  // undisposed, and held by nothing
constexpr std::uint8_t kNested = 2;   // another undisposed object leads to it
constexpr std::uint8_t kVisited = 4;

using ByType = std::map<std::uint32_t, std::vector<std::uint32_t>>;  // ObjectIds by TypeId

class UndisposedFinder {
 public:
  UndisposedFinder(const InsightInput& input, std::stop_token stop)
      : m_input(input),
        m_heap(input),
        m_ready(m_heap),
        m_stop(std::move(stop)),
        m_marks(m_heap.graph().objectCount()) {}

  Outcome<void> find(FoundInsights& found, FindingList& findings) {
    if (!readQueues(findings)) return tl::unexpected(Unfinished::cancelled());
    ByType pending;
    for (const std::uint32_t object : m_pending) pending[m_heap.typeOf(object).value];  // types that have any
    if (!findNested()) return tl::unexpected(Unfinished::cancelled());
    for (const std::uint32_t object : m_pending) {
      if (!(m_marks[object] & kNested)) pending[m_heap.typeOf(object).value].push_back(object);
    }
    for (auto& [type, objects] : pending) {
      const auto young =
          std::ranges::stable_partition(objects, [this](std::uint32_t object) { return !isYoung(object); });
      const std::vector<std::uint32_t> dropped(young.begin(), young.end());
      objects.erase(young.begin(), young.end());
      for (const std::vector<std::uint32_t>* some : {&std::as_const(objects), &dropped}) {
        if (!some->empty() && !addPending(type, *some, found)) return tl::unexpected(Unfinished::cancelled());
      }
    }
    for (const auto& [type, objects] : m_live) addLive(type, objects, found);
    return {};
  }

 private:
  bool readQueues(FindingList& findings) {
    const ClrRuntime& runtime = m_heap.readers().runtime;
    const auto finalizerRun = static_cast<std::uint32_t>(runtime.contract().constant("Header.FinalizerRun"));
    std::size_t steps = 0;
    for (const FinalizableObject& entry : readFinalizerQueues(runtime, *m_heap.contents().gc, findings)) {
      if (++steps % kStopInterval == 0 && m_stop.stop_requested()) return false;
      const std::uint32_t object = m_heap.objectAt(entry.object);
      std::uint32_t header = 0;
      m_heap.memory().tryRead(entry.object - kHeaderDistance, header);
      if (object == HeapObjects::kNone || m_heap.typeOf(object).isNone() || header & finalizerRun) continue;
      if (!isDisposable(m_heap.typeOf(object))) continue;
      if (isWaiting(object)) {
        m_marks[object] |= kPending;
        m_pending.push_back(object);
      } else if (entry.queue == FinalizerQueueKind::Registered) {
        m_live[m_heap.typeOf(object).value].push_back(object);
      }
    }
    return true;
  }

  bool isDisposable(TypeId type) {
    const auto [entry, isNew] = m_isDisposable.try_emplace(type.value);
    if (!isNew) return entry->second;
    const auto methodTable = m_heap.readers().methodTables.read((*m_heap.contents().types)[type.value].methodTable);
    if (!methodTable) return false;
    const auto map = readInterfaceMap(m_heap.readers().runtime, *methodTable);
    entry->second = map && std::ranges::any_of(map->interfaces, [this](Address type) {
                      return m_heap.readers().names.nameOf(type) == "System.IDisposable";
                    });
    return entry->second;
  }

  /// Visits what leads on from an object and has not been visited; false if it was stopped.
  template <class Visit>
  bool visitFrom(std::uint32_t start, Visit visit) {
    const ReferenceGraph& graph = m_heap.graph();
    std::vector<std::uint32_t> waiting{start};
    while (!waiting.empty()) {
      const std::uint32_t object = waiting.back();
      waiting.pop_back();
      if (++m_steps % kStopInterval == 0 && m_stop.stop_requested()) return false;
      for (const std::uint32_t target : graph.targetsOf(object)) {
        if (isWaiting(target) && visit(target)) waiting.push_back(target);
      }
    }
    return true;
  }

  /// Whether nothing holds an object but perhaps the queue of those ready to be finalized.
  bool isWaiting(std::uint32_t object) const {
    return !m_heap.isReachable(object) || m_ready.contains(m_heap.tree().numberOf(object));
  }

  bool findNested() {
    for (const std::uint32_t top : m_pending) {
      if (m_marks[top] & (kVisited | kNested)) continue;
      m_marks[top] |= kVisited;
      const bool isDone = visitFrom(top, [&](std::uint32_t target) {
        if (target == top) return false;
        if (m_marks[target] & kPending) m_marks[target] |= kNested;
        const bool isNew = !(m_marks[target] & kVisited);
        m_marks[target] |= kVisited;
        return isNew;
      });
      if (!isDone) return false;
    }
    return true;
  }

  bool addPending(std::uint32_t type, const std::vector<std::uint32_t>& objects, FoundInsights& all) {
    const TypeRow& row = (*m_heap.contents().types)[type];
    FoundInsight found;
    Insight& insight = found.insight;
    insight.kind = InsightKind::UndisposedFinalizables;
    const bool areYoung = isYoung(objects.front());
    insight.meaning = areYoung ? InsightMeaning::Held : InsightMeaning::Leak;
    insight.title =
        fmt::format("{} {} {}", countOf(objects.size(), row.name + " object"), objects.size() == 1 ? "was" : "were",
                    areYoung ? "dropped in gen0 without being disposed of" : "never disposed of");
    insight.subject = row.name;
    insight.advice =
        areYoung ? "Garbage that the next collection finds, and not a leak; disposing of them (using) spares it their "
                   "finalizers, for which they and all that they refer to outlive it."
                 : "Dispose of them (using): what waits for a finalizer, and all that it refers to, outlives the "
                   "next collection for nothing.";
    insight.methodTable = row.methodTable;
    insight.objects = objects.size();
    insight.ids = objects;
    std::ranges::sort(insight.ids);
    std::vector<bool> isCounted(m_heap.graph().objectCount());
    for (const std::uint32_t object : objects) {
      std::uint64_t bytes = 0;
      const auto count = [&](std::uint32_t target) {
        if (isCounted[target]) return false;
        isCounted[target] = true;
        if (!areYoung) found.claims.push_back({target, m_heap.graph().units[target]});
        bytes += m_heap.graph().bytesOf(target);
        return true;
      };
      if (count(object) && !visitFrom(object, count)) return false;
      insight.bytes += bytes;
      insight.items.push_back({m_heap.addressOf(object), bytes, isReady(object) ? "ready to be finalized" : ""});
    }
    keepCostliest(insight.items);
    insight.owners.push_back({InsightOwner::Kind::Unreachable, "nothing", {}, {}, insight.objects, insight.bytes});
    all.insights.push_back(std::move(found));
    return true;
  }

  bool isReady(std::uint32_t object) const { return m_heap.isReachable(object); }

  /// Garbage that no collection has come by yet.
  bool isYoung(std::uint32_t object) const {
    const SegmentId segment = m_heap.contents().heap->index.segmentOf(ObjectId{object});
    return !isReady(object) &&
           (*m_heap.contents().segments)[segment.value].generationOf(m_heap.addressOf(object)) == Generation::Gen0;
  }

  void addLive(std::uint32_t type, const std::vector<std::uint32_t>& objects, FoundInsights& all) const {
    const bool isOwn = m_input.ownership.isOwnType({type});
    if (objects.size() < (isOwn ? UndisposedFinalizables::kManyLive : UndisposedFinalizables::kManyLiveOfFramework))
      return;
    const TypeRow& row = (*m_heap.contents().types)[type];
    FoundInsight found;
    Insight& insight = found.insight;
    insight.kind = InsightKind::UndisposedFinalizables;
    insight.meaning = InsightMeaning::Held;
    insight.title = fmt::format("{} with a finalizer are in use and not disposed of",
                                countOf(objects.size(), row.name + " object"));
    insight.subject = row.name;
    insight.advice = "Nothing is wrong with objects in use; look whether all of them still are.";
    insight.methodTable = row.methodTable;
    insight.isFramework = !isOwn;
    insight.objects = objects.size();
    insight.ids = objects;
    std::ranges::sort(insight.ids);
    for (const std::uint32_t object : objects) {
      insight.items.push_back({m_heap.addressOf(object)});
      if (insight.items.size() == Insight::kMaximumItems) break;
    }
    all.insights.push_back(std::move(found));
  }

  const InsightInput& m_input;
  HeapObjects m_heap;
  ReadyQueue m_ready;
  std::stop_token m_stop;
  LargeArray<std::uint8_t> m_marks;  // by ObjectId; few have any
  std::vector<std::uint32_t> m_pending;
  ByType m_live;
  std::map<std::uint32_t, bool> m_isDisposable;  // by TypeId
  std::size_t m_steps = 0;
};

}  // namespace

Outcome<void> UndisposedFinalizables::find(const InsightInput& input, FoundInsights& found, FindingList& findings,
                                           StageProgress& progress, std::stop_token stop) {
  HEAPSCAPE_CHECK(UndisposedFinder(input, std::move(stop)).find(found, findings));
  progress.report(1);
  return {};
}

std::unique_ptr<Detector> makeUndisposedFinalizables() {
  return std::make_unique<UndisposedFinalizables>();
}

}  // namespace heapscape::engine
