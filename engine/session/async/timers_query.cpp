// SPDX-License-Identifier: MIT
#include "session/async/timers_query.h"

#include <algorithm>
#include <array>

#include "base/limits.h"
#include "base/progress.h"
#include "session/async/called_methods.h"
#include "session/objects/referred_object.h"
#include "session/roots/library_statics.h"
#include "session/snapshot/contents.h"
#include "values/collections/node_chain.h"
#include "values/managed_array.h"

namespace heapscape::engine {
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
