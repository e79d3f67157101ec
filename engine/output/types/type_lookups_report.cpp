// SPDX-License-Identifier: MIT
#include "output/types/type_lookups_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/figures.h"
#include "output/table_output.h"
#include "tables/generic_tables.h"

namespace heapscape::engine {
namespace {

const char* usersOf(LookupSource source) {
  switch (source) {
    case LookupSource::None:
      break;
    case LookupSource::This:
      return "instance methods";
    case LookupSource::MethodTable:
      return "static methods, and those of value types and interfaces, by a hidden argument";
    case LookupSource::Method:
      return "generic methods, by a hidden argument";
  }
  return "";
}

std::string figuresText(const DictionaryFigures& figures) {
  std::string text =
      fmt::format("{} used of {} in the layout, of these {} filled, {} empty, {} beyond the end", figures.used,
                  countOf(figures.layoutSlots, "slot"), figures.filled, figures.empty, figures.beyond);
  if (figures.layoutSlots > figures.initialSlots)
    text += fmt::format("; behind the first {} code compares the dictionary's size", figures.initialSlots);
  if (figures.isLayoutFull) text += "; the layout is full: what more its code looks up asks the runtime every time";
  return text;
}

void writePaths(Output& output, const TypeDetails& type) {
  output.write("\nGeneric lookups\n");
  for (const LookupPath& path : type.lookupPaths)
    output.write(
        fmt::format("{}: {}, {}\n", usersOf(path.source), fmt::join(path.steps, " → "), countOf(path.reads(), "read")));
}

void writeSlots(Output& output, std::vector<DictionarySlot> slots) {
  std::erase_if(slots, [](const DictionarySlot& slot) { return slot.state == SlotState::Free; });
  writeTableText(output, dictionaryTable().with(std::move(slots)), {});
}

void writeOwn(Output& output, const TypeDetails& type) {
  if (type.dictionary.size() <= type.typeArguments.size()) return;
  output.write(fmt::format("\nDictionary  {}\n{}\n", toString(type.dictionaryFigures.address),
                           figuresText(type.dictionaryFigures)));
  writeSlots(output, type.dictionary);
}

void writeInherited(Output& output, const TypeDetails& type) {
  if (type.inheritedLookups.empty()) return;
  output.write("\nDictionaries of parents, as this type uses them\n");
  writeTableText(output, inheritedLookupsTable().with(type.inheritedLookups), {});
}

void writeMethods(Output& output, const TypeDetails& type) {
  for (const MethodLookups& method : type.methodLookups) {
    output.write(fmt::format("\n{}  {}\n", method.name, toString(method.methodDesc)));
    if (!method.figures.layout) {
      output.write("Looks nothing up.\n");
      continue;
    }
    output.write(fmt::format("Dictionary  {}\n{}\n", toString(method.figures.address), figuresText(method.figures)));
    writeSlots(output, method.slots);
  }
}

}  // namespace

void writeTypeLookupsText(Output& output, const TypeDetails& type) {
  if (!type.lookupPaths.empty()) writePaths(output, type);
  writeOwn(output, type);
  writeInherited(output, type);
  writeMethods(output, type);
}

void writeTypeLookupMembers(JsonWriter& json, const TypeDetails& type) {
  json.key("dictionary");
  writeRows(json, dictionaryTable().with(type.dictionary), {});
  json.key("lookups");
  json.beginObject();
  writeTable(json, lookupPathsTable().with(type.lookupPaths), {});
  json.key("figures");
  type.dictionary.empty() ? json.null()
                          : writeRow(json, dictionaryFiguresTable().with({type.dictionaryFigures}), {}, 0);
  writeTable(json, inheritedLookupsTable().with(type.inheritedLookups), {});
  writeTable(json, methodLookupsTable().with(type.methodLookups), {});
  json.endObject();
}

}  // namespace heapscape::engine
