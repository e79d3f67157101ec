// SPDX-License-Identifier: MIT
#include "session/process/native_memory.h"

#include <elf.h>

#include "base/address.h"

namespace heapscape::engine {
namespace {

// HEAP_MAX_SIZE of glibc on 64 bits; an arena's heap begins at a multiple of it.
constexpr std::uint64_t kArenaBytes = 64 << 20;
constexpr std::uint64_t kFirstKernelAddress = 1ull << 63;

struct ArenaHead {
  std::uint64_t arena;
  std::uint64_t previous;
  std::uint64_t size;
  std::uint64_t accessibleSize;
};

bool isArena(const AddressSpace& memory, AddressRange range) {
  ArenaHead head{};
  return range.start.value % kArenaBytes == 0 && memory.tryRead(range.start, head) && head.arena != 0 &&
         head.previous % kArenaBytes == 0 && head.size != 0 && head.size % kPageBytes == 0 &&
         head.size <= head.accessibleSize && head.accessibleSize <= kArenaBytes && head.size <= range.sizeBytes();
}

Address auxiliary(const ElfCore& core, std::uint64_t type) {
  for (const AuxiliaryEntry& entry : core.auxiliaryVector)
    if (entry.type == type) return {entry.value};
  return {};
}

/// The kernel puts the program break behind the program's own image: the first memory there that does not go on from
/// it, as the image's zeroed data does.
Address programBreak(const ElfCore& core, const std::vector<Mapping>& mappings) {
  const Address entry = auxiliary(core, AT_ENTRY);
  std::string program;
  for (const Mapping& mapping : mappings)
    if (mapping.range.contains(entry)) program = mapping.path;
  if (program.empty()) return {};
  Address end;
  for (const Mapping& mapping : mappings) {
    if (mapping.path == program || (end && mapping.range.start == end)) {
      end = mapping.range.end;
    } else if (end) {
      return mapping.path.empty() ? mapping.range.start : Address{};
    }
  }
  return {};
}

}  // namespace

std::vector<NativePart> nativePartsOf(const ElfCore& core, const AddressSpace& memory,
                                      const std::vector<Mapping>& mappings) {
  const Address heap = programBreak(core, mappings);
  const Address kernelCode = auxiliary(core, AT_SYSINFO_EHDR);
  std::vector<NativePart> parts;
  for (const Mapping& mapping : mappings) {
    if (!mapping.path.empty()) continue;
    NativePart part{mapping.range, "anonymous"};
    if (mapping.range.contains(kernelCode) || mapping.range.start.value >= kFirstKernelAddress) {
      part.name = mapping.range.contains(kernelCode) ? "[vdso]" : "[vsyscall]";
      part.isOfKernel = true;
    } else if (heap && mapping.range.start == heap) {
      part.name = "[heap]";
    } else if (isArena(memory, mapping.range)) {
      part.name = "malloc arenas";
    } else if (mapping.isExecutable) {
      part.name = "executable";
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace heapscape::engine
