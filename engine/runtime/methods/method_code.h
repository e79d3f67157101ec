// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/address.h"
#include "base/enum_names.h"
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
  /// Of a program compiled ahead of time, which has no other slots: what the vtable's hold, see
  /// AotMethodTables::virtualSlots(). Fails with NotFound for other programs.
  Result<std::vector<Address>> compiledSlots(Address methodTable) const;
  /// What a call of a method jumps to; 0 if nothing was ever made for it. Fails with NotFound, NotInDump.
  Result<Address> entryPoint(const MethodDesc& method) const;
  /// The method's code as it was first made; 0 if there is none. Fails with NotInDump.
  Result<Address> nativeCode(const MethodDesc& method) const;

 private:
  Result<Address> nonVirtualSlot(Address methodTable, std::uint32_t number) const;

  const MethodTables& m_methodTables;
};

class ClrRuntime;
class CodeLookup;
class MethodNames;
class MethodSlots;
struct MethodDesc;

/// Where a method's native code comes from.
enum class MethodState : std::uint8_t { None, ReadyToRun, Jitted };
template <>
inline constexpr auto kEnumNames<MethodState> = std::to_array<EnumName<MethodState>>(
    {{MethodState::None, "none"}, {MethodState::ReadyToRun, "readyToRun"}, {MethodState::Jitted, "jitted"}});

/// Native code that the runtime has for a method. With tiered compilation a method can have several.
struct MethodCode {
  Address start;
  MethodState state = MethodState::None;  // None: code of the runtime itself, as for FCalls
  /// "tier-0", "tier-1", "tier-1 OSR", "optimized", "unoptimized" …; empty if it cannot be told, or is not jitted.
  std::string tier = {};
  std::uint32_t sizeBytes = 0;  // with funclets; 0 if unknown
  bool isActive = false;        // calls that are made now run it
  Address node = {};            // of the runtime's note of it (NativeCodeVersionNode); 0 for what the method came with
};

/// The one that calls run now, which debuggers show; the first if none is marked. Null if there is none.
const MethodCode* activeOf(const std::vector<MethodCode>& versions);

/// The code versions of methods (src/coreclr/vm/codeversion.h). Safe from any thread.
class MethodCodes {
 public:
  MethodCodes(const ClrRuntime& runtime, const MethodNames& names, const MethodSlots& slots, const CodeLookup& lookup)
      : m_runtime(runtime), m_names(names), m_slots(slots), m_lookup(lookup) {}

  /// The code the method came with first, then what was compiled later, newest first. Empty if it never ran.
  std::vector<MethodCode> of(const MethodDesc& method) const;

 private:
  MethodCode describe(Address start) const;
  std::string initialTier(const MethodDesc& method) const;
  Address versioningState(const MethodDesc& method) const;
  void readVersioningStates() const;

  const ClrRuntime& m_runtime;
  const MethodNames& m_names;
  const MethodSlots& m_slots;
  const CodeLookup& m_lookup;
  mutable std::once_flag m_isRead;
  mutable std::unordered_map<Address, Address> m_versioningStates;  // .NET 8: by MethodDesc
};

}  // namespace heapscape::engine
