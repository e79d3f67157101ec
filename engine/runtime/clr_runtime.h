// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "memory/address_space.h"
#include "runtime/contract/contract.h"
#include "runtime/contract/contract_selection.h"
#include "runtime/library/runtime_library.h"

namespace heapscape::engine {

/// The runtime of one dump: its memory, contract and globals. Everything above reads through it.
class ClrRuntime {
 public:
  ClrRuntime(std::shared_ptr<const AddressSpace> space, RuntimeLibrary library, SelectedContract selected)
      : m_space(std::move(space)), m_library(std::move(library)), m_selected(std::move(selected)) {}

  const AddressSpace& memory() const { return *m_space; }
  const Contract& contract() const { return m_selected.contract; }
  ContractSource contractSource() const { return m_selected.source; }
  bool isContractVerified() const { return m_selected.isVerified; }
  /// How what the runtime says of itself compares with what this program ships.
  const Contract::Agreement& agreement() const { return m_selected.agreement; }
  const RuntimeLibrary& library() const { return m_library; }
  /// The release that the runtime itself tells; empty if nothing does.
  const std::string& version() const { return m_selected.version.empty() ? m_library.version() : m_selected.version; }

  /// What is known of a program that was compiled ahead of time; null if the process runs on CoreCLR. For the readers
  /// of engine/runtime and engine/stacks alone: whatever else asks them need not know.
  const AotProgram* aot() const { return m_selected.aot.get(); }

  /// Where a global variable lies. Fails with NotFound or NotInDump.
  Result<Address> globalVariable(std::string_view name) const;
  /// The pointer stored in a global variable.
  Result<Address> globalPointer(std::string_view name) const;

  /// Where a member of a structure lies; an address that no dump holds if this version has no such member.
  Address member(Address structure, ContractName type, ContractName field) const {
    return structure + contract().offset(type, field);
  }
  Result<Address> pointerAt(Address structure, ContractName type, ContractName field) const {
    return memory().readPointer(member(structure, type, field));
  }
  template <class T>
  Result<T> valueAt(Address structure, ContractName type, ContractName field) const {
    return memory().read<T>(member(structure, type, field));
  }

 private:
  std::shared_ptr<const AddressSpace> m_space;
  RuntimeLibrary m_library;
  SelectedContract m_selected;
};

}  // namespace heapscape::engine
