// SPDX-License-Identifier: MIT
#include "runtime/contract/contract_selection.h"

#include <fmt/format.h>

#include "runtime/contract/runtime_invariants.h"

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
  const std::string version = library.version();
  for (const bool exact : {true, false}) {
    for (const Contract& contract : Contract::shipped()) {
      if (!version.empty() && !contract.isFor(version)) continue;
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
          fmt::format(
              "This dump is of a .NET {} process, whose runtime this program cannot read; it reads {} on Linux x64.",
              version.empty() ? "(version unknown)" : version, supportedVersions()),
          "Look for a newer Heapscape."};
}

}  // namespace heapscape::engine
