// SPDX-License-Identifier: MIT
#include "report/type_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/roots_text.h"
#include "report/text.h"
#include "report/text_table.h"
#include "report/type_class_report.h"
#include "report/type_fields_text.h"
#include "report/type_lookups_report.h"

namespace heapscape::engine {
namespace {

using Align = TextTable::Align;

constexpr std::size_t kShownSharers = 20;

void writeTitle(Output& output, std::string_view title) {
  output.write(fmt::format("\n{}\n", title));
}

void writeFact(Output& output, std::string_view name, const std::string& text) {
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
  writeFact(output, "C#", type.csharpName);
  writeFact(output, "metadata", type.clrName);
  writeFact(output, "kind", type.kind);
  writeFact(output, "method table", toString(type.methodTable));
  if (type.canonical.methodTable != type.methodTable) writeFact(output, "canonical", linkText(type.canonical));
  writeFact(output, "EEClass", toString(type.eeClass));
  writeFact(output, "module", fmt::format("{}  {}", type.moduleName, toString(type.module)));
  writeFact(output, "file", type.modulePath);
  writeFact(output, "load context", type.loadContext);
  writeFact(output, "token", fmt::format("{:#010x}", type.token));
  std::vector<std::string> parents;
  for (const TypeLink& parent : type.parents) parents.push_back(parent.name);
  writeFact(output, "parents", fmt::format("{}", fmt::join(parents, ", ")));
  if (type.elementTypeLink)
    writeFact(output, "elements",
              fmt::format("{}, {}", linkText(*type.elementTypeLink), countOf(type.rank, "dimension")));
  writeFact(output, "attributes", fmt::format("{:#x}  {}", type.attributes, fmt::join(type.attributeNames, ", ")));
  writeFact(output, "flags", fmt::format("{:#x}, {:#x}  {}", type.flags, type.flags2, fmt::join(type.flagNames, ", ")));
}

void writeFigures(Output& output, const TypeDetails& type) {
  std::string size = fmt::format("{} bytes", type.baseSize);
  if (type.componentSize) size += fmt::format(" and {} for each element", type.componentSize);
  writeFact(output, "base size", size);
  writeFact(output, "slots", fmt::format("{} in the vtable, {} in all", type.vtableSlots, type.totalSlots));
  writeFact(output, "methods", fmt::format("{}, inherited virtual ones too", type.methodCount));
  writeFact(output, "fields",
            fmt::format("{} of instances, {} static, {} of these per thread", type.instanceFieldCount,
                        type.staticFieldCount, type.threadStaticFieldCount));
  if (!type.isClassInitialised) writeFact(output, "initialised", "not yet: its static constructor has not run");
  writeFact(output, "objects", fmt::format("{}, {}", readableCount(type.objects), readableBytes(type.bytes)));
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
  writeTitle(output, "Methods");
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
  writeTitle(output, "Type arguments");
  TextTable arguments({{"Parameter"}, {"Argument"}, {"Code is made for"}});
  for (const TypeArgument& argument : type.typeArguments)
    arguments.addRow({argument.parameter, argument.argument.name, argument.canonicalName});
  arguments.write(output);
  if (!type.sharedWith.empty()) {
    writeTitle(output, "Runs the same code");
    for (std::size_t i = 0; i < type.sharedWith.size() && i < kShownSharers; ++i)
      output.write(
          fmt::format("{}  {}\n", toString(type.sharedWith[i].methodTable), printable(type.sharedWith[i].name)));
    if (type.sharedWith.size() > kShownSharers)
      output.write(fmt::format("and {} more\n", type.sharedWith.size() - kShownSharers));
  }
}

void writeParts(Output& output, const TypeDetails& type) {
  writeTitle(output, "In memory");
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
    writeTitle(output, "Interfaces");
    for (const TypeLink& link : type.interfaces)
      output.write(fmt::format("{}  {}\n", toString(link.methodTable), printable(link.name)));
  }
  writeTypeFieldsText(output, type, selection);
  if (!statics.statics.empty()) {
    writeTitle(output, "Statics");
    writeStaticsText(output, statics, selection);
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
