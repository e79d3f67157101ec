// SPDX-License-Identifier: MIT
#include "output/types/type_lookups_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/count_text.h"
#include "output/text_table.h"

namespace heapscape::engine {
namespace {

using Align = TextTable::Align;

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

void writeSlots(Output& output, const std::vector<DictionarySlot>& slots) {
  TextTable table(
      {{"Slot", Align::Right}, {"State"}, {"Kind"}, {"Looked up"}, {"Value"}, {"Meaning"}, {"Next lookup"}});
  for (const DictionarySlot& slot : slots) {
    if (slot.state == SlotState::Free) continue;
    table.addRow({std::to_string(slot.index), toString(slot.state), slot.kind,
                  slot.isOfReadyToRun ? "(by ReadyToRun code)" : slot.wanted,
                  slot.value && slot.state != SlotState::Size ? toString(slot.value) : std::string("-"), slot.meaning,
                  nextLookupText(slot)});
  }
  table.write(output);
}

void writeOwn(Output& output, const TypeDetails& type) {
  if (type.dictionary.size() <= type.typeArguments.size()) return;
  output.write(fmt::format("\nDictionary  {}\n{}\n", toString(type.dictionaryFigures.address),
                           figuresText(type.dictionaryFigures)));
  writeSlots(output, type.dictionary);
}

std::string inheritedText(const InheritedLookups& inherited) {
  if (!inherited.isOutdated) return "the parent's own";
  std::string text = fmt::format("older than the parent's, {}", toString(inherited.current));
  if (inherited.missed)
    text += ": the next lookup that misses it asks the runtime, which then puts the new one in its place";
  return text;
}

void writeInherited(Output& output, const TypeDetails& type) {
  if (type.inheritedLookups.empty()) return;
  output.write("\nDictionaries of parents, as this type uses them\n");
  TextTable table({{"Dictionary"},
                   {"Room", Align::Right},
                   {"Used", Align::Right},
                   {"Missed", Align::Right},
                   {"Parent"},
                   {"State"}});
  for (const InheritedLookups& inherited : type.inheritedLookups)
    table.addRow({toString(inherited.dictionary), std::to_string(inherited.room), std::to_string(inherited.used),
                  std::to_string(inherited.missed), inherited.owner, inheritedText(inherited)});
  table.write(output);
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

void writeSlot(JsonWriter& json, const DictionarySlot& slot) {
  json.beginObject();
  json.member("index", slot.index);
  json.member("address", slot.address);
  json.member("value", slot.value);
  json.member("meaning", slot.meaning);
  json.member("state", toString(slot.state));
  json.member("kind", slot.kind);
  json.member("wanted", slot.wanted);
  json.member("readyToRun", slot.isOfReadyToRun);
  json.member("checksSize", slot.checksSize);
  json.member("next", nextLookupText(slot));
  json.endObject();
}

void writeSlotList(JsonWriter& json, const std::vector<DictionarySlot>& slots) {
  json.beginRows();
  for (const DictionarySlot& slot : slots) writeSlot(json, slot);
  json.endArray();
}

void writeFigures(JsonWriter& json, const DictionaryFigures& figures) {
  json.beginObject();
  json.member("address", figures.address);
  json.member("layout", figures.layout);
  json.member("room", figures.room);
  json.member("layoutSlots", figures.layoutSlots);
  json.member("initialSlots", figures.initialSlots);
  json.member("used", figures.used);
  json.member("filled", figures.filled);
  json.member("empty", figures.empty);
  json.member("beyond", figures.beyond);
  json.member("layoutFull", figures.isLayoutFull);
  json.endObject();
}

void writePathMember(JsonWriter& json, const LookupPath& path) {
  json.beginObject();
  json.member("source", toString(path.source));
  json.key("steps");
  json.beginArray();
  for (const std::string& step : path.steps) json.value(step);
  json.endArray();
  json.member("reads", path.reads());
  json.endObject();
}

void writeInheritedMember(JsonWriter& json, const InheritedLookups& inherited) {
  json.beginObject();
  json.member("owner", inherited.owner);
  json.member("methodTable", inherited.ownerMethodTable);
  json.member("dictionary", inherited.dictionary);
  json.member("current", inherited.current);
  json.member("room", inherited.room);
  json.member("used", inherited.used);
  json.member("missed", inherited.missed);
  json.member("outdated", inherited.isOutdated);
  json.endObject();
}

}  // namespace

std::string nextLookupText(const DictionarySlot& slot) {
  switch (slot.state) {
    case SlotState::Argument:
      return "read";
    case SlotState::Size:
    case SlotState::Free:
      return "";
    case SlotState::Filled:
      return slot.checksSize ? "size and slot read" : "read";
    case SlotState::Empty:
      return "a call of the runtime, once, which fills it";
    case SlotState::Beyond:
      return "a call of the runtime, once, which makes a larger dictionary";
  }
  return "";
}

void writeTypeLookupsText(Output& output, const TypeDetails& type) {
  if (!type.lookupPaths.empty()) writePaths(output, type);
  writeOwn(output, type);
  writeInherited(output, type);
  writeMethods(output, type);
}

void writeTypeLookupMembers(JsonWriter& json, const TypeDetails& type) {
  json.key("dictionary");
  writeSlotList(json, type.dictionary);
  json.key("lookups");
  json.beginObject();
  json.key("paths");
  json.beginArray();
  for (const LookupPath& path : type.lookupPaths) writePathMember(json, path);
  json.endArray();
  json.key("figures");
  type.dictionary.empty() ? json.null() : writeFigures(json, type.dictionaryFigures);
  json.key("inherited");
  json.beginArray();
  for (const InheritedLookups& inherited : type.inheritedLookups) writeInheritedMember(json, inherited);
  json.endArray();
  json.key("methods");
  json.beginRows();
  for (const MethodLookups& method : type.methodLookups) {
    json.beginObject();
    json.member("name", method.name);
    json.member("methodDesc", method.methodDesc);
    json.key("figures");
    writeFigures(json, method.figures);
    json.key("slots");
    writeSlotList(json, method.slots);
    json.endObject();
  }
  json.endArray();
  json.endObject();
}

}  // namespace heapscape::engine
