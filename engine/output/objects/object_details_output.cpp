// SPDX-License-Identifier: MIT
#include "output/objects/object_details_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "base/figures.h"
#include "output/objects/exception_output.h"
#include "output/objects/value_output.h"
#include "output/table_output.h"
#include "output/text.h"
#include "tables/local_value_tables.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kBytesOnLine = 16;

}  // namespace

void writeObjectBytesText(Output& output, const ObjectBytes& bytes) {
  using Align = TextTable::Align;
  output.write("\nBytes\n");
  TextTable table({{"Offset", Align::Right}, {"Bytes"}, {"Owner"}, {"Name"}, {"Type"}});
  std::size_t at = 0;
  for (const ByteRun& run : bytes.runs) {
    for (std::size_t done = 0; done < run.sizeBytes; done += kBytesOnLine) {
      const std::size_t count = std::min<std::size_t>(kBytesOnLine, run.sizeBytes - done);
      const auto line = std::span(bytes.bytes).subspan(at + done, count);
      const std::string hex =
          run.owner == ByteOwner::Missing ? "(not in the dump)" : fmt::format("{:02x}", fmt::join(line, " "));
      const bool isFirst = done == 0;
      table.addRow({fmt::to_string(run.offset + static_cast<std::int64_t>(done)), hex,
                    isFirst ? toString(run.owner) : "", isFirst ? run.name : "", isFirst ? run.typeName : ""});
    }
    at += run.sizeBytes;
  }
  table.write(output);
  const std::uint64_t left = bytes.totalBytes - bytes.skipped - bytes.bytes.size();
  if (left) output.write(fmt::format("{} more bytes\n", left));
}

namespace {

void writeHeader(JsonWriter& json, const ObjectDetails& details, bool redact) {
  if (!details.header) return;
  const ObjectHeader& header = *details.header;
  json.key("header");
  json.beginObject();
  json.member("value", fmt::format("0x{:08x}", header.value));
  json.member("kind", toString(header.kind));
  json.member("threadId", header.threadId);
  json.member("recursion", header.recursion);
  json.member("hashCode", header.hashCode);
  json.member("syncBlockIndex", header.syncBlockIndex);
  // A thread's name is a string of the program.
  if (!details.headerThread.empty() && !redact) json.member("thread", details.headerThread);
  json.key("bits");
  json.beginArray();
  for (const std::string& flag : header.flags) json.value(flag);
  json.endArray();
  json.key("parts");
  json.beginArray();
  for (const HeaderBits& part : header.bits) {
    json.beginObject();
    json.member("name", part.name);
    json.member("first", unsigned{part.first});
    json.member("count", unsigned{part.count});
    json.member("value", part.value);
    json.member("meaning", part.meaning);
    json.endObject();
  }
  json.endArray();
  json.endObject();
}

void writeHeldLock(JsonWriter& json, const LockRow& lock, bool redact) {
  json.key("lock");
  json.beginObject();
  json.member("kind", toString(lock.kind));
  json.member("held", lock.isHeld);
  if (lock.hasOwnerEnded) json.member("ownerEnded", true);
  if (lock.kind == LockKind::ReaderWriterLock) {
    json.key("readers");
    json.beginArray();
    for (const std::uint32_t reader : lock.readers) json.value(reader);
    json.endArray();
    json.member("readerCount", lock.readerCount);
    json.member("upgradeable", lock.isUpgradeable);
  }
  json.member("ownerManagedId", lock.ownerManagedId);
  json.member("ownerOsId", lock.ownerOsId);
  if (!lock.ownerName.empty() && !redact) json.member("ownerName", lock.ownerName);
  json.member("recursion", lock.recursion);
  json.member("waiting", lock.waiting);
  if (lock.kind == LockKind::SyncBlock) {
    json.member("syncBlockIndex", lock.syncBlockIndex);
    json.member("syncBlock", lock.syncBlock);
    json.member("hashCode", lock.hashCode);
    json.member("interop", lock.hasInterop);
  }
  json.endObject();
}

void writeString(JsonWriter& json, const StringDetails& string, bool redact) {
  if (redact) {
    json.member("redacted", true);
  } else {
    json.member("string", string.text);
  }
  json.key("stringLayout");
  json.beginObject();
  json.member("length", string.length);
  json.member("shown", redact ? 0u : string.shown);
  json.member("lengthOffset", string.lengthOffset);
  json.member("charactersOffset", string.charactersOffset);
  json.member("terminatorBytes", string.terminatorBytes);
  json.member("alignmentBytes", string.alignmentBytes);
  if (!string.damage.empty()) json.member("damage", string.damage);
  json.endObject();
}

void writeArray(JsonWriter& json, const ArrayDetails& array, bool redact) {
  json.key("array");
  json.beginObject();
  json.member("rank", array.rank);
  json.key("lengths");
  json.beginArray();
  for (const std::uint32_t length : array.lengths) json.value(length);
  json.endArray();
  json.key("lowerBounds");
  json.beginArray();
  for (const std::int32_t bound : array.lowerBounds) json.number(fmt::to_string(bound));
  json.endArray();
  json.member("count", array.count);
  json.member("elementType", array.elementType);
  json.member("elementSize", array.elementSize);
  json.member("elementOffset", array.elementOffset);
  writeFieldValues(json, "elements", array.elements, redact);
  if (!array.damage.empty()) json.member("damage", array.damage);
  json.endObject();
}

void writeBoxed(JsonWriter& json, const BoxedDetails& boxed, bool redact) {
  json.key("boxed");
  json.beginObject();
  json.member("offset", boxed.valueOffset);
  json.member("size", boxed.valueSize);
  writeValueMembers(json, boxed.value, redact);
  json.endObject();
}

void writeDelegate(JsonWriter& json, const std::vector<DelegateTarget>& targets) {
  json.key("delegate");
  json.beginObject();
  json.member("target", targets.front().target);
  json.key("methods");
  json.beginArray();
  for (const DelegateTarget& target : targets) {
    json.beginObject();
    json.member("method", target.method);
    json.member("target", target.target);
    json.member("targetType", target.targetType);
    json.member("methodDesc", target.methodDesc);
    json.member("code", target.code);
    json.member("closed", target.isClosed);
    json.endObject();
  }
  json.endArray();
  json.endObject();
}

void writeException(JsonWriter& json, const ExceptionDetails& exception, bool redact) {
  json.key("exception");
  json.beginObject();
  writeExceptionMembers(json, exception, redact);
  json.endObject();
}

void writeCollection(JsonWriter& json, const CollectionDetails& collection, bool redact) {
  json.key("collection");
  json.beginObject();
  json.member("kind", collection.kind);
  json.member("count", collection.count);
  json.member("capacity", collection.capacity);
  if (!collection.state.empty()) json.member("state", collection.state);
  if (collection.hasKeys) json.member("keyType", collection.keyType);
  json.member("valueType", collection.valueType);
  json.key("items");
  json.beginArray();
  for (const CollectionItem& item : collection.items) {
    json.beginObject();
    json.member("label", redact && collection.hasKeys ? std::string() : item.label);  // "[key]"
    if (collection.hasKeys) {
      json.key("key");
      json.beginObject();
      writeValueMembers(json, item.key, redact);
      writeFieldValues(json, "fields", item.keyFields, redact);
      json.endObject();
    }
    writeValueMembers(json, item.value, redact);
    writeFieldValues(json, "fields", item.valueFields, redact);
    json.endObject();
  }
  json.endArray();
  if (!collection.damage.empty()) json.member("damage", collection.damage);
  json.endObject();
}

void writeBytes(JsonWriter& json, const ObjectBytes& bytes) {
  std::string hex;
  for (const std::uint8_t byte : bytes.bytes) hex += fmt::format("{:02x}", byte);
  json.member("raw", hex);
  json.member("rawSkipped", bytes.skipped);
  json.member("rawLeftOut", bytes.totalBytes - bytes.skipped - bytes.bytes.size());
  json.key("runs");
  json.beginArray();
  for (const ByteRun& run : bytes.runs) {
    json.beginObject();
    json.member("owner", toString(run.owner));
    json.key("offset");
    json.number(fmt::to_string(run.offset));
    json.member("size", run.sizeBytes);
    json.member("name", run.name);
    if (!run.typeName.empty()) json.member("type", run.typeName);
    json.endObject();
  }
  json.endArray();
}

void writeSuspended(JsonWriter& json, const SuspendedDetails& suspended) {
  json.key("suspended");
  json.beginObject();
  json.member("method", suspended.method);
  json.member("await", static_cast<std::uint32_t>(suspended.await));
  if (suspended.ilOffset) json.member("ilOffset", *suspended.ilOffset);
  if (suspended.line) {
    json.member("file", suspended.file);
    json.member("line", suspended.line);
  }
  if (!suspended.missing.empty()) json.member("missing", suspended.missing);
  json.endObject();
}

}  // namespace

void writeObjectDetails(JsonWriter& json, const ObjectDetails& details, const ObjectBytes* bytes, bool redact) {
  json.key("object");
  json.beginObject();
  json.member("address", details.row.address);
  json.member("type", details.typeName);
  json.member("methodTable", details.methodTable);
  json.member("assembly", details.assembly);
  json.member("size", details.row.sizeBytes);
  json.member("bytes", details.row.alignedBytes);
  // A triage dump tells of no segments.
  if (details.segmentAddress && details.row.generation) {
    json.member("generation", toString(*details.row.generation));
    json.member("segment", details.segmentAddress);
  }
  if (details.retained) {
    json.member("retainedBytes", details.retained->retainedBytes);
    json.member("retainedCount", details.retained->retainedCount);
    json.member("dominator", details.retained->dominator);
    json.member("reachable", details.retained->isReachable);
  }
  json.member("free", details.isFree);
  writeHeader(json, details, redact);
  if (details.lock) writeHeldLock(json, *details.lock, redact);
  writeFieldValues(json, "fields", details.fields, redact);
  if (details.suspended) writeSuspended(json, *details.suspended);
  if (details.string) writeString(json, *details.string, redact);
  if (details.array) writeArray(json, *details.array, redact);
  if (details.boxed) writeBoxed(json, *details.boxed, redact);
  if (!details.delegate.empty()) writeDelegate(json, details.delegate);
  if (details.exception) writeException(json, *details.exception, redact);
  if (!details.localValues.empty()) {
    RowSelection selection;
    selection.isRedacted = redact;
    writeTable(json, localsTable().over(details.localValues), selection);
  }
  if (details.collection) writeCollection(json, *details.collection, redact);
  if (bytes) writeBytes(json, *bytes);
  json.endObject();
}

namespace {

using Align = TextTable::Align;

constexpr std::size_t kFindingsOfObject = 20;
constexpr const char* kLeftOut = "(redacted)";

void writeObjectTitle(Output& output, std::string_view title) {
  output.write(fmt::format("\n{}\n", title));
}

void writeObjectFact(Output& output, std::string_view name, const std::string& text) {
  output.write(fmt::format("{:<14}{}\n", name, printable(text)));
}

// "thread 5 \"worker\"", without the name, which is a string of the program, where that is to be left out.
std::string ownerText(const LockRow& lock, bool redact) {
  if (lock.hasOwnerEnded && lock.ownerManagedId == 0) return "a thread that has ended";
  std::string text = fmt::format("thread {}", lock.ownerManagedId);
  if (!redact && !lock.ownerName.empty()) text += fmt::format(" \"{}\"", lock.ownerName);
  return lock.hasOwnerEnded ? text + ", which has ended" : text;
}

std::string thinOwnerText(const ObjectDetails& details, bool redact) {
  const bool isTold = details.lock && details.lock->kind == LockKind::Thin;
  return isTold ? ownerText(*details.lock, redact) : fmt::format("thread {}", details.header->threadId);
}

std::string headerSummary(const ObjectDetails& details, bool redact) {
  const ObjectHeader& header = *details.header;
  const std::string value = fmt::format("0x{:08x}  ", header.value);
  switch (header.kind) {
    case HeaderKind::None:
      return value + "no lock, no hash code";
    case HeaderKind::ThinLock:
      return value + fmt::format("thin lock of {}, entered {}", thinOwnerText(details, redact),
                                 countOf(header.recursion + std::uint64_t{1}, "time"));
    case HeaderKind::HashCode:
      return value + fmt::format("hash code {} (0x{:x})", header.hashCode, header.hashCode);
    case HeaderKind::SyncBlock:
      return value + fmt::format("sync block {}", header.syncBlockIndex);
  }
  return value;
}

std::string lockSummary(const LockRow& lock, bool redact) {
  const std::string waiting = fmt::format("{} waiting", lock.waiting);
  if (!lock.isHeld) return "held by nobody, " + waiting;
  std::string text;
  if (lock.readerCount > 0) {
    text = fmt::format("read {}", countOf(lock.readerCount, "time"));
    if (!lock.readers.empty()) text += fmt::format(" by threads {}", fmt::join(lock.readers, ", "));
    text += ", ";
  }
  const bool countsFurther = lock.kind == LockKind::Lock;
  if (lock.ownerManagedId || lock.hasOwnerEnded || lock.readerCount == 0) {
    text +=
        fmt::format("{} {}, entered {}, ", lock.isUpgradeable ? "read with the right to write by" : "held by",
                    ownerText(lock, redact), countOf(std::uint64_t{lock.recursion} + (countsFurther ? 1 : 0), "time"));
  }
  return text + waiting;
}

std::string retainedSummary(const RetainedRow& retained) {
  if (retained.isGarbage) return "nothing, for nothing holds it any more";
  if (!retained.isReachable) return "nothing, for nothing holds it; it is frozen and never collected";
  const std::string held =
      fmt::format("{} bytes, {}", retained.retainedBytes, countOf(retained.retainedCount, "object"));
  return retained.dominator ? fmt::format("{}, held by {} alone", held, toString(retained.dominator)) : held;
}

void writeHead(Output& output, const ObjectDetails& details, bool redact) {
  output.write(printable(details.typeName) + "\n");
  writeObjectFact(output, "address", toString(details.row.address));
  writeObjectFact(output, "method table", toString(details.methodTable));
  if (!details.assembly.empty()) writeObjectFact(output, "assembly", details.assembly);
  writeObjectFact(output, "size", readableCount(details.row.sizeBytes));
  writeObjectFact(output, "bytes", fmt::format("{} in the heap", readableCount(details.row.alignedBytes)));
  if (details.segmentAddress && details.row.generation) {  // a triage dump tells of no segments
    writeObjectFact(
        output, "generation",
        fmt::format("{}, in segment {}", toString(*details.row.generation), toString(details.segmentAddress)));
  }
  if (details.retained) writeObjectFact(output, "retained", retainedSummary(*details.retained));
  if (details.header) writeObjectFact(output, "header", headerSummary(details, redact));
  if (details.lock && details.lock->kind != LockKind::Thin)
    writeObjectFact(output, "lock", lockSummary(*details.lock, redact));
}

void writeHeaderBits(Output& output, const ObjectHeader& header) {
  writeObjectTitle(output, "Header");
  TextTable table({{"Bits", Align::Right}, {"Name"}, {"Value", Align::Right}, {"Meaning"}});
  for (const HeaderBits& part : header.bits) {
    const int last = part.first + part.count - 1;
    table.addRow({part.count == 1 ? fmt::to_string(last) : fmt::format("{}-{}", last, int{part.first}), part.name,
                  fmt::format("0x{:x}", part.value), part.meaning});
  }
  table.write(output);
}

void writeString(Output& output, const StringDetails& string, bool redact) {
  writeObjectTitle(output, "String");
  writeObjectFact(output, "length", countOf(string.length, "character"));
  writeObjectFact(output, "characters",
                  fmt::format("from offset {}, then {} bytes of terminator and {} unused", string.charactersOffset,
                              string.terminatorBytes, string.alignmentBytes));
  writeObjectFact(output, "text", redact ? kLeftOut : string.text);
  if (string.shown < string.length && !redact)
    writeObjectFact(output, "shown", fmt::format("the first {} characters", string.shown));
}

void writeArray(Output& output, const ArrayDetails& array, bool redact) {
  writeObjectTitle(output, "Array");
  writeObjectFact(output, "lengths", fmt::format("{}", fmt::join(array.lengths, " x ")));
  // An array that could not be read has no bounds at all.
  if (array.rank > 1 || std::ranges::any_of(array.lowerBounds, [](std::int32_t bound) { return bound != 0; }))
    writeObjectFact(output, "lower bounds", fmt::format("{}", fmt::join(array.lowerBounds, ", ")));
  writeObjectFact(output, "elements",
                  fmt::format("{} of {}, {} each, from offset {}", readableCount(array.count), array.elementType,
                              countOf(array.elementSize, "byte"), array.elementOffset));
  if (array.elements.empty()) return;
  writeObjectTitle(output, "Elements");
  writeFieldTable(output, array.elements, redact);
  if (array.elements.size() < array.count)
    output.write(fmt::format("{} of {} elements\n", array.elements.size(), readableCount(array.count)));
}

void writeDelegate(Output& output, const std::vector<DelegateTarget>& targets) {
  writeObjectTitle(output, "Calls");
  TextTable table({{"Method"}, {"Target"}, {"Type of target"}, {"Code"}});
  for (const DelegateTarget& target : targets) {
    table.addRow(
        {target.method, target.target ? toString(target.target) : "static", target.targetType, toString(target.code)});
  }
  table.write(output);
}

void writeCollection(Output& output, const CollectionDetails& collection, bool redact) {
  writeObjectTitle(output, collection.kind);
  if (!collection.state.empty()) writeObjectFact(output, "state", collection.state);
  const std::string room = collection.capacity ? fmt::format(", room for {}", readableCount(collection.capacity)) : "";
  if (!collection.isHolder) writeObjectFact(output, "items", readableCount(collection.count) + room);
  if (collection.items.empty()) return;
  std::vector<TextTable::Column> columns{{""}};
  if (collection.hasKeys) columns.push_back({"Key"});
  columns.push_back({"Value"});
  TextTable table(columns);
  for (const CollectionItem& item : collection.items) {
    std::vector<std::string> cells{redact && collection.hasKeys ? std::string() : item.label};  // "[key]"
    if (collection.hasKeys) cells.push_back(valueText(item.key, redact));
    cells.push_back(valueText(item.value, redact));
    table.addRow(std::move(cells));
  }
  table.write(output);
  if (collection.items.size() < collection.count)
    output.write(fmt::format("{} of {} items\n", collection.items.size(), readableCount(collection.count)));
}

/// "await 1, IL 44, /src/shop/Orders.cs:31".
std::string placeText(const SuspendedDetails& suspended) {
  std::string text = fmt::format("await {}", suspended.await);
  if (suspended.ilOffset) text += fmt::format(", IL {}", *suspended.ilOffset);
  if (suspended.line) text += fmt::format(", {}:{}", suspended.file, suspended.line);
  return text;
}

}  // namespace

void writeObjectDetailsText(Output& output, const ObjectDetails& details, const ObjectBytes* bytes, bool redact) {
  writeHead(output, details, redact);
  if (details.boxed) {
    writeObjectFact(output, "boxed",
                    fmt::format("{} ({} from offset {})", valueText(details.boxed->value, redact),
                                countOf(details.boxed->valueSize, "byte"), details.boxed->valueOffset));
  }
  if (details.suspended) {
    writeObjectFact(output, "suspended", details.suspended->method);
    writeObjectFact(output, "at", placeText(*details.suspended));
    if (!details.suspended->missing.empty()) writeObjectFact(output, "missing", details.suspended->missing);
  }
  if (details.string) writeString(output, *details.string, redact);
  if (details.array) writeArray(output, *details.array, redact);
  if (!details.delegate.empty()) writeDelegate(output, details.delegate);
  if (details.exception) writeExceptionText(output, *details.exception, redact);
  if (!details.localValues.empty()) {
    writeObjectTitle(output, "Values");
    RowSelection selection;
    selection.isRedacted = redact;
    writeTableText(output, localsTable().over(details.localValues), selection);
  }
  if (details.collection) writeCollection(output, *details.collection, redact);
  if (!details.fields.empty()) {
    writeObjectTitle(output, "Fields");
    writeFieldTable(output, details.fields, redact);
  }
  if (details.header && details.header->value) writeHeaderBits(output, *details.header);
  if (bytes) writeObjectBytesText(output, *bytes);
  if (details.findings.empty()) return;
  writeObjectTitle(output, "Damage");
  writeFindingsText(output, details.findings, 0, kFindingsOfObject);
}

}  // namespace heapscape::engine
