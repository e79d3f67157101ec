// SPDX-License-Identifier: MIT
#include "session/threads/local_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "base/limits.h"
#include "base/progress.h"
#include "runtime/threads/threads.h"
#include "session/async/async_types.h"
#include "session/async/suspended_methods.h"
#include "session/objects/object_query.h"
#include "session/objects/retained_query.h"
#include "session/roots/roots_query.h"
#include "session/snapshot/contents.h"
#include "values/instance.h"
#include "values/lines/object_line.h"

namespace heapscape::engine {
namespace {

constexpr std::string_view kThreadLocal = "System.Threading.ThreadLocal<";
constexpr std::string_view kAsyncLocal = "System.Threading.AsyncLocal<";
constexpr std::string_view kContext = "System.Threading.ExecutionContext";
constexpr std::string_view kThread = "System.Threading.Thread";
constexpr std::size_t kMostValues = 4'000'000;  // of all rows
constexpr std::size_t kMostInContext = 100'000;

/// Whether a type is the generic one with that beginning itself, and none that is declared inside of it.
bool isInstance(std::string_view name, std::string_view beginning) {
  if (!name.starts_with(beginning) || !name.ends_with('>')) return false;
  int depth = 0;
  for (std::size_t i = beginning.size() - 1; i < name.size(); ++i) {
    if (name[i] == '<') ++depth;
    if (name[i] == '>' && --depth == 0) return i + 1 == name.size();
  }
  return false;
}

/// Reads what threads and execution contexts have for themselves. Names of fields are those of .NET 8 to 10
/// (ThreadLocal.cs, AsyncLocal.cs, ExecutionContext.cs).
class LocalReader {
 public:
  LocalReader(const Snapshot& snapshot, std::optional<Address> only, std::stop_token stop)
      : m_snapshot(snapshot),
        m_contents(snapshot.contents()),
        m_readers(*m_contents.readers),
        m_only(only),
        m_stop(std::move(stop)),
        m_values({.readers = m_readers, .heap = m_contents.heap.get()}),
        m_sources(m_values.instances()),
        m_lines(m_values),
        m_suspended(m_contents),
        m_continuations(m_readers.runtime) {
    for (const RuntimeThread& thread : readThreads(m_readers.runtime, m_list.findings)) {
      m_threads.push_back(thread);
      const Address managed = readThreadDetails(m_readers, thread).managedThread;
      if (managed) m_threadsByObject.emplace(managed, thread);
    }
  }

  Outcome<LocalValueList> read() {
    HEAPSCAPE_CHECK(readThreadLocals());
    HEAPSCAPE_CHECK(readContexts());
    nameLocals();
    std::ranges::stable_sort(m_list.values, {}, [](const LocalValueRow& row) {
      return std::tuple(row.kind, row.object, row.threads.empty() ? UINT32_MAX : row.threads.front(), row.context);
    });
    return std::move(m_list);
  }

 private:
  template <class IsWanted>
  std::optional<std::vector<TypedObject>> objectsOf(const IsWanted& isWanted) const {
    const std::vector<TypeRow>& types = *m_contents.types;
    std::vector<std::uint8_t> wanted(types.size());
    for (std::size_t i = 0; i < types.size(); ++i) wanted[i] = !types[i].isFree && isWanted(types[i]);
    if (std::ranges::count(wanted, 1) == 0) return std::vector<TypedObject>{};
    return objectsOfTypes(m_contents, wanted, m_stop);
  }
  Address addressOf(const TypedObject& object) const { return m_contents.heap->index.addressOf(object.id); }
  bool isGarbage(Address object) const {
    const auto retained = m_snapshot.has(Stage::Retained) ? retainedOf(m_snapshot, object) : std::nullopt;
    return retained && !retained->isReachable;
  }

  Outcome<void> readThreadLocals() {
    const auto locals = objectsOf([](const TypeRow& type) { return isInstance(type.name, kThreadLocal); });
    if (!locals) return tl::unexpected(Unfinished::cancelled());
    for (const TypedObject& local : *locals) {
      const Address object = addressOf(local);
      if ((m_only && *m_only != object) || isGarbage(object)) continue;
      if (const auto instance = Instance::at(m_sources, object)) HEAPSCAPE_CHECK(readThreadLocal(*instance));
    }
    return {};
  }

  // All slots of one are linked with each other, and each knows the array of the thread whose it is. A thread that ends
  // unlinks its slots, or leaves them without an array if all values are tracked.
  Outcome<void> readThreadLocal(const Instance& local) {
    const std::unordered_map<Address, std::uint32_t>& threads = slotArraysOf(local.type());
    const auto head = local.follow("_linkedSlot");
    Address at = head ? head->reference("_next").value_or(Address{}) : Address{};
    for (std::size_t i = 0; at && i < kLimits.threads * 10; ++i) {
      if (i % kHeavyStopInterval == 0 && m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      const auto slot = Instance::at(m_sources, at);
      if (!slot || m_list.values.size() >= kMostValues) {
        m_list.findings.add(FindingKind::HeapDamaged, at,
                            "The values of a ThreadLocal are damaged; the rest is left out.");
        break;
      }
      LocalValueRow row = rowOf(LocalKind::ThreadLocal, local);
      const Address array = slot->reference("_slotArray").value_or(Address{});
      const auto thread = array ? threads.find(array) : threads.end();
      row.hasThreadEnded = thread == threads.end();
      if (thread != threads.end()) row.threads.push_back(thread->second);
      describeField(*slot, "_value", row);
      m_list.values.push_back(std::move(row));
      at = slot->reference("_next").value_or(Address{});
    }
    return {};
  }

  /// By array of slots, of the thread that has it.
  const std::unordered_map<Address, std::uint32_t>& slotArraysOf(const MethodTable& type) {
    const auto [known, isNew] = m_slotArrays.try_emplace(type.address);
    if (!isNew) return known->second;
    const auto fields = m_readers.fields.declaredBy(type);
    if (!fields) return known->second;
    const auto field = std::ranges::find_if(
        *fields, [](const FieldDesc& each) { return each.isThreadStatic && each.name == "ts_slotArray"; });
    if (field == fields->end()) return known->second;
    for (const RuntimeThread& thread : m_threads) {
      const auto area = m_readers.threadStatics.areaOf(type, thread.address);
      const Address slot = area ? area->slotOf(*field) : Address{};
      const Address array = slot ? m_readers.runtime.memory().readPointer(slot).value_or(Address{}) : Address{};
      if (array) known->second.emplace(array, thread.managedId);
    }
    return known->second;
  }

  LocalValueRow rowOf(LocalKind kind, const Instance& local) const {
    LocalValueRow row;
    row.kind = kind;
    row.object = local.object();
    row.typeName = local.shape().name;
    row.methodTable = local.type().address;
    return row;
  }

  void describeField(const Instance& holder, std::string_view name, LocalValueRow& row) {
    const auto place = holder.field(name);
    if (!place) {
      row.damage = place.error().what;
      return;
    }
    if (place->shape->slot.kind == Slot::Kind::Reference) {
      describeObject(m_readers.runtime.memory().readPointer(place->address), row);
      return;
    }
    const FieldValue value = m_values.readValue(place->shape->slot.type, place->address);
    row.value = value.value.text;
    row.damage = value.value.damage;
  }

  void describeObject(const Result<Address>& object, LocalValueRow& row) {
    if (!object) {
      row.damage = object.error().what;
      return;
    }
    row.valueObject = *object;
    const Value value = m_values.readReference(*object);
    row.valueType = value.objectType;
    row.damage = value.damage;
    row.value = value.text;
    if (!*object || !value.methodTable) return;
    if (const auto line = m_lines.read(*object, value.methodTable); line && !line->empty()) row.value = *line;
  }

  // ---- AsyncLocal

  struct Context {
    std::vector<std::uint32_t> threads;
    std::map<std::string, std::size_t> holders;  // how often
  };

  /// Where objects of a type keep an execution context, from the start of the fields; by field's declared type.
  const std::vector<std::uint32_t>& contextOffsets(Address methodTable) {
    const auto [known, isNew] = m_contextOffsets.try_emplace(methodTable);
    if (!isNew) return known->second;
    std::vector<std::uint32_t> offsets;
    const TypeShape* shape = m_values.shapes().find(methodTable);
    for (std::size_t depth = 0; shape && depth < kLimits.parentDepth; ++depth) {
      for (const FieldShape& field : shape->fields) {
        if (field.slot.kind == Slot::Kind::Reference && field.slot.typeName == kContext)
          offsets.push_back(field.offset);
      }
      shape = shape->type.parent ? m_values.shapes().find(shape->type.parent) : nullptr;
    }
    return m_contextOffsets[methodTable] = std::move(offsets);
  }

  Outcome<void> readContexts() {
    const auto holders = objectsOf([this](const TypeRow& type) {
      const auto table = m_readers.methodTables.read(type.methodTable);
      return table && !table->isArray && (table->isContinuation || !contextOffsets(type.methodTable).empty());
    });
    if (!holders) return tl::unexpected(Unfinished::cancelled());
    std::size_t steps = 0;
    for (const TypedObject& holder : *holders) {
      if (++steps % kHeavyStopInterval == 0 && m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      const Address object = addressOf(holder);
      if (!isGarbage(object)) addHolder(object, m_contents.types->at(holder.type.value));
    }
    for (const auto& [context, kept] : m_contexts) {
      if (m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      readContext(context, kept);
    }
    return {};
  }

  void addSuspended(Address object) {
    const auto continuation = m_continuations.read(object);
    for (const ContinuationReader::Part& part : m_continuations.partsOf(object)) {
      Address context;
      if (part.kind != ContinuationReader::Part::Kind::ExecutionContext ||
          !m_readers.runtime.memory().tryRead(object + part.offset, context) || !context || !continuation)
        continue;
      ++m_contexts[context].holders[m_suspended.of(continuation->resumeInfo).name];
    }
  }

  void addHolder(Address object, const TypeRow& type) {
    if (const auto table = m_readers.methodTables.read(type.methodTable); table && table->isContinuation) {
      addSuspended(object);
      return;
    }
    for (const std::uint32_t offset : contextOffsets(type.methodTable)) {
      Address context;
      if (!m_readers.runtime.memory().tryRead(object + Instance::kFieldsOffset + offset, context) || !context) continue;
      const auto thread = m_threadsByObject.find(object);
      if (type.name == kThread) {
        if (thread != m_threadsByObject.end() && isAlive(thread->second))
          m_contexts[context].threads.push_back(thread->second.managedId);
        continue;
      }
      ++m_contexts[context].holders[isAsyncBoxName(type.name) ? asyncMethodOfBox(type.name) : type.name];
    }
  }

  void readContext(Address address, const Context& kept) {
    const auto context = Instance::at(m_sources, address);
    const auto values = context ? context->follow("m_localValues") : tl::unexpected(context.error());
    if (!values) return;
    LocalValueRow row;
    row.context = address;
    row.threads = kept.threads;
    std::ranges::sort(row.threads);
    for (const auto& [holder, times] : kept.holders)
      row.holders.push_back(times > 1 ? fmt::format("{} ×{}", holder, times) : holder);
    // Maps of up to four have a pair in each field, larger ones an array of pairs, the largest are dictionaries.
    for (const FieldShape& field : values->shape().fields) {
      if (field.slot.kind == Slot::Kind::ValueType) addPair(*values, field.offset, field.slot.type, row);
    }
    for (const auto& [array, count] : {std::pair{"_keyValues", ""}, std::pair{"_entries", "_count"}}) {
      const auto items = readArray(*values, array);
      const auto shape = items ? items->elementShape(m_sources) : tl::unexpected(items.error());
      if (!shape) continue;
      const std::uint32_t used = *count ? values->count(count).value_or(0) : items->count;
      for (std::uint32_t i = 0; i < std::min(used, items->count) && i < kMostInContext; ++i)
        addValue(Instance(m_sources, shape->shape(), items->element(i)), row);
    }
  }

  void addPair(const Instance& map, std::uint32_t offset, TypeHandle type, const LocalValueRow& row) {
    const TypeShape* shape = m_values.shapes().find(type);
    if (shape) addValue(Instance(m_sources, *shape, map.object() + Instance::kFieldsOffset + offset), row);
  }

  // A pair, or an entry of a dictionary: a free one has no key.
  void addValue(const Instance& pair, LocalValueRow row) {
    const auto key = pair.reference("key");
    if (!key || !*key || (m_only && *m_only != *key) || m_list.values.size() >= kMostValues) return;
    const auto local = Instance::at(m_sources, *key);
    if (!local || !isInstance(local->shape().name, kAsyncLocal)) return;
    const LocalValueRow named = rowOf(LocalKind::AsyncLocal, *local);
    row.kind = named.kind;
    row.object = named.object;
    row.typeName = named.typeName;
    row.methodTable = named.methodTable;
    describeObject(pair.reference("value"), row);
    m_list.values.push_back(std::move(row));
  }

  void nameLocals() {
    if (!m_snapshot.has(Stage::Retained)) return;
    constexpr std::string_view kStatic = "static ";
    std::unordered_map<Address, std::string> names;
    for (const LocalValueRow& row : m_list.values) names.try_emplace(row.object);
    for (const RootRow& root : m_snapshot.roots().roots) {
      if (!root.name.starts_with(kStatic)) continue;
      const auto found = names.find(root.object);
      if (found != names.end() && found->second.empty()) found->second = root.name.substr(kStatic.size());
    }
    for (LocalValueRow& row : m_list.values) row.name = names.at(row.object);
  }

  const Snapshot& m_snapshot;
  const Contents& m_contents;
  const RuntimeReaders& m_readers;
  const std::optional<Address> m_only;
  const std::stop_token m_stop;
  const ValueReader m_values;
  const InstanceSources m_sources;
  ObjectLines m_lines;
  SuspendedMethods m_suspended;
  const ContinuationReader m_continuations;
  std::vector<RuntimeThread> m_threads;
  std::unordered_map<Address, RuntimeThread> m_threadsByObject;                          // by System.Threading.Thread
  std::unordered_map<Address, std::unordered_map<Address, std::uint32_t>> m_slotArrays;  // by method table
  std::unordered_map<Address, std::vector<std::uint32_t>> m_contextOffsets;              // the same
  std::map<Address, Context> m_contexts;
  LocalValueList m_list;
};

}  // namespace

Outcome<LocalValueList> listLocalValues(const Snapshot& snapshot, std::optional<Address> only, std::stop_token stop) {
  if (!snapshot.contents().heap) return LocalValueList{};
  return LocalReader(snapshot, only, std::move(stop)).read();
}

}  // namespace heapscape::engine
