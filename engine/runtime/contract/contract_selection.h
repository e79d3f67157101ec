// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "memory/address_space.h"
#include "memory/elf/elf_image.h"
#include "runtime/contract/contract.h"
#include "runtime/library/runtime_library.h"
#include "runtime/sources.h"

namespace heapscape::engine {

/// Whether a table of globals leads to what every runtime of a contract has: the method tables of free objects and of
/// strings with their known flags and base sizes, and the GC's variables with their version. `globals`: g_dacTable;
/// `table`: what its entries are.
bool invariantsHold(const AddressSpace& space, const Contract& contract, const Contract::GlobalTable& table,
                    const DynamicSymbol& globals);

struct AotProgram;

struct SelectedContract {
  Contract contract;
  Contract::GlobalTable table;
  ContractSource source = ContractSource::Shipped;
  bool isVerified = false;             // g_dacTable has a size that this contract was verified with
  Contract::Agreement agreement = {};  // of the runtime's own descriptor with the shipped file
  /// Of a program compiled ahead of time, which has no g_dacTable: what its global pointers hold.
  std::map<std::string, Address, std::less<>> pointers = {};
  std::string version = {};                         // of such a program's runtime; empty if nothing tells it
  std::shared_ptr<const AotProgram> aot = nullptr;  // null of CoreCLR
};

/// Picks the contract whose g_dacTable has as many entries as the dump's, checked by invariants of the runtime; failing
/// that, any contract whose invariants hold, marked as not verified. Where the release is known, only contracts of its
/// version are tried. Of a program compiled ahead of time what that says of its runtime counts, see
/// runtime/aot/aot_selection.h. Fails with UnsupportedRuntime, naming the version met and those supported.
Result<SelectedContract> selectContract(const AddressSpace& space, const RuntimeLibrary& library,
                                        std::span<const std::filesystem::path> searchFolders);

/// The error of a runtime that no contract fits. `version`: its release, or empty.
Error unsupportedRuntime(std::string_view version);

}  // namespace heapscape::engine
