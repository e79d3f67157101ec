// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "memory/address_space.h"
#include "memory/elf/elf_core.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// A page of createdump's own, in which it says who wrote the dump (SpecialDiagInfo,
/// src/coreclr/inc/specialdiaginfo.h).
inline constexpr Address kCreatedumpPage{0x00007ffffff10000};

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

/// Bounds of how much of the process's memory was backed: in RAM, or swapped out. No kind of dump says it of each page.
/// createdump and gcore write pages that were never touched as zeros, just like touched ones that hold zeros, and none
/// tells which pages of a mapped file were in memory; so there are bounds. Checked on .NET 8.0.29 and 10.0.12 against
/// /proc/PID/smaps.
struct ResidentMemory {
  /// Pages of the dump that no file is mapped to, by what the dump says of files, and that hold more than zeros.
  std::uint64_t atLeastBytes = 0;
  /// Bytes of what is mapped from files. The kernel brings their pages in as they are needed.
  std::uint64_t fileBytes = 0;
  /// Anonymous memory that a core of the kernel has as a hole of its file: it was never touched, unless who copied the
  /// file made the hole out of zeros. 0 for dumps of other makers, and for unpacked ones.
  std::uint64_t holeBytes = 0;
};

/// Reads one byte or more of every page that no file is mapped to. Fails only if it was interrupted.
Outcome<ResidentMemory> residentMemoryOf(const Snapshot& snapshot, const std::vector<Mapping>& mappings,
                                         std::stop_token stop);

}  // namespace heapscape::engine
