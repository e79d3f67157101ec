// SPDX-License-Identifier: MIT
#include "session/process/process_memory.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/address.h"
#include "base/figures.h"
#include "memory/files/recorded_path.h"
#include "runtime/gc/gc_state.h"
#include "runtime/methods/code_range.h"
#include "runtime/modules/loader_allocators.h"
#include "runtime/threads/thread_registers.h"
#include "session/process/memory_claims.h"
#include "session/process/native_memory.h"
#include "session/process/thread_stacks.h"
#include "session/snapshot/contents.h"
#include "session/threads/threads_query.h"

namespace heapscape::engine {
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
    for (const Segment& segment : m_snapshot.segments()) {
      const Address start = segment.objects.start;
      if (segment.kind != SegmentKind::Frozen && start && segment.address)
        m_claims.add({{(start.value - 1) / kPageBytes * kPageBytes}, start}, MemoryOwner::GcBookkeeping,
                     "segment heads");
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
      const Address end{alignUp(code.range.end.value, kPageBytes)};  // the last bytes are left to a stub
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
      m_claims.add(stack.range, MemoryOwner::ThreadStack,
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

/// What the walk found in one generation of all heaps.
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

const char* toString(MemoryOwner owner) {
  switch (owner) {
    case MemoryOwner::GcUsed:
      return "gcUsed";
    case MemoryOwner::GcFree:
      return "gcFree";
    case MemoryOwner::GcCommittedUnused:
      return "gcCommittedUnused";
    case MemoryOwner::GcBookkeeping:
      return "gcBookkeeping";
    case MemoryOwner::LoaderHeap:
      return "loaderHeap";
    case MemoryOwner::JitCode:
      return "jitCode";
    case MemoryOwner::ThreadStack:
      return "stack";
    case MemoryOwner::MappedFile:
      return "mappedFile";
    case MemoryOwner::NativeHeap:
      return "native";
    case MemoryOwner::Other:
      return "other";
  }
  return "other";
}

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
    addRemark(memory.remark, "Some structures of the runtime could not be read; what they tell counts as native.");
  return memory;
}

}  // namespace heapscape::engine
