// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "base/address.h"
#include "base/enum_names.h"
#include "base/result.h"
#include "memory/address_space.h"
#include "memory/elf/elf_core.h"
#include "session/process/process_mappings.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// Owner of a byte of the process. Of several that it could belong to, the first in this order that has a structure of
/// the runtime to show for it.
enum class MemoryOwner : std::uint8_t {
  GcUsed,             // objects
  GcFree,             // free objects between them
  GcCommittedUnused,  // committed behind the last object of a segment, and regions that are kept for later
  GcBookkeeping,      // card tables, mark arrays, region maps, handle tables
  LoaderHeap,         // method tables and what else the loader makes
  JitCode,
  ThreadStack,
  MappedFile,
  NativeHeap,  // malloc: [heap] and anonymous mappings that nothing else claims
  Other,       // [vdso] and the like
};

template <>
inline constexpr auto kEnumNames<MemoryOwner> =
    std::to_array<EnumName<MemoryOwner>>({{MemoryOwner::GcUsed, "gcUsed"},
                                          {MemoryOwner::GcFree, "gcFree"},
                                          {MemoryOwner::GcCommittedUnused, "gcCommittedUnused"},
                                          {MemoryOwner::GcBookkeeping, "gcBookkeeping"},
                                          {MemoryOwner::LoaderHeap, "loaderHeap"},
                                          {MemoryOwner::JitCode, "jitCode"},
                                          {MemoryOwner::ThreadStack, "stack"},
                                          {MemoryOwner::MappedFile, "mappedFile"},
                                          {MemoryOwner::NativeHeap, "native"},
                                          {MemoryOwner::Other, "other"}});

/// Memory of one owner with one name.
struct MemoryPart {
  MemoryOwner owner = MemoryOwner::Other;
  /// "gen0", "libcoreclr.so", "thread 5 \"worker\"", "high frequency"; empty if there is no more to say.
  std::string name;
  std::string path;               // of a mapped file, on the machine of the dump
  Address address;                // where the first of it lies
  std::uint64_t mappings = 0;     // pieces of the address space that it lies in
  std::uint64_t bytes = 0;        // mapped
  std::uint64_t inDumpBytes = 0;  // of these, in the dump
};

/// Where the process's memory is. Mapped is what access is allowed to: the sum of `Size` over all of /proc/PID/smaps
/// but mappings with the rights `---`. It is no less than the resident size, of which a dump
/// tells bounds.
struct ProcessMemory {
  std::vector<MemoryPart> parts;    // by owner, then the largest first
  std::uint64_t mappedBytes = 0;    // the sum of all parts: every byte of every mapping once
  std::uint64_t reservedBytes = 0;  // address space set aside without memory behind it; in no part
  ResidentMemory resident;          // what is known of how much was in memory; the whole of it is at most mappedBytes
  bool isWhole = true;              // false if the dump does not list all mappings
  std::string remark;               // what is not exact, and why; empty if all is
};

/// A stretch of memory that one owner has.
struct OwnedRange {
  AddressRange range;
  MemoryOwner owner = MemoryOwner::Other;
};

/// One or two sentences: between which bounds the resident size lies, and why no more is known.
std::string residentText(const ProcessMemory& memory);

/// Needs the stage Objects.
Outcome<ProcessMemory> processMemoryOf(const Snapshot& snapshot, std::stop_token stop);

/// Every mapped byte of the process, ascending; what nobody claims is the native heap's. Free objects and allocation
/// contexts count as used. Needs the stage Objects.
Outcome<std::vector<OwnedRange>> ownedRangesOf(const Snapshot& snapshot, std::stop_token stop);

/// Gives every mapped byte to one owner: of several that claim it, to the one that was entered first.
class MemoryClaims {
 public:
  /// Bytes that are not mapped are claimed in vain.
  void add(AddressRange range, MemoryOwner owner, std::string name, std::string path = {});

  /// The parts by owner and name, with at least one byte each. Bytes that nobody claims are not in them. Fails only if
  /// it was interrupted.
  Outcome<std::vector<MemoryPart>> divide(const std::vector<Mapping>& mappings, const AddressSpace& memory,
                                          std::stop_token stop) const;
  /// The same as stretches, ascending; those that nobody claims are left out.
  Outcome<std::vector<OwnedRange>> ranges(const std::vector<Mapping>& mappings, std::stop_token stop) const;

 private:
  struct Claim {
    AddressRange range;
    std::uint32_t party = 0;
  };
  struct Party {
    MemoryOwner owner;
    std::string name;
    std::string path;
  };

  /// Calls `visit(mapping's index, range, party)` for each stretch that somebody claims, ascending.
  template <class Visit>
  Outcome<void> visitClaimed(const std::vector<Mapping>& mappings, const std::stop_token& stop, Visit visit) const;

  std::vector<Claim> m_claims;
  std::vector<Party> m_parties;
  std::map<std::pair<MemoryOwner, std::string>, std::uint32_t> m_partyOf;
};

/// "Free between objects": an owner in words.
const char* titleOf(MemoryOwner owner);

/// All parts of one owner.
struct OwnedMemory {
  MemoryOwner owner = MemoryOwner::Other;
  std::uint64_t bytes = 0, inDumpBytes = 0;
  std::span<const MemoryPart> parts = {};  // of the memory that was asked, the largest first
};
/// Owners with memory in their own order. They refer to `memory`.
std::vector<OwnedMemory> memoryByOwner(const ProcessMemory& memory);

/// A mapping without a file.
struct NativePart {
  AddressRange range;
  std::string name;         // "[heap]", "malloc arenas", "executable", "anonymous", "[vdso]"
  bool isOfKernel = false;  // mapped by the kernel itself
};

/// Returns what can be said of mappings without a file by themselves: the program break's, the C library's further
/// arenas (heap_info, malloc/arena.c in glibc, whose numbers must fit), executable ones, the kernel's own.
std::vector<NativePart> nativePartsOf(const ElfCore& core, const AddressSpace& memory,
                                      const std::vector<Mapping>& mappings);

/// The stack of one thread of the operating system, with the data of that thread that the C library keeps at its top.
struct ThreadStack {
  std::uint32_t osId = 0;
  AddressRange range;
};

/// Finds stacks by stack pointers and thread pointers (FS base). A thread whose stack pointer leads nowhere has none.
std::vector<ThreadStack> stacksOf(const ElfCore& core, const std::vector<Mapping>& mappings);

}  // namespace heapscape::engine
