// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <map>

#include "cli/sos/sos_command.h"
#include "cli/sos/sos_loader_heaps.h"
#include "cli/sos/sos_objects_walk.h"
#include "cli/sos/sos_text.h"
#include "runtime/gc/finalizer_queue.h"
#include "runtime/gc/gc_history.h"
#include "runtime/gc/gc_state.h"
#include "runtime/gc/handles.h"
#include "session/roots/handles_query.h"
#include "session/snapshot/contents.h"
#include "session/types/debugger_names.h"

namespace heapscape::cli {
namespace {

using engine::Address;
using engine::AddressRange;
using engine::Generation;
using engine::Outcome;
using engine::Segment;
using engine::SegmentKind;
using engine::Snapshot;

constexpr const char* kLine = "----------------------------------------\n";

/// Every heap that has a segment, and those of the GC that have none.
std::uint32_t heapCount(const Snapshot& snapshot) {
  std::uint32_t count = static_cast<std::uint32_t>(snapshot.contents().gc ? snapshot.contents().gc->heaps.size() : 0);
  for (const Segment& segment : snapshot.segments()) count = std::max(count, segment.heap + 1);
  return count;
}

/// "0x22220 (139808)", as eeheap has sizes.
std::string sizeText(std::uint64_t bytes) {
  return hexAndDecimal(bytes);
}

// ---- eeheap -gc

class GcHeapPrinter {
 public:
  GcHeapPrinter(SosRun& run, const Snapshot& snapshot, SosScope scope)
      : m_run(run), m_snapshot(snapshot), m_scope(std::move(scope)) {}

  void print() {
    const auto& gc = m_snapshot.contents().gc;
    m_run.print("\nDATAS = {}\n========================================\n", adaptation());
    m_run.print("Number of GC Heaps: {}\n{}", heapCount(m_snapshot), kLine);
    for (std::uint32_t heap = 0; heap < heapCount(m_snapshot) && m_run.goesOn(); ++heap) {
      if (m_scope.heap && *m_scope.heap != heap) continue;
      if (gc && gc->isServer) m_run.print("Heap {} ({})\n", heap, lowerAddress(addressOfHeap(heap)));
      printHeap(heap);
      m_run.print("------------------------------\n");
    }
    std::uint64_t allocated = 0;
    std::uint64_t committed = 0;
    for (const engine::SegmentId id : segmentsInSosOrder(m_snapshot, m_scope)) {
      const Segment& segment = m_snapshot.segments()[id.value];
      allocated += segment.objects.sizeBytes();
      committed += committedOf(segment).sizeBytes();
    }
    m_run.print("GC Allocated Heap Size:    Size: {} bytes.\nGC Committed Heap Size:    Size: {} bytes.\n",
                sizeText(allocated), sizeText(committed));
  }

 private:
  std::string adaptation() const {
    const auto& gc = m_snapshot.contents().gc;
    if (gc && gc->adaptation == engine::DynamicAdaptation::On) return "1";
    return gc && gc->adaptation == engine::DynamicAdaptation::Off ? "0" : "";
  }

  Address addressOfHeap(std::uint32_t heap) const {
    const auto variables = engine::GcVariables::of(m_snapshot.contents().readers->runtime);
    if (!variables) return {};
    return variables->heapAt(heap).value_or(Address{});
  }

  std::vector<const Segment*> segmentsOf(std::uint32_t heap, std::initializer_list<SegmentKind> kinds) const {
    std::vector<const Segment*> found;
    for (const SegmentKind kind : kinds) {
      const std::size_t first = found.size();
      for (const engine::SegmentId id : segmentsInSosOrder(m_snapshot, m_scope)) {
        const Segment& segment = m_snapshot.segments()[id.value];
        if (segment.heap == heap && segment.kind == kind) found.push_back(&segment);
      }
      std::sort(found.begin() + static_cast<std::ptrdiff_t>(first), found.end(),
                [](const Segment* a, const Segment* b) { return a->objects.start < b->objects.start; });
    }
    return found;
  }

  void printHeader() {
    m_run.print("{:>16} {:>16} {:>16} {:>16} {:<18} {:<18}\n", "segment", "begin", "allocated", "committed",
                "allocated size", "committed size");
  }
  void printSegment(const Segment& segment) {
    m_run.print("{:>16} {:>16} {:>16} {:>16} {:<18} {:<18}\n", shortAddress(segment.address),
                shortAddress(segment.objects.start), shortAddress(segment.objects.end),
                shortAddress(segment.committedEnd), sizeText(segment.objects.sizeBytes()),
                sizeText(committedOf(segment).sizeBytes()));
  }

  void printHeap(std::uint32_t heap) {
    const auto& gc = m_snapshot.contents().gc;
    const bool hasRegions = !gc || gc->hasRegions;
    const auto& generations = gc && heap < gc->heaps.size() ? gc->heaps[heap].generations : kNoGenerations;
    if (!hasRegions) {
      for (std::size_t i = 0; i < std::min<std::size_t>(3, generations.size()); ++i)
        m_run.print("generation {} starts at {:x}\n", i, generations[i].allocationStart.value);
      m_run.print("ephemeral segment allocation context: none\n");
    }
    m_run.print("Small object heap\n");
    printHeader();
    const char* last = "";
    for (const Segment* segment :
         segmentsOf(heap, {SegmentKind::Ephemeral, SegmentKind::Gen0, SegmentKind::Gen1, SegmentKind::Gen2})) {
      const char* name = toString(segment->kind);
      if (hasRegions && last != name) m_run.print("generation {}:\n", static_cast<int>(segment->kind));
      last = name;
      printSegment(*segment);
    }
    const auto frozen = segmentsOf(heap, {SegmentKind::Frozen});
    if (!frozen.empty()) {
      m_run.print("NonGC heap\n");
      printHeader();
      for (const Segment* segment : frozen) printSegment(*segment);
    }
    printOther("Large object heap", hasRegions || generations.size() <= 3 ? Address{} : generations[3].allocationStart,
               segmentsOf(heap, {SegmentKind::Large}), true);
    printOther("Pinned object heap", hasRegions || generations.size() <= 4 ? Address{} : generations[4].allocationStart,
               segmentsOf(heap, {SegmentKind::Pinned}), false);
  }

  void printOther(const char* name, Address start, const std::vector<const Segment*>& segments, bool evenIfEmpty) {
    if (segments.empty() && !evenIfEmpty) return;
    m_run.print("{}{}\n", name, start ? fmt::format(" starts at {:x}", start.value) : std::string());
    printHeader();
    for (const Segment* segment : segments) printSegment(*segment);
  }

  static inline const std::vector<engine::GcGeneration> kNoGenerations;

  SosRun& m_run;
  const Snapshot& m_snapshot;
  SosScope m_scope;
};

Outcome<void> eeHeap(SosRun& run) {
  const bool isGc = run.arguments().has("-gc");
  const bool isLoader = run.arguments().has("-loader");
  if (isLoader || !isGc) {
    HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
    printLoaderHeaps(run, snapshot);
  }
  if (isLoader && !isGc) return {};
  HEAPSCAPE_TRY(const Snapshot snapshot, run.heap());
  HEAPSCAPE_TRY(SosScope scope, readScope(run, snapshot, 0));
  GcHeapPrinter(run, snapshot, std::move(scope)).print();
  return {};
}

// ---- gcheapstat

struct GenerationSums {
  std::uint64_t allocated = 0, free = 0, unrooted = 0, committed = 0;
  GenerationSums& operator+=(const GenerationSums& other) {
    allocated += other.allocated;
    free += other.free;
    unrooted += other.unrooted;
    committed += other.committed;
    return *this;
  }
};

/// Sums of a heap: an ephemeral segment as a whole, then gen0, gen1, gen2, large, pinned, frozen.
using HeapSums = std::array<GenerationSums, 7>;

constexpr std::size_t kEphemeral = 0;
std::size_t placeOf(Generation generation) {
  return 1 + static_cast<std::size_t>(generation);
}

class HeapStatPrinter {
 public:
  explicit HeapStatPrinter(SosRun& run) : m_run(run) {}

  void print(const std::vector<HeapSums>& heaps, const char* title, std::uint64_t GenerationSums::*member,
             bool hasPercent) {
    const bool hasEphemeral =
        std::ranges::any_of(heaps, [](const HeapSums& heap) { return heap[kEphemeral].committed > 0; });
    const bool hasFrozen = std::ranges::any_of(
        heaps, [](const HeapSums& heap) { return heap[placeOf(Generation::Frozen)].committed > 0; });
    if (*title) m_run.print("{}\n", title);
    m_run.print("{:<8} {}{:<10} {:<10} {:<10} {:<10} {:<10} {}\n", "Heap", hasEphemeral ? "EPH        " : "", "Gen0",
                "Gen1", "Gen2", "LOH", "POH", hasFrozen ? "FRZ" : "");
    HeapSums total{};
    for (std::size_t i = 0; i < heaps.size(); ++i) {
      for (std::size_t k = 0; k < total.size(); ++k) total[k] += heaps[i][k];
      printRow(fmt::format("Heap{}", i), heaps[i], member, hasEphemeral, hasPercent);
    }
    printRow("Total", total, member, hasEphemeral, false);
    m_run.print("\n");
  }

 private:
  void printRow(const std::string& name, const HeapSums& sums, std::uint64_t GenerationSums::*member, bool hasEphemeral,
                bool hasPercent) {
    std::string line = fmt::format("{:<8} ", name);
    for (std::size_t i = hasEphemeral ? 0 : 1; i < placeOf(Generation::Frozen); ++i)
      line += fmt::format("{:<10} ", sums[i].*member);
    if (hasPercent) {
      GenerationSums small;
      for (const Generation each : {Generation::Gen0, Generation::Gen1, Generation::Gen2}) small += sums[placeOf(each)];
      line += percent("SOH", small, member) + percent("LOH", sums[placeOf(Generation::Large)], member) +
              percent("POH", sums[placeOf(Generation::Pinned)], member);
    }
    m_run.print("{}\n", line);
  }

  static std::string percent(const char* name, const GenerationSums& sums, std::uint64_t GenerationSums::*member) {
    if (sums.allocated == 0) return {};
    return fmt::format("{:<8} ", fmt::format("{}:{}%", name, sums.*member * 100 / sums.allocated));
  }

  SosRun& m_run;
};

Outcome<void> heapStat(SosRun& run) {
  const bool countsUnrooted = run.arguments().has("-iu") || run.arguments().has("-inclUnrooted");
  HEAPSCAPE_TRY(const Snapshot snapshot, countsUnrooted ? run.retained() : run.heap());
  std::vector<HeapSums> heaps(heapCount(snapshot));
  for (const Segment& segment : snapshot.segments()) {
    const bool isEphemeral = segment.kind == SegmentKind::Ephemeral;
    GenerationSums& sums =
        heaps[segment.heap][isEphemeral ? kEphemeral : placeOf(segment.generations.front().generation)];
    sums.allocated += segment.objects.sizeBytes();
    sums.committed += committedOf(segment).sizeBytes();
  }
  forEachInSosOrder(snapshot, {}, run.stop(), [&](const engine::ObjectRow& row) {
    const Segment& segment = snapshot.segments()[row.segment.value];
    const bool isEphemeral = segment.kind == SegmentKind::Ephemeral;
    GenerationSums& sums = heaps[segment.heap][placeOf(*row.generation)];
    if (snapshot.types()[row.type.value].isFree) {
      sums.free += row.sizeBytes;
      if (isEphemeral) heaps[segment.heap][kEphemeral].free += row.sizeBytes;
      return true;
    }
    if (isEphemeral) sums.allocated += row.sizeBytes;
    if (countsUnrooted) {
      const auto retained = engine::retainedOf(snapshot, row.address);
      if (!retained || !retained->isReachable) sums.unrooted += row.sizeBytes;
    }
    return true;
  });
  HeapStatPrinter printer(run);
  printer.print(heaps, "", &GenerationSums::allocated, false);
  printer.print(heaps, "Free space:", &GenerationSums::free, true);
  if (countsUnrooted) printer.print(heaps, "Unrooted objects:", &GenerationSums::unrooted, true);
  printer.print(heaps, "Committed space:", &GenerationSums::committed, false);
  return {};
}

// ---- gcwhere

std::string rangeText(AddressRange range) {
  return fmt::format("{:x}-{:x}", range.start.value, range.end.value);
}

Outcome<void> gcWhere(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.heap());
  HEAPSCAPE_TRY(const Address address, run.arguments().address(0));
  bool isFirst = true;
  for (const engine::SegmentId id : segmentsInSosOrder(snapshot, {})) {
    const Segment& segment = snapshot.segments()[id.value];
    const AddressRange reserved{segment.committedEnd, segment.reservedEnd};
    const AddressRange committed = committedOf(segment);
    if (!committed.contains(address) && !reserved.contains(address)) continue;
    if (isFirst)
      run.print("{:<16} {:<6} {:<16} {:<10} {:<25} {:<25} {:<25}\n", "Address", "Heap", "Segment", "Generation",
                "Allocated", "Committed", "Reserved");
    isFirst = false;
    constexpr std::array kWords{"0", "1", "2", "large", "pinned", "frozen"};
    const Generation generation =
        segment.objects.contains(address) ? segment.generationOf(address) : segment.generations.front().generation;
    run.print("{:<16} {:<6} {:<16} {:<10} {:<25} {:<25} {:<25}\n", shortAddress(address), segment.heap,
              shortAddress(segment.address),
              reserved.contains(address) ? "reserve" : kWords[static_cast<std::size_t>(generation)],
              rangeText(segment.objects), rangeText(committed), rangeText(reserved));
  }
  if (isFirst) run.print("Address {:x} not found in the managed heap.\n", address.value);
  return {};
}

// ---- gchandles

struct HandleWords {
  engine::HandleKind kind;
  const char* column;
  const char* total;  // padded to where the number stands
};

using engine::HandleKind;
constexpr auto kHandleWords =
    std::to_array<HandleWords>({{HandleKind::Strong, "Strong", "Strong Handles:       "},
                                {HandleKind::Pinned, "Pinned", "Pinned Handles:       "},
                                {HandleKind::AsyncPinned, "AsyncPinned", "Async Pinned Handles: "},
                                {HandleKind::RefCounted, "RefCounted", "Ref Count Handles:    "},
                                {HandleKind::WeakLong, "WeakLong", "Weak Long Handles:    "},
                                {HandleKind::WeakShort, "WeakShort", "Weak Short Handles:   "},
                                {HandleKind::WeakNativeCom, "WeakNativeCom", "Weak Native COM Handles: "},
                                {HandleKind::WeakInteriorPointer, "WeakInterio", "Weak Interior Pointer "},
                                {HandleKind::CrossReference, "CrossRefere", "Cross Reference Handles: "},
                                {HandleKind::Variable, "Variable", "Variable Handles:     "},
                                {HandleKind::SizedRef, "SizedRef", "SizedRef Handles:     "},
                                {HandleKind::Dependent, "Dependent", "Dependent Handles:    "}});

bool hasName(const HandleWords& words, const std::string& name) {
  return strcasecmp(words.column, name.c_str()) == 0 || strcasecmp(toString(words.kind), name.c_str()) == 0;
}

Outcome<void> gcHandles(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.heap());
  HEAPSCAPE_TRY(const engine::HandleList list, engine::listHandles(snapshot, false, run.stop()));
  const std::optional<std::string> wanted = run.arguments().valueOf("-type");
  engine::DebuggerNames names(*snapshot.contents().readers);
  struct Sum {
    std::uint64_t count = 0, bytes = 0;
  };
  std::map<Address, Sum> sums;
  std::map<HandleKind, std::uint64_t> counts;
  const bool isStat = run.arguments().has("-stat");
  if (!isStat) run.print("          Handle Type                  Object     Size             Data Type\n");
  for (const engine::HandleRow& handle : list.handles) {
    const auto words = std::ranges::find(kHandleWords, handle.kind, &HandleWords::kind);
    if (words == kHandleWords.end() || (wanted && !hasName(*words, *wanted))) continue;
    const auto row = engine::objectAt(snapshot, handle.object);
    const std::uint64_t size = row && row->address == handle.object ? row->sizeBytes : 0;
    ++counts[handle.kind];
    Sum& sum = sums[handle.methodTable];
    ++sum.count;
    sum.bytes += size;
    if (isStat) continue;
    std::string data;
    if (handle.kind == HandleKind::Dependent) data = upperAddress(handle.dependent);
    if (handle.kind == HandleKind::WeakInteriorPointer) {
      const auto place = engine::secondaryOfDependentHandle(snapshot.contents().readers->runtime, handle.address);
      if (place) data = upperAddress(*place);
    }
    if (handle.referenceCount) data = std::to_string(*handle.referenceCount);
    const std::string& type = names.ofType(handle.methodTable);
    run.print("{} {:<11} {} {:>8} {:>16} {}\n", upperAddress(handle.address), words->column,
              upperAddress(handle.object), size, data, type.empty() ? std::string("<error>") : type);
    if (!run.goesOn()) return {};
  }
  std::vector<std::pair<Address, Sum>> sorted(sums.rbegin(), sums.rend());
  std::ranges::stable_sort(sorted, {}, [](const auto& each) { return each.second.bytes; });
  if (!isStat) run.print("\n");
  run.print("Statistics:\n              MT    Count    TotalSize Class Name\n");
  std::uint64_t total = 0;
  for (const auto& [methodTable, sum] : sorted) {
    run.print("{} {:>8} {:>12} {}\n", lowerAddress(methodTable), sum.count, sum.bytes, names.ofType(methodTable));
    total += sum.count;
  }
  run.print("Total {} objects\n", total);
  if (wanted) return {};
  run.print("\nHandles:\n");
  for (const HandleWords& words : kHandleWords) {
    if (counts[words.kind] > 0) run.print("    {}{}\n", words.total, counts[words.kind]);
  }
  return {};
}

// ---- finalizequeue

/// Sync blocks whose objects are dead, and which wait to be used again; nothing if the dump does not tell.
std::optional<std::uint64_t> syncBlocksToClean(const engine::ClrRuntime& runtime) {
  constexpr std::uint64_t kMostBlocks = 8'000'000;
  const auto cache = runtime.globalPointer("SyncBlockCache");
  auto link = cache ? runtime.pointerAt(*cache, "SyncBlockCache", "CleanupBlockList")
                    : engine::failure(engine::ErrorCode::NotFound, {});
  std::uint64_t count = 0;
  for (; link && *link && count < kMostBlocks; ++count) link = runtime.memory().readPointer(*link);
  return link ? std::optional(count) : std::nullopt;
}

Outcome<void> finalizeQueue(SosRun& run) {
  const SosArguments& arguments = run.arguments();
  const bool isAllReady = arguments.has("-allReady");
  HEAPSCAPE_TRY(const Snapshot snapshot, isAllReady ? run.retained() : run.heap());
  HEAPSCAPE_TRY(const engine::FinalizerList list, engine::listFinalizers(snapshot, run.stop()));
  const auto& gc = snapshot.contents().gc;
  const bool isShort = arguments.has("-short");
  if (!isShort) {
    if (const auto blocks = syncBlocksToClean(snapshot.contents().readers->runtime))
      run.print("SyncBlocks to be cleaned up: {}\n", *blocks);
    run.print(
        "Free-Threaded Interfaces to be released: 0\nMTA Interfaces to be released: 0\n"
        "STA Interfaces to be released: 0\n----------------------------------\n\n");
    for (std::size_t heap = 0; gc && heap < gc->heaps.size(); ++heap) {
      const auto parts =
          engine::readFinalizerQueueParts(snapshot.contents().readers->runtime, gc->heaps[heap].finalizeQueue);
      if (!parts) continue;
      const auto objects = [](AddressRange range) { return grouped(range.sizeBytes() / engine::kPointerBytes); };
      const auto arrow = [](AddressRange range) {
        return fmt::format("({:x}->{:x})", range.start.value, range.end.value);
      };
      run.print("Heap {}\n", heap);
      for (std::size_t i = 0; i < parts->ofGeneration.size(); ++i)
        run.print("generation {} has {} objects {}\n", i, objects(parts->ofGeneration[i]),
                  arrow(parts->ofGeneration[i]));
      const AddressRange ready{parts->critical.start, parts->ready.end};
      run.print("Ready for finalization {} objects {}\n------------------------------\n", objects(ready), arrow(ready));
    }
    run.print("Statistics for all finalizable objects {}:\n",
              isAllReady ? "that are no longer rooted" : "(including all objects ready for finalization)");
  }
  std::optional<Address> methodTable;
  if (const auto text = arguments.valueOf("-mt")) {
    methodTable.emplace();
    if (!engine::tryParseAddress(*text, *methodTable))
      return tl::unexpected(engine::Unfinished(
          engine::Error{engine::ErrorCode::BadQuery, fmt::format("Could not parse MethodTable: '{}'", *text)}));
  }
  std::vector<engine::FinalizerRow> rows = list.objects;
  const auto isReady = [](const engine::FinalizerRow& row) {
    return row.queue != engine::FinalizerQueueKind::Registered;
  };
  // In the order of the queues' own arrays.
  std::ranges::stable_sort(rows, {}, [](const auto& row) { return std::pair(row.heap, -static_cast<int>(row.queue)); });
  SosObjectLines lines(run, snapshot);
  SosStatistics statistics(snapshot);
  for (const engine::FinalizerRow& each : rows) {
    if (methodTable && each.methodTable != *methodTable) continue;
    const auto row = engine::objectAt(snapshot, each.object);
    if (!row || row->address != each.object) continue;
    if (isAllReady && !isReady(each)) {
      const auto retained = engine::retainedOf(snapshot, each.object);
      if (retained && retained->isReachable) continue;
    }
    if (isShort) {
      run.print("{}\n", shortAddress(each.object));
      continue;
    }
    if (!arguments.has("-stat") && !arguments.has("-summary")) lines.add(*row);
    statistics.add(*row);
  }
  if (!isShort) statistics.print(run, !lines.hasAny());
  return {};
}

// ---- analyzeoom

Outcome<void> analyzeOutOfMemory(SosRun& run) {
  HEAPSCAPE_TRY(const Snapshot snapshot, run.dump());
  const auto& gc = snapshot.contents().gc;
  const engine::GcHistory history =
      gc ? engine::readGcHistory(snapshot.contents().readers->runtime, *gc) : engine::GcHistory();
  if (history.outOfMemory.empty()) run.print("There was no managed OOM due to allocations on the GC heap\n");
  constexpr std::array kReasons{"",
                                "OOM was due to an internal .Net error, likely a bug in the GC",
                                "Didn't have enough memory to commit",
                                "OOM was due to an internal .Net error, likely a bug in the GC",
                                "Didn't have enough memory to allocate an LOH segment",
                                "Low on memory during GC",
                                "Could not do a full GC"};
  constexpr std::array kFailures{"",
                                 "Failed to reserve memory",
                                 "Didn't have enough memory to commit beginning of the segment",
                                 "Didn't have enough memory to commit the new ephemeral segment",
                                 "Didn't have enough memory to grow the internal GC data structures",
                                 "Didn't have enough memory to commit the internal GC data structures"};
  const auto word = [](const auto& words, std::int32_t number) {
    const bool isKnown = number > 0 && static_cast<std::size_t>(number) < words.size();
    return isKnown ? std::string(words[static_cast<std::size_t>(number)]) : std::to_string(number);
  };
  for (const engine::OutOfMemoryRecord& record : history.outOfMemory) {
    run.print("{}\n", word(kReasons, record.reason));
    if (record.getMemoryFailure == 0) continue;
    run.print("Details: {} {} {} bytes\n", record.isLarge ? "LOH" : "SOH", word(kFailures, record.getMemoryFailure),
              grouped(record.failedBytes));
    if (record.availablePagefileMb != 0)
      run.print(" - on GC entry available commit space was {} MB\n", grouped(record.availablePagefileMb));
  }
  return {};
}

}  // namespace

void addSosGcCommands(std::vector<SosCommand>& commands) {
  commands.push_back({.names = "eeheap",
                      .arguments = "[-gc] [-loader] [-heap N] [-segment ADDRESS] [START [END]]",
                      .summary = "Segments of the GC's heaps, and what the runtime keeps types and code in",
                      .flags = "-gc -loader",
                      .values = "-heap -segment",
                      .mostArguments = 2,
                      .run = eeHeap,
                      .more = "segments"});
  commands.push_back({.names = "gcheapstat",
                      .arguments = "[-iu]",
                      .summary = "Bytes of each generation: taken, free, committed",
                      .flags = "-iu -inclUnrooted",
                      .run = heapStat,
                      .more = "generations"});
  commands.push_back({.names = "gcwhere",
                      .arguments = "ADDRESS",
                      .summary = "Segment and generation that an address lies in",
                      .leastArguments = 1,
                      .mostArguments = 1,
                      .run = gcWhere,
                      .more = "address {}"});
  commands.push_back({.names = "gchandles",
                      .arguments = "[-stat] [-type KIND]",
                      .summary = "GC handles",
                      .flags = "-stat -perdomain /d",
                      .values = "-type",
                      .run = gcHandles,
                      .more = "handles"});
  commands.push_back({.names = "finalizequeue fq",
                      .arguments = "[-allReady] [-short] [-stat] [-mt MT]",
                      .summary = "Objects with finalizers that have not run",
                      .flags = "-detail -allReady -short -stat -summary",
                      .values = "-mt",
                      .run = finalizeQueue,
                      .more = "finalizers"});
  commands.push_back({.names = "analyzeoom ao",
                      .arguments = "",
                      .summary = "Last allocation that the GC could not satisfy",
                      .run = analyzeOutOfMemory,
                      .more = "gc"});
}

}  // namespace heapscape::cli
