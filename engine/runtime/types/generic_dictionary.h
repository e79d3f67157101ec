// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/bounded_reader.h"
#include "base/enum_names.h"
#include "runtime/clr_runtime.h"
#include "runtime/methods/method_descs.h"
#include "runtime/types/method_tables.h"

namespace heapscape::engine {

/// Kind of a lookup of shared generic code (DictionaryEntryKind, src/coreclr/vm/genericdict.h).
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
  /// For jitted code the signature of what is looked up from the first type on, and what may lie behind it; else empty.
  std::vector<std::byte> type;
};

/// Layout behind the type arguments in all dictionaries of one set of shared code (DictionaryLayout,
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

/// The dictionary of a generic instantiation, a type's or a method's: its type arguments, then what shared code looked
/// up of types and methods that depend on them (src/coreclr/vm/generics.h, genericdict.h).
struct GenericDictionary {
  // PerInstInfo, of types only: a pointer to a dictionary for each generic level of the parent chain, its own last.
  Address pointers;
  std::uint32_t pointerCount = 0;
  Address address;
  Address layout;  // DictionaryLayout of the code; 0 if it looks nothing up
  std::uint32_t arguments = 0;
  std::uint32_t sizeBytes = 0;  // of all slots
  struct Slot {
    Address address;
    Address value;  // 0 if it was not needed yet
  };
  std::vector<Slot> slots;  // without the arguments and the size
};

/// Fails with NotFound if the type is no instantiation, NotInDump or Damaged.
Result<GenericDictionary> readGenericDictionary(const ClrRuntime& runtime, const MethodTable& type);

/// The dictionary of an instantiation of a generic method.
Result<GenericDictionary> readMethodDictionary(const ClrRuntime& runtime, const MethodDesc& method);

/// The dictionary of a generic parent, as a derived type has it. Types are born with copies of their parents' pointers;
/// where a parent's dictionary has grown since, the copy is exchanged when a slot is first missed through it
/// (JIT_GenericHandleWorker, GenericHandleWorker: the same on .NET 8, 9 and 10).
struct InheritedDictionary {
  Address owner;            // method table of the parent
  Address address;          // what the derived type uses
  std::uint32_t slots = 0;  // it has room for; without the arguments and the size
  Address current;          // what the parent itself uses
  bool isOutdated() const { return address != current; }
};

/// The dictionaries of all generic parents, nearest first; empty if there is none. Fails with NotInDump or Damaged.
Result<std::vector<InheritedDictionary>> readInheritedDictionaries(const MethodTables& methodTables,
                                                                   const MethodTable& type);

}  // namespace heapscape::engine
