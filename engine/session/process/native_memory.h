// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "memory/address_space.h"
#include "memory/elf/elf_core.h"
#include "session/process/process_mappings.h"

namespace heapscape::engine {

/// A mapping without a file.
struct NativePart {
  AddressRange range;
  std::string name;         // "[heap]", "malloc arenas", "executable", "anonymous", "[vdso]"
  bool isOfKernel = false;  // mapped by the kernel itself
};

/// What can be said of mappings without a file by themselves: the program break's, the C library's further arenas
/// (heap_info, malloc/arena.c in glibc, whose numbers must fit), executable ones, the kernel's own.
std::vector<NativePart> nativePartsOf(const ElfCore& core, const AddressSpace& memory,
                                      const std::vector<Mapping>& mappings);

}  // namespace heapscape::engine
