// SPDX-License-Identifier: MIT
#include "output/types/type_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "base/figures.h"
#include "output/objects/value_output.h"
#include "output/table_output.h"
#include "output/text.h"
#include "tables/generic_tables.h"
#include "tables/root_tables.h"
#include "tables/type_detail_tables.h"

namespace heapscape::engine {
namespace {

std::string addressOr(Address address, const char* otherwise) {
  return address ? toString(address) : std::string(otherwise);
}

void addOptional(TextTable& table, const EEClassOptionalFields& fields) {
  const auto add = [&](const char* name, std::string value, const char* note) {
    table.addRow({"EEClassOptionalFields", name, std::move(value), note});
  };
  add("DictionaryLayout", addressOr(fields.dictionaryLayout, "none"), "where shared code looks things up");
  add("VarianceInfo",
      fields.variances.empty() ? addressOr(fields.varianceInfo, "none")
                               : fmt::format("{}", fmt::join(fields.variances, ", ")),
      "of the type parameters");
  if (fields.staticsId) add("ModuleDynamicID", std::to_string(*fields.staticsId), "statics of its own");
  add("EightByteRegisters", fields.registers.empty() ? "none" : registersText(fields), "values are passed in them");
  add("RequiredFieldAlignment", fields.fieldAlignment ? std::to_string(fields.fieldAlignment) : "that of a pointer",
      "of an automatic layout");
}

void addLayout(TextTable& table, const EEClassLayout& layout) {
  const auto add = [&](const char* name, std::string value) {
    table.addRow({"EEClassLayoutInfo", name, std::move(value), ""});
  };
  if (!layout.kind.empty()) add("LayoutType", layout.kind);
  if (layout.managedSize) add("ManagedSize", std::to_string(*layout.managedSize));
  add("LargestAlignment", std::to_string(layout.largestAlignment));
  add("PackingSize", std::to_string(layout.packing));
  add("Flags", layout.flags.empty() ? "none" : fmt::format("{}", fmt::join(layout.flags, ", ")));
}

void writeOptional(JsonWriter& json, const EEClassOptionalFields& fields) {
  json.beginObject();
  json.member("address", fields.address);
  json.member("dictionaryLayout", fields.dictionaryLayout);
  json.member("varianceInfo", fields.varianceInfo);
  json.key("variances");
  json.beginArray();
  for (const std::string& variance : fields.variances) json.value(variance);
  json.endArray();
  json.member("moduleDynamicId", fields.staticsId);
  json.key("registers");
  json.beginArray();
  for (const RegisterPart& part : fields.registers) {
    json.beginObject();
    json.member("kind", part.kind);
    json.member("bytes", part.bytes);
    json.endObject();
  }
  json.endArray();
  json.member("requiredFieldAlignment", fields.fieldAlignment);
  json.endObject();
}

void writeLayout(JsonWriter& json, const EEClassLayout& layout) {
  json.beginObject();
  json.member("address", layout.address);
  if (!layout.kind.empty()) json.member("kind", layout.kind);
  if (layout.managedSize) json.member("managedSize", *layout.managedSize);
  json.member("largestAlignment", layout.largestAlignment);
  json.member("packingSize", layout.packing);
  json.key("flags");
  json.beginArray();
  for (const std::string& flag : layout.flags) json.value(flag);
  json.endArray();
  json.endObject();
}

}  // namespace

void writeTypeClassText(Output& output, const TypeDetails& type) {
  TextTable table({{"Part"}, {"Field"}, {"Value"}, {"Note"}});
  for (const EEClassFigure& figure : type.eeClassFigures)
    table.addRow({"EEClass", std::string(figure.name), std::to_string(figure.value), ""});
  if (type.eeClassOptionalFields) addOptional(table, *type.eeClassOptionalFields);
  if (type.eeClassLayout) addLayout(table, *type.eeClassLayout);
  output.write("\nEEClass\n");
  table.write(output);
}

void writeTypeClassMembers(JsonWriter& json, const TypeDetails& type) {
  json.key("eeClassFigures");
  json.beginObject();
  for (const EEClassFigure& figure : type.eeClassFigures) json.member(figure.name, figure.value);
  json.endObject();
  json.key("optionalFields");
  type.eeClassOptionalFields ? writeOptional(json, *type.eeClassOptionalFields) : json.null();
  json.key("layoutInfo");
  type.eeClassLayout ? writeLayout(json, *type.eeClassLayout) : json.null();
}

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

namespace {

void writeNames(JsonWriter& json, std::string_view name, const std::vector<std::string>& words) {
  json.key(name);
  json.beginArray();
  for (const std::string& word : words) json.value(word);
  json.endArray();
}

void writeLinkMembers(JsonWriter& json, const TypeLink& link) {
  json.member("name", link.name);
  json.member("methodTable", link.methodTable);
}

void writeIdentity(JsonWriter& json, const TypeDetails& type) {
  json.member("name", type.name);
  json.member("clrName", type.clrName);
  json.member("csharpName", type.csharpName);
  json.member("kind", type.kind);
  json.member("methodTable", type.methodTable);
  json.member("canonicalMethodTable", type.canonical.methodTable);
  json.member("eeClass", type.eeClass);
  json.member("eeClassOptionalFields", type.eeClassOptionalFields ? type.eeClassOptionalFields->address : Address{});
  json.member("auxiliaryData", type.auxiliaryData);
  json.member("module", type.moduleName);
  json.member("moduleAddress", type.module);
  json.member("file", type.modulePath);
  json.member("loadContext", type.loadContext);
  json.member("loaderModule", type.loaderModule);
  json.member("loaderAllocator", type.loaderAllocator);
  json.member("token", type.token);
  json.member("parent", type.parent.name);
  json.member("parentMethodTable", type.parent.methodTable);
  json.key("parents");
  writeRows(json, typeLinksTable().with(type.parents), {});
}

void writeFigures(JsonWriter& json, const TypeDetails& type) {
  json.member("baseSize", type.baseSize);
  json.member("componentSize", type.componentSize);
  json.member("attributes", type.attributes);
  writeNames(json, "attributeNames", type.attributeNames);
  json.member("flags", type.flags);
  json.member("flags2", type.flags2);
  writeNames(json, "flagNames", type.flagNames);
  json.member("elementType", type.elementType);
  json.member("containsPointers", type.containsPointers);
  json.member("collectible", type.isCollectible);
  json.member("finalizer", type.hasFinalizer);
  json.member("dynamicStatics", type.isDynamicStatics);
  json.member("initialised", type.isClassInitialised);
  json.member("vtableSlots", type.vtableSlots);
  json.member("totalSlots", type.totalSlots);
  json.member("methodCount", type.methodCount);
  json.member("instanceFields", type.instanceFieldCount);
  json.member("staticFields", type.staticFieldCount);
  json.member("threadStaticFields", type.threadStaticFieldCount);
  json.member("objects", type.objects);
  json.member("bytes", type.bytes);
  if (!type.elementTypeLink) return;
  json.member("rank", type.rank);
  json.key("element");
  json.beginObject();
  writeLinkMembers(json, *type.elementTypeLink);
  json.endObject();
}

void writeGenericParts(JsonWriter& json, const TypeDetails& type) {
  writeTable(json, typeArgumentsTable().with(type.typeArguments), {});
  json.key("sharedWith");
  json.beginArray();
  for (const TypeLink& other : type.sharedWith) json.value(other.methodTable);
  json.endArray();
  writeTypeLookupMembers(json, type);
}

constexpr std::size_t kShownSharers = 20;

void writeTypeTitle(Output& output, std::string_view title) {
  output.write(fmt::format("\n{}\n", title));
}

void writeTypeFact(Output& output, std::string_view name, const std::string& text) {
  if (!text.empty()) output.write(fmt::format("{:<16}{}\n", name, printable(text)));
}

std::string linkText(const TypeLink& link) {
  return link.methodTable ? fmt::format("{}  {}", link.name, toString(link.methodTable)) : link.name;
}

/// Types of a program compiled ahead of time have none, nor what the runtime makes of it.
bool hasMetadata(const TypeDetails& type) {
  return static_cast<bool>(type.eeClass);
}

void writeHead(Output& output, const TypeDetails& type) {
  output.write(printable(type.name) + "\n");
  writeTypeFact(output, "C#", type.csharpName);
  writeTypeFact(output, "metadata", type.clrName);
  writeTypeFact(output, "kind", type.kind);
  writeTypeFact(output, "method table", toString(type.methodTable));
  if (type.canonical.methodTable != type.methodTable) writeTypeFact(output, "canonical", linkText(type.canonical));
  if (hasMetadata(type)) {
    writeTypeFact(output, "EEClass", toString(type.eeClass));
    writeTypeFact(output, "module", fmt::format("{}  {}", type.moduleName, toString(type.module)));
    writeTypeFact(output, "file", type.modulePath);
    writeTypeFact(output, "load context", type.loadContext);
    writeTypeFact(output, "token", fmt::format("{:#010x}", type.token));
  }
  std::vector<std::string> parents;
  for (const TypeLink& parent : type.parents) parents.push_back(parent.name);
  writeTypeFact(output, "parents", fmt::format("{}", fmt::join(parents, ", ")));
  if (type.elementTypeLink)
    writeTypeFact(output, "elements",
                  fmt::format("{}, {}", linkText(*type.elementTypeLink), countOf(type.rank, "dimension")));
  if (!hasMetadata(type)) {
    writeTypeFact(output, "flags", fmt::format("{:#x}", type.flags));
    return;
  }
  writeTypeFact(output, "attributes", fmt::format("{:#x}  {}", type.attributes, fmt::join(type.attributeNames, ", ")));
  writeTypeFact(output, "flags",
                fmt::format("{:#x}, {:#x}  {}", type.flags, type.flags2, fmt::join(type.flagNames, ", ")));
}

void writeFigures(Output& output, const TypeDetails& type) {
  std::string size = fmt::format("{} bytes", type.baseSize);
  if (type.componentSize) size += fmt::format(" and {} for each element", type.componentSize);
  writeTypeFact(output, "base size", size);
  if (hasMetadata(type)) {
    writeTypeFact(output, "slots", fmt::format("{} in the vtable, {} in all", type.vtableSlots, type.totalSlots));
    writeTypeFact(output, "methods", fmt::format("{}, inherited virtual ones too", type.methodCount));
  } else {
    writeTypeFact(output, "slots", fmt::format("{} in the vtable", type.vtableSlots));
  }
  writeTypeFact(output, "fields",
                fmt::format("{} of instances, {} static, {} of these per thread", type.instanceFieldCount,
                            type.staticFieldCount, type.threadStaticFieldCount));
  if (!type.isClassInitialised) writeTypeFact(output, "initialised", "not yet: its static constructor has not run");
  writeTypeFact(output, "objects", fmt::format("{}, {}", readableCount(type.objects), readableBytes(type.bytes)));
}

// Where all fields are of the types that they were declared with, nobody reads these twice.
Table fieldsOf(const TypeDetails& type) {
  Table table = fieldsTable().with(type.fields);
  if (std::ranges::any_of(type.fields, [](const TypeField& field) {
        return !field.declaredType.empty() && field.declaredType != field.typeName;
      }))
    return table;
  auto fewer = std::make_shared<TableDescription>(*table.description);
  std::erase(fewer->shown, "declaredType");
  table.description = std::move(fewer);
  return table;
}

void writeFields(Output& output, const TypeDetails& type, const RowSelection& selection) {
  if (type.fields.empty()) return;
  writeTypeTitle(output,
                 "Fields  (Offset from the object's address, as SOS and the verb object count; Inner from the first "
                 "field, as the runtime and the verb layout do; of a static both in its area)");
  writeTableText(output, fieldsOf(type), {.isRedacted = selection.isRedacted});
}

// Below a generic method what was made of it, and below one that returns a task its second form, set in.
std::vector<TypeMethod> methodLines(const TypeDetails& type) {
  std::vector<TypeMethod> lines;
  for (const TypeMethod& method : type.methods) {
    lines.push_back(method);
    for (TypeMethod made : method.instantiations) {
      made.name.insert(0, "  ");
      lines.push_back(std::move(made));
    }
    for (TypeMethod form : method.asyncForms) {
      form.name = "  awaited: " + form.name;
      lines.push_back(std::move(form));
    }
  }
  return lines;
}

void writeMethods(Output& output, const TypeDetails& type, const RowSelection& selection) {
  if (type.methods.empty()) return;
  writeTypeTitle(output, "Methods");
  std::vector<TypeMethod> lines = methodLines(type);
  const std::size_t count = lines.size();
  writeTableText(output, methodsTable().with(std::move(lines)), selection);
  if (selection.limit < count) output.write(fmt::format("and {} more\n", count - selection.limit));
}

void writeEnumMembers(Output& output, const TypeDetails& type) {
  if (type.underlyingType.empty()) return;
  writeTypeTitle(output, fmt::format("Members  ({}{})", type.underlyingType, type.isFlags ? ", flags" : ""));
  writeTableText(output, enumMembersTable().with(type.members), {});
}

void writeGenericParts(Output& output, const TypeDetails& type) {
  if (type.typeArguments.empty()) return;
  writeTypeTitle(output, "Type arguments");
  writeTableText(output, typeArgumentsTable().with(type.typeArguments), {});
  if (type.sharedWith.empty()) return;
  writeTypeTitle(output, "Runs the same code");
  writeTableText(output, typeLinksTable().with(type.sharedWith), {.limit = kShownSharers});
  if (type.sharedWith.size() > kShownSharers)
    output.write(fmt::format("and {} more\n", type.sharedWith.size() - kShownSharers));
}

}  // namespace

void writeType(JsonWriter& json, const TypeDetails& type, const StaticList& statics, const RowSelection& selection) {
  json.key("type");
  json.beginObject();
  writeIdentity(json, type);
  writeFigures(json, type);
  writeTypeClassMembers(json, type);
  json.key("interfaces");
  writeRows(json, typeLinksTable().with(type.interfaces), {});
  if (!type.underlyingType.empty()) {
    json.member("underlyingType", type.underlyingType);
    json.member("isFlags", type.isFlags);
    writeTable(json, enumMembersTable().with(type.members), {});
  }
  // Values of fields are numbers or truths in JSON where they are.
  json.key("fields");
  writeRows(json, fieldsTable().with(type.fields), {}, [&](JsonWriter& to, std::uint32_t row) {
    const std::optional<Value>& value = type.fields[row].value;
    if (value) writeValueMembers(to, *value, selection.isRedacted);
  });
  writeTable(json, staticsTable().with(statics.statics), selection);
  writeTable(json, methodsTable().with(type.methods), selection);
  writeGenericParts(json, type);
  writeTable(json, typePartsTable().with(type.parts), {});
  json.endObject();
}

void writeTypeText(Output& output, const TypeDetails& type, const StaticList& statics, const RowSelection& selection) {
  writeHead(output, type);
  writeFigures(output, type);
  if (!type.interfaces.empty()) {
    writeTypeTitle(output, "Interfaces");
    writeTableText(output, typeLinksTable().with(type.interfaces), {});
  }
  writeEnumMembers(output, type);
  writeFields(output, type, selection);
  if (!statics.statics.empty()) {
    writeTypeTitle(output, "Statics");
    writeTableText(output, staticsTable().with(statics.statics), selection);
  }
  writeMethods(output, type, selection);
  writeGenericParts(output, type);
  writeTypeLookupsText(output, type);
  if (hasMetadata(type)) writeTypeClassText(output, type);
  if (type.parts.empty()) return;
  writeTypeTitle(output, "In memory");
  writeTableText(output, typePartsTable().with(type.parts), {});
}

}  // namespace heapscape::engine
