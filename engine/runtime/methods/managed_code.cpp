// SPDX-License-Identifier: MIT
#include "runtime/methods/managed_code.h"

#include "runtime/methods/code_range.h"
#include "runtime/methods/nibble_map.h"

namespace heapscape::engine {

bool isManagedCode(const ClrRuntime& runtime, Address instruction) {
  // As in CodeLookup: right before jitted code lies a pointer to its header, or for stubs a small number.
  constexpr std::uint64_t kHeaderPointerBytes = 8;
  constexpr std::uint64_t kLastStubKind = 0xf;
  const auto range = findCodeRange(runtime, instruction);
  if (!range || !range->heap) return range && range->module;
  const Address start = findCodeStart(runtime, range->heap, instruction);
  Address header;
  return !start || !runtime.memory().tryRead(start - kHeaderPointerBytes, header) || header.value > kLastStubKind;
}

}  // namespace heapscape::engine
