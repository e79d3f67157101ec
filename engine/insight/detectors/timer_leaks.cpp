// SPDX-License-Identifier: MIT
#include "insight/detectors/detectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/figures.h"
#include "insight/detectors/async_machines.h"
#include "layout/framework_assembly.h"

namespace heapscape::engine {
namespace {

/// Finds timers that still tick and that nobody could stop any more: only the runtime's own list of timers, and what
/// the timers' callbacks hold, leads to them. One insight for each callback method. The bytes are what would be freed
/// if these timers left that list. Of timers that the program still holds many are worth a look; there the bytes are
/// what they hold alone, their Timer objects included.
class TimerLeaks : public Detector {
 public:
  std::vector<InsightKind> kinds() const override { return {InsightKind::TimerLeak}; }
  Outcome<void> find(const InsightInput& input, FoundInsights& found, FindingList& findings, StageProgress& progress,
                     std::stop_token stop) override;

  static constexpr std::size_t kManyTimers = 10;         // with one callback; fewer are held rather than leaked
  static constexpr std::size_t kManyInUse = 100;         // that could be stopped
  static constexpr std::size_t kManyOfFramework = 1000;  // with a callback of .NET itself, as time-outs have it
};

// TimerQueueTimer's due time once it has left the list (Timer.cs, .NET 8 to 10).
constexpr std::uint32_t kNever = 0xffffffff;

struct ScheduledTimer {
  std::uint32_t timer = 0;  // ObjectId of the TimerQueueTimer
  std::uint32_t callback = HeapObjects::kNone;
  std::uint32_t subject = HeapObjects::kNone;  // what the callback is called on, or the state that it is given
  std::uint32_t periodMilliseconds = kNever;
};

class TimerFinder {
 public:
  TimerFinder(const InsightInput& input, std::stop_token stop)
      : m_input(input),
        m_heap(input),
        m_delegates(m_heap),
        m_machines(input, m_heap, m_delegates),
        m_roots(m_heap.rootObjects()),
        m_parts(m_heap.partsFinder(m_roots)),
        m_stop(std::move(stop)) {}

  Outcome<void> find(FoundInsights& found) {
    m_timerTypes = m_heap.typesNamed("System.Threading.TimerQueueTimer");
    m_queueTypes = m_heap.typesNamed("System.Threading.TimerQueue");
    if (m_timerTypes.empty()) return {};
    readHolders();
    std::map<std::string, std::vector<ScheduledTimer>> groups;
    for (const std::uint32_t timer : m_input.objectsOf(m_timerTypes)) {
      const auto scheduled = read(timer);
      if (!scheduled) continue;
      m_all.push_back(timer);
      groups[nameOf(*scheduled)].push_back(*scheduled);
    }
    for (const auto& [method, timers] : groups) {
      if (!method.empty()) HEAPSCAPE_CHECK(judge(method, timers, found));
    }
    return {};
  }

 private:
  // A Timer that the program dropped takes its TimerHolder with it, whose finalizer stops the timer.
  void readHolders() {
    const auto holders = m_heap.typesNamed("System.Threading.TimerHolder");
    if (holders.empty()) return;
    for (const std::uint32_t holder : m_input.objectsOf(holders)) {
      const std::uint32_t timer = m_heap.reference(holder, "_timer");
      if (timer == HeapObjects::kNone) continue;
      m_isDropped[timer] = !m_heap.isReachable(holder);
      m_handles.emplace(timer, holder);
    }
    for (const std::uint32_t object : m_input.objectsOf(m_heap.typesNamed("System.Threading.Timer"))) {
      const std::uint32_t holder = m_heap.reference(object, "_timer");
      const std::uint32_t timer =
          holder == HeapObjects::kNone ? HeapObjects::kNone : m_heap.reference(holder, "_timer");
      if (timer != HeapObjects::kNone) m_handles.emplace(timer, object);
    }
  }

  std::optional<ScheduledTimer> read(std::uint32_t timer) {
    const auto due = m_heap.number<std::uint32_t>(timer, "_dueTime");
    const auto isCancelled = m_heap.number<std::uint8_t>(timer, "_canceled");
    const auto dropped = m_isDropped.find(timer);
    if (!due || *due == kNever || isCancelled.value_or(0) || (dropped != m_isDropped.end() && dropped->second))
      return std::nullopt;
    ScheduledTimer scheduled{.timer = timer};
    scheduled.periodMilliseconds = m_heap.number<std::uint32_t>(timer, "_period").value_or(kNever);
    scheduled.callback = m_heap.reference(timer, "_timerCallback");
    if (scheduled.callback != HeapObjects::kNone) findSubject(scheduled);
    return scheduled;
  }

  void findSubject(ScheduledTimer& timer) {
    timer.subject = m_delegates.targetOf(timer.callback);
    // System.Timers.Timer has a callback of its own that calls the event's.
    if (timer.subject != HeapObjects::kNone && m_heap.typeNameOf(timer.subject) == "System.Timers.Timer") {
      const std::uint32_t handler = m_heap.reference(timer.subject, "_onIntervalElapsed");
      if (handler != HeapObjects::kNone) timer.callback = handler;
      if (handler != HeapObjects::kNone) timer.subject = m_delegates.targetOf(handler);
    }
    const bool isTold = timer.subject != HeapObjects::kNone && !m_heap.isFramework(timer.subject) &&
                        !isSharedLambdas(m_heap.typeNameOf(timer.subject));
    const std::uint32_t state = isTold ? HeapObjects::kNone : m_heap.reference(timer.timer, "_state");
    if (state == HeapObjects::kNone) return;
    timer.subject = state;
    // What waits for a PeriodicTimer's next tick is an async method, most often.
    if (m_heap.typeNameOf(state) != "System.Threading.PeriodicTimer+State") return;
    const std::uint32_t waiting = m_heap.innerReference(state, "_mrvtsc", "_continuationState");
    if (m_machines.isBox(waiting)) timer.subject = waiting;
  }

  /// By code first: naming a method takes long.
  std::string nameOf(const ScheduledTimer& timer) {
    if (timer.callback == HeapObjects::kNone) return {};
    if (m_machines.isBox(timer.subject)) return m_machines.methodOf(timer.subject);
    const auto [name, isNew] = m_names.try_emplace(m_delegates.codeOf(timer.callback));
    if (isNew) name->second = m_delegates.methodOf(timer.callback);
    // Waiters for Task.Delay are shown as async methods.
    return name->second.starts_with("System.Threading.Tasks.") ? std::string() : name->second;
  }

  /// All other timers: they would be linked with each other.
  std::vector<std::uint32_t> othersThan(const std::vector<std::uint32_t>& members) const {
    std::vector<bool> isMember(m_heap.graph().objectCount());
    for (const std::uint32_t member : members) isMember[member] = true;
    std::vector<std::uint32_t> others;
    for (const std::uint32_t timer : m_all) {
      if (!isMember[timer]) others.push_back(timer);
    }
    return others;
  }

  /// Objects freed if these timers leave the runtime's list.
  Outcome<RetainedParts> partsOf(const std::vector<ScheduledTimer>& timers) {
    std::vector<std::uint32_t> members;
    for (const ScheduledTimer& timer : timers) members.push_back(timer.timer);
    const std::vector<std::uint32_t> kept = othersThan(members);
    const auto isOfQueue = [this](std::uint32_t holder, std::uint32_t) {
      if (holder == kNone) return false;  // roots keep what they refer to
      const TypeId type = m_heap.typeOf(holder);
      return type == m_timerTypes.front() || (!m_queueTypes.empty() && type == m_queueTypes.front());
    };
    auto parts = m_parts.without({members, kept, isOfQueue}, m_stop);
    if (!parts) return tl::unexpected(Unfinished::cancelled());
    return std::move(*parts);
  }

  /// Objects freed if the program lets go of them, too.
  Outcome<RetainedParts> partsInUse(const std::vector<ScheduledTimer>& timers) {
    std::vector<std::uint32_t> members;
    for (const ScheduledTimer& timer : timers) {
      members.push_back(timer.timer);
      const auto [first, last] = m_handles.equal_range(timer.timer);
      for (auto handle = first; handle != last; ++handle) members.push_back(handle->second);
    }
    const std::vector<std::uint32_t> kept = othersThan(members);
    auto parts = m_parts.without({members, kept}, m_stop);
    if (!parts) return tl::unexpected(Unfinished::cancelled());
    return std::move(*parts);
  }

  Outcome<void> judge(const std::string& method, const std::vector<ScheduledTimer>& timers, FoundInsights& found) {
    const bool isFramework = isFrameworkMember(method);
    if (isFramework && timers.size() < TimerLeaks::kManyOfFramework) return {};
    HEAPSCAPE_TRY(RetainedParts parts, partsOf(timers));
    std::vector<ScheduledTimer> leaking, inUse;
    for (const ScheduledTimer& timer : timers) {
      const bool isLeaking = parts.contains(m_heap.tree(), m_heap.sizes(), timer.timer);
      (isLeaking ? leaking : inUse).push_back(timer);
    }
    if (!isFramework && inUse.size() >= TimerLeaks::kManyInUse) {
      HEAPSCAPE_TRY(const RetainedParts held, partsInUse(inUse));
      describe(method, {.isInUse = true}, inUse, held, found);
    }
    if (leaking.empty()) return {};
    if (leaking.size() < timers.size()) {
      HEAPSCAPE_TRY(parts, partsOf(leaking));
    }
    describe(method, {.isFramework = isFramework}, leaking, parts, found);
    return {};
  }

  struct Circumstances {
    bool isFramework = false;
    bool isInUse = false;
  };

  void describe(const std::string& method, Circumstances circumstances, const std::vector<ScheduledTimer>& timers,
                const RetainedParts& parts, FoundInsights& all) const {
    FoundInsight found;
    Insight& insight = found.insight;
    const bool isLeak =
        timers.size() >= TimerLeaks::kManyTimers && !circumstances.isFramework && !circumstances.isInUse;
    insight.kind = InsightKind::TimerLeak;
    insight.meaning = isLeak ? InsightMeaning::Leak : InsightMeaning::Held;
    insight.title = fmt::format("{} that {} {} {}", countOf(timers.size(), "timer"),
                                !circumstances.isInUse ? "nobody can stop any more"
                                : timers.size() == 1   ? "still ticks"
                                                       : "still tick",
                                timers.size() == 1 ? "calls" : "call", method);
    insight.subject = method;
    insight.advice =
        "Keep the Timer and dispose it when what it calls is done with: a timer that ticks holds its "
        "callback, and all that this refers to.";
    if (circumstances.isInUse)
      insight.advice = "Look whether all of them still have something to do, and dispose of those that do not.";
    insight.isFramework = circumstances.isFramework;
    insight.objects = timers.size();
    addParts(m_heap, parts, found);
    for (const ScheduledTimer& timer : timers) {
      const std::uint32_t object = timer.subject == HeapObjects::kNone ? timer.timer : timer.subject;
      insight.items.push_back({m_heap.addressOf(object), m_heap.retainedBytesOf(object), m_heap.typeNameOf(object)});
    }
    for (const ScheduledTimer& timer : timers) insight.ids.push_back(timer.timer);
    std::ranges::sort(insight.ids);
    keepCostliest(insight.items);
    if (const std::uint32_t subject = timers.front().subject; subject != HeapObjects::kNone)
      insight.methodTable = m_heap.typeRowOf(subject).methodTable;
    const std::uint32_t period = timers.front().periodMilliseconds;
    insight.facts.push_back({"Period", period == kNever || period == 0 ? "once" : fmt::format("{} ms", period)});
    insight.owners = circumstances.isInUse ? ownersOf(timers) : theQueue(insight);
    all.insights.push_back(std::move(found));
  }

  /// Owners of the Timer objects.
  std::vector<InsightOwner> ownersOf(const std::vector<ScheduledTimer>& timers) const {
    std::vector<Ownership::Share> shares;
    for (const ScheduledTimer& timer : timers) {
      const auto [first, last] = m_handles.equal_range(timer.timer);
      for (auto handle = first; handle != last; ++handle) {
        if (m_heap.typeNameOf(handle->second) == "System.Threading.Timer")
          shares.push_back({handle->second, m_heap.retainedBytesOf(handle->second)});
      }
    }
    return m_input.ownership.ownersOf(shares);
  }

  static std::vector<InsightOwner> theQueue(const Insight& insight) {
    std::vector<InsightOwner> owners(1);
    owners.front().kind = InsightOwner::Kind::Static;
    owners.front().name = "static System.Threading.TimerQueue.<Instances>k__BackingField";
    owners.front().objects = insight.objects;
    owners.front().bytes = insight.bytes;
    return owners;
  }

  const InsightInput& m_input;
  HeapObjects m_heap;
  Delegates m_delegates;
  AsyncMachines m_machines;
  std::vector<std::uint32_t> m_roots;
  RetainedPartsFinder m_parts;
  std::stop_token m_stop;
  std::vector<TypeId> m_timerTypes, m_queueTypes;
  std::vector<std::uint32_t> m_all;                     // that are scheduled
  std::unordered_map<std::uint32_t, bool> m_isDropped;  // by TimerQueueTimer that belongs to a Timer
  // Timer and TimerHolder by their TimerQueueTimer.
  std::unordered_multimap<std::uint32_t, std::uint32_t> m_handles;
  std::unordered_map<Address, std::string> m_names;  // by code
};

}  // namespace

Outcome<void> TimerLeaks::find(const InsightInput& input, FoundInsights& found, FindingList&, StageProgress& progress,
                               std::stop_token stop) {
  HEAPSCAPE_CHECK(TimerFinder(input, std::move(stop)).find(found));
  progress.report(1);
  return {};
}

std::unique_ptr<Detector> makeTimerLeaks() {
  return std::make_unique<TimerLeaks>();
}

}  // namespace heapscape::engine
