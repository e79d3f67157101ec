// SPDX-License-Identifier: MIT
#include "session/async/thread_pool_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/limits.h"
#include "base/progress.h"
#include "runtime/threads/threads.h"
#include "session/async/async_names.h"
#include "session/objects/object_query.h"
#include "session/roots/statics_query.h"
#include "session/snapshot/contents.h"
#include "values/collections/kinds/collection_makers.h"
#include "values/collections/node_chain.h"
#include "values/instance.h"

namespace heapscape::engine {
namespace {

// Names of .NET 8 to 10 (ThreadPoolWorkQueue.cs).
struct QueueField {
  std::string_view field;
  std::string_view name;
};
constexpr std::array kGlobalQueues{
    QueueField{"highPriorityWorkItems", "high priority"},
    QueueField{"workItems", "global"},
    QueueField{"lowPriorityWorkItems", "low priority"},
    QueueField{"timeSensitiveWorkQueue", "time sensitive"},
};

class PoolReader {
 public:
  /// Takes an item of a queue; false to go on with the next queue.
  using Visit = std::function<bool(Address item)>;

  PoolReader(const Contents& contents, std::stop_token stop)
      : m_readers(*contents.readers), m_shapes(m_readers), m_stop(std::move(stop)) {}

  Result<void> forEachQueue(const std::function<void(WorkQueueRow)>& add) {
    HEAPSCAPE_TRY(const Address pool, readLibraryStatic(m_readers, "System.Threading.ThreadPool", "s_workQueue"));
    if (!pool) return failure(ErrorCode::NotFound, "The program has not used the thread pool.");
    HEAPSCAPE_TRY(const Instance queue, Instance::at(m_sources, pool));
    for (const QueueField& field : kGlobalQueues) {
      const auto items = queue.reference(field.field);
      if (items && *items) add({.name = std::string(field.name), .object = *items});
    }
    const auto assignable = readArray(queue, "_assignableWorkItemQueues");
    for (std::uint32_t i = 0; assignable && i < assignable->count && i < kLimits.threads; ++i) {
      const auto items = m_readers.runtime.memory().readPointer(assignable->element(i));
      if (items && *items) add({.name = fmt::format("assignable {}", i), .object = *items});
    }
    addLocalQueues(add);
    return {};
  }

  /// Visits items; returns what is wrong with the queue, empty if all is well.
  std::string forEachItem(const WorkQueueRow& queue, const Visit& visit) {
    const auto instance = Instance::at(m_sources, queue.object);
    if (!instance) return instance.error().what;
    return queue.name == kLocal ? forEachLocal(*instance, visit) : forEachGlobal(*instance, visit);
  }

  std::optional<PoolThreads> threads() {
    const auto pool = readLibraryStatic(m_readers, "System.Threading.PortableThreadPool", "ThreadPoolInstance");
    const auto instance = pool && *pool ? Instance::at(m_sources, *pool) : failure(ErrorCode::NotFound, {});
    const auto separated = instance ? instance->inner("_separated") : failure(ErrorCode::NotFound, {});
    const auto counts = separated ? separated->inner("counts") : failure(ErrorCode::NotFound, {});
    const auto data = counts ? counts->number<std::uint64_t>("_data") : failure(ErrorCode::NotFound, {});
    if (!data) return std::nullopt;
    // Three shorts (PortableThreadPool.ThreadCounts.cs).
    const auto part = [&](unsigned shift) { return static_cast<std::int16_t>(*data >> shift); };
    return PoolThreads{part(0), part(16), part(32), instance->number<std::int16_t>("_minThreads").value_or(0),
                       instance->number<std::int16_t>("_maxThreads").value_or(0)};
  }

 private:
  static constexpr std::string_view kLocal = "local";

  void addLocalQueues(const std::function<void(WorkQueueRow)>& add) {
    std::map<Address, std::uint32_t> owners;
    FindingList repeated;  // whoever lists threads tells
    for (const RuntimeThread& thread : readThreads(m_readers.runtime, repeated)) {
      const auto locals = readLibraryThreadStatic(m_readers, "System.Threading.ThreadPoolWorkQueueThreadLocals",
                                                  "threadLocals", thread.address);
      const auto instance = locals && *locals ? Instance::at(m_sources, *locals) : failure(ErrorCode::NotFound, {});
      const auto queue = instance ? instance->reference("workStealingQueue") : failure(ErrorCode::NotFound, {});
      if (queue && *queue) owners.emplace(*queue, thread.managedId);
    }
    for (const Address queue : listedLocalQueues()) {
      const auto owner = owners.find(queue);
      add({.name = std::string(kLocal), .threadId = owner == owners.end() ? 0 : owner->second, .object = queue});
      if (owner != owners.end()) owners.erase(owner);
    }
    for (const auto& [queue, thread] : owners) add({.name = std::string(kLocal), .threadId = thread, .object = queue});
  }

  std::vector<Address> listedLocalQueues() const {
    std::vector<Address> listed;
    // The field has another name since .NET 10.
    for (const std::string_view field : {"_queues", "s_queues"}) {
      const auto array =
          readLibraryStatic(m_readers, "System.Threading.ThreadPoolWorkQueue+WorkStealingQueueList", field);
      const auto queues = array && *array ? readArray(m_sources, *array) : failure(ErrorCode::NotFound, {});
      for (std::uint32_t i = 0; queues && i < queues->count && i < kLimits.threads; ++i) {
        const auto queue = m_readers.runtime.memory().readPointer(queues->element(i));
        if (queue && *queue) listed.push_back(*queue);
      }
    }
    return listed;
  }

  std::string forEachGlobal(const Instance& queue, const Visit& visit) {
    const auto items = makeConcurrentQueue(queue);
    if (!items) return items.error().what;
    ItemCollector collector(
        [&](const ItemPlace& place) {
          const auto item = m_readers.runtime.memory().readPointer(place.value);
          return place.known || !item || !*item || visit(*item);
        },
        m_stop);
    const std::string damage = (*items)->collect(collector);
    return (*items)->facts().damage.empty() ? damage : (*items)->facts().damage;
  }

  /// A ring whose indices only grow; its own thread takes the last item first.
  std::string forEachLocal(const Instance& queue, const Visit& visit) {
    const auto slots = readArray(queue, "m_array");
    const auto head = queue.number<std::int32_t>("m_headIndex");
    const auto tail = queue.number<std::int32_t>("m_tailIndex");
    if (!slots || !head || !tail) return "A local queue of the thread pool cannot be read.";
    const std::int64_t count = std::int64_t{*tail} - *head;
    if (count > slots->count) return "A local queue of the thread pool claims more items than it has room for.";
    for (std::int64_t i = *tail; i-- > *head && !m_stop.stop_requested();) {
      const auto item =
          m_readers.runtime.memory().readPointer(slots->element(static_cast<std::uint64_t>(i) % slots->count));
      if (item && *item && !visit(*item)) break;
    }
    return {};
  }

  const RuntimeReaders& m_readers;
  TypeShapes m_shapes;
  InstanceSources m_sources{m_readers, m_shapes};
  std::stop_token m_stop;
};

}  // namespace

Outcome<ThreadPoolState> readThreadPool(const Snapshot& snapshot, std::size_t itemLimit, std::stop_token stop) {
  ThreadPoolState state;
  const Contents& contents = snapshot.contents();
  if (!contents.heap) return state;
  PoolReader pool(contents, stop);
  AsyncTypes types(contents);
  CalledMethods called(contents, types);
  const auto read = pool.forEachQueue([&](WorkQueueRow queue) {
    const std::string damage = pool.forEachItem(queue, [&](Address item) {
      ++queue.count;
      if (queue.items.size() < itemLimit)
        queue.items.push_back({item, referredObject(snapshot, item).typeName, called.ofWorkItem(item)});
      return true;
    });
    if (!damage.empty()) state.findings.add(FindingKind::HeapDamaged, queue.object, damage);
    if (queue.count || queue.name == "global") state.queues.push_back(std::move(queue));
  });
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  if (!read) state.missing = read.error().what;
  state.threads = pool.threads();
  return state;
}

std::optional<std::vector<Address>> queuedInThreadPool(const Snapshot& snapshot) {
  if (!snapshot.contents().heap) return std::nullopt;
  std::vector<Address> objects;
  bool isWhole = true;
  PoolReader pool(snapshot.contents(), {});
  const auto read = pool.forEachQueue([&](const WorkQueueRow& queue) {
    const std::string damage = pool.forEachItem(queue, [&](Address item) {
      objects.push_back(item);
      return true;
    });
    isWhole &= damage.empty();
  });
  if (!isWhole || (!read && read.error().code != ErrorCode::NotFound)) return std::nullopt;
  std::ranges::sort(objects);
  return objects;
}

namespace {

// Names of .NET 8 to 10 (Timer.cs).
constexpr std::uint32_t kNever = 0xffffffff;  // Timeout.UnsignedInfinite
constexpr std::array<std::string_view, 2> kLists{"_shortTimers", "_longTimers"};
constexpr std::size_t kTimers = 16'000'000;  // of all lists

class TimerReader {
 public:
  explicit TimerReader(const Snapshot& snapshot)
      : m_snapshot(snapshot), m_types(snapshot.contents()), m_called(snapshot.contents(), m_types) {}

  Outcome<TimerList> read(const std::stop_token& stop) {
    const RuntimeReaders& readers = *m_snapshot.contents().readers;
    const InstanceSources sources = m_types.sources();
    const auto instances = readLibraryStatic(readers, "System.Threading.TimerQueue", "<Instances>k__BackingField");
    if (!instances || !*instances) {
      m_list.missing = instances ? "The program has not used timers." : instances.error().what;
      return std::move(m_list);
    }
    HEAPSCAPE_TRY(const ManagedArray queues, readArray(sources, *instances));
    for (std::uint32_t i = 0; i < queues.count && i < kLimits.threads; ++i) {
      const auto address = readers.runtime.memory().readPointer(queues.element(i));
      const auto queue = address && *address ? Instance::at(sources, *address) : failure(ErrorCode::NotFound, {});
      for (const std::string_view list : kLists) {
        if (queue && !readQueue(*queue, list, stop)) return tl::unexpected(Unfinished::cancelled());
      }
    }
    finish();
    return std::move(m_list);
  }

 private:
  /// False if it was stopped.
  bool readQueue(const Instance& queue, std::string_view list, const std::stop_token& stop) {
    m_now = std::max(m_now, queue.number<std::int64_t>("_currentTimerStartTicks").value_or(0));
    Address timer = queue.reference(list).value_or(Address{});
    CycleWatch watch;
    while (timer) {
      if (++m_steps % kHeavyStopInterval == 0 && stop.stop_requested()) return false;
      const auto instance = Instance::at(queue.sources(), timer);
      if (!instance || m_list.timers.size() == kTimers || watch.isRepeated(timer)) {
        m_list.findings.add(FindingKind::HeapDamaged, timer,
                            "A list of timers is damaged; the rest of it is left out.");
        return true;
      }
      add(*instance);
      timer = instance->reference("_next").value_or(Address{});
    }
    return true;
  }

  void add(const Instance& timer) {
    TimerRow row;
    row.object = timer.object();
    row.dueMilliseconds = timer.number<std::uint32_t>("_dueTime").value_or(kNever);
    if (row.dueMilliseconds == kNever) return;
    const auto period = timer.number<std::uint32_t>("_period").value_or(kNever);
    if (period != kNever && period != 0) row.periodMilliseconds = period;
    const auto start = timer.number<std::int64_t>("_startTicks");
    m_starts.push_back(start.value_or(0));
    m_now = std::max(m_now, m_starts.back());
    row.state = timer.reference("_state").value_or(Address{});
    if (row.state) row.stateType = referredObject(m_snapshot, row.state).typeName;
    row.method = methodOf(timer);
    m_list.timers.push_back(std::move(row));
  }

  std::string methodOf(const Instance& timer) {
    const Address callback = timer.reference("_timerCallback").value_or(Address{});
    return callback ? m_called.ofDelegate(callback) : std::string();
  }

  // What the clock shows is not in the dump, only when timers were started last.
  void finish() {
    for (std::size_t i = 0; i < m_list.timers.size(); ++i) {
      if (m_starts[i]) m_list.timers[i].remainingMilliseconds = m_starts[i] + m_list.timers[i].dueMilliseconds - m_now;
    }
    std::ranges::stable_sort(m_list.timers, {}, [](const TimerRow& row) { return row.remainingMilliseconds; });
  }

  const Snapshot& m_snapshot;
  AsyncTypes m_types;
  CalledMethods m_called;
  TimerList m_list;
  std::vector<std::int64_t> m_starts;  // by timer; 0 if unknown
  std::int64_t m_now = 0;              // the latest time that is known to have been
  std::size_t m_steps = 0;
};

}  // namespace

Outcome<TimerList> listTimers(const Snapshot& snapshot, std::stop_token stop) {
  if (!snapshot.contents().heap) return TimerList{.missing = "Objects are not read yet.", .findings = {}};
  return TimerReader(snapshot).read(stop);
}

}  // namespace heapscape::engine
