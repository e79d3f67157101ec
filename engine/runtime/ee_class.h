// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "runtime/method_tables.h"

namespace heapscape::engine {

/// How many fields, methods and slots a type has, as its EEClass counts them (src/coreclr/vm/class.h).
struct EEClassCounts {
  std::uint32_t instanceFields = 0;  // with all parents'
  std::uint32_t methods = 0;         // MethodDescs of its own
  std::uint32_t staticFields = 0;    // thread statics too
  std::uint32_t threadStaticFields = 0;
  std::uint32_t nonVirtualSlots = 0;
};

/// Fails with NotInDump, or Damaged where the counts are packed, which no runtime was seen to do.
Result<EEClassCounts> readEEClassCounts(const ClrRuntime& runtime, const MethodTable& type);

}  // namespace heapscape::engine
