// SPDX-License-Identifier: MIT
#pragma once

#include "memory/address_space.h"
#include "memory/elf/redaction.h"

namespace heapscape::engine {

/// Whether counts of collections are what the program had: a redacted copy has zeros for most, unless they were kept.
inline bool hasCounts(const AddressSpace& memory) {
  return memory.hasContents() || memory.redaction()->keeps(kKeptCounts);
}

}  // namespace heapscape::engine
