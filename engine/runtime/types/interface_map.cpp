// SPDX-License-Identifier: MIT
#include "runtime/types/interface_map.h"

#include "base/address.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kFlagBits = 3;

}  // namespace

Result<InterfaceMap> readInterfaceMap(const ClrRuntime& runtime, const MethodTable& type) {
  InterfaceMap map;
  HEAPSCAPE_TRY(const std::uint16_t count,
                runtime.valueAt<std::uint16_t>(type.address, "MethodTable", "NumInterfaces"));
  if (count == 0) return map;
  HEAPSCAPE_TRY(map.address, runtime.pointerAt(type.address, "MethodTable", "InterfaceMap"));
  map.sizeBytes = static_cast<std::uint32_t>(kPointerBytes * count);
  for (std::uint32_t i = 0; i < count; ++i) {
    HEAPSCAPE_TRY(const Address entry, runtime.memory().readPointer(map.address + kPointerBytes * i));
    map.interfaces.push_back({entry.value & ~kFlagBits});
  }
  return map;
}

}  // namespace heapscape::engine
