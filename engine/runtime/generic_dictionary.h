// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/method_tables.h"

namespace heapscape::engine {

/// The dictionary of a generic instantiation: its type arguments, then what shared code looked up of types and methods
/// that depend on them (src/coreclr/vm/generics.h, genericdict.h).
struct GenericDictionary {
  Address pointers;                // PerInstInfo: a pointer to a dictionary for each generic level of the parent chain
  std::uint32_t pointerCount = 0;  // the last one is the type's own
  Address address;
  std::uint32_t arguments = 0;
  std::uint32_t sizeBytes = 0;  // of all slots
  struct Slot {
    Address address;
    Address value;  // 0 if it was not needed yet
  };
  std::vector<Slot> slots;  // without the arguments
};

/// Fails with NotFound if the type is no instantiation, NotInDump or Damaged.
Result<GenericDictionary> readGenericDictionary(const ClrRuntime& runtime, const MethodTable& type);

}  // namespace heapscape::engine
