// SPDX-License-Identifier: MIT
#include "output/objects/object_details_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/count_text.h"
#include "output/finding_text.h"
#include "output/layouts/object_bytes_text.h"
#include "output/objects/value_output.h"
#include "output/text.h"
#include "output/text_table.h"

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
std::string ownerText(const ObjectDetails& details, bool redact) {
  const std::uint32_t id = details.lock ? details.lock->ownerManagedId : details.header->threadId;
  if (redact || !details.lock || details.lock->ownerName.empty()) return fmt::format("thread {}", id);
  return fmt::format("thread {} \"{}\"", id, details.lock->ownerName);
}

std::string headerSummary(const ObjectDetails& details, bool redact) {
  const ObjectHeader& header = *details.header;
  const std::string value = fmt::format("0x{:08x}  ", header.value);
  switch (header.kind) {
    case HeaderKind::None:
      return value + "no lock, no hash code";
    case HeaderKind::ThinLock:
      return value + fmt::format("thin lock of {}, entered {}", ownerText(details, redact),
                                 countOf(header.recursion + std::uint64_t{1}, "time"));
    case HeaderKind::HashCode:
      return value + fmt::format("hash code {} (0x{:x})", header.hashCode, header.hashCode);
    case HeaderKind::SyncBlock:
      return value + fmt::format("sync block {}", header.syncBlockIndex);
  }
  return value;
}

std::string lockSummary(const ObjectDetails& details, bool redact) {
  const LockRow& lock = *details.lock;
  const std::string waiting = fmt::format("{} waiting", lock.waiting);
  if (!lock.isHeld) return "held by nobody, " + waiting;
  return fmt::format("held by {}, entered {}, {}", ownerText(details, redact), countOf(lock.recursion, "time"),
                     waiting);
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
  writeObjectFact(output, "generation",
                  fmt::format("{}, in segment {}", toString(details.row.generation), toString(details.segmentAddress)));
  if (details.retained) writeObjectFact(output, "retained", retainedSummary(*details.retained));
  if (details.header) writeObjectFact(output, "header", headerSummary(details, redact));
  if (details.lock && details.lock->kind == LockKind::SyncBlock)
    writeObjectFact(output, "lock", lockSummary(details, redact));
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

void writeException(Output& output, const ExceptionDetails& exception, bool redact) {
  writeObjectTitle(output, "Exception");
  writeObjectFact(output, "message", redact ? kLeftOut : exception.message);
  writeObjectFact(output, "HResult", fmt::format("0x{:08x}", static_cast<std::uint32_t>(exception.hresult)));
  if (exception.inner) writeObjectFact(output, "inner", toString(exception.inner) + " " + exception.innerType);
  for (const Address inner : exception.innerExceptions) writeObjectFact(output, "one of", toString(inner));
  for (const ExceptionDetails::Frame& frame : exception.stack) {
    const bool isNamed = !frame.method.empty();
    writeObjectFact(output, "at",
                    isNamed ? fmt::format("{} + 0x{:x}", frame.method, frame.offset) : toString(frame.instruction));
  }
  if (!exception.remoteStackText.empty())
    writeObjectFact(output, "carried over", redact ? kLeftOut : exception.remoteStackText);
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

}  // namespace

void writeObjectDetailsText(Output& output, const ObjectDetails& details, const ObjectBytes* bytes, bool redact) {
  writeHead(output, details, redact);
  if (details.boxed) {
    writeObjectFact(output, "boxed",
                    fmt::format("{} ({} from offset {})", valueText(details.boxed->value, redact),
                                countOf(details.boxed->valueSize, "byte"), details.boxed->valueOffset));
  }
  if (details.string) writeString(output, *details.string, redact);
  if (details.array) writeArray(output, *details.array, redact);
  if (!details.delegate.empty()) writeDelegate(output, details.delegate);
  if (details.exception) writeException(output, *details.exception, redact);
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
