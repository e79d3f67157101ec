// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/address.h"
#include "base/enum_names.h"

namespace heapscape::engine {

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
