// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/bounded_reader.h"
#include "base/enum_names.h"
#include "runtime/clr_runtime.h"

namespace heapscape::engine {

/// What shared generic code looks up (DictionaryEntryKind, src/coreclr/vm/genericdict.h).
enum class LookupKind : std::uint8_t {
  Unknown,
  Type,
  Method,
  MethodEntry,
  ConstrainedMethodEntry,
  DispatchStub,
  Field,
  DeclaringType,
};
template <>
inline constexpr auto kEnumNames<LookupKind> =
    std::to_array<EnumName<LookupKind>>({{LookupKind::Unknown, ""},
                                         {LookupKind::Type, "type"},
                                         {LookupKind::Method, "method"},
                                         {LookupKind::MethodEntry, "method entry"},
                                         {LookupKind::ConstrainedMethodEntry, "constrained method entry"},
                                         {LookupKind::DispatchStub, "dispatch stub"},
                                         {LookupKind::Field, "field"},
                                         {LookupKind::DeclaringType, "declaring type"}});

/// One slot of a layout that code uses.
struct Lookup {
  LookupKind kind = LookupKind::Unknown;
  bool isOfReadyToRun = false;  // asked for by code that was compiled ahead of time
  Address signature;
  /// Of jitted code: the signature of what is looked up from the first type on, and what may lie behind it; else empty.
  std::vector<std::byte> type;
};

/// What lies where behind the type arguments in all dictionaries of one set of shared code (DictionaryLayout,
/// src/coreclr/vm/genericdict.h). It is doubled when code is compiled that looks up more; each dictionary follows only
/// when it is asked for what it lacks.
struct DictionaryLayout {
  Address address;
  std::uint32_t slots = 0;         // without the type arguments and the size
  std::uint32_t initialSlots = 0;  // that every dictionary has: code that asks for these does not compare the size
  std::vector<Lookup> lookups;     // the first slots; the others are free
  /// No slot is free, and there cannot be more: they are numbered with 16 bits.
  bool isFull(std::uint32_t typeArguments) const;
};

/// Fails with NotInDump or Damaged. `ofMethod`: the layout belongs to a generic method rather than a type.
Result<DictionaryLayout> readDictionaryLayout(const ClrRuntime& runtime, Address layout, bool ofMethod);

}  // namespace heapscape::engine
