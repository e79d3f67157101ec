// SPDX-License-Identifier: MIT
#include "session/process/process_memory.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <queue>
#include <set>

#include "base/address.h"
#include "base/figures.h"
#include "memory/files/recorded_path.h"
#include "runtime/gc/gc_state.h"
#include "runtime/methods/code_range.h"
#include "runtime/modules/loader_allocators.h"
#include "runtime/threads/thread_registers.h"
#include "session/snapshot/contents.h"
#include "session/threads/threads_query.h"

namespace heapscape::engine {

void MemoryClaims::add(AddressRange range, MemoryOwner owner, std::string name, std::string path) {
  if (range.isEmpty()) return;
  const std::string& key = path.empty() ? name : path;
  const auto [place, isNew] = m_partyOf.emplace(std::pair(owner, key), static_cast<std::uint32_t>(m_parties.size()));
  if (isNew) m_parties.push_back({owner, std::move(name), std::move(path)});
  m_claims.push_back({range, place->second});
}

template <class Visit>
Outcome<void> MemoryClaims::visitClaimed(const std::vector<Mapping>& mappings, const std::stop_token& stop,
                                         Visit visit) const {
  std::vector<std::uint32_t> order(m_claims.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [this](std::uint32_t left, std::uint32_t right) {
    return std::pair(m_claims[left].range.start, left) < std::pair(m_claims[right].range.start, right);
  });

  // Claims that have begun, the first entered on top. Those that have ended are dropped once they come up.
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> begun;
  std::size_t next = 0;
  std::size_t steps = 0;
  for (std::size_t m = 0; m < mappings.size(); ++m) {
    const AddressRange mapping = mappings[m].range;
    for (Address at = mapping.start; at < mapping.end;) {
      if (++steps % 4096 == 0 && stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      for (; next < order.size() && m_claims[order[next]].range.start <= at; ++next) begun.push(order[next]);
      while (!begun.empty() && m_claims[begun.top()].range.end <= at) begun.pop();
      Address until = next < order.size() ? std::min(mapping.end, m_claims[order[next]].range.start) : mapping.end;
      if (!begun.empty()) {
        const Claim& claim = m_claims[begun.top()];
        until = std::min(until, claim.range.end);
        visit(m, AddressRange{at, until}, claim.party);
      }
      at = until;
    }
  }
  return {};
}

Outcome<std::vector<MemoryPart>> MemoryClaims::divide(const std::vector<Mapping>& mappings, const AddressSpace& memory,
                                                      std::stop_token stop) const {
  std::vector<MemoryPart> parts;
  for (const Party& party : m_parties) {
    MemoryPart& part = parts.emplace_back();
    part.owner = party.owner;
    part.name = party.name;
    part.path = party.path;
  }
  std::vector<std::size_t> lastMapping(parts.size(), SIZE_MAX);
  HEAPSCAPE_CHECK(visitClaimed(mappings, stop, [&](std::size_t mapping, AddressRange range, std::uint32_t party) {
    MemoryPart& part = parts[party];
    if (!part.bytes) part.address = range.start;
    if (std::exchange(lastMapping[party], mapping) != mapping) ++part.mappings;
    part.bytes += range.sizeBytes();
    for (const AddressRange& present : memory.present(range)) part.inDumpBytes += present.sizeBytes();
  }));
  std::erase_if(parts, [](const MemoryPart& part) { return part.bytes == 0; });
  return parts;
}

Outcome<std::vector<OwnedRange>> MemoryClaims::ranges(const std::vector<Mapping>& mappings,
                                                      std::stop_token stop) const {
  std::vector<OwnedRange> ranges;
  HEAPSCAPE_CHECK(visitClaimed(mappings, stop, [&](std::size_t, AddressRange range, std::uint32_t party) {
    ranges.push_back({range, m_parties[party].owner});
  }));
  return ranges;
}

const char* titleOf(MemoryOwner owner) {
  switch (owner) {
    case MemoryOwner::GcUsed:
      return "Objects";
    case MemoryOwner::GcFree:
      return "Free between objects";
    case MemoryOwner::GcCommittedUnused:
      return "Committed, unused";
    case MemoryOwner::GcBookkeeping:
      return "GC bookkeeping";
    case MemoryOwner::LoaderHeap:
      return "Loader heaps";
    case MemoryOwner::JitCode:
      return "JIT code";
    case MemoryOwner::ThreadStack:
      return "Thread stacks";
    case MemoryOwner::MappedFile:
      return "Mapped files";
    case MemoryOwner::NativeHeap:
      return "Native heap";
    case MemoryOwner::Other:
      break;
  }
  return "Other";
}

std::vector<OwnedMemory> memoryByOwner(const ProcessMemory& memory) {
  std::vector<OwnedMemory> owners;
  for (auto first = memory.parts.begin(); first != memory.parts.end();) {
    const auto end = std::find_if(first, memory.parts.end(),
                                  [owner = first->owner](const MemoryPart& part) { return part.owner != owner; });
    OwnedMemory owned{.owner = first->owner, .parts = {first, end}};
    for (const MemoryPart& part : owned.parts) {
      owned.bytes += part.bytes;
      owned.inDumpBytes += part.inDumpBytes;
    }
    if (owned.bytes) owners.push_back(owned);
    first = end;
  }
  return owners;
}

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

std::vector<ThreadStack> stacksOf(const ElfCore& core, const std::vector<Mapping>& mappings) {
  std::vector<ThreadStack> stacks;
  for (const CoreThread& thread : core.threads) {
    const Address pointer = thread.stackPointer();
    const auto mapping =
        std::upper_bound(mappings.begin(), mappings.end(), pointer,
                         [](Address address, const Mapping& candidate) { return address < candidate.range.end; });
    if (mapping == mappings.end() || !mapping->range.contains(pointer) || !mapping->path.empty()) continue;
    // The C library puts a thread's own data into the last page of its stack; what follows is another's, though the
    // kernel may have joined the two. Below lies a page without access.
    AddressRange range = mapping->range;
    const Address threadData = thread.threadPointer();
    if (range.contains(threadData) && threadData > pointer)
      range.end = std::min(range.end, Address{alignUp(threadData.value + 1, core.pageBytes())});
    stacks.push_back({thread.osId, range});
  }
  return stacks;
}

namespace {

/// Enters who claims what, those first that the most exact structure speaks for.
class Claimant {
 public:
  Claimant(const Snapshot& snapshot, const ProcessMappings& mappings)
      : m_snapshot(snapshot), m_contents(snapshot.contents()), m_mappings(mappings) {}

  Outcome<void> claim(std::stop_token stop) {
    claimHeap();
    claimBookkeeping();
    claimCode();
    claimLoaderHeaps();
    HEAPSCAPE_CHECK(claimStacks(stop));
    for (const Mapping& mapping : m_mappings.mappings)
      if (!mapping.path.empty())
        m_claims.add(mapping.range, MemoryOwner::MappedFile, fileNameOf(mapping.path), mapping.path);
    for (NativePart& part : nativePartsOf(*m_contents.core, *m_contents.memory, m_mappings.mappings))
      m_claims.add(part.range, part.isOfKernel ? MemoryOwner::Other : MemoryOwner::NativeHeap, std::move(part.name));
    return {};
  }

  const MemoryClaims& claims() const { return m_claims; }
  const FindingList& findings() const { return m_findings; }

  /// Bytes that something is known to have reserved, and that are not mapped.
  std::uint64_t reservedBytes() {
    m_reserved.insert(m_reserved.end(), m_mappings.reserved.begin(), m_mappings.reserved.end());
    std::sort(m_reserved.begin(), m_reserved.end(),
              [](const AddressRange& left, const AddressRange& right) { return left.start < right.start; });
    std::uint64_t bytes = 0;
    Address at;
    auto mapping = m_mappings.mappings.begin();
    for (const AddressRange& range : m_reserved) {
      const AddressRange rest{std::max(range.start, at), range.end};
      if (rest.isEmpty()) continue;
      at = rest.end;
      bytes += rest.sizeBytes();
      while (mapping != m_mappings.mappings.end() && mapping->range.end <= rest.start) ++mapping;
      for (auto over = mapping; over != m_mappings.mappings.end() && over->range.start < rest.end; ++over)
        bytes -= AddressRange{std::max(over->range.start, rest.start), std::min(over->range.end, rest.end)}.sizeBytes();
    }
    return bytes;
  }

 private:
  void claimReserved(AddressRange range, MemoryOwner owner, std::string name) {
    m_claims.add(range, owner, std::move(name));
    if (!range.isEmpty()) m_reserved.push_back(range);
  }

  void claimHeap() {
    for (const Segment& segment : m_snapshot.segments()) {
      if (!segment.address) continue;  // only what is there around an object that is known
      for (const GenerationRange& part : segment.generations)
        m_claims.add(part.range, MemoryOwner::GcUsed, toString(part.generation));
      m_claims.add({segment.objects.end, segment.committedEnd}, MemoryOwner::GcCommittedUnused, toString(segment.kind));
      if (segment.reservedEnd > segment.objects.start)
        m_reserved.push_back({segment.objects.start, segment.reservedEnd});
    }
  }

  void claimBookkeeping() {
    // A segment begins with its own description, a region with room for a plug's.
    const std::uint64_t pageBytes = m_contents.core->pageBytes();
    for (const Segment& segment : m_snapshot.segments()) {
      const Address start = segment.objects.start;
      if (segment.kind != SegmentKind::Frozen && start && segment.address)
        m_claims.add({{(start.value - 1) / pageBytes * pageBytes}, start}, MemoryOwner::GcBookkeeping, "segment heads");
    }
    const GcBookkeeping gc =
        readGcBookkeeping(m_contents.readers->runtime, m_contents.gc && m_contents.gc->hasRegions, m_findings);
    for (const AddressRange& range : gc.tables)
      claimReserved(range, MemoryOwner::GcBookkeeping, "card tables and marks");
    for (const AddressRange& range : gc.handleSegments)
      claimReserved(range, MemoryOwner::GcBookkeeping, "handle tables");
    claimReserved(gc.regions, MemoryOwner::GcCommittedUnused, "free regions");
  }

  void claimCode() {
    for (const CodeRange& code : allCodeRanges(m_contents.readers->runtime)) {
      const Address end{alignUp(code.range.end.value, m_contents.core->pageBytes())};  // the last bytes: a stub
      if (code.heap) claimReserved({code.range.start, end}, MemoryOwner::JitCode, "code heaps");
    }
  }

  void claimLoaderHeaps() {
    std::set<Address> seen;
    for (const Module* module : m_contents.readers->modules.all()) {
      if (!module->loaderAllocator || !seen.insert(module->loaderAllocator).second) continue;
      const std::string context = m_contents.readers->loadContexts.nameOf(*module);
      for (const LoaderHeapBlock& block :
           readLoaderHeaps(m_contents.readers->runtime, module->loaderAllocator, m_findings)) {
        claimReserved(block.range, MemoryOwner::LoaderHeap,
                      module->isCollectible ? fmt::format("collectible {}", context.empty() ? module->name : context)
                                            : block.heap);
      }
    }
  }

  Outcome<void> claimStacks(std::stop_token stop) {
    HEAPSCAPE_TRY(const ThreadList managed, listThreads(m_snapshot, stop));
    std::map<Address, const ThreadRow*> rowOf;
    for (const ThreadRow& row : managed.threads)
      if (row.isAlive) rowOf.emplace(row.address, &row);
    const ThreadRegisters registers(m_contents.readers->runtime, *m_contents.core);
    for (const ThreadStack& stack : stacksOf(*m_contents.core, m_mappings.mappings)) {
      const auto row = rowOf.find(registers.threadOf(stack.osId));
      AddressRange range = stack.range;
      // Where the dump does not tell of the thread's own data, the runtime knows where the stack begins.
      const CoreThread* thread = row == rowOf.end() ? nullptr : registers.of(row->first);
      if (thread && !thread->threadPointer() && row->second->stack.contains(thread->stackPointer()))
        range.end = std::min(range.end, row->second->stack.end);
      m_claims.add(range, MemoryOwner::ThreadStack,
                   row == rowOf.end() ? fmt::format("native thread {}", stack.osId) : nameOf(*row->second));
    }
    // That of a thread which handles a signal on another stack.
    for (const auto& [address, row] : rowOf) {
      const CoreThread* thread = registers.of(address);
      if (thread && !row->stack.contains(thread->stackPointer()))
        m_claims.add(row->stack, MemoryOwner::ThreadStack, nameOf(*row));
    }
    return {};
  }

  static std::string nameOf(const ThreadRow& row) {
    if (!row.name.empty()) return fmt::format("thread {} \"{}\"", row.managedId, row.name);
    return fmt::format("thread {}{}", row.managedId, row.isFinalizer ? " (finalizer)" : "");
  }

  const Snapshot& m_snapshot;
  const Contents& m_contents;
  const ProcessMappings& m_mappings;
  MemoryClaims m_claims;
  std::vector<AddressRange> m_reserved;
  FindingList m_findings;
};

/// Bytes of one generation of all heaps.
struct GenerationBytes {
  std::uint64_t used = 0, free = 0;
};

std::map<std::string, GenerationBytes> bytesByGeneration(const Snapshot& snapshot) {
  std::map<std::string, GenerationBytes> bytes;
  for (const GenerationRow& row : snapshot.generations()) {
    GenerationBytes& sum = bytes[toString(row.generation)];
    sum.used += row.totals.bytes - row.totals.freeBytes;
    sum.free += row.totals.freeBytes;
  }
  return bytes;
}

/// Takes `bytes` of a part into a new one; no more than there are.
void split(MemoryPart& from, std::uint64_t bytes, MemoryOwner owner, std::string name, std::vector<MemoryPart>& parts) {
  MemoryPart part = from;
  part.owner = owner;
  part.name = std::move(name);
  part.bytes = std::min(bytes, from.bytes);
  part.inDumpBytes = std::min(part.bytes, from.inDumpBytes);
  from.bytes -= part.bytes;
  from.inDumpBytes -= part.inDumpBytes;
  if (part.bytes) parts.push_back(std::move(part));
}

/// Ranges of objects hold objects, free ones between them, and what threads have taken to allocate from.
std::vector<MemoryPart> divideGenerations(std::vector<MemoryPart> parts, const Snapshot& snapshot) {
  std::uint64_t unread = 0;
  for (const SegmentContents& contents : snapshot.segmentContents()) unread += contents.unreadBytes;
  std::map<std::string, GenerationBytes> walked = bytesByGeneration(snapshot);
  std::vector<MemoryPart> divided;
  for (MemoryPart& part : parts) {
    if (part.owner == MemoryOwner::GcUsed) {
      const GenerationBytes bytes = walked[part.name];
      const std::string generation = part.name;
      split(part, bytes.used, MemoryOwner::GcUsed, generation, divided);
      split(part, bytes.free, MemoryOwner::GcFree, generation, divided);
      const std::uint64_t missing = std::min(unread, part.bytes);
      unread -= missing;
      split(part, missing, MemoryOwner::GcUsed, generation + ", not readable", divided);
      part.owner = MemoryOwner::GcCommittedUnused;
      part.name = generation + ", allocation contexts";
    }
    if (part.bytes) divided.push_back(std::move(part));
  }
  return divided;
}

void addRemark(std::string& remark, std::string_view sentence) {
  if (!remark.empty()) remark += ' ';
  remark += sentence;
}

}  // namespace

std::string residentText(const ProcessMemory& memory) {
  const ResidentMemory& resident = memory.resident;
  std::string text = fmt::format("In memory or swapped out: at least {}, the pages that hold something",
                                 sizeText(resident.atLeastBytes));
  text += memory.isWhole ? fmt::format("; at most {}, all that is mapped, {} of it files.",
                                       sizeText(memory.mappedBytes), sizeText(resident.fileBytes))
                         : "; the dump does not list all mappings, so it gives no upper bound.";
  if (resident.holeBytes > 0) {
    text += fmt::format(" {} are holes of the core file, which the kernel leaves for pages that were never touched.",
                        sizeText(resident.holeBytes));
  }
  return text;
}

Outcome<ProcessMemory> processMemoryOf(const Snapshot& snapshot, std::stop_token stop) {
  ProcessMappings mappings = mappingsOf(*snapshot.contents().core, snapshot.summary().dump.kind);
  Claimant claimant(snapshot, mappings);
  HEAPSCAPE_CHECK(claimant.claim(stop));
  HEAPSCAPE_TRY(std::vector<MemoryPart> parts,
                claimant.claims().divide(mappings.mappings, *snapshot.contents().memory, stop));
  ProcessMemory memory;
  memory.parts = divideGenerations(std::move(parts), snapshot);
  std::stable_sort(memory.parts.begin(), memory.parts.end(), [](const MemoryPart& left, const MemoryPart& right) {
    return left.owner != right.owner ? left.owner < right.owner : left.bytes > right.bytes;
  });
  for (const MemoryPart& part : memory.parts) memory.mappedBytes += part.bytes;
  HEAPSCAPE_TRY(memory.resident, residentMemoryOf(snapshot, mappings.mappings, stop));
  memory.reservedBytes = claimant.reservedBytes();
  memory.isWhole = mappings.isWhole;
  memory.remark = std::move(mappings.remark);
  if (!claimant.findings().items().empty())
    addRemark(memory.remark, "Some structures of the runtime could not be read; what they describe counts as native.");
  return memory;
}

Outcome<std::vector<OwnedRange>> ownedRangesOf(const Snapshot& snapshot, std::stop_token stop) {
  ProcessMappings mappings = mappingsOf(*snapshot.contents().core, snapshot.summary().dump.kind);
  Claimant claimant(snapshot, mappings);
  HEAPSCAPE_CHECK(claimant.claim(stop));
  return claimant.claims().ranges(mappings.mappings, std::move(stop));
}

}  // namespace heapscape::engine
