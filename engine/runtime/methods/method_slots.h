// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/methods/method_descs.h"

namespace heapscape::engine {

/// The slots of a method table: the addresses that calls go through.
class MethodSlots {
 public:
  explicit MethodSlots(const MethodTables& methodTables) : m_methodTables(methodTables) {}

  struct Counts {
    std::uint32_t virtuals = 0;  // of the vtable
    std::uint32_t total = 0;
  };
  Result<Counts> countsOf(const MethodTable& type) const;
  /// Where slot 0, 8, 16 … of the vtable lie: each eight slots are one chunk, shared with the parent where it can be.
  Result<std::vector<Address>> vtableChunks(const MethodTable& type) const;
  /// What a call through a slot jumps to; 0 if nothing was ever made for it. Fails with NotFound, NotInDump.
  Result<Address> entryInSlot(Address methodTable, std::uint32_t slot) const;
  /// What a call of a method jumps to; 0 if nothing was ever made for it. Fails with NotFound, NotInDump.
  Result<Address> entryPoint(const MethodDesc& method) const;
  /// The method's code as it was first made; 0 if there is none. Fails with NotInDump.
  Result<Address> nativeCode(const MethodDesc& method) const;

 private:
  Result<Address> nonVirtualSlot(Address methodTable, std::uint32_t number) const;

  const MethodTables& m_methodTables;
};

}  // namespace heapscape::engine
