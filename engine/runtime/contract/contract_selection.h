// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <span>

#include "memory/address_space.h"
#include "runtime/contract/contract.h"
#include "runtime/contract/contract_source.h"
#include "runtime/library/runtime_library.h"

namespace heapscape::engine {

struct SelectedContract {
  Contract contract;
  Contract::GlobalTable table;
  ContractSource source = ContractSource::Shipped;
  bool isVerified = false;             // g_dacTable has a size that this contract was verified with
  Contract::Agreement agreement = {};  // of the runtime's own descriptor with the shipped file
};

/// Picks the contract whose g_dacTable has as many entries as the dump's, checked by invariants of the runtime; failing
/// that, any contract whose invariants hold, marked as not verified. Where the release is known, only contracts of its
/// version are tried. Fails with UnsupportedRuntime, naming the version met and those supported.
Result<SelectedContract> selectContract(const AddressSpace& space, const RuntimeLibrary& library,
                                        std::span<const std::filesystem::path> searchFolders);

/// The error of a runtime that no contract fits. `version`: its release, or empty.
Error unsupportedRuntime(std::string_view version);

}  // namespace heapscape::engine
