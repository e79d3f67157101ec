// SPDX-License-Identifier: MIT
#include "runtime/contract/contract_selection.h"

#include <fmt/format.h>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "runtime/aot/aot_selection.h"

namespace heapscape::engine {
namespace {

struct TableReader {
  const AddressSpace& space;
  const Contract& contract;
  const Contract::GlobalTable& table;
  const DynamicSymbol& globals;

  // The table holds addresses of variables; `value` is the pointer stored in the variable.
  bool tryValue(std::string_view name, Address& value) const {
    const auto index = table.indexOf.find(name);
    Address variable;
    return index != table.indexOf.end() && (index->second + 1) * 8 <= globals.sizeBytes &&
           space.tryRead(globals.address + index->second * 8, variable) && space.tryRead(variable, value);
  }

  bool methodTableIs(std::string_view global, const std::string& constantPrefix) const {
    Address methodTable;
    std::uint32_t flags = 0;
    std::uint32_t baseSize = 0;
    return tryValue(global, methodTable) &&
           space.tryRead(methodTable + contract.offset("MethodTable", "MTFlags"), flags) &&
           space.tryRead(methodTable + contract.offset("MethodTable", "BaseSize"), baseSize) &&
           flags == contract.constant(constantPrefix + ".MTFlags") &&
           baseSize == contract.constant(constantPrefix + ".BaseSize");
  }

  // GcDacVars describes itself by a version; the entry of the table points at the structure.
  bool gcVariablesFit() const {
    Address variables;
    std::uint8_t major = 0;
    return tryValue("GcDacVars", variables) &&
           space.tryRead(variables + contract.offset("GcDacVars", "MajorVersion"), major) &&
           major == contract.constant("GcDacVars.MajorVersion");
  }
};

}  // namespace

bool invariantsHold(const AddressSpace& space, const Contract& contract, const Contract::GlobalTable& table,
                    const DynamicSymbol& globals) {
  const TableReader reader{space, contract, table, globals};
  return reader.methodTableIs("FreeObjectMethodTable", "FreeObject") &&
         reader.methodTableIs("StringMethodTable", "String") && reader.gcVariablesFit();
}

namespace {

std::string supportedVersions() {
  std::string text;
  for (const std::string_view version : kShippedVersions) {
    if (!text.empty()) text += version == kShippedVersions.back() ? " and " : ", ";
    text += fmt::format(".NET {}", version);
  }
  return text;
}

/// The numbers that a descriptor's JSON has for its addresses: [[3], "pointer"].
std::map<std::string, std::size_t, std::less<>> placesIn(const RuntimeDescriptor& descriptor, const char* member) {
  std::map<std::string, std::size_t, std::less<>> places;
  const auto json = nlohmann::json::parse(descriptor.json, nullptr, false);
  const auto found = json.is_object() ? json.find(member) : json.end();
  if (!json.is_object() || found == json.end() || !found->is_object()) return places;
  for (const auto& [name, value] : found->items()) {
    const bool isPlace = value.is_array() && !value.empty() && value[0].is_array() && !value[0].empty() &&
                         value[0][0].is_number_unsigned();
    if (isPlace) places[name] = value[0][0].get<std::size_t>();
  }
  return places;
}

/// Whether a descriptor is of a runtime for a processor. Before .NET 10 they do not tell.
bool isFor(Architecture architecture, const RuntimeDescriptor& descriptor) {
  const auto json = nlohmann::json::parse(descriptor.json, nullptr, false);
  const auto globals = json.is_object() ? json.find("globals") : json.end();
  if (!json.is_object() || globals == json.end() || !globals->is_object()) return true;
  const auto found = globals->find("Architecture");
  if (found == globals->end()) return true;
  const nlohmann::json& value = found->is_array() && !found->empty() ? found->front() : *found;
  return !value.is_string() || value.get<std::string>() == toString(architecture);
}

void applyToMembers(const AddressSpace& space, const RuntimeDescriptor& descriptor, SelectedContract& selected) {
  const auto agreement = selected.contract.applyDescriptor(descriptor.json);
  if (!agreement) return;
  selected.agreement += *agreement;
  for (const auto& [name, place] : placesIn(descriptor, "subDescriptors")) {
    Address part;
    if (place >= descriptor.addresses.size() || !space.tryRead(descriptor.addresses[place], part)) continue;
    const auto further = descriptorAt(space, part);
    const auto parts = further ? selected.contract.applyDescriptor(further->json) : failure(ErrorCode::NotFound, {});
    if (parts) selected.agreement += *parts;
  }
}

/// A table of another length than the one that is known, if the descriptor tells where its entries have moved.
void applyToGlobals(const AddressSpace& space, const RuntimeLibrary& library, const RuntimeDescriptor& descriptor,
                    SelectedContract& selected) {
  std::vector<Address> entries(library.globalTable.sizeBytes / sizeof(Address));
  for (std::size_t i = 0; i < entries.size(); ++i)
    space.tryRead(library.globalTable.address + sizeof(Address) * i, entries[i]);
  const auto places = placesIn(descriptor, "globals");
  const auto addressOf = [&](std::string_view name) {
    const auto found = places.find(name);
    return found != places.end() && found->second < descriptor.addresses.size() ? descriptor.addresses[found->second]
                                                                                : Address{};
  };
  if (const auto moved = selected.contract.movedTable(selected.table, addressOf, entries)) selected.table = *moved;
}

void consultDescriptor(const AddressSpace& space, const RuntimeLibrary& library,
                       std::span<const std::filesystem::path> searchFolders, SelectedContract& selected) {
  ContractSource source = ContractSource::Dump;
  auto descriptor = descriptorInDump(space, library);
  if (!descriptor) {
    source = ContractSource::File;
    descriptor = descriptorOnDisk(library, searchFolders);
  }
  if (!descriptor || !isFor(library.architecture, *descriptor)) return;
  applyToMembers(space, *descriptor, selected);
  if (selected.agreement.members == 0) return;
  selected.source = source;
  if (!selected.isVerified) applyToGlobals(space, library, *descriptor, selected);
}

}  // namespace

Result<SelectedContract> selectContract(const AddressSpace& space, const RuntimeLibrary& library,
                                        std::span<const std::filesystem::path> searchFolders) {
  if (library.flavor == RuntimeFlavor::NativeAot) return selectNativeAot(space, library);
  const std::size_t entries = library.globalTable.sizeBytes / 8;
  const std::string version = library.version();
  for (const bool exact : {true, false}) {
    for (const Contract& contract : Contract::shippedFor(version, library.architecture)) {
      for (const Contract::GlobalTable& table : contract.globalTables()) {
        if ((table.entryCount == entries) != exact) continue;
        SelectedContract selected{contract, table, ContractSource::Shipped, exact};
        consultDescriptor(space, library, searchFolders, selected);
        if (invariantsHold(space, selected.contract, selected.table, library.globalTable)) return selected;
      }
    }
  }
  return tl::unexpected<Error>(unsupportedRuntime(version));
}

Error unsupportedRuntime(std::string_view version) {
  return {ErrorCode::UnsupportedRuntime,
          fmt::format("This dump is of a .NET {} process, whose runtime this program cannot read; it reads {} on Linux "
                      "x64 and arm64.",
                      version.empty() ? "(version unknown)" : version, supportedVersions()),
          "Look for a newer Heapscape."};
}

}  // namespace heapscape::engine
