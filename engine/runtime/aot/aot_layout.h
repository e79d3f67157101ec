// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace heapscape::engine {

/// What differs by release in the types and the metadata of programs that were compiled ahead of time, of the contract
/// of that release. All else that the readers of this folder rely on is the same in .NET 8 to 11. Sources of the flags:
/// src/coreclr/nativeaot/Runtime/inc/MethodTable.h; of the handles: src/coreclr/tools/Common/Internal/Metadata.
struct AotLayout {
  std::uint32_t release;               // 8: .NET 8
  std::uint32_t containsPointersFlag;  // of a MethodTable's flags
  std::uint32_t optionalFieldsFlag;    // of a MethodTable's flags; 0 where there are no optional fields
  std::uint32_t arityOffset;           // from a generic definition's MethodTable
  std::uint32_t typeManagersOffset;    // the list of TypeManagers, from the RuntimeInstance
  std::uint8_t handleKindShift;        // a metadata handle is its kind shifted by so much, and an offset below
  std::uint8_t packedKindBits;         // within metadata, a handle of any kind is an offset shifted by so much, and its
                                       // kind below
};

/// Null for a release that is not known. Checked on 8.0.31, 9.0.20, 10.0.12 and 11.0.0.
const AotLayout* findAotLayout(std::uint32_t release);

}  // namespace heapscape::engine
