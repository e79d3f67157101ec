// SPDX-License-Identifier: MIT
#include "session/details/object_details.h"

#include <fmt/format.h>

#include "base/limits.h"
#include "heap/header_reader.h"
#include "runtime/types/method_tables.h"
#include "session/async/suspended_locals.h"
#include "session/snapshot/contents.h"
#include "session/stacks/exception_traces.h"
#include "values/reading/collection_reader.h"
#include "values/reading/value_reader.h"

namespace heapscape::engine {
namespace {

ValueReader valueReader(const Contents& contents, std::size_t previewUnits) {
  return ValueReader({.readers = *contents.readers, .heap = contents.heap.get(), .previewUnits = previewUnits});
}

std::string threadText(const LockRow& lock) {
  if (lock.ownerName.empty()) return fmt::format("thread {}", lock.ownerManagedId);
  return fmt::format("thread {} \"{}\"", lock.ownerManagedId, lock.ownerName);
}

Result<ObjectRow> rowOf(const Snapshot& snapshot, Address address) {
  if (const auto row = objectAt(snapshot, address)) return *row;
  return failure(ErrorCode::NotFound, "No object holds the address " + toString(address) + ".",
                 "The verb address tells what else it belongs to.");
}

/// Fills in what only some kinds of objects have.
class DetailReader {
 public:
  DetailReader(const Snapshot& snapshot, const DetailLimits& limits)
      : m_snapshot(snapshot),
        m_contents(snapshot.contents()),
        m_limits(limits),
        m_reader(valueReader(m_contents, limits.preview)) {}

  Result<ObjectDetails> read(Address address) {
    HEAPSCAPE_TRY(const ObjectRow row, rowOf(m_snapshot, address));
    ObjectDetails details;
    details.row = row;
    const TypeRow& type = m_snapshot.types()[row.type.value];
    details.typeName = type.name;
    details.assembly = type.assembly;
    details.methodTable = type.methodTable;
    details.isFree = type.isFree;
    details.retained = retainedOf(m_snapshot, row.address);
    details.segmentAddress = m_snapshot.segments()[row.segment.value].address;
    if (details.isFree) return details;
    readHeader(details);
    HEAPSCAPE_TRY(const MethodTable methodTable, m_contents.readers->methodTables.read(type.methodTable));
    readContents(details, methodTable);
    collectFindings(details);
    return details;
  }

 private:
  const ClrRuntime& runtime() const { return m_contents.readers->runtime; }

  void readHeader(ObjectDetails& details) const {
    auto header = engine::readHeader(runtime(), details.row.address);
    if (!header) {
      details.findings.push_back({FindingKind::MemoryMissing, details.row.address, header.error().what});
      return;
    }
    details.header = std::move(*header);
    details.lock = lockOf(m_snapshot, details.row.address);
    if (details.header->kind == HeaderKind::ThinLock && details.lock && details.lock->kind == LockKind::Thin)
      details.headerThread = threadText(*details.lock);
  }

  void readContents(ObjectDetails& details, const MethodTable& type) const {
    const Address object = details.row.address;
    if (type.address == runtime().globalPointer("StringMethodTable").value_or(Address{})) {
      details.string = readStringDetails(runtime(), *m_contents.heap, object, m_limits.stringUnits);
      return;
    }
    if (type.isArray) {
      details.array = readArrayDetails(m_reader, type, object, m_limits.elements);
    } else {
      details.fields = m_reader.readFields(type, object + kFieldsStart, kFieldsStart);
      if (type.isValueType) readBoxed(details, type);
      if (type.isContinuation) readSuspended(details);
      details.delegate = readDelegate(m_reader, type, object);
      details.exception = ExceptionTraces(m_snapshot).of(object);
    }
    if (details.typeName.starts_with("System.Threading.ThreadLocal<") ||
        details.typeName.starts_with("System.Threading.AsyncLocal<")) {
      if (auto locals = listLocalValues(m_snapshot, object, {})) details.localValues = std::move(locals->values);
    }
    details.collection = CollectionReader(m_reader).read(object, m_limits.elements);
  }

  void readSuspended(ObjectDetails& details) const {
    const Address object = details.row.address;
    SuspendedMethods methods(m_contents);
    SuspendedLocals locals(m_contents, methods);
    const SuspendedMethod* method = locals.methodOf(object);
    const auto continuation = ContinuationReader(runtime()).read(object);
    if (!method || !continuation) return;
    SuspendedDetails& suspended = details.suspended.emplace(
        SuspendedDetails{.method = method->name, .await = continuation->number, .ilOffset = method->ilOffset});
    suspended.missing = method->missing;
    if (method->line) {
      suspended.file = method->line->file;
      suspended.line = method->line->line;
    }
    for (FieldValue& local : locals.of(object)) {
      local.declaringType = method->name;
      details.fields.push_back(std::move(local));
    }
  }

  void readBoxed(ObjectDetails& details, const MethodTable& type) const {
    FieldValue boxed = m_reader.readValue(type.address, details.row.address + kFieldsStart);
    details.boxed = BoxedDetails{kFieldsStart, boxed.sizeBytes, std::move(boxed.value)};
  }

  static void collectDamage(ObjectDetails& details, const std::vector<FieldValue>& fields, const std::string& path) {
    for (const FieldValue& field : fields) {
      const std::string name =
          path.empty() || field.name.starts_with('[') ? path + field.name : path + "." + field.name;
      // A value is damaged because of a part of it; the part is told.
      const std::size_t before = details.findings.size();
      collectDamage(details, field.nested, name);
      if (field.value.damage.empty() || details.findings.size() != before) continue;
      // A field has a declared type unless the metadata is missing.
      const bool isDeclared = !field.typeName.empty();
      details.findings.push_back({isDeclared ? FindingKind::HeapDamaged : FindingKind::MetadataMissing, field.address,
                                  name + ": " + field.value.damage});
    }
  }

  static void collectFindings(ObjectDetails& details) {
    const auto add = [&](const std::string& damage) {
      if (!damage.empty()) details.findings.push_back({FindingKind::HeapDamaged, details.row.address, damage});
    };
    if (details.string) add(details.string->damage);
    if (details.array) {
      add(details.array->damage);
      collectDamage(details, details.array->elements, {});
    }
    collectDamage(details, details.fields, {});
    if (details.exception) add(details.exception->damage);
    if (details.collection) add(details.collection->damage);
    if (details.findings.size() > kLimits.findings) details.findings.resize(kLimits.findings);
  }

  const Snapshot& m_snapshot;
  const Contents& m_contents;
  const DetailLimits& m_limits;
  const ValueReader m_reader;
};

}  // namespace

Result<ObjectDetails> objectDetails(const Snapshot& snapshot, Address address, const DetailLimits& limits) {
  return DetailReader(snapshot, limits).read(address);
}

Result<std::vector<FieldValue>> arrayElements(const Snapshot& snapshot, Address array, std::uint64_t first,
                                              std::size_t count) {
  HEAPSCAPE_TRY(const ObjectRow row, rowOf(snapshot, array));
  const Contents& contents = snapshot.contents();
  const TypeRow& typeRow = snapshot.types()[row.type.value];
  HEAPSCAPE_TRY(const MethodTable type, contents.readers->methodTables.read(typeRow.methodTable));
  if (!type.isArray) return failure(ErrorCode::NotFound, "The object at " + toString(row.address) + " is no array.");
  HEAPSCAPE_TRY(ArrayShape shape, readArrayShape(*contents.readers, type, row.address));
  shape.count = elementsInSegment(*contents.heap, shape, row.address);
  return readArrayElements(valueReader(contents, DetailLimits{}.preview), shape, row.address, first, count);
}

Outcome<std::vector<CollectionItem>> collectionItems(const Snapshot& snapshot, Address collection, std::uint64_t first,
                                                     std::size_t count, std::stop_token stop) {
  HEAPSCAPE_TRY(const ObjectRow row, rowOf(snapshot, collection));
  const ValueReader reader = valueReader(snapshot.contents(), DetailLimits{}.preview);
  return CollectionReader(reader).readItems(row.address, first, count, std::move(stop));
}

Result<FieldValue> valueAt(const Snapshot& snapshot, Address methodTable, Address address) {
  const Contents& contents = snapshot.contents();
  HEAPSCAPE_CHECK(contents.readers->methodTables.read(methodTable));
  return valueReader(contents, DetailLimits{}.preview).readValue(methodTable, address);
}

}  // namespace heapscape::engine
