// SPDX-License-Identifier: MIT
#include "output/objects/object_details_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/figures.h"
#include "output/finding_text.h"
#include "output/layouts/object_bytes_text.h"
#include "output/objects/exception_output.h"
#include "output/objects/value_output.h"
#include "output/table_output.h"
#include "output/text.h"
#include "output/text_table.h"
#include "tables/local_value_tables.h"

namespace heapscape::engine {
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
  if (!retained.isReachable) return "nothing, for nothing holds it any more";
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
  if (details.segmentAddress) {  // a triage dump tells of no segments
    writeObjectFact(
        output, "generation",
        fmt::format("{}, in segment {}", toString(details.row.generation), toString(details.segmentAddress)));
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
