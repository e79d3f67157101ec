// SPDX-License-Identifier: MIT
#include "tables/async_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>

namespace heapscape::engine {

namespace {

Cell::Words objectsOf(const ListedChains& row) {
  Cell::Words addresses;
  for (const Address object : row.objects) addresses.push_back(toString(object));
  return addresses;
}

const TableOf<WorkItemRow>& workItemsTable() {
  using Row = WorkItemRow;
  static const TableOf<Row> table = TableOf<Row>{
      "items",
      {addressColumn<Row>("object", "Object", "The work item.", &Row::object),
       typeColumn<Row>("type", "Type", "Type of the work item.", &Row::typeName),
       textColumn<Row>("method", "Method", "What it calls, where that is known.",
                       &Row::method)}}.onOneLine();
  return table;
}

// Less than nothing: it is overdue, and by how much is not known.
Cell remainingOf(const TimerRow& timer) {
  const auto& left = timer.remainingMilliseconds;
  return left && *left >= 0 ? Cell(static_cast<std::uint64_t>(*left)) : Cell(Cell::Unknown{});
}

std::vector<Address> innermostObjects(const AsyncList& list, const AsyncGroup& group) {
  std::vector<Address> objects;
  for (const std::uint32_t chain : group.chains) {
    const Address innermost = list.framesOf(list.chains[chain]).front().object;
    if (objects.empty() || objects.back() != innermost) objects.push_back(innermost);
  }
  return objects;
}

}  // namespace

std::vector<ListedChains> listChains(const AsyncList& list) {
  const auto nameOrNothing = [&](std::uint32_t name) {
    return name == AsyncFrame::kNone ? std::nullopt : std::optional(std::string(list.nameOf(name)));
  };
  std::vector<ListedChains> rows;
  rows.reserve(list.groups.size());
  for (const AsyncGroup& group : list.groups) {
    const AsyncChain& chain = list.firstOf(group);
    const auto frames = list.framesOf(chain);
    ListedChains& row = rows.emplace_back(ListedChains{.group = static_cast<std::uint32_t>(rows.size()),
                                                       .chains = group.chains.size(),
                                                       .calls = frames.size(),
                                                       .methods = {},
                                                       .innermost = std::string(list.nameOf(frames.front().name)),
                                                       .outermost = std::string(list.nameOf(frames.back().name)),
                                                       .waitsFor = nameOrNothing(chain.waitsFor),
                                                       .state = chain.state,
                                                       .objects = innermostObjects(list, group),
                                                       .retainedBytes = group.retainedBytes,
                                                       .isRetainedExact = group.isRetainedExact,
                                                       .isReachable = chain.isReachable,
                                                       .isFramework = group.isFramework,
                                                       .callback = nameOrNothing(chain.callback),
                                                       .awaited = chain.awaited,
                                                       .milliseconds = chain.milliseconds});
    for (const AsyncFrame& frame : frames)
      if (frame.isMethod) row.methods.emplace_back(list.nameOf(frame.name));
  }
  return rows;
}

const TableOf<ListedChains>& chainsTable() {
  using Row = ListedChains;
  static const TableOf<ListedChains> table = TableOf<ListedChains>{
      "chains",
      {countColumn<Row>("count", "Chains", "How many are equal.", &Row::chains).additive(),
       wordsColumn<Row>("methods", "Methods", "Names of the methods of one chain, innermost first.", &Row::methods)
           .searched()
           .between(" ← "),
       typeColumn<Row>("waitsFor", "Waits for", "What the innermost method waits for; nothing while it runs.",
                       &Row::waitsFor)
           .searched(),
       choiceColumn<Row>("state", "State", "How the innermost method stands.", &Row::state),
       wordsColumn<Row>("objects", "Objects", "Addresses of the innermost calls.", objectsOf),
       bytesColumn<Row>("retained", "Retained", "What would be freed with the objects of all calls of these chains.",
                        &Row::retainedBytes)
           .inJsonAs("retainedBytes")
           .hidingZero(),
       flagColumn<Row>("retainedExact", "Exact", "Retained is exact; else it is at least so much.",
                       &Row::isRetainedExact),
       flagColumn<Row>("reachable", "Reachable", "Not only garbage leads to it, so that it may go on.",
                       &Row::isReachable),
       flagColumn<Row>("framework", "Framework", "All its methods belong to .NET.", &Row::isFramework),
       textColumn<Row>("then", "Then", "What is called when the outermost has ended.", &Row::callback),
       addressColumn<Row>("awaited", "Awaited", "Of a single chain: the object that it waits for.",
                          [](const Row& r) { return r.chains == 1 ? Cell(r.awaited) : Cell(); }),
       countColumn<Row>("milliseconds", "Milliseconds", "Of a single chain: what a Task.Delay takes in all.",
                        [](const Row& r) { return r.chains == 1 ? Cell(r.milliseconds) : Cell(); }),
       typeColumn<Row>("innermost", "Waits in", "The innermost call.", &Row::innermost).searched().notInJson(),
       typeColumn<Row>("outermost", "Begun by", "The outermost call, for which nobody waits.", &Row::outermost)
           .searched()
           .notInJson(),
       countColumn<Row>("calls", "Calls", "In one of these chains.", &Row::calls).notInJson(),
       addressColumn<Row>("object", "Object", "Of the first chain's innermost call.",
                          [](const Row& r) { return r.objects.empty() ? Address{} : r.objects.front(); })
           .notInJson()},
      {"count", "innermost", "waitsFor", "outermost", "calls", "retained",
       "state"}}.about("object");
  return table;
}

const TableOf<WorkQueueRow>& queuesTable() {
  using Row = WorkQueueRow;
  static const TableOf<Row> table =
      TableOf<Row>{"queues",
                   {textColumn<Row>("name", "Queue", "Which queue of the thread pool.", &Row::name),
                    idColumn<Row>("thread", "Thread", "Managed id of the thread whose local queue it is.",
                                  [](const Row& r) { return r.threadId ? Cell(r.threadId) : Cell(); }),
                    addressColumn<Row>("object", "Object", "The queue.", &Row::object),
                    countColumn<Row>("count", "Items", "Work that waits in it.", &Row::count).additive()}}
          .having([](const Row& queue) { return std::vector{workItemsTable().with(queue.items)}; });
  return table;
}

const TableOf<TimerRow>& timersTable() {
  using Row = TimerRow;
  static const TableOf<Row> table = TableOf<Row>{
      "timers",
      {addressColumn<Row>("object", "Timer", "The runtime's TimerQueueTimer.", &Row::object).searched(),
       textColumn<Row>("method", "Calls", "The method that it calls, where that is known.", &Row::method).searched(),
       countColumn<Row>("dueMilliseconds", "Due", "Milliseconds from when it was set, or last fired, to when it fires.",
                        &Row::dueMilliseconds),
       countColumn<Row>("periodMilliseconds", "Period", "Milliseconds; none if it fires once.",
                        &Row::periodMilliseconds),
       countColumn<Row>("remainingMilliseconds", "Left",
                        "Milliseconds that are left at most, as of when a timer was last started.", remainingOf),
       addressColumn<Row>("state", "State", "What the method is given.", &Row::state).searched(),
       typeColumn<Row>("stateType", "Type of the state", "Type of what the method is given.", &Row::stateType)
           .searched()},
      {"method", "dueMilliseconds", "periodMilliseconds", "remainingMilliseconds", "stateType", "object",
       "state"}}.about("object");
  return table;
}

std::vector<EqualTimers> listEqualTimers(const TimerList& list) {
  std::map<std::tuple<std::string_view, std::optional<std::uint32_t>, std::string_view>, EqualTimers> byMethod;
  for (const TimerRow& timer : list.timers) {
    EqualTimers& equal = byMethod[{timer.method, timer.periodMilliseconds, timer.stateType}];
    if (++equal.timers == 1) equal.soonest = timer;
  }
  std::vector<EqualTimers> rows;
  for (auto& [key, equal] : byMethod) rows.push_back(std::move(equal));
  std::ranges::stable_sort(rows, std::ranges::greater(), &EqualTimers::timers);
  return rows;
}

const TableOf<EqualTimers>& equalTimersTable() {
  using Row = EqualTimers;
  static const TableOf<Row> table{
      "timers",
      {countColumn<Row>("timers", "Timers", "How many are equal.", &Row::timers),
       textColumn<Row>("left", "Soonest in at most", "What is left until the first of them fires; 0 if it is overdue.",
                       [](const Row& r) {
                         const auto& left = r.soonest.remainingMilliseconds;
                         return left ? fmt::format("{} ms", std::max<std::int64_t>(*left, 0)) : std::string();
                       }),
       textColumn<Row>("period", "Period", "How often they fire.",
                       [](const Row& r) {
                         const auto& period = r.soonest.periodMilliseconds;
                         return period ? fmt::format("{} ms", *period) : std::string("once");
                       }),
       textColumn<Row>("method", "Calls", "The method that they call.", [](const Row& r) { return r.soonest.method; }),
       typeColumn<Row>("stateType", "State", "Type of what the method is given.",
                       [](const Row& r) { return r.soonest.stateType; })}};
  return table;
}

}  // namespace heapscape::engine
