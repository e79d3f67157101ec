// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "runtime/methods/gc_info_bits.h"

namespace heapscape::engine {

/// Where in a method which tracked slots hold references (GcInfoDecoder::EnumerateLiveSlots,
/// src/coreclr/vm/gcinfodecoder.cpp).
class GcLiveness {
 public:
  struct Shape {
    std::uint32_t trackedSlots = 0;
    std::uint32_t safePoints = 0;
    std::uint32_t interruptibleBytes = 0;  // of all interruptible ranges together
  };

  /// `bits` are behind the slot table.
  GcLiveness(const GcInfoBits& bits, Shape shape) : m_bits(bits), m_shape(shape) {}

  /// A flag for each tracked slot. Fails with NotInDump or Damaged.
  Result<std::vector<bool>> atSafePoint(std::uint32_t index) const;
  /// The same where the code can be interrupted; `place` counts only bytes that can.
  Result<std::vector<bool>> atInterruptible(std::uint32_t place) const;

 private:
  GcInfoBits m_bits;
  Shape m_shape;
};

}  // namespace heapscape::engine
