// SPDX-License-Identifier: MIT
#include "runtime/aot/aot_layout.h"

#include <algorithm>
#include <array>

namespace heapscape::engine {
namespace {

// EETypeFlags of each release: src/coreclr/nativeaot/Runtime/inc/MethodTable.h. Handles:
// src/coreclr/tools/Common/Internal/Metadata/NativeFormat.
constexpr std::array<AotLayout, 4> kAotLayouts{{
    {.release = 8,
     .containsPointersFlag = 0x00200000,
     .optionalFieldsFlag = 0x01000000,
     .arityOffset = 0,
     .typeManagersOffset = 48,
     .handleKindShift = 24,
     .packedKindBits = 8},
    {.release = 9,
     .containsPointersFlag = 0x01000000,
     .optionalFieldsFlag = 0,
     .arityOffset = 4,
     .typeManagersOffset = 48,
     .handleKindShift = 24,
     .packedKindBits = 8},
    {.release = 10,
     .containsPointersFlag = 0x01000000,
     .optionalFieldsFlag = 0,
     .arityOffset = 4,
     .typeManagersOffset = 48,
     .handleKindShift = 25,
     .packedKindBits = 7},
    {.release = 11,
     .containsPointersFlag = 0x01000000,
     .optionalFieldsFlag = 0,
     .arityOffset = 4,
     .typeManagersOffset = 40,
     .handleKindShift = 25,
     .packedKindBits = 7},
}};

}  // namespace

const AotLayout* findAotLayout(std::uint32_t release) {
  const auto found = std::ranges::find(kAotLayouts, release, &AotLayout::release);
  return found == kAotLayouts.end() ? nullptr : &*found;
}

}  // namespace heapscape::engine
