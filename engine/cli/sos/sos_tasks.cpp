// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "cli/sos/sos_command.h"
#include "cli/sos/sos_objects_walk.h"
#include "cli/sos/sos_text.h"
#include "session/async/async_query.h"
#include "session/async/http_requests.h"
#include "session/async/thread_pool_query.h"
#include "session/snapshot/contents.h"

namespace heapscape::cli {
namespace {

using engine::Address;
using engine::ErrorCode;
using engine::Outcome;
using engine::Snapshot;

constexpr std::size_t kQueueItems = 100'000;

const engine::FieldValue* fieldOf(const engine::ObjectDetails& details, std::string_view name) {
  const auto found = std::ranges::find(details.fields, name, &engine::FieldValue::name);
  return found == details.fields.end() ? nullptr : &*found;
}

// ---- dumpasync

/// Prints chains as dumpasync does: what is awaited first, then each call that waits for the one above it.
class AsyncPrinter {
 public:
  AsyncPrinter(SosRun& run, const Snapshot& snapshot) : m_run(run), m_snapshot(snapshot) {}

  void print(const engine::AsyncList& list) {
    std::size_t number = 0;
    for (const engine::AsyncChain& chain : list.chains) {
      if (!isWanted(list, chain)) continue;
      m_run.print("STACK {}\n", ++number);
      std::size_t depth = 0;
      if (chain.awaited && typeAt(chain.awaited)) printLine(depth++, chain.awaited, "", nameAt(chain.awaited));
      for (const engine::AsyncFrame& frame : list.framesOf(chain))
        printLine(depth++, frame.object, frame.await >= 0 ? std::to_string(frame.await) : std::string(),
                  nameAt(frame.object));
      m_run.print("\n");
      if (!m_run.goesOn()) return;
    }
  }

  /// How many calls there are of each method, the most first.
  void printStatistics(const engine::AsyncList& list) {
    struct Sum {
      Address type;
      std::string name;
      std::set<Address> objects;
    };
    std::vector<Sum> sums;
    for (const engine::AsyncChain& chain : list.chains) {
      if (!isWanted(list, chain)) continue;
      for (const engine::AsyncFrame& frame : list.framesOf(chain)) {
        const std::string name = nameAt(frame.object);
        auto sum = std::ranges::find(sums, name, &Sum::name);
        if (sum == sums.end()) {
          const auto type = typeAt(frame.object);
          sum = sums.insert(sums.end(), {type ? type->address : Address{}, name, {}});
        }
        sum->objects.insert(frame.object);
      }
    }
    std::ranges::stable_sort(sums, std::ranges::greater(), [](const Sum& sum) { return sum.objects.size(); });
    m_run.print("{:<16} {:<8} Type\n", "MT", "Count");
    for (const Sum& sum : sums)
      m_run.print("{:<16} {:<8} {}\n", lowerAddress(sum.type), grouped(sum.objects.size()), sum.name);
  }

  /// Chains laid over each other, from what waits for nothing else on.
  void printTogether(const engine::AsyncList& list) {
    std::vector<std::span<const engine::AsyncFrame>> chains;
    for (const engine::AsyncChain& chain : list.chains) {
      if (isWanted(list, chain)) chains.push_back(list.framesOf(chain));
    }
    printLevel(chains, 0);
  }

 private:
  void printLevel(const std::vector<std::span<const engine::AsyncFrame>>& chains, std::size_t depth) {
    struct Group {
      std::string text;
      std::vector<std::span<const engine::AsyncFrame>> chains;
      std::set<Address> objects;
    };
    constexpr std::size_t kDeepestChain = 1000;
    std::vector<Group> groups;
    for (const auto chain : chains) {
      if (depth >= chain.size() || depth > kDeepestChain) continue;
      const engine::AsyncFrame& frame = chain[depth];
      std::string text = nameAt(frame.object);
      if (frame.await >= 0) text = fmt::format("({}) {}", frame.await, text);
      auto group = std::ranges::find(groups, text, &Group::text);
      if (group == groups.end()) group = groups.insert(groups.end(), {std::move(text), {}, {}});
      group->chains.push_back(chain);
      group->objects.insert(frame.object);
    }
    std::ranges::stable_sort(groups, std::ranges::greater(), [](const Group& group) { return group.objects.size(); });
    std::size_t number = 0;
    for (const Group& group : groups) {
      if (!m_run.goesOn()) return;
      if (depth == 0) m_run.print("STACKS {}\n", ++number);
      const auto type = typeAt(*group.objects.begin());
      m_run.print("{}[{}] {} {}\n", std::string(2 * depth, ' '), group.objects.size(),
                  lowerAddress(type ? type->address : Address{}), group.text);
      printLevel(group.chains, depth + 1);
      if (depth == 0) m_run.print("\n");
    }
  }

  bool isWanted(const engine::AsyncList& list, const engine::AsyncChain& chain) const {
    const auto type = m_run.arguments().valueOf("--type");
    const auto valueOf = [&](const char* brief, const char* full) {
      const auto value = m_run.arguments().valueOf(brief);
      return value ? value : m_run.arguments().valueOf(full);
    };
    const auto address = valueOf("-addr", "--address");
    const auto methodTable = valueOf("-mt", "--methodtable");
    const auto isThat = [](const std::optional<std::string>& text, Address other) {
      Address wanted;
      return !text || (engine::tryParseAddress(*text, wanted) && wanted == other);
    };
    const auto fits = [&](Address object) {
      const auto objectType = typeAt(object);
      return (!type || nameAt(object).find(*type) != std::string::npos) && isThat(address, object) &&
             isThat(methodTable, objectType ? objectType->address : Address{});
    };
    const auto frames = list.framesOf(chain);
    return (!type && !address && !methodTable) || (chain.awaited && fits(chain.awaited)) ||
           std::ranges::any_of(frames, [&](const engine::AsyncFrame& frame) { return fits(frame.object); });
  }

  std::optional<engine::MethodTable> typeAt(Address object) const {
    const engine::RuntimeReaders& readers = *m_snapshot.contents().readers;
    const auto row = engine::objectAt(m_snapshot, object);
    if (!row || row->address != object) return std::nullopt;
    const auto type = readers.methodTables.read(m_snapshot.types()[row->type.value].methodTable);
    return type ? std::optional(*type) : std::nullopt;
  }

  /// The type's name; of the box of a state machine that of the machine.
  std::string nameAt(Address object) const {
    const engine::RuntimeReaders& readers = *m_snapshot.contents().readers;
    const auto type = typeAt(object);
    if (!type) return {};
    const std::string name = readers.names.nameOf(type->address);
    if (name.find("AsyncStateMachineBox") == std::string::npos) return name;
    const auto arguments = readers.methodTables.typeArguments(*type);
    return arguments && !arguments->empty() ? readers.names.nameOf(arguments->back()) : name;
  }

  void printLine(std::size_t depth, Address object, const std::string& state, const std::string& name) {
    const auto type = typeAt(object);
    m_run.print("{}{} {} ({}) {}\n", std::string(2 * depth, ' '), lowerAddress(object),
                lowerAddress(type ? type->address : Address{}), state, name);
  }

  SosRun& m_run;
  const Snapshot& m_snapshot;
};

Outcome<void> dumpAsync(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.heap());
  HEAPSCAPE_TRY(const engine::AsyncList list,
                engine::listAsync(snapshot, {.equalTogether = false, .retained = false}, run.stop()));
  // SOS warns of them, too, and leaves them out.
  if (snapshot.contents().readers->runtime.contract().has("ContinuationObject", "Next"))
    run.print("Warning: methods that runtime-async suspends stand here as continuations; the verb async names them.\n");
  AsyncPrinter printer(run, snapshot);
  if (run.arguments().has("--stats"))
    printer.printStatistics(list);
  else if (run.arguments().has("--coalesce"))
    printer.printTogether(list);
  else
    printer.print(list);
  return {};
}

// ---- threadpool, threadpoolqueue, timerinfo

/// The pool's own note of how busy the processors were, in percent.
std::optional<std::string> processorUse(const Snapshot& snapshot) {
  const auto& types = snapshot.types();
  const auto type =
      std::ranges::find(types, std::string_view("System.Threading.PortableThreadPool"), &engine::TypeRow::name);
  if (type == types.end()) return std::nullopt;
  engine::ObjectFilter filter;
  filter.type = snapshot.typeOf(type->methodTable);
  std::optional<std::string> use;
  engine::forEachObject(snapshot, filter, [&](const engine::ObjectRow& row) {
    const auto details = engine::objectDetails(snapshot, row.address, kNoElements);
    const engine::FieldValue* field = details ? fieldOf(*details, "_cpuUtilization") : nullptr;
    if (field) use = field->value.text;
    return !use;
  });
  return use;
}

Outcome<void> threadPool(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.heap());
  HEAPSCAPE_TRY(const engine::ThreadPoolState pool, engine::readThreadPool(snapshot, kQueueItems, run.stop()));
  if (!pool.threads) {
    run.print("Failed to obtain ThreadPool data.\n");
  } else {
    const engine::PoolThreads& threads = *pool.threads;
    run.print("Using the Portable thread pool.\n\n");
    if (const auto use = processorUse(snapshot)) run.print("CPU utilization:  {}%\n", *use);
    run.print(
        "Workers Total:    {}\nWorkers Running:  {}\nWorkers Idle:     {}\nWorker Min Limit: {}\n"
        "Worker Max Limit: {}\n\n",
        threads.existing, threads.working, threads.existing - threads.working, threads.minimum, threads.maximum);
  }
  if (!run.arguments().has("-wi")) return {};
  bool isFirst = true;
  for (const engine::WorkQueueRow& queue : pool.queues) {
    for (const engine::WorkItemRow& item : queue.items) {
      if (isFirst) run.print("{:<17} {:<16} Type\n", "Queue", "Object");
      isFirst = false;
      run.print("{:<17} {:<16} {}\n", queue.name == "high priority" ? "[Global high-pri]" : "[Global]",
                shortAddress(item.object), item.typeName);
      if (!item.method.empty()) run.print("    => {}\n", item.method);
    }
  }
  return {};
}

Outcome<void> threadPoolQueue(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.heap());
  HEAPSCAPE_TRY(const engine::ThreadPoolState pool, engine::readThreadPool(snapshot, kQueueItems, run.stop()));
  std::map<std::string, std::uint64_t> tasks;
  std::map<std::string, std::uint64_t> works;
  const auto print = [&](bool areLocal) {
    for (const engine::WorkQueueRow& queue : pool.queues) {
      if ((queue.name == "local") != areLocal) continue;
      for (const engine::WorkItemRow& item : queue.items) {
        const bool isTask = item.typeName.starts_with("System.Threading.Tasks.Task");
        const std::string& name = item.method.empty() ? item.typeName : item.method;
        run.print("0x{} {} | {}\n", upperAddress(item.object), isTask ? "Task" : "Work", name);
        ++(isTask ? tasks : works)[name];
      }
    }
    run.print("\n");
  };
  run.print("global work item queue________________________________\n");
  print(false);
  run.print("local per thread work items_____________________________________\n");
  print(true);
  const auto sum = [&](const std::map<std::string, std::uint64_t>& counts, const char* word) {
    if (counts.empty()) return;
    std::vector<std::pair<std::string, std::uint64_t>> sorted(counts.begin(), counts.end());
    std::ranges::stable_sort(sorted, {}, [](const auto& each) { return each.second; });
    std::uint64_t total = 0;
    for (const auto& [name, count] : sorted) {
      run.print(" {:>4} {}  {}\n", count, word, name);
      total += count;
    }
    run.print(" ----\n {:>4}\n\n", total);
  };
  sum(tasks, "Task");
  sum(works, "Work");
  run.print("\n");
  return {};
}

Outcome<void> timerInfo(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.heap());
  HEAPSCAPE_TRY(const engine::TimerList list, engine::listTimers(snapshot, run.stop()));
  if (!list.missing.empty())
    return tl::unexpected(engine::Unfinished(engine::Error{ErrorCode::NotFound, list.missing}));
  std::vector<engine::TimerRow> timers = list.timers;
  std::ranges::stable_sort(timers, {}, [](const auto& timer) { return timer.periodMilliseconds.value_or(UINT32_MAX); });
  std::vector<std::pair<std::string, std::uint64_t>> sums;
  for (const engine::TimerRow& timer : timers) {
    const auto details = engine::objectDetails(snapshot, timer.object, kNoElements);
    const engine::FieldValue* isShort = details ? fieldOf(*details, "_short") : nullptr;
    const std::string period =
        timer.periodMilliseconds ? std::to_string(*timer.periodMilliseconds) : std::string("  ------");
    const std::string_view queue = isShort ? isShort->value.text == "true" ? "(S) " : "(L) " : "";
    const std::string rest = fmt::format("@{:>8} ms every {:>8} ms |", timer.dueMilliseconds, period);
    const std::string target = fmt::format("{} ({}) -> {}", upperAddress(timer.state), timer.stateType, timer.method);
    run.print("{}0x{} {}  {}\n", queue, upperAddress(timer.object), rest, target);
    const std::string key = fmt::format("{}{} {}", queue, rest, target);
    auto sum = std::ranges::find(sums, key, &std::pair<std::string, std::uint64_t>::first);
    if (sum == sums.end()) sum = sums.insert(sums.end(), {key, 0});
    ++sum->second;
  }
  run.print("\n   {} timers\n-----------------------------------------------\n", timers.size());
  std::ranges::stable_sort(sums, {}, &std::pair<std::string, std::uint64_t>::second);
  for (const auto& [line, count] : sums) run.print("{:>4} | {}\n", count, line);
  return {};
}

// ---- taskstate

struct TaskStateWord {
  std::uint64_t bit;
  const char* word;
};

// The first of these bits that is set tells the state (Task.TASK_STATE_…, System.Private.CoreLib).
constexpr auto kTaskStates = std::to_array<TaskStateWord>({{0x200000, "Faulted"},
                                                           {0x400000, "Canceled"},
                                                           {0x1000000, "RanToCompletion"},
                                                           {0x800000, "WaitingForChildrenToComplete"},
                                                           {0x20000, "Running"},
                                                           {0x10000, "WaitingToRun"},
                                                           {0x2000000, "WaitingForActivation"}});

Outcome<void> taskState(SosRun& run) {
  HEAPSCAPE_TRY(std::uint64_t flags, run.arguments().number("-v", 0));
  if (!run.arguments().words().empty()) {
    HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
    HEAPSCAPE_TRY(const Address address, run.arguments().address(0));
    HEAPSCAPE_TRY(const engine::ObjectDetails details, engine::objectDetails(snapshot, address, kNoElements));
    const engine::FieldValue* field = fieldOf(details, "m_stateFlags");
    if (!field)
      return tl::unexpected(engine::Unfinished(
          engine::Error{ErrorCode::BadQuery, "Either a valid task address or -v <state value> is expected..."}));
    HEAPSCAPE_TRY(flags, snapshot.contents().memory->read<std::uint32_t>(field->address));
  }
  const auto state =
      std::ranges::find_if(kTaskStates, [&](const TaskStateWord& each) { return (flags & each.bit) != 0; });
  run.print("{}\n\n", state == kTaskStates.end() ? "Created" : state->word);
  return {};
}

// ---- concurrent collections

std::string shortened(std::string text) {
  constexpr std::size_t kMost = 100;
  if (text.size() <= kMost) return text;
  text.resize(kMost);
  return text + "...";
}

/// A key or value as SOS prints it: itself, or the command that prints it. `type`: as the collection declares it.
std::string itemText(const engine::Value& value, engine::TypeHandle type, Address place) {
  switch (value.kind) {
    case engine::ValueKind::Boolean:
      return value.text == "true" ? "True" : "False";
    case engine::ValueKind::Reference:
      if (value.isString) return shortened(value.text);
      return fmt::format("{} {}", value.objectType.ends_with(']') ? "dumparray" : "dumpobj",
                         lowerAddress(value.object));
    case engine::ValueKind::Struct:
    case engine::ValueKind::Known:
      return fmt::format("dumpvc {} {}", lowerAddress(type), lowerAddress(place));
    default:
      return shortened(value.text);
  }
}

/// Types of the keys and values of a collection, or of its items.
std::vector<engine::TypeHandle> itemTypesOf(const Snapshot& snapshot, const engine::ObjectDetails& details) {
  const engine::RuntimeReaders& readers = *snapshot.contents().readers;
  const auto type = readers.methodTables.read(snapshot.types()[details.row.type.value].methodTable);
  auto arguments = type ? readers.methodTables.typeArguments(*type) : engine::failure(ErrorCode::NotFound, {});
  std::vector<engine::TypeHandle> types = arguments.value_or(std::vector<engine::TypeHandle>());
  types.resize(std::max<std::size_t>(types.size(), 2));
  return types;
}

Outcome<engine::ObjectDetails> collectionAt(SosRun& run, const Snapshot& snapshot, std::string_view type) {
  HEAPSCAPE_TRY(const Address address, run.arguments().address(0));
  const auto row = engine::objectAt(snapshot, address);
  if (!row || row->address != address)
    return tl::unexpected(engine::Unfinished(
        engine::Error{ErrorCode::NotFound, fmt::format("{:x} is not referencing an object...", address.value)}));
  HEAPSCAPE_TRY(engine::ObjectDetails details, engine::objectDetails(snapshot, address, kNoElements));
  if (details.typeName.starts_with(fmt::format("System.Collections.Concurrent.{}<", type)) && details.collection)
    return details;
  return tl::unexpected(engine::Unfinished(engine::Error{
      ErrorCode::BadQuery,
      fmt::format("{} is not a {} but an instance of {}...", lowerAddress(address), type, details.typeName)}));
}

Outcome<void> concurrentDictionary(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.heap());
  HEAPSCAPE_TRY(const engine::ObjectDetails details, collectionAt(run, snapshot, "ConcurrentDictionary"));
  HEAPSCAPE_TRY(const auto items,
                engine::collectionItems(snapshot, details.row.address, 0,
                                        static_cast<std::size_t>(details.collection->count), run.stop()));
  const std::vector<engine::TypeHandle> types = itemTypesOf(snapshot, details);
  run.print("{}\n", details.typeName);
  for (const engine::CollectionItem& item : items) {
    run.print("    -----\n      Key: {}\n    Value: {}\n", itemText(item.key, types[0], item.keyAddress),
              itemText(item.value, types[1], item.valueAddress));
    if (!run.goesOn()) return {};
  }
  run.print("---------------------------------------------\n{} items\n\n", items.size());
  return {};
}

Outcome<void> concurrentQueue(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.heap());
  HEAPSCAPE_TRY(const engine::ObjectDetails details, collectionAt(run, snapshot, "ConcurrentQueue"));
  HEAPSCAPE_TRY(const auto items,
                engine::collectionItems(snapshot, details.row.address, 0,
                                        static_cast<std::size_t>(details.collection->count), run.stop()));
  run.print("{}\n", details.typeName);
  std::size_t number = 0;
  const std::vector<engine::TypeHandle> types = itemTypesOf(snapshot, details);
  for (const engine::CollectionItem& item : items)
    run.print("{:>4} - {}\n", ++number, itemText(item.value, types[0], item.valueAddress));
  run.print("---------------------------------------------\n{} items\n\n", items.size());
  return {};
}

// ---- HTTP

Outcome<void> dumpHttp(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.heap());
  HEAPSCAPE_TRY(const engine::HttpRequestList list, engine::listHttpRequests(snapshot, run.stop()));
  std::uint64_t count = 0;
  run.print("{:>16} {:>16} {:<6} {:>10} Uri\n", "Address", "MethodTable", "Method", "StatusCode");
  for (const engine::HttpRequestRow& request : list.requests) {
    if (request.side != engine::HttpSide::Client) continue;
    const auto row = engine::objectAt(snapshot, request.object);
    run.print("{:>16} {:>16} {:<6} {:>10} {}://{}{}{}\n", shortAddress(request.object),
              shortAddress(row ? snapshot.types()[row->type.value].methodTable : Address{}), request.method,
              request.status ? std::to_string(*request.status) : std::string(), request.scheme, request.host,
              request.path, request.query);
    ++count;
  }
  run.print("Total {} requests\n", count);
  return {};
}

Outcome<void> dumpRequests(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.heap());
  HEAPSCAPE_TRY(const engine::HttpRequestList list, engine::listHttpRequests(snapshot, run.stop()));
  const auto isServer = [](const engine::HttpRequestRow& request) { return request.side == engine::HttpSide::Server; };
  const auto count = std::ranges::count_if(list.requests, isServer);
  if (count == 0) {
    run.print("No requests found\n");
    return {};
  }
  run.print("Found {} active requests\n{:<16} {:<8} {:<8} Url\n", count, "Address", "Method", "Scheme");
  for (const engine::HttpRequestRow& request : list.requests) {
    if (isServer(request))
      run.print("{:<16} {:<8} {:<8} {}{}{}\n", shortAddress(request.object), request.method, request.scheme,
                request.host, request.path, request.query);
  }
  return {};
}

}  // namespace

void addSosTaskCommands(std::vector<SosCommand>& commands) {
  commands.push_back({.names = "dumpasync",
                      .arguments = "[--type TEXT] [-addr ADDRESS]",
                      .summary = "Async methods that have not ended, and who waits for whom",
                      .flags = "--tasks -t --completed -c --stats --coalesce",
                      .values = "--type -addr --address -mt --methodtable",
                      .needsMetadata = true,
                      .run = dumpAsync,
                      .more = "async --chains"});
  commands.push_back({.names = "threadpool",
                      .arguments = "[-wi]",
                      .summary = "Threads of the pool, and its work",
                      .flags = "-wi -ti",
                      .needsMetadata = true,
                      .run = threadPool,
                      .more = "async"});
  commands.push_back({.names = "threadpoolqueue tpq",
                      .arguments = "",
                      .summary = "Work that waits for a thread of the pool",
                      .needsMetadata = true,
                      .run = threadPoolQueue,
                      .more = "async"});
  commands.push_back({.names = "timerinfo ti",
                      .arguments = "",
                      .summary = "Timers",
                      .needsMetadata = true,
                      .run = timerInfo,
                      .more = "async"});
  commands.push_back({.names = "taskstate tks",
                      .arguments = "ADDRESS | -v FLAGS",
                      .summary = "State of a task in a word",
                      .values = "-v --value",
                      .mostArguments = 1,
                      .needsMetadata = true,
                      .run = taskState,
                      .more = "object {}"});
  commands.push_back({.names = "dumpconcurrentdictionary dcd",
                      .arguments = "ADDRESS",
                      .summary = "Keys and values of a ConcurrentDictionary",
                      .leastArguments = 1,
                      .mostArguments = 1,
                      .lacking = "Missing ConcurrentDictionary address...",
                      .needsMetadata = true,
                      .run = concurrentDictionary,
                      .more = "object {}"});
  commands.push_back({.names = "dumpconcurrentqueue dcq",
                      .arguments = "ADDRESS",
                      .summary = "Items of a ConcurrentQueue",
                      .leastArguments = 1,
                      .mostArguments = 1,
                      .lacking = "Missing ConcurrentQueue address...",
                      .needsMetadata = true,
                      .run = concurrentQueue,
                      .more = "object {}"});
  commands.push_back({.names = "dumphttp",
                      .arguments = "",
                      .summary = "Requests of HttpClient",
                      .needsMetadata = true,
                      .run = dumpHttp,
                      .more = "http"});
  commands.push_back({.names = "dumprequests",
                      .arguments = "",
                      .summary = "Requests in Kestrel",
                      .needsMetadata = true,
                      .run = dumpRequests,
                      .more = "http"});
}

}  // namespace heapscape::cli
