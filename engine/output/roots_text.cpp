// SPDX-License-Identifier: MIT
#include "output/roots_text.h"

#include <fmt/format.h>

#include "output/text.h"
#include "output/text_table.h"
#include "output/tsv_line.h"
#include "output/value_text.h"
#include "values/string_object.h"

namespace heapscape::engine {

namespace {

using Align = TextTable::Align;

constexpr std::string_view kRedacted = "(left out)";

std::string addressText(Address address) {
  return address ? toString(address) : std::string();
}

std::string retainedText(const std::optional<std::uint64_t>& bytes) {
  return bytes ? readableBytes(*bytes) : std::string();
}

std::string retainedFigure(const std::optional<std::uint64_t>& bytes) {
  return bytes ? fmt::format("{}", *bytes) : std::string();
}

std::string threadText(const StaticRow& row) {
  return row.kind == StaticKind::Thread && row.threadId ? fmt::format("{}", row.threadId) : std::string();
}

std::string valueText(const StaticRow& row, bool isRedacted) {
  const Value& value = row.value.value;
  if (isRedacted && isContents(value))
    return isStringObject(value) || value.objectType.empty() ? std::string(kRedacted) : value.objectType;
  if (value.kind == ValueKind::Damaged) return fmt::format("? {}", value.damage);
  return value.text;
}

// What people read where a field has no value yet.
std::string shownValue(const StaticRow& row, bool isRedacted) {
  if (row.isInitialised) return valueText(row, isRedacted);
  return row.kind == StaticKind::Thread ? "(no thread has used it)" : "(not initialised)";
}

}  // namespace

void writeHandlesText(Output& output, const HandleList& list, const RowSelection& selection) {
  TextTable table(
      {{"Handle"}, {"Kind"}, {"Heap", Align::Right}, {"Object"}, {"Retained", Align::Right}, {"Type"}, {"Secondary"}});
  for (const HandleRow& row : selection.of(list.handles)) {
    const std::string secondary =
        row.dependent ? fmt::format("{} {}", toString(row.dependent), row.dependentType) : std::string();
    table.addRow({toString(row.address), toString(row.kind), fmt::format("{}", row.heap), addressText(row.object),
                  retainedText(row.retainedBytes), row.typeName, secondary});
  }
  table.write(output);
}

void writeHandlesTsv(Output& output, const HandleList& list, const RowSelection& selection) {
  writeTsvLine(output, {"address", "kind", "object", "type", "dependent", "heap", "retainedBytes"});
  for (const HandleRow& row : selection.of(list.handles)) {
    if (output.hasFailed()) return;
    writeTsvLine(output, {toString(row.address), toString(row.kind), toString(row.object), row.typeName,
                          addressText(row.dependent), fmt::format("{}", row.heap), retainedFigure(row.retainedBytes)});
  }
}

void writeFinalizersText(Output& output, const FinalizerList& list, const RowSelection& selection) {
  TextTable table({{"Object"},
                   {"Queue"},
                   {"Generation"},
                   {"Heap", Align::Right},
                   {"Suppressed"},
                   {"Retained", Align::Right},
                   {"Type"}});
  for (const FinalizerRow& row : selection.of(list.objects)) {
    const bool isCritical = row.queue == FinalizerQueueKind::ReadyCritical;
    table.addRow({toString(row.object), isCritical ? "ready, critical" : toString(row.queue), toString(row.generation),
                  fmt::format("{}", row.heap), row.isSuppressed ? "yes" : "", retainedText(row.retainedBytes),
                  row.typeName});
  }
  table.write(output);
}

void writeStaticsText(Output& output, const StaticList& list, const RowSelection& selection) {
  TextTable table({{"Type"},
                   {"Field"},
                   {"Kind"},
                   {"Thread", Align::Right},
                   {"Retained", Align::Right},
                   {"Address"},
                   {"Field type"},
                   {"Value"}});
  for (const StaticRow& row : selection.of(list.statics)) {
    table.addRow({row.typeName, row.field, toString(row.kind), threadText(row), retainedText(row.retainedBytes),
                  addressText(row.address), row.fieldType, shownValue(row, selection.isRedacted)});
  }
  table.write(output);
}

void writeStaticsTsv(Output& output, const StaticList& list, const RowSelection& selection) {
  writeTsvLine(output, {"type", "field", "kind", "fieldType", "threadId", "address", "value", "object", "initialised",
                        "retainedBytes"});
  for (const StaticRow& row : selection.of(list.statics)) {
    if (output.hasFailed()) return;
    writeTsvLine(output,
                 {row.typeName, row.field, toString(row.kind), row.fieldType, threadText(row), toString(row.address),
                  valueText(row, selection.isRedacted), addressText(row.value.value.object),
                  row.isInitialised ? "true" : "false", retainedFigure(row.retainedBytes)});
  }
}

}  // namespace heapscape::engine
