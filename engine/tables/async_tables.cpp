// SPDX-License-Identifier: MIT
#include "tables/async_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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

std::vector<ColumnOf<ListedChains>> chainColumns() {
  using Row = ListedChains;
  return {column<Row>({.name = "count",
                       .title = "Chains",
                       .meaning = "How many are equal.",
                       .kind = ColumnKind::Count,
                       .isAdditive = true},
                      &Row::chains),
          column<Row>({.name = "methods",
                       .title = "Methods",
                       .meaning = "Names of the methods of one chain, innermost first.",
                       .kind = ColumnKind::Words,
                       .isSearched = true,
                       .between = " ← "},
                      &Row::methods),
          column<Row>({.name = "waitsFor",
                       .title = "Waits for",
                       .meaning = "What the innermost method waits for; nothing while it runs.",
                       .kind = ColumnKind::TypeName,
                       .isSearched = true},
                      &Row::waitsFor),
          column<Row>({.name = "state",
                       .title = "State",
                       .meaning = "How the innermost method stands.",
                       .kind = ColumnKind::Choice,
                       .choices = namesOf<AsyncState>()},
                      &Row::state),
          column<Row>({.name = "objects",
                       .title = "Objects",
                       .meaning = "Addresses of the innermost calls.",
                       .kind = ColumnKind::Words},
                      objectsOf),
          column<Row>({.name = "retained",
                       .title = "Retained",
                       .meaning = "What would be freed with the objects of all calls of these chains.",
                       .kind = ColumnKind::Bytes,
                       .jsonName = "retainedBytes",
                       .hidesZero = true},
                      &Row::retainedBytes),
          column<Row>({.name = "retainedExact",
                       .title = "Exact",
                       .meaning = "Retained is exact; else it is at least so much.",
                       .kind = ColumnKind::Flag},
                      &Row::isRetainedExact),
          column<Row>({.name = "reachable",
                       .title = "Reachable",
                       .meaning = "Not only garbage leads to it, so that it may go on.",
                       .kind = ColumnKind::Flag},
                      &Row::isReachable),
          column<Row>({.name = "framework",
                       .title = "Framework",
                       .meaning = "All its methods belong to .NET.",
                       .kind = ColumnKind::Flag},
                      &Row::isFramework),
          column<Row>({.name = "then", .title = "Then", .meaning = "What is called when the outermost has ended."},
                      &Row::callback),
          column<Row>({.name = "awaited",
                       .title = "Awaited",
                       .meaning = "Of a single chain: the object that it waits for.",
                       .kind = ColumnKind::Address},
                      [](const Row& r) { return r.chains == 1 ? Cell(r.awaited) : Cell(); }),
          column<Row>({.name = "milliseconds",
                       .title = "Milliseconds",
                       .meaning = "Of a single chain: what a Task.Delay takes in all.",
                       .kind = ColumnKind::Count},
                      [](const Row& r) { return r.chains == 1 ? Cell(r.milliseconds) : Cell(); }),
          column<Row>({.name = "innermost",
                       .title = "Waits in",
                       .meaning = "The innermost call.",
                       .kind = ColumnKind::TypeName,
                       .isSearched = true,
                       .isInJson = false},
                      &Row::innermost),
          column<Row>({.name = "outermost",
                       .title = "Begun by",
                       .meaning = "The outermost call, for which nobody waits.",
                       .kind = ColumnKind::TypeName,
                       .isSearched = true,
                       .isInJson = false},
                      &Row::outermost),
          column<Row>({.name = "calls",
                       .title = "Calls",
                       .meaning = "In one of these chains.",
                       .kind = ColumnKind::Count,
                       .isInJson = false},
                      &Row::calls),
          column<Row>({.name = "object",
                       .title = "Object",
                       .meaning = "Of the first chain's innermost call.",
                       .kind = ColumnKind::Address,
                       .isInJson = false},
                      [](const Row& r) { return r.objects.empty() ? Address{} : r.objects.front(); })};
}

const TableOf<WorkItemRow>& workItemsTable() {
  using Row = WorkItemRow;
  static const TableOf<Row> table = TableOf<Row>{
      "items",
      {column<Row>({.name = "object", .title = "Object", .meaning = "The work item.", .kind = ColumnKind::Address},
                   &Row::object),
       column<Row>({.name = "type", .title = "Type", .meaning = "Type of the work item.", .kind = ColumnKind::TypeName},
                   &Row::typeName),
       column<Row>({.name = "method", .title = "Method", .meaning = "What it calls, where that is known."},
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
  static const TableOf<ListedChains> table = TableOf<ListedChains>{
      "chains",
      chainColumns(),
      {"count", "innermost", "waitsFor", "outermost", "calls", "retained",
       "state"}}.about("object");
  return table;
}

const TableOf<WorkQueueRow>& queuesTable() {
  using Row = WorkQueueRow;
  static const TableOf<Row> table = TableOf<Row>{
      "queues",
      {column<Row>({.name = "name", .title = "Queue", .meaning = "Which queue of the thread pool."}, &Row::name),
       column<Row>({.name = "thread",
                    .title = "Thread",
                    .meaning = "Managed id of the thread whose local queue it is.",
                    .kind = ColumnKind::Id},
                   [](const Row& r) { return r.threadId ? Cell(r.threadId) : Cell(); }),
       column<Row>({.name = "object", .title = "Object", .meaning = "The queue.", .kind = ColumnKind::Address},
                   &Row::object),
       column<Row>({.name = "count",
                    .title = "Items",
                    .meaning = "Work that waits in it.",
                    .kind = ColumnKind::Count,
                    .isAdditive = true},
                   &Row::count)}}.having([](const Row& queue) {
    return std::vector{workItemsTable().with(queue.items)};
  });
  return table;
}

const TableOf<TimerRow>& timersTable() {
  using Row = TimerRow;
  static const TableOf<Row> table = TableOf<Row>{
      "timers",
      {column<Row>({.name = "object",
                    .title = "Timer",
                    .meaning = "The runtime's TimerQueueTimer.",
                    .kind = ColumnKind::Address,
                    .isSearched = true},
                   &Row::object),
       column<Row>({.name = "method",
                    .title = "Calls",
                    .meaning = "The method that it calls, where that is known.",
                    .isSearched = true},
                   &Row::method),
       column<Row>({.name = "dueMilliseconds",
                    .title = "Due",
                    .meaning = "Milliseconds from when it was set, or last fired, to when it fires.",
                    .kind = ColumnKind::Count},
                   &Row::dueMilliseconds),
       column<Row>({.name = "periodMilliseconds",
                    .title = "Period",
                    .meaning = "Milliseconds; none if it fires once.",
                    .kind = ColumnKind::Count},
                   &Row::periodMilliseconds),
       column<Row>({.name = "remainingMilliseconds",
                    .title = "Left",
                    .meaning = "Milliseconds that are left at most, as of when a timer was last started.",
                    .kind = ColumnKind::Count},
                   remainingOf),
       column<Row>({.name = "state",
                    .title = "State",
                    .meaning = "What the method is given.",
                    .kind = ColumnKind::Address,
                    .isSearched = true},
                   &Row::state),
       column<Row>({.name = "stateType",
                    .title = "Type of the state",
                    .meaning = "Type of what the method is given.",
                    .kind = ColumnKind::TypeName,
                    .isSearched = true},
                   &Row::stateType)},
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
      {column<Row>({.name = "timers", .title = "Timers", .meaning = "How many are equal.", .kind = ColumnKind::Count},
                   &Row::timers),
       column<Row>({.name = "left",
                    .title = "Soonest in at most",
                    .meaning = "What is left until the first of them fires; 0 if it is overdue."},
                   [](const Row& r) {
                     const auto& left = r.soonest.remainingMilliseconds;
                     return left ? fmt::format("{} ms", std::max<std::int64_t>(*left, 0)) : std::string();
                   }),
       column<Row>({.name = "period", .title = "Period", .meaning = "How often they fire."},
                   [](const Row& r) {
                     const auto& period = r.soonest.periodMilliseconds;
                     return period ? fmt::format("{} ms", *period) : std::string("once");
                   }),
       column<Row>({.name = "method", .title = "Calls", .meaning = "The method that they call."},
                   [](const Row& r) { return r.soonest.method; }),
       column<Row>({.name = "stateType",
                    .title = "State",
                    .meaning = "Type of what the method is given.",
                    .kind = ColumnKind::TypeName},
                   [](const Row& r) { return r.soonest.stateType; })}};
  return table;
}

}  // namespace heapscape::engine
