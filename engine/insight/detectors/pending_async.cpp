// SPDX-License-Identifier: MIT
#include "insight/detectors/detectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "base/figures.h"
#include "base/progress.h"
#include "insight/detectors/async_machines.h"
#include "insight/holders.h"
#include "layout/framework_assembly.h"
#include "session/async/async_names.h"
#include "session/stacks/parallel_stacks.h"
#include "session/threads/thread_waits.h"

namespace heapscape::engine {
namespace {

/// Finds async methods that never end: every path from a root to what one waits for leads through the waiting method
/// itself, so that there is no thread, timer, handle or object left that could complete it. One insight for each
/// method; the bytes are what it and the methods that wait for it hold alone. Where very many calls of a method wait
/// for something that may still come, that is told, too.
class PendingAsync : public Detector {
 public:
  std::vector<InsightKind> kinds() const override { return {InsightKind::PendingAsync}; }
  Outcome<void> find(const InsightInput& input, FoundInsights& found, FindingList& findings, StageProgress& progress,
                     std::stop_token stop) override;

  static constexpr std::size_t kManyWaiting = 1000;  // calls of one method that may still go on
};

constexpr std::size_t kLongestChain = 100;
constexpr std::size_t kShownChain = 10;
constexpr std::size_t kShownThreads = 10;

/// "thread 5 in Shop.Page.Render (Page.cs:31)".
std::string threadText(const ThreadStackRow& stack) {
  std::string text = fmt::format("thread {}", stack.managedId);
  const FrameRow* place = placeOf(stack);
  if (!place) return text;
  text += " in " + methodOf(*place);
  if (place->file.empty() || place->line == 0) return text;
  return fmt::format("{} ({}:{})", text, place->file.substr(place->file.find_last_of("/\\") + 1), place->line);
}

/// Which threads block on tasks, and which run them. Read when it is first asked.
class TaskThreads {
 public:
  TaskThreads(const InsightInput& input, const HeapObjects& heap, std::stop_token stop)
      : m_input(input), m_heap(heap), m_stop(std::move(stop)) {}

  /// False if it was stopped.
  bool read() {
    if (m_stacks) return true;
    auto stacks = keptStacks(m_input.snapshot, m_stop);
    if (!stacks) return false;
    m_stacks = std::move(*stacks);
    ThreadWaits waits(m_input.snapshot);
    for (const ThreadStackRow& stack : m_stacks->threads) {
      const auto awaited = waits.awaitedBy(stack);
      if (!awaited || awaited->kind != AwaitedKind::Task || !awaited->object) continue;
      m_blocked.emplace(m_heap.objectAt(awaited->object), &stack);
    }
    for (const auto& [task, thread] : runnersOfTasks(*m_stacks)) {
      const auto stack = std::ranges::find(m_stacks->threads, thread, &ThreadStackRow::managedId);
      if (stack != m_stacks->threads.end()) m_running.emplace(m_heap.objectAt(task), &*stack);
    }
    return true;
  }

  /// By ObjectId of the task.
  const std::multimap<std::uint32_t, const ThreadStackRow*>& blocked() const { return m_blocked; }
  const std::multimap<std::uint32_t, const ThreadStackRow*>& running() const { return m_running; }

 private:
  const InsightInput& m_input;
  const HeapObjects& m_heap;
  std::stop_token m_stop;
  std::shared_ptr<const StackList> m_stacks;
  std::multimap<std::uint32_t, const ThreadStackRow*> m_blocked, m_running;
};

/// Calls of one method that wait for something that is no async method itself.
struct Waiting {
  std::vector<PendingMachine> calls;
  std::vector<std::uint32_t> behind;  // boxes of methods that wait for these
};

class AsyncFinder {
 public:
  AsyncFinder(const InsightInput& input, std::stop_token stop)
      : m_input(input),
        m_heap(input),
        m_delegates(m_heap),
        m_machines(input, m_heap, m_delegates),
        m_holders(input, m_heap),
        m_roots(m_heap.rootObjects()),
        m_parts(m_heap.partsFinder(m_roots)),
        m_types(input.contents),
        m_names(input.contents, m_types, stop),
        m_threads(input, m_heap, stop),
        m_stop(std::move(stop)) {}

  Outcome<void> find(FoundInsights& found) {
    std::map<std::string, Waiting> abandoned;
    std::map<std::string, Waiting> waiting;
    std::size_t steps = 0;
    for (const std::uint32_t box : m_input.objectsOf(m_machines.types())) {
      if (++steps % kStopInterval == 0 && m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      const auto call = m_machines.read(box);
      if (!call || call->awaited == HeapObjects::kNone || m_machines.isBox(call->awaited)) continue;
      if (m_machines.isEndedTask(call->awaited)) continue;
      auto& group = m_heap.dominates(box, call->awaited) ? abandoned : waiting;
      group[m_machines.methodOf(box)].calls.push_back(*call);
    }
    std::erase_if(waiting, [](const auto& group) { return group.second.calls.size() < PendingAsync::kManyWaiting; });
    for (auto& [method, calls] : abandoned) HEAPSCAPE_CHECK(describe(method, calls, true, found));
    for (auto& [method, calls] : waiting) HEAPSCAPE_CHECK(describe(method, calls, false, found));
    return {};
  }

 private:
  /// The boxes of the methods that wait for one, nearest first.
  std::vector<std::uint32_t> chainOf(std::uint32_t box) {
    std::vector<std::uint32_t> chain;
    for (std::uint32_t next = m_machines.nextOf(box); next != HeapObjects::kNone && chain.size() < kLongestChain;
         next = m_machines.nextOf(next)) {
      if (!m_heap.isReachable(next)) break;
      chain.push_back(next);
    }
    return chain;
  }

  Outcome<void> describe(const std::string& method, Waiting& group, bool isAbandoned, FoundInsights& all) {
    std::vector<std::uint32_t> members;
    for (const PendingMachine& call : group.calls) {
      members.push_back(call.box);
      const std::vector<std::uint32_t> chain = chainOf(call.box);
      group.behind.insert(group.behind.end(), chain.begin(), chain.end());
    }
    std::ranges::sort(group.behind);
    group.behind.erase(std::ranges::unique(group.behind).begin(), group.behind.end());
    members.insert(members.end(), group.behind.begin(), group.behind.end());
    const auto parts = m_parts.without({.members = members}, m_stop);
    if (!parts) return tl::unexpected(Unfinished::cancelled());

    FoundInsight found;
    Insight& insight = found.insight;
    insight.kind = InsightKind::PendingAsync;
    insight.meaning = isAbandoned ? InsightMeaning::Leak : InsightMeaning::Held;
    insight.title = fmt::format("{} of {} {} for what {}", countOf(group.calls.size(), "call"), method,
                                group.calls.size() == 1 ? "waits" : "wait",
                                isAbandoned ? "nothing can complete any more" : "has not happened yet");
    insight.subject = method;
    insight.advice = isAbandoned
                         ? "Complete or cancel the task that is awaited on every way out, and release tasks "
                           "that nobody waits for."
                         : "Look whether all of these still ought to wait; a time-out or a limit keeps them few.";
    insight.methodTable = m_heap.typeRowOf(group.calls.front().box).methodTable;
    insight.isFramework = isFrameworkMember(method);
    insight.objects = group.calls.size();
    for (const PendingMachine& call : group.calls) insight.ids.push_back(call.box);
    std::ranges::sort(insight.ids);
    addParts(m_heap, *parts, found);
    addItems(group, insight);
    addFacts(group, insight);
    if (!m_threads.read()) return tl::unexpected(Unfinished::cancelled());
    addThreads(group, insight);
    HEAPSCAPE_TRY(insight.path, m_holders.pathTo(group.calls.front().box, m_stop));
    addOwners(*parts, insight);
    all.insights.push_back(std::move(found));
    return {};
  }

  void addItems(const Waiting& group, Insight& insight) const {
    for (const PendingMachine& call : group.calls) {
      insight.items.push_back({m_heap.addressOf(call.box), m_heap.retainedBytesOf(call.box),
                               fmt::format("at await {}, for {} at {}", call.state, m_heap.typeNameOf(call.awaited),
                                           toString(m_heap.addressOf(call.awaited)))});
    }
    keepCostliest(insight.items);
  }

  void addFacts(const Waiting& group, Insight& insight) {
    std::map<std::string, std::uint64_t> awaited;
    for (const PendingMachine& call : group.calls) ++awaited[awaitedName(call.awaited)];
    for (const auto& [name, calls] : awaited)
      insight.facts.push_back({"Waits for", fmt::format("{} ({})", name, calls)});
    std::string chain;
    std::size_t shown = 0;
    const auto add = [&](const std::string& method) {
      if (++shown <= kShownChain) chain += (chain.empty() ? "" : " ← ") + method;
    };
    const std::vector<std::string> own = m_machines.methodsOf(group.calls.front().box);
    std::for_each(own.begin() + 1, own.end(), add);
    for (const std::uint32_t box : chainOf(group.calls.front().box))
      std::ranges::for_each(m_machines.methodsOf(box), add);
    if (!chain.empty()) insight.facts.push_back({"Waited for by", chain});
    if (!group.behind.empty())
      insight.facts.push_back({"Methods that wait for them", readableCount(group.behind.size())});
  }

  /// "TaskCompletionSource", "SemaphoreSlim.WaitAsync"; the type where that is all that is known.
  std::string awaitedName(std::uint32_t object) {
    return m_names.nameAt(m_names.nameOf({.object = object, .type = m_heap.typeOf(object)}));
  }

  /// Threads that block on one of the calls, or on one behind them; and those that run what the calls wait for.
  void addThreads(const Waiting& group, Insight& insight) const {
    const auto add = [&](std::string_view label, const auto& threads) {
      std::size_t shown = 0;
      for (const auto& [task, stack] : threads) {
        if (++shown > kShownThreads) break;
        insight.facts.push_back({std::string(label), threadText(*stack)});
      }
      if (threads.size() > kShownThreads)
        insight.facts.push_back(
            {std::string(label), fmt::format("{} more", countOf(threads.size() - kShownThreads, "thread"))});
    };
    std::multimap<std::uint32_t, const ThreadStackRow*> blocked, behind, running;
    const auto keep = [](const auto& from, std::uint32_t task, auto& kept) {
      const auto [first, last] = from.equal_range(task);
      kept.insert(first, last);
    };
    for (const PendingMachine& call : group.calls) {
      keep(m_threads.blocked(), call.box, blocked);
      if (!running.contains(call.awaited)) keep(m_threads.running(), call.awaited, running);
    }
    for (const std::uint32_t box : group.behind) keep(m_threads.blocked(), box, behind);
    add("Blocks on it", blocked);
    add("Blocks on a method that waits for it", behind);
    add("What it waits for runs on", running);
  }

  void addOwners(const RetainedParts& parts, Insight& insight) const {
    std::vector<Ownership::Share> shares;
    for (const std::uint32_t top : parts.tops) shares.push_back({top, m_heap.retainedBytesOf(top)});
    insight.owners = m_input.ownership.ownersOf(shares);
  }

  const InsightInput& m_input;
  HeapObjects m_heap;
  Delegates m_delegates;
  AsyncMachines m_machines;
  Holders m_holders;
  std::vector<std::uint32_t> m_roots;
  RetainedPartsFinder m_parts;
  AsyncTypes m_types;
  AsyncNames m_names;
  TaskThreads m_threads;
  std::stop_token m_stop;
};

}  // namespace

Outcome<void> PendingAsync::find(const InsightInput& input, FoundInsights& found, FindingList&, StageProgress& progress,
                                 std::stop_token stop) {
  HEAPSCAPE_CHECK(AsyncFinder(input, std::move(stop)).find(found));
  progress.report(1);
  return {};
}

std::unique_ptr<Detector> makePendingAsync() {
  return std::make_unique<PendingAsync>();
}

}  // namespace heapscape::engine
