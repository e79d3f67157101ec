// SPDX-License-Identifier: MIT
#include "session/roots/statics_query.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>

#include "base/address.h"
#include "base/limits.h"
#include "base/progress.h"
#include "graph/gc_desc.h"
#include "heap/object_head.h"
#include "memory/files/recorded_path.h"
#include "metadata/names/parsed_type_name.h"
#include "runtime/modules/load_contexts.h"
#include "runtime/threads/threads.h"
#include "runtime/types/ee_class.h"
#include "session/objects/object_query.h"
#include "session/objects/retained_query.h"
#include "session/snapshot/contents.h"
#include "values/reading/value_reader.h"

namespace heapscape::engine {
namespace {

struct StaticField {
  MethodTable type;
  FieldDesc field;
};

Result<StaticField> findField(const RuntimeReaders& readers, std::string_view typeName, std::string_view fieldName) {
  const Address methodTable = readers.loadedTypes.libraryType(typeName);
  if (!methodTable) return failure(ErrorCode::NotFound, fmt::format("{} is not loaded.", typeName));
  HEAPSCAPE_TRY(const MethodTable type, readers.methodTables.read(methodTable));
  HEAPSCAPE_TRY(const std::vector<FieldDesc> fields, readers.fields.declaredBy(type));
  const auto found =
      std::ranges::find_if(fields, [&](const FieldDesc& field) { return field.isStatic && field.name == fieldName; });
  if (found == fields.end() || found->elementType != ElementType::Class)
    return failure(ErrorCode::NotFound, fmt::format("{} has no static field {}.", typeName, fieldName));
  return StaticField{type, *found};
}

Result<Address> readSlot(const RuntimeReaders& readers, const StaticsArea& area, const FieldDesc& field) {
  const Address slot = area.slotOf(field);
  return slot ? readers.runtime.memory().readPointer(slot) : Address{};
}

}  // namespace

Result<Address> readLibraryStatic(const RuntimeReaders& readers, std::string_view type, std::string_view field) {
  HEAPSCAPE_TRY(const StaticField found, findField(readers, type, field));
  HEAPSCAPE_TRY(const StaticsArea area, readers.staticFields.areaOf(found.type));
  return readSlot(readers, area, found.field);
}

Result<Address> readLibraryThreadStatic(const RuntimeReaders& readers, std::string_view type, std::string_view field,
                                        Address thread) {
  HEAPSCAPE_TRY(const StaticField found, findField(readers, type, field));
  HEAPSCAPE_TRY(const StaticsArea area, readers.threadStatics.areaOf(found.type, thread));
  return readSlot(readers, area, found.field);
}

namespace {

constexpr std::uint64_t kBoxedValueOffset = 8;
constexpr std::uint32_t kShownImageBytes = 32;

/// Collects the static fields of one type after the other.
class StaticsCollector {
 public:
  StaticsCollector(const Snapshot& snapshot, const StaticsFilter& filter)
      : m_snapshot(snapshot),
        m_readers(*snapshot.contents().readers),
        m_filter(filter),
        m_values({.readers = m_readers, .heap = snapshot.contents().heap.get()}),
        m_threads(readThreads(m_readers.runtime, m_list.findings)),
        m_canon(m_readers.runtime.globalPointer("CanonMethodTable").value_or(Address{})) {}

  Outcome<StaticList> collect(const std::stop_token& stop) {
    std::size_t steps = 0;
    for (const Address methodTable : typesAsked()) {
      if (steps++ % kHeavyStopInterval == 0 && stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      if (m_list.statics.size() >= kLimits.statics) {
        m_list.findings.add(FindingKind::RuntimeDataDamaged, methodTable,
                            "There are more static fields than any process has; the rest is left out.");
        break;
      }
      addType(methodTable);
    }
    if (!m_filter.methodTable) addHolders();
    // What compilers make, "<PrivateImplementationDetails>" and the like, comes behind what people wrote.
    std::ranges::sort(m_list.statics, {}, [](const StaticRow& row) {
      return std::tuple(row.typeName.starts_with('<'), std::string_view(row.typeName), row.methodTable,
                        std::string_view(row.field), row.threadId);
    });
    return std::move(m_list);
  }

 private:
  std::vector<Address> typesAsked() const {
    if (m_filter.methodTable) return {m_filter.methodTable};
    std::vector<Address> types = m_readers.loadedTypes.all();
    std::ranges::sort(types);
    types.erase(std::ranges::unique(types).begin(), types.end());
    return types;
  }

  void addType(Address methodTable) {
    const auto type = m_readers.methodTables.read(methodTable);
    if (!type || type->isArray || !m_readers.fields.areTold() || hasNoStatics(*type) || isShared(methodTable, 0))
      return;
    const auto fields = m_readers.fields.declaredBy(*type);
    if (!fields) {
      m_list.findings.add(
          FindingKind::RuntimeDataDamaged, methodTable,
          "The static fields of " + m_readers.names.nameOf(methodTable) + " cannot be read: " + fields.error().what);
      return;
    }
    if (std::ranges::none_of(*fields, &FieldDesc::isStatic)) return;
    const std::string name = m_readers.names.nameOf(methodTable);
    if (!m_filter.typeText.empty() && !m_search.isHeldBy(name)) return;
    const Module* module = m_readers.modules.definingModule(m_readers.methodTables, *type);
    StaticRow common;
    common.typeName = name;
    common.methodTable = methodTable;
    if (!m_filter.objectsAlone) {
      common.assembly = module ? module->name : std::string();
      common.loadContext = textOf(contextOfType(m_readers, *type));
    }
    for (const FieldDesc& field : *fields) {
      if (!field.isStatic) continue;
      if (field.isThreadStatic) {
        addThreadStatic(common, field, *type);
      } else {
        addShared(common, field, *type);
      }
    }
  }

  void addHolders() {
    for (const StaticsHolder& holder : m_readers.staticFields.unnamedHolders(m_list.findings)) addHolder(holder, {});
    for (const RuntimeThread& thread : m_threads)
      for (const StaticsHolder& holder : m_readers.threadStatics.unnamedHolders(thread.address))
        addHolder(holder, thread);
  }

  void addHolder(const StaticsHolder& holder, const std::optional<RuntimeThread>& thread) {
    const RuntimeLibrary& program = m_readers.runtime.library();
    StaticsHolderRow row{
        .name = thread ? fmt::format("<statics of thread {}>", thread->managedId)
                       : fmt::format("<statics {}+{:#x}>", fileNameOf(program.path), holder.cell - program.base),
        .cell = holder.cell,
        .object = holder.object,
        .methodTable = m_readers.runtime.memory().readPointer(holder.object).value_or(Address{}),
        .thread = thread};
    row.methodTable.value &= kMethodTableMask;
    const bool isOfOneClass = holder.parts.size() == 1;
    if (isOfOneClass) {
      row.typeName = holder.parts.front().typeName;
      row.type = holder.parts.front().type;
    }
    if (holder.hasFields) addFieldsOf(row, holder.parts);
    if (!m_filter.typeText.empty() && !m_search.isHeldBy(row.typeName.empty() ? row.name : row.typeName)) return;
    m_list.holders.push_back(std::move(row));
  }

  // Which words of it are references tells its type. What tells more of them is a class, if anything does.
  void addFieldsOf(const StaticsHolderRow& holder, const std::vector<StaticsHolder::Part>& parts) {
    const AddressSpace& memory = m_readers.runtime.memory();
    const auto type = m_readers.methodTables.read(holder.methodTable);
    const auto places = type ? readGcDesc(m_readers.runtime, *type) : Result<GcDesc>(GcDesc());
    if (!type || !places || m_list.statics.size() >= kLimits.statics) return;
    StaticRow common;
    common.typeName = holder.name;
    common.methodTable = type->address;
    common.kind = holder.thread ? StaticKind::Thread : StaticKind::Normal;
    common.threadId = holder.thread ? holder.thread->managedId : 0;
    common.fieldType = "System.Object";
    places->forEachPlace(alignUp(type->baseSize, kPointerBytes), [&](std::uint64_t offset) {
      const auto part = std::ranges::find_if(
          parts, [&](const StaticsHolder::Part& one) { return offset >= one.start && offset < one.end; });
      if (part != parts.end() && part->areNamed) return;
      StaticRow row = common;
      if (part != parts.end()) row.typeName = part->typeName;
      if (part != parts.end() && part->type) row.methodTable = part->type;
      if (!m_filter.typeText.empty() && !m_search.isHeldBy(row.typeName)) return;
      row.field = fmt::format("+{}", offset);
      row.address = holder.object + offset;
      Address target;
      row.isInitialised = memory.tryRead(row.address, target) && target;
      if (!row.isInitialised && !m_filter.includeUninitialised) return;
      row.value.typeName = common.fieldType;
      row.value.address = row.address;
      row.value.sizeBytes = kPointerBytes;
      row.value.value = m_values.readReference(target);
      row.retainedBytes = retainedBytesAt(m_snapshot, target);
      m_list.statics.push_back(std::move(row));
    });
  }

  bool hasNoStatics(const MethodTable& type) const {
    const auto counts = readEEClassCounts(m_readers.runtime, type);
    return counts && counts->staticFields == 0;
  }

  // Code shared over System.__Canon has no statics of its own, and neither has an open generic type.
  bool isShared(TypeHandle handle, std::size_t depth) const {
    if (handle == m_canon || depth > kLimits.nestingDepth) return true;
    if (m_readers.methodTables.isTypeDesc(handle)) return m_readers.methodTables.isTypeVariable(handle);
    const auto type = m_readers.methodTables.read(handle);
    if (!type) return false;
    if (type->isArray) {
      const auto element = m_readers.methodTables.arrayElementType(*type);
      return element && isShared(*element, depth + 1);
    }
    const auto arguments = m_readers.methodTables.typeArguments(*type);
    return arguments && std::ranges::any_of(*arguments, [&](TypeHandle part) { return isShared(part, depth + 1); });
  }

  void addShared(StaticRow row, const FieldDesc& field, const MethodTable& type) {
    if (field.isRva) {
      row.kind = StaticKind::Rva;
      const auto address = m_readers.staticFields.addressOfRva(field, type);
      row.isInitialised = address.has_value();
      add(std::move(row), field, type, address);
      return;
    }
    const auto area = m_readers.staticFields.areaOf(type);
    row.isInitialised = area && area->isInitialised;
    add(std::move(row), field, type, area.map([&](const StaticsArea& found) { return found.slotOf(field); }));
  }

  // One row for each thread that has used it; if none has, one that says so.
  void addThreadStatic(StaticRow row, const FieldDesc& field, const MethodTable& type) {
    row.kind = StaticKind::Thread;
    bool isUsed = false;
    for (const RuntimeThread& thread : m_threads) {
      const auto area = m_readers.threadStatics.areaOf(type, thread.address);
      if (area && !area->slotOf(field)) continue;
      isUsed = true;
      StaticRow onThread = row;
      onThread.threadId = thread.managedId;
      onThread.isInitialised = area && area->isInitialised;
      add(std::move(onThread), field, type, area.map([&](const StaticsArea& found) { return found.slotOf(field); }));
    }
    if (!isUsed) add(std::move(row), field, type, Address{});
  }

  void add(StaticRow row, const FieldDesc& field, const MethodTable& type, const Result<Address>& slot) {
    row.field = field.name;
    row.address = slot.value_or(Address{});
    row.isBoxed = !field.isRva && !field.isUnboxed && field.elementType == ElementType::ValueType;
    // Reflection stores without running the type's constructor.
    row.isInitialised = row.isInitialised || holdsSomething(row.address, field);
    if (slot && !row.isInitialised && !m_filter.includeUninitialised) return;
    if (m_filter.objectsAlone) {
      row.value.value.object = objectIn(row, field);
    } else {
      row.value = valueOf(row, field, type);
      row.fieldType = row.value.typeName;
    }
    if (!slot) {
      row.value.value = {.kind = ValueKind::Damaged, .damage = slot.error().what};
      // An image that is not in the dump was told of when its module was read.
      if (!field.isRva || slot.error().code == ErrorCode::Damaged) {
        m_list.findings.add(FindingKind::RuntimeDataDamaged, type.address,
                            row.typeName + "." + row.field + " cannot be located: " + slot.error().what);
      }
    }
    if (m_filter.objectsAlone && !row.value.value.object) return;
    row.retainedBytes = retainedBytesAt(m_snapshot, referredFrom(row));
    m_list.statics.push_back(std::move(row));
  }

  /// Its box's, of a value type. Null where it holds none, as numbers do, or cannot be read.
  Address objectIn(const StaticRow& row, const FieldDesc& field) const {
    Address object;
    const bool isReference = row.isBoxed || field.elementType == ElementType::Class;
    return row.address && isReference && m_readers.runtime.memory().tryRead(row.address, object) ? object : Address{};
  }

  bool holdsSomething(Address slot, const FieldDesc& field) const {
    const bool isReference = StaticsArea::isAmongReferences(field) && !field.isUnboxed;
    const std::uint64_t size = isReference ? kPointerBytes : primitiveSize(field.elementType);
    std::array<std::byte, kPointerBytes> bytes{};
    return slot && size <= bytes.size() && m_readers.runtime.memory().tryRead(slot, std::span(bytes).first(size)) &&
           std::ranges::any_of(bytes, [](std::byte byte) { return byte != std::byte{0}; });
  }

  FieldValue valueOf(const StaticRow& row, FieldDesc field, const MethodTable& type) const {
    field.offset = 0;
    Address at = row.address;
    Address box;
    if (row.isBoxed && m_readers.runtime.memory().tryRead(at, box)) at = box ? box + kBoxedValueOffset : Address{};
    FieldValue value = m_values.readField(field, type, at);
    value.name.clear();
    if (!at) {  // not there yet
      value.value = {.kind = ValueKind::Null};
      value.nested.clear();
    } else if (box && !referredObject(m_snapshot, box).isObject) {
      value.value = {.kind = ValueKind::Damaged,
                     .damage = "Its box should be at " + toString(box) + ", where no object begins."};
      value.nested.clear();
    } else if (field.isRva && value.value.kind == ValueKind::Struct) {
      describeImageData(value);
    }
    return value;
  }

  Address referredFrom(const StaticRow& row) const {
    Address box;
    if (row.isBoxed && m_readers.runtime.memory().tryRead(row.address, box)) return box;
    return row.value.value.object;
  }

  // The types of initialised data have a size and no field that would tell what it means.
  void describeImageData(FieldValue& value) const {
    value.nested.clear();
    const std::uint32_t shown = std::min(value.sizeBytes, kShownImageBytes);
    std::vector<std::uint8_t> bytes(shown);
    if (!m_readers.runtime.memory().tryRead(value.address, std::as_writable_bytes(std::span(bytes)))) {
      value.value = {.kind = ValueKind::Damaged, .damage = "The dump does not hold these bytes of the module's image."};
      return;
    }
    value.value = {.kind = ValueKind::Known};
    value.value.text = fmt::format("{:02x}{}", fmt::join(bytes, " "), shown < value.sizeBytes ? " …" : "");
  }

  const Snapshot& m_snapshot;
  const RuntimeReaders& m_readers;
  const StaticsFilter& m_filter;
  const TypeNameSearch m_search{m_filter.typeText};
  StaticList m_list;
  ValueReader m_values;
  std::vector<RuntimeThread> m_threads;
  TypeHandle m_canon;
};

}  // namespace

Outcome<StaticList> listStatics(const Snapshot& snapshot, const StaticsFilter& filter, std::stop_token stop) {
  return StaticsCollector(snapshot, filter).collect(stop);
}

}  // namespace heapscape::engine
