// SPDX-License-Identifier: MIT
#include "session/details/exceptions_query.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "base/progress.h"
#include "runtime/threads/threads.h"
#include "session/objects/object_query.h"
#include "session/objects/retained_query.h"
#include "session/snapshot/contents.h"
#include "session/stacks/exception_traces.h"
#include "stacks/exception_handling.h"

namespace heapscape::engine {
namespace {

class ExceptionLister {
 public:
  ExceptionLister(const Snapshot& snapshot, bool isEach)
      : m_snapshot(snapshot), m_contents(snapshot.contents()), m_isEach(isEach), m_traces(snapshot) {
    readFlights();
  }

  Outcome<ExceptionList> list(const std::stop_token& stop) {
    if (m_contents.heap) {
      const auto objects = objectsOfTypes(m_contents, wantedTypes(), stop);
      if (!objects) return tl::unexpected(Unfinished::cancelled());
      std::size_t steps = 0;
      for (const TypedObject& object : *objects) {
        if (++steps % kHeavyStopInterval == 0 && stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
        add(m_contents.heap->index.addressOf(object.id));
      }
    } else {
      for (const Address exception : m_thrown) addWithCauses(exception);
    }
    finish();
    return std::move(m_list);
  }

 private:
  using Key = std::tuple<std::string, std::string, std::int32_t, Address, bool, Address>;

  void readFlights() {
    const RuntimeReaders& readers = *m_contents.readers;
    for (const RuntimeThread& thread : readThreads(readers.runtime, m_list.findings)) {
      for (const ExceptionOnItsWay& exception : exceptionsOf(readers.runtime, thread.address)) {
        if (!exception.object) continue;
        std::vector<std::uint32_t>& threads = m_flights[exception.object];
        if (threads.empty() || threads.back() != thread.managedId) threads.push_back(thread.managedId);
        m_thrown.push_back(exception.object);
      }
      const ThreadDetails details = readThreadDetails(readers, thread);
      if (details.exception) m_thrown.push_back(details.exception);
    }
  }

  std::vector<std::uint8_t> wantedTypes() const {
    const std::vector<TypeRow>& types = *m_contents.types;
    std::vector<std::uint8_t> isWanted(types.size());
    for (std::size_t i = 0; i < types.size(); ++i) {
      if (types[i].isFree) continue;
      const auto type = m_contents.readers->methodTables.read(types[i].methodTable);
      isWanted[i] = type && !type->isArray && m_traces.isException(*type);
    }
    return isWanted;
  }

  void addWithCauses(Address exception) {
    const auto details = m_traces.of(exception);
    if (!details) return;
    const auto addAll = [this](const auto& self, const ExceptionDetails& each) -> void {
      if (m_seen.insert(each.object).second) add(each.object);
      for (const ExceptionDetails& cause : each.causes) self(self, cause);
    };
    addAll(addAll, *details);
  }

  void add(Address object) {
    const auto details = m_traces.brief(object, false);
    if (!details) return;
    const Address innermost = details->stack.empty() ? Address{} : details->stack.front().instruction;
    Key key{details->type, details->message,        details->hresult,
            innermost,     details->frameCount > 0, m_isEach ? object : Address{}};
    const auto [place, isNew] = m_rows.try_emplace(std::move(key), m_list.exceptions.size());
    if (isNew) m_list.exceptions.push_back(firstOf(*details));
    ExceptionRow& row = m_list.exceptions[place->second];
    ++row.count;
    if (!details->damage.empty()) m_list.findings.add(FindingKind::HeapDamaged, object, details->damage);
    if (m_snapshot.has(Stage::Retained)) {
      const auto retained = retainedOf(m_snapshot, object);
      row.unreachable = row.unreachable.value_or(0) + (retained && !retained->isReachable ? 1 : 0);
    }
    const auto flight = m_flights.find(object);
    if (flight == m_flights.end()) return;
    if (row.threads.empty()) row.object = object;
    row.threads.insert(row.threads.end(), flight->second.begin(), flight->second.end());
  }

  ExceptionRow firstOf(const ExceptionDetails& details) {
    ExceptionRow row;
    row.typeName = details.type;
    row.message = details.message;
    row.hresult = details.hresult;
    row.isThrown = details.frameCount > 0;
    row.frames = details.frameCount;
    row.innerType = details.innerType;
    row.object = details.object;
    if (const auto type = m_contents.readers->runtime.memory().readPointer(details.object))
      row.methodTable =
          Address{type->value & ~m_contents.readers->runtime.contract().constant("ObjectToMethodTableUnmask")};
    const auto traced = row.isThrown ? m_traces.brief(details.object, true) : std::nullopt;
    if (!traced || traced->stack.empty()) return row;
    row.method = traced->stack.front().method;
    row.file = traced->stack.front().file;
    row.line = traced->stack.front().line;
    return row;
  }

  void finish() {
    for (ExceptionRow& row : m_list.exceptions) {
      std::ranges::sort(row.threads);
      row.threads.erase(std::ranges::unique(row.threads).begin(), row.threads.end());
    }
    std::ranges::stable_sort(m_list.exceptions, [](const ExceptionRow& a, const ExceptionRow& b) {
      if (a.threads.empty() != b.threads.empty()) return b.threads.empty();
      return std::tie(b.count, a.typeName, a.message) < std::tie(a.count, b.typeName, b.message);
    });
  }

  const Snapshot& m_snapshot;
  const Contents& m_contents;
  const bool m_isEach;
  ExceptionTraces m_traces;
  std::unordered_map<Address, std::vector<std::uint32_t>> m_flights;  // managed ids by exception
  std::vector<Address> m_thrown;                                      // by threads, the latest of each first
  std::unordered_set<Address> m_seen;
  std::map<Key, std::size_t> m_rows;  // index in the list
  ExceptionList m_list;
};

}  // namespace

Outcome<ExceptionList> listExceptions(const Snapshot& snapshot, bool isEach, std::stop_token stop) {
  return ExceptionLister(snapshot, isEach).list(stop);
}

}  // namespace heapscape::engine
