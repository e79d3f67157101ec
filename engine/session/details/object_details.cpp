// SPDX-License-Identifier: MIT
#include "session/details/object_details.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/limits.h"
#include "heap/header_reader.h"
#include "layout/layout_items.h"
#include "runtime/types/method_tables.h"
#include "session/async/suspended_methods.h"
#include "session/snapshot/contents.h"
#include "session/stacks/exception_traces.h"
#include "values/array_shape.h"
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
                 "The verb address shows what else it belongs to.");
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

namespace {

constexpr std::int64_t kAlignmentOffset = -8;  // from the object's address
constexpr std::int64_t kHeaderOffset = -4;
constexpr std::int64_t kLengthOffset = 8;
constexpr std::uint64_t kHeadBytes = 8;  // before the object's address
constexpr std::uint64_t kUnitBytes = 2;

/// Puts together the runs of a window of an object's bytes, in order: what nobody claims is padding.
class ByteRuns {
 public:
  /// The window [from, to), in offsets from the object's address.
  ByteRuns(std::int64_t from, std::int64_t to) : m_next(from), m_end(to) {}

  std::int64_t next() const { return m_next; }
  std::int64_t end() const { return m_end; }

  /// Bytes that begin no earlier than those added before; parts outside the window are left out.
  void add(ByteOwner owner, std::int64_t offset, std::uint64_t sizeBytes, std::string name, std::string typeName = {}) {
    const std::int64_t start = std::max(offset, m_next);
    const std::int64_t end = std::min(offset + static_cast<std::int64_t>(sizeBytes), m_end);
    if (start >= end) return;
    if (start > m_next)
      m_runs.push_back({ByteOwner::Padding, m_next, static_cast<std::uint32_t>(start - m_next), "padding", {}});
    m_runs.push_back({owner, start, static_cast<std::uint32_t>(end - start), std::move(name), std::move(typeName)});
    m_next = end;
  }

  /// Fills the rest of the window with padding.
  std::vector<ByteRun> finish() {
    if (m_next < m_end) add(ByteOwner::Padding, m_next, static_cast<std::uint64_t>(m_end - m_next), "padding");
    return std::move(m_runs);
  }

 private:
  std::int64_t m_next;
  std::int64_t m_end;
  std::vector<ByteRun> m_runs;
};

/// Gives the parts of runs that the dump does not hold to ByteOwner::Missing. `present` is in address order.
std::vector<ByteRun> withMissing(std::vector<ByteRun> runs, Address object, const std::vector<AddressRange>& present) {
  std::vector<ByteRun> split;
  auto range = present.begin();
  for (ByteRun& run : runs) {
    Address at = object + static_cast<std::uint64_t>(run.offset);
    const Address end = at + run.sizeBytes;
    while (at < end) {
      while (range != present.end() && range->end <= at) ++range;
      const bool isThere = range != present.end() && range->contains(at);
      Address until = end;
      if (isThere) until = std::min(end, range->end);
      if (!isThere && range != present.end()) until = std::min(end, range->start);
      ByteRun part = run;
      part.offset = static_cast<std::int64_t>(at - object);
      part.sizeBytes = static_cast<std::uint32_t>(until - at);
      if (!isThere) part.owner = ByteOwner::Missing;
      split.push_back(std::move(part));
      at = until;
    }
  }
  return split;
}

std::uint64_t sizeOf(const LayoutItem& leaf) {
  return static_cast<std::uint64_t>(leaf.sizeBytes());
}

LayoutItem wholeElement(std::string typeName, std::uint32_t bytes) {
  LayoutItem item;
  item.typeName = std::move(typeName);
  item.end = bytes;
  return item;
}

/// Tells whose the bytes of one object are.
class RunReader {
 public:
  RunReader(const Contents& contents, const ObjectRow& row, ByteRuns& runs)
      : m_readers(*contents.readers), m_sources(contents.layoutSources()), m_row(row), m_runs(runs) {}

  void read(const TypeRow& typeRow) {
    m_runs.add(ByteOwner::Alignment, kAlignmentOffset, 4, "alignment");
    m_runs.add(ByteOwner::Header, kHeaderOffset, 4, "header");
    m_runs.add(ByteOwner::MethodTable, 0, kFieldsStart, "method table", typeRow.name);
    if (typeRow.isFree) {
      m_runs.add(ByteOwner::Length, kLengthOffset, 4, "length");
      return;
    }
    const auto layout = readActualLayout(m_sources, typeRow.methodTable);
    if (!layout) {
      m_runs.add(ByteOwner::Field, kFieldsStart, m_row.alignedBytes - 2 * kHeadBytes, "fields that cannot be read");
    } else if (layout->kind == TypeKind::String) {
      addString();
    } else if (layout->kind == TypeKind::Array) {
      addArray(*layout);
    } else {
      for (LayoutItem& leaf : leafItems(layout->fields)) {
        m_runs.add(ByteOwner::Field, kFieldsStart + leaf.begin, sizeOf(leaf), std::move(leaf.name),
                   std::move(leaf.typeName));
      }
    }
  }

 private:
  void addString() {
    m_runs.add(ByteOwner::Length, kLengthOffset, 4, "length", "System.Int32");
    const ClrRuntime& runtime = m_readers.runtime;
    const auto length = runtime.valueAt<std::uint32_t>(m_row.address, "String", "m_StringLength");
    if (!length) return;
    const auto first = static_cast<std::int64_t>(runtime.contract().offset("String", "m_FirstChar"));
    addElements(first, kUnitBytes, *length, [](std::uint64_t i) { return fmt::format("[{}]", i); },
                {wholeElement("System.Char", kUnitBytes)});
    m_runs.add(ByteOwner::Terminator, first + static_cast<std::int64_t>(kUnitBytes * *length), kUnitBytes,
               "terminator");
  }

  void addArray(const TypeLayout& layout) {
    m_runs.add(ByteOwner::Length, kLengthOffset, 4, "length", "System.Int32");
    const auto type = m_readers.methodTables.read(layout.methodTable);
    const auto shape = type ? readArrayShape(m_readers, *type, m_row.address) : tl::unexpected(type.error());
    if (!shape) return;
    std::vector<LayoutItem> leaves;
    if (!layout.elementLayout.empty()) leaves = leafItems(layout.elementLayout.front().fields);
    if (leaves.empty()) leaves.push_back(wholeElement(shape->elementTypeName, shape->elementSize));
    addBounds(*shape, "length", shape->boundsOffset);
    addBounds(*shape, "lower bound", shape->boundsOffset + 4 * shape->lengths.size());
    addElements(
        shape->elementOffset, shape->elementSize, shape->count,
        [&](std::uint64_t i) { return elementLabel(*shape, i); }, leaves);
  }

  void addBounds(const ArrayShape& shape, const char* what, std::uint64_t offset) {
    if (shape.isVector) return;
    for (std::size_t i = 0; i < shape.lengths.size(); ++i)
      m_runs.add(ByteOwner::Bounds, static_cast<std::int64_t>(offset + 4 * i), 4,
                 fmt::format("{} of dimension {}", what, i), "System.Int32");
  }

  /// Those that lie in the window, each taken apart into its leaves.
  template <class Label>
  void addElements(std::int64_t first, std::uint64_t stride, std::uint64_t count, Label label,
                   const std::vector<LayoutItem>& leaves) {
    if (stride == 0 || m_runs.end() <= first) return;
    const auto size = static_cast<std::int64_t>(stride);
    const std::int64_t skipped = std::max<std::int64_t>(m_runs.next() - first, 0) / size;
    for (auto i = static_cast<std::uint64_t>(skipped); i < count; ++i) {
      const std::int64_t offset = first + static_cast<std::int64_t>(i) * size;
      if (offset >= m_runs.end()) return;
      const std::string name = label(i);
      for (const LayoutItem& leaf : leaves) {
        const bool isWhole = leaf.name.empty() || leaf.name.starts_with('[');
        m_runs.add(ByteOwner::Element, offset + leaf.begin, sizeOf(leaf),
                   isWhole ? name + leaf.name : name + "." + leaf.name, leaf.typeName);
      }
    }
  }

  const RuntimeReaders& m_readers;
  const LayoutSources m_sources;
  const ObjectRow& m_row;
  ByteRuns& m_runs;
};

}  // namespace

Result<ObjectBytes> objectBytes(const Snapshot& snapshot, Address object, std::uint64_t skip, std::size_t limit) {
  const auto row = objectAt(snapshot, object);
  if (!row) return failure(ErrorCode::NotFound, "No object holds the address " + toString(object) + ".");
  const Contents& contents = snapshot.contents();
  ObjectBytes result;
  result.object = row->address;
  result.totalBytes = row->alignedBytes;
  result.skipped = std::min(skip, result.totalBytes);
  const auto shown = std::min<std::uint64_t>(limit, result.totalBytes - result.skipped);
  const std::int64_t from = static_cast<std::int64_t>(result.skipped) - static_cast<std::int64_t>(kHeadBytes);
  ByteRuns runs(from, from + static_cast<std::int64_t>(shown));
  RunReader(contents, *row, runs).read(snapshot.types()[row->type.value]);
  const Address start = row->address - kHeadBytes + result.skipped;
  const auto present = contents.memory->present({start, start + shown});
  result.runs = withMissing(runs.finish(), row->address, present);
  // Missing bytes keep their place; the runs tell that they are not zeros.
  result.bytes.resize(shown);
  for (const AddressRange& range : present) {
    const auto target = std::span(result.bytes).subspan(range.start - start, range.sizeBytes());
    contents.memory->tryRead(range.start, std::as_writable_bytes(target));
  }
  return result;
}

}  // namespace heapscape::engine
