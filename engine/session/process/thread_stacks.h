// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "memory/elf/elf_core.h"
#include "session/process/process_mappings.h"

namespace heapscape::engine {

/// The stack of one thread of the operating system, with the data of that thread that the C library keeps at its top.
struct ThreadStack {
  std::uint32_t osId = 0;
  AddressRange range;
};

/// Finds stacks by stack pointers and thread pointers (FS base). A thread whose stack pointer leads nowhere has none.
std::vector<ThreadStack> stacksOf(const ElfCore& core, const std::vector<Mapping>& mappings);

}  // namespace heapscape::engine
