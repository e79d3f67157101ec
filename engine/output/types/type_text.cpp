// SPDX-License-Identifier: MIT
#include "output/types/type_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "output/table_output.h"
#include "output/text.h"
#include "output/text_table.h"
#include "output/types/type_class_report.h"
#include "output/types/type_fields_text.h"
#include "output/types/type_lookups_report.h"
#include "tables/root_tables.h"

namespace heapscape::engine {
namespace {

using Align = TextTable::Align;

constexpr std::size_t kShownSharers = 20;

void writeTypeTitle(Output& output, std::string_view title) {
  output.write(fmt::format("\n{}\n", title));
}

void writeTypeFact(Output& output, std::string_view name, const std::string& text) {
  if (!text.empty()) output.write(fmt::format("{:<16}{}\n", name, printable(text)));
}

std::string addressOrNone(Address address) {
  return address ? toString(address) : std::string("-");
}

std::string linkText(const TypeLink& link) {
  return link.methodTable ? fmt::format("{}  {}", link.name, toString(link.methodTable)) : link.name;
}

void writeHead(Output& output, const TypeDetails& type) {
  output.write(printable(type.name) + "\n");
  writeTypeFact(output, "C#", type.csharpName);
  writeTypeFact(output, "metadata", type.clrName);
  writeTypeFact(output, "kind", type.kind);
  writeTypeFact(output, "method table", toString(type.methodTable));
  if (type.canonical.methodTable != type.methodTable) writeTypeFact(output, "canonical", linkText(type.canonical));
  writeTypeFact(output, "EEClass", toString(type.eeClass));
  writeTypeFact(output, "module", fmt::format("{}  {}", type.moduleName, toString(type.module)));
  writeTypeFact(output, "file", type.modulePath);
  writeTypeFact(output, "load context", type.loadContext);
  writeTypeFact(output, "token", fmt::format("{:#010x}", type.token));
  std::vector<std::string> parents;
  for (const TypeLink& parent : type.parents) parents.push_back(parent.name);
  writeTypeFact(output, "parents", fmt::format("{}", fmt::join(parents, ", ")));
  if (type.elementTypeLink)
    writeTypeFact(output, "elements",
                  fmt::format("{}, {}", linkText(*type.elementTypeLink), countOf(type.rank, "dimension")));
  writeTypeFact(output, "attributes", fmt::format("{:#x}  {}", type.attributes, fmt::join(type.attributeNames, ", ")));
  writeTypeFact(output, "flags",
                fmt::format("{:#x}, {:#x}  {}", type.flags, type.flags2, fmt::join(type.flagNames, ", ")));
}

void writeFigures(Output& output, const TypeDetails& type) {
  std::string size = fmt::format("{} bytes", type.baseSize);
  if (type.componentSize) size += fmt::format(" and {} for each element", type.componentSize);
  writeTypeFact(output, "base size", size);
  writeTypeFact(output, "slots", fmt::format("{} in the vtable, {} in all", type.vtableSlots, type.totalSlots));
  writeTypeFact(output, "methods", fmt::format("{}, inherited virtual ones too", type.methodCount));
  writeTypeFact(output, "fields",
                fmt::format("{} of instances, {} static, {} of these per thread", type.instanceFieldCount,
                            type.staticFieldCount, type.threadStaticFieldCount));
  if (!type.isClassInitialised) writeTypeFact(output, "initialised", "not yet: its static constructor has not run");
  writeTypeFact(output, "objects", fmt::format("{}, {}", readableCount(type.objects), readableBytes(type.bytes)));
}

/// "readyToRun", "jitted tier-0"; with tiered compilation also what runs now.
std::string stateText(const TypeMethod& method) {
  if (!method.code) return "-";
  std::string text = method.state == MethodState::None ? std::string("runtime") : toString(method.state);
  if (!method.tier.empty()) text += " " + method.tier;
  // What calls do not run any more, or never did, as code that replaces a loop's while it runs.
  if (method.versions.size() > 1) text += fmt::format(" (of {} versions)", method.versions.size());
  return text;
}

void writeMethods(Output& output, const TypeDetails& type, const RowSelection& selection) {
  if (type.methods.empty()) return;
  writeTypeTitle(output, "Methods");
  TextTable table(
      {{"Slot", Align::Right}, {"MethodDesc"}, {"Entry"}, {"Code"}, {"Bytes", Align::Right}, {"State"}, {"Name"}});
  for (const TypeMethod& method : selection.of(type.methods)) {
    std::string name = method.isInherited ? method.declaringType + "." + method.name : method.name;
    if (method.isShared) name += "  (shared)";
    table.addRow({(method.isVirtual ? "v " : "") + std::to_string(method.slot), toString(method.methodDesc),
                  addressOrNone(method.entry), addressOrNone(method.code),
                  method.codeBytes ? std::to_string(method.codeBytes) : std::string("-"), stateText(method), name});
  }
  table.write(output);
  if (selection.limit < type.methods.size())
    output.write(fmt::format("and {} more\n", type.methods.size() - selection.limit));
}

void writeGenericParts(Output& output, const TypeDetails& type) {
  if (type.typeArguments.empty()) return;
  writeTypeTitle(output, "Type arguments");
  TextTable arguments({{"Parameter"}, {"Argument"}, {"Code is made for"}});
  for (const TypeArgument& argument : type.typeArguments)
    arguments.addRow({argument.parameter, argument.argument.name, argument.canonicalName});
  arguments.write(output);
  if (!type.sharedWith.empty()) {
    writeTypeTitle(output, "Runs the same code");
    for (std::size_t i = 0; i < type.sharedWith.size() && i < kShownSharers; ++i)
      output.write(
          fmt::format("{}  {}\n", toString(type.sharedWith[i].methodTable), printable(type.sharedWith[i].name)));
    if (type.sharedWith.size() > kShownSharers)
      output.write(fmt::format("and {} more\n", type.sharedWith.size() - kShownSharers));
  }
}

void writeParts(Output& output, const TypeDetails& type) {
  writeTypeTitle(output, "In memory");
  TextTable table({{"Address"}, {"Bytes", Align::Right}, {"What"}, {"Note"}});
  for (const TypeDetails::Part& part : type.parts)
    table.addRow({toString(part.address), part.sizeBytes ? std::to_string(part.sizeBytes) : std::string("-"), part.name,
                  part.note});
  table.write(output);
}

void writeInstantiations(Output& output, const GenericDefinition& definition) {
  TextTable table(
      {{"  Method table"}, {"Objects", Align::Right}, {"Bytes", Align::Right}, {"Instantiation"}, {"Code of"}});
  for (const GenericInstantiation& instantiation : definition.instantiations) {
    table.addRow({"  " + toString(instantiation.methodTable), readableCount(instantiation.objects),
                  readableBytes(instantiation.bytes), instantiation.name,
                  instantiation.canonical == instantiation.methodTable ? "its own" : instantiation.canonicalName});
  }
  table.write(output);
  output.write("\n");
}

std::vector<std::string> definitionCells(const GenericDefinition& definition) {
  const std::string unknown = definition.codeSizeUnknown ? " + ?" : "";
  return {readableCount(definition.methodTables),    readableBytes(definition.methodTableBytes),
          readableCount(definition.codeSets),        readableCount(definition.methods),
          readableCount(definition.methodsWithCode), readableBytes(definition.codeBytes) + unknown,
          readableBytes(definition.jittedBytes),     definition.name};
}

TextTable definitionTable() {
  return TextTable({{"Tables", Align::Right},
                    {"Size", Align::Right},
                    {"Code sets", Align::Right},
                    {"Methods", Align::Right},
                    {"With code", Align::Right},
                    {"Code", Align::Right},
                    {"Jitted", Align::Right},
                    {"Definition"}});
}

}  // namespace

void writeTypeText(Output& output, const TypeDetails& type, const StaticList& statics, const RowSelection& selection) {
  writeHead(output, type);
  writeFigures(output, type);
  if (!type.interfaces.empty()) {
    writeTypeTitle(output, "Interfaces");
    for (const TypeLink& link : type.interfaces)
      output.write(fmt::format("{}  {}\n", toString(link.methodTable), printable(link.name)));
  }
  writeTypeFieldsText(output, type, selection);
  if (!statics.statics.empty()) {
    writeTypeTitle(output, "Statics");
    writeTableText(output, staticsTable().with(statics.statics), selection);
  }
  writeMethods(output, type, selection);
  writeGenericParts(output, type);
  writeTypeLookupsText(output, type);
  writeTypeClassText(output, type);
  writeParts(output, type);
}

void writeGenericsText(Output& output, const std::vector<GenericDefinition>& definitions, const RowSelection& selection,
                       bool withInstantiations) {
  if (!withInstantiations) {
    TextTable table = definitionTable();
    for (const GenericDefinition& definition : selection.of(definitions)) table.addRow(definitionCells(definition));
    table.write(output);
    return;
  }
  for (const GenericDefinition& definition : selection.of(definitions)) {
    TextTable table = definitionTable();
    table.addRow(definitionCells(definition));
    table.write(output);
    writeInstantiations(output, definition);
  }
}

}  // namespace heapscape::engine
