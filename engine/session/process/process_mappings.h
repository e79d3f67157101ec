// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "memory/address_space.h"
#include "memory/elf/elf_core.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// A piece of the process's address space with memory or a file behind it. It is as long as a dump tells it: one
/// mapping of the kernel may be several pieces, and neighbours of equal rights may be one.
struct Mapping {
  AddressRange range;
  bool isExecutable = false;
  std::string path;  // of the mapped file; empty for anonymous memory
};

/// All mappings of the dumped process, as /proc/PID/maps had them, less those that no access is allowed to.
struct ProcessMappings {
  std::vector<Mapping> mappings;       // by address, no two overlap
  std::vector<AddressRange> reserved;  // listed by the dump, but without memory: no access is allowed
  bool isWhole = true;                 // false if the writer of the dump leaves some out
  std::string remark;                  // what is left out, and by whom; empty if nothing is
};

/// Program headers (PT_LOAD) and NT_FILE together list what is mapped; which of it, depends on who wrote the dump
/// (src/coreclr/debug/createdump, gdb/linux-tdep.c and fs/binfmt_elf.c).
ProcessMappings mappingsOf(const ElfCore& core, DumpKind kind);

}  // namespace heapscape::engine
