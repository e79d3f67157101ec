// SPDX-License-Identifier: MIT
#include "session/snapshot/heap_presence.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "runtime/threads/threads.h"
#include "session/snapshot/contents.h"
#include "session/snapshot/recorded_heap.h"

namespace heapscape::engine {
namespace {

constexpr std::string_view kHowToDump =
    "For the heap take one with `createdump --withheap PID`, `dotnet-dump collect --type Heap` or "
    "DOTNET_DbgMiniDumpType=2.";
constexpr std::string_view kStillWorks = "Its threads, stacks, exceptions and modules can be shown.";

// Pages of a stack, below the one that its thread has come to: a mini dump has none of them, or one touched by chance.
constexpr std::uint64_t kPagesLookedAt = 16;
constexpr std::uint64_t kPagesOfWholeStack = 4;

/// Memory that the program headers promise, cut or not.
class PromisedMemory {
 public:
  explicit PromisedMemory(const ElfCore& core)
      : m_loads(core.loads), m_isCut(core.missingFileBytes > 0), m_end(core.fileBytes) {}

  std::uint64_t bytesOf(AddressRange range) const {
    std::uint64_t bytes = 0;
    auto load = std::upper_bound(m_loads.begin(), m_loads.end(), range.start,
                                 [](Address address, const LoadSegment& one) { return address < one.range.end; });
    for (; load != m_loads.end() && load->range.start < range.end; ++load) {
      const AddressRange part{std::max(load->range.start, range.start), std::min(promisedEnd(*load), range.end)};
      if (!part.isEmpty()) bytes += part.sizeBytes();
    }
    return bytes;
  }

 private:
  // createdump leaves out nothing of a part, so one that the end of the file has cut was to be there as a whole.
  Address promisedEnd(const LoadSegment& load) const {
    const bool isCut = m_isCut && (load.fileOffset >= m_end || m_end - load.fileOffset <= load.fileBytes);
    return isCut ? load.range.end : load.range.start + load.fileBytes;
  }

  const std::vector<LoadSegment>& m_loads;  // by address, no two overlap
  bool m_isCut;
  std::uint64_t m_end;  // of the file
};

/// Whether some stack is there below what its thread uses.
bool hasWholeStacks(const RuntimeReaders& readers, const ElfCore& core, const PromisedMemory& promised) {
  std::unordered_map<std::uint32_t, Address> pointers;
  for (const CoreThread& thread : core.threads) pointers.emplace(thread.osId, thread.stackPointer());
  FindingList known;  // whoever lists the threads tells of them
  for (const RuntimeThread& thread : readThreads(readers.runtime, known)) {
    const auto pointer = pointers.find(thread.osId);
    if (pointer == pointers.end()) continue;
    const AddressRange stack = readThreadDetails(readers, thread).stack;
    if (!stack.contains(pointer->second)) continue;
    const Address used{pointer->second.value / kPageBytes * kPageBytes};
    const std::uint64_t below = std::min(used - std::min(stack.start, used), kPagesLookedAt * kPageBytes);
    if (promised.bytesOf({{used.value - below}, used}) >= kPagesOfWholeStack * kPageBytes) return true;
  }
  return false;
}

}  // namespace

HeapPresence heapPresenceOf(const RuntimeReaders& readers, const ElfCore& core, const std::vector<Segment>& segments) {
  const PromisedMemory promised(core);
  const AddressSpace& memory = readers.runtime.memory();
  bool isAnyListed = false, isAnyLacking = false, isAnyPromised = false, isAnyThere = false;
  for (const Segment& segment : segments) {
    // The frozen segment is the runtime's own data, which small dumps hold too.
    if (segment.kind == SegmentKind::Frozen || segment.objects.isEmpty()) continue;
    isAnyListed = true;
    const std::uint64_t bytes = promised.bytesOf(segment.objects);
    isAnyLacking = isAnyLacking || bytes < segment.objects.sizeBytes();
    isAnyPromised = isAnyPromised || bytes > 0;
    isAnyThere = isAnyThere || !memory.present(segment.objects).empty();
  }
  // A triage dump does not even have the lists.
  if (!isAnyListed) return hasWholeStacks(readers, core, promised) ? HeapPresence::Unlisted : HeapPresence::LeftOut;
  // Of a damaged heap dump some may be lacking, too.
  if (isAnyLacking && !(isAnyPromised && hasWholeStacks(readers, core, promised))) return HeapPresence::LeftOut;
  return isAnyThere ? HeapPresence::There : HeapPresence::Cut;
}

bool listHeap(const std::vector<Segment>& segments) {
  return std::ranges::any_of(segments, [](const Segment& segment) { return segment.kind != SegmentKind::Frozen; });
}

bool hasHeap(const Snapshot& snapshot) {
  return snapshot.isRecorded() || !snapshot.contents().heap || snapshot.has(Stage::Objects);
}

Error lackOfRecorded() {
  return notRecorded("what is asked for");
}

Error lackOfFields(const Snapshot& snapshot) {
  const FieldDescs& fields = snapshot.contents().readers->fields;
  const std::string what =
      "This is a dump of a Native AOT program, and nothing in it tells of the fields of its types. The program's file "
      "of debugging information does.";
  if (const std::string problem = fields.problem(); !problem.empty())
    return {ErrorCode::NotInDump, what, fmt::format("One was found, but {}", problem)};
  return {ErrorCode::NotInDump, what,
          fmt::format("Put the {} that was made with the program beside the dump, or name its folder with --search.",
                      fields.fileName())};
}

Error lackOfAssemblies() {
  return {ErrorCode::NotInDump,
          "This is a dump of a Native AOT program, which has no assemblies: their types became one program, and "
          "nothing in it tells of modules, methods and IL.",
          "A dump of the same program on the .NET runtime, without PublishAot, has them."};
}

std::optional<Error> lackOf(const Snapshot& snapshot, HeapUse use) {
  if (snapshot.isRecorded()) {
    if (use == HeapUse::Graph || use == HeapUse::Any) return std::nullopt;
    return lackOfRecorded();
  }
  const bool needsHeap = use == HeapUse::Memory || use == HeapUse::Graph || use == HeapUse::Fields;
  if (needsHeap && !hasHeap(snapshot)) return noHeapIn(snapshot);
  if (use == HeapUse::Fields && !snapshot.hasFields()) return lackOfFields(snapshot);
  if (use == HeapUse::Assemblies && !snapshot.hasAssemblies()) return lackOfAssemblies();
  return std::nullopt;
}

Error noHeapIn(const Snapshot& snapshot) {
  const Contents& contents = snapshot.contents();
  const Summary& summary = snapshot.summary();
  const std::string dump = fmt::format("dump of a .NET {} process", summary.runtime.version);
  switch (heapPresenceOf(*contents.readers, *contents.core, snapshot.segments())) {
    case HeapPresence::LeftOut:
      if (summary.dump.kind == DumpKind::Mini || summary.dump.kind == DumpKind::Triage) {
        return {ErrorCode::NoHeap,
                fmt::format("This {} {} was made without the managed heap. {}", toString(summary.dump.kind), dump,
                            kStillWorks),
                std::string(kHowToDump)};
      }
      return {ErrorCode::NoHeap,
              fmt::format("This {} was made without the managed heap, as with a filter of what a core file holds "
                          "(/proc/PID/coredump_filter). {}",
                          dump, kStillWorks),
              std::string(kHowToDump)};
    case HeapPresence::Cut:
      return {ErrorCode::Truncated,
              fmt::format("This {} is cut: {} bytes of it are missing, among them all of the heap.", dump,
                          contents.core->missingFileBytes),
              "Copy the file again, or take a new dump."};
    case HeapPresence::Unlisted:
    case HeapPresence::There:
      break;
  }
  return {ErrorCode::NoHeap, fmt::format("This {} does not show where the heap lies. {}", dump, kStillWorks),
          contents.core->missingFileBytes > 0 ? "Copy the file again, or take a new dump." : std::string(kHowToDump)};
}

}  // namespace heapscape::engine
