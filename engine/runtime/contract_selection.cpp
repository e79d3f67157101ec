// SPDX-License-Identifier: MIT
#include "runtime/contract_selection.h"

#include <fmt/format.h>

namespace heapscape::engine {

const char* toString(ContractSource source) {
  switch (source) {
    case ContractSource::Dump:
      return "dump";
    case ContractSource::File:
      return "file";
    case ContractSource::Shipped:
      return "shipped";
  }
  return "unknown";
}

namespace {

struct TableReader {
  const AddressSpace& space;
  const RuntimeLibrary& library;
  const Contract& contract;
  const Contract::GlobalTable& table;

  // The table holds addresses of variables; `value` is the pointer stored in the variable.
  bool tryValue(std::string_view name, Address& value) const {
    const auto index = table.indexOf.find(name);
    Address variable;
    return index != table.indexOf.end() && (index->second + 1) * 8 <= library.globalTable.sizeBytes &&
           space.tryRead(library.globalTable.address + index->second * 8, variable) && space.tryRead(variable, value);
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

  bool invariantsHold() const {
    return methodTableIs("FreeObjectMethodTable", "FreeObject") && methodTableIs("StringMethodTable", "String") &&
           gcVariablesFit();
  }
};

std::string supportedVersions() {
  std::string text;
  for (const Contract& contract : Contract::shipped()) {
    if (!text.empty()) text += &contract == &Contract::shipped().back() ? " and " : ", ";
    text += ".NET " + contract.runtimeVersion();
  }
  return text;
}

void consultDescriptor(const AddressSpace& space, const RuntimeLibrary& library,
                       std::span<const std::filesystem::path> searchFolders, SelectedContract& selected) {
  ContractSource source = ContractSource::Dump;
  auto descriptor = descriptorInDump(space, library);
  if (!descriptor) {
    source = ContractSource::File;
    descriptor = descriptorOnDisk(library, searchFolders);
  }
  if (descriptor && selected.contract.applyDescriptor(*descriptor)) selected.source = source;
}

}  // namespace

Result<SelectedContract> selectContract(const AddressSpace& space, const RuntimeLibrary& library,
                                        std::span<const std::filesystem::path> searchFolders) {
  const std::size_t entries = library.globalTable.sizeBytes / 8;
  for (const bool exact : {true, false}) {
    for (const Contract& contract : Contract::shipped()) {
      for (const Contract::GlobalTable& table : contract.globalTables()) {
        if ((table.entryCount == entries) != exact) continue;
        SelectedContract selected{contract, table, ContractSource::Shipped, exact};
        consultDescriptor(space, library, searchFolders, selected);
        if (TableReader{space, library, selected.contract, selected.table}.invariantsHold()) return selected;
      }
    }
  }
  return failure(
      ErrorCode::UnsupportedRuntime,
      fmt::format(
          "This dump is of a .NET {} process, whose runtime this program cannot read; it reads {} on Linux x64.",
          library.pathVersion.empty() ? "(version unknown)" : library.pathVersion, supportedVersions()),
      "Look for a newer Heapscape.");
}

}  // namespace heapscape::engine
