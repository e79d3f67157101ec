// SPDX-License-Identifier: MIT
#include "session/heap/gc_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/address.h"
#include "base/figures.h"
#include "base/progress.h"
#include "heap/segment_objects.h"
#include "memory/files/recorded_path.h"
#include "runtime/gc/gc_state.h"
#include "session/objects/object_query.h"
#include "session/roots/handles_query.h"
#include "session/snapshot/contents.h"
#include "session/snapshot/heap_presence.h"
#include "session/stacks/stacks_query.h"

namespace heapscape::engine {
namespace {

struct CountedNeighbour {
  GapNeighbour row;
  std::uint64_t largestGap = 0;
};

/// One generation of one heap while its objects go by.
struct Counted {
  GenerationGaps gaps;
  std::unordered_map<std::uint32_t, CountedNeighbour> neighbours;  // by TypeId

  void end(std::uint64_t gap, const ObjectFacts& object, bool isPinned) {
    CountedNeighbour& neighbour = neighbours[object.type.value];
    ++neighbour.row.gaps;
    neighbour.row.gapBytes += gap;
    neighbour.row.objectBytes += object.alignedBytes();
    if (isPinned) ++neighbour.row.pinned;
    if (gap > neighbour.largestGap) {
      neighbour.largestGap = gap;
      neighbour.row.example = object.address;
    }
  }
};

}  // namespace

Outcome<std::vector<GenerationGaps>> findGaps(const Snapshot& snapshot, const std::unordered_set<Address>& pinned,
                                              std::stop_token stop) {
  const Contents& contents = snapshot.contents();
  const WalkedHeap& heap = *contents.heap;
  std::map<std::pair<std::uint32_t, Generation>, Counted> counted;
  std::uint32_t steps = 0;
  for (std::uint32_t i = 0; i < snapshot.segments().size(); ++i) {
    const Segment& segment = snapshot.segments()[i];
    const SegmentObjects objects(*contents.memory, heap.index, heap.types, {i}, segment);
    for (const GenerationRange& part : segment.generations) {
      Counted& generation = counted[{segment.heap, part.generation}];
      std::uint64_t gap = 0;
      const bool isDone = objects.forEach(part.range, [&](const ObjectFacts& object) {
        const std::uint64_t bytes = object.alignedBytes();
        generation.gaps.bytes += bytes;
        if (object.type == heap.freeType) {
          gap += bytes;  // several may lie side by side
          generation.gaps.freeBytes += bytes;
        } else if (gap) {
          ++generation.gaps.gaps;
          generation.gaps.largestGapBytes = std::max(generation.gaps.largestGapBytes, gap);
          generation.end(gap, object, pinned.contains(object.address));
          gap = 0;
        }
        return ++steps % kStopInterval != 0 || !stop.stop_requested();
      });
      if (!isDone) return tl::unexpected(Unfinished::cancelled());
      if (gap) {
        ++generation.gaps.gaps;
        generation.gaps.largestGapBytes = std::max(generation.gaps.largestGapBytes, gap);
      }
    }
  }
  std::vector<GenerationGaps> found;
  for (auto& [key, generation] : counted) {
    generation.gaps.heap = key.first;
    generation.gaps.generation = key.second;
    for (auto& [type, neighbour] : generation.neighbours) {
      neighbour.row.typeName = snapshot.types()[type].name;
      neighbour.row.methodTable = snapshot.types()[type].methodTable;
      generation.gaps.neighbours.push_back(std::move(neighbour.row));
    }
    std::ranges::sort(generation.gaps.neighbours, [](const GapNeighbour& left, const GapNeighbour& right) {
      return std::tie(right.gapBytes, left.typeName) < std::tie(left.gapBytes, right.typeName);
    });
    found.push_back(std::move(generation.gaps));
  }
  return found;
}

namespace {

/// Kind of pin.
enum class PinKind : std::uint8_t { Handle, AsyncHandle, Stack };

struct Pin {
  PinKind kind = PinKind::Handle;
  /// The type of an object that keeps the handle (a GCHandle in one of its fields or elements), or the method whose
  /// frame pins; empty if neither is known.
  std::string holder = {};
  Address holderObject = {};  // 0 for none
  Address handle = {};        // 0 for a stack
  Address object = {};
};

// GCHandle marks handles that pin, so that AddrOfPinnedObject need not ask (GCHandle.cs).
constexpr std::uint64_t kPinnedMark = 1;

class HolderFinder {
 public:
  HolderFinder(const Snapshot& snapshot, std::vector<Pin>& pins) : m_snapshot(snapshot), m_pins(pins) {
    for (std::uint32_t i = 0; i < pins.size(); ++i) {
      if (!pins[i].handle) continue;
      m_byHandle.emplace(pins[i].handle.value, i);
      m_lowest = std::min(m_lowest, pins[i].handle.value);
      m_highest = std::max(m_highest, pins[i].handle.value);
    }
  }

  /// False if it was stopped.
  bool find(const std::stop_token& stop) {
    if (m_byHandle.empty()) return true;
    for (const Segment& segment : m_snapshot.segments()) {
      for (const AddressRange& part : m_snapshot.contents().memory->present(segment.objects)) {
        const auto view = m_snapshot.contents().memory->view(part);
        if (view && !searchIn(view->bytes, part.start, stop)) return false;
      }
    }
    return true;
  }

 private:
  bool searchIn(Bytes bytes, Address start, const std::stop_token& stop) {
    for (std::uint64_t at = 0; at + kPointerBytes <= bytes.size(); at += kPointerBytes) {
      if (at % kStopInterval == 0 && stop.stop_requested()) return false;
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data() + at, kPointerBytes);
      word &= ~kPinnedMark;
      if (word < m_lowest || word > m_highest) continue;
      const auto found = m_byHandle.find(word);
      if (found != m_byHandle.end()) note(m_pins[found->second], start + at);
    }
    return true;
  }

  void note(Pin& pin, Address place) const {
    if (pin.holderObject) return;
    const auto object = m_snapshot.contents().heap->index.startAtOrBefore(place);
    if (!object) return;
    const ReferredObject referred = referredObject(m_snapshot, *object);
    if (!referred.isObject) return;  // what a dead object has left behind in a gap
    pin.holder = referred.typeName;
    pin.holderObject = *object;
  }

  const Snapshot& m_snapshot;
  std::vector<Pin>& m_pins;
  std::unordered_map<std::uint64_t, std::uint32_t> m_byHandle;
  std::uint64_t m_lowest = ~0ull;
  std::uint64_t m_highest = 0;
};

/// "pinned handle", "async pinned handle", "stack".
const char* toString(PinKind kind) {
  switch (kind) {
    case PinKind::Handle:
      return "pinned handle";
    case PinKind::AsyncHandle:
      return "async pinned handle";
    case PinKind::Stack:
      return "stack";
  }
  return "";
}

/// Every pin of the process; an object may have several. Objects of the pinned object heap need none. Holders of
/// handles are found by reading the whole heap, unless there are no such handles. Needs the stage Objects.
Outcome<std::vector<Pin>> listPins(const Snapshot& snapshot, std::stop_token stop) {
  std::vector<Pin> pins;
  HEAPSCAPE_TRY(const HandleList handles, listHandles(snapshot, false, stop));
  for (const HandleRow& handle : handles.handles) {
    if (handle.kind != HandleKind::Pinned && handle.kind != HandleKind::AsyncPinned) continue;
    const PinKind kind = handle.kind == HandleKind::Pinned ? PinKind::Handle : PinKind::AsyncHandle;
    pins.push_back({.kind = kind, .handle = handle.address, .object = handle.object});
  }
  if (!HolderFinder(snapshot, pins).find(stop)) return tl::unexpected(Unfinished::cancelled());
  HEAPSCAPE_TRY(const auto stacks, keptStacks(snapshot, stop));
  for (const ThreadStackRow& thread : stacks->threads) {
    for (const StackRootRow& root : thread.roots) {
      if (!root.isPinned || !root.object || root.frame >= thread.frames.size()) continue;
      const auto object = snapshot.contents().heap->index.startAtOrBefore(root.object);
      if (object)
        pins.push_back({.kind = PinKind::Stack, .holder = nameOf(thread.frames[root.frame]), .object = *object});
    }
  }
  return pins;
}

class ReportReader {
 public:
  ReportReader(const Snapshot& snapshot, std::stop_token stop)
      : m_snapshot(snapshot), m_contents(snapshot.contents()), m_stop(std::move(stop)) {}

  Outcome<GcReport> read() {
    const ClrRuntime& runtime = m_contents.readers->runtime;
    const GcState& state = *m_contents.gc;
    m_report.isServer = state.isServer;
    m_report.hasRegions = state.hasRegions;
    m_report.background = state.background;
    m_report.heaps = gcHeaps(m_snapshot);
    m_report.library = libraryOf(runtime);
    m_report.settings = listGcSettings(m_snapshot, m_stop);
    m_report.history = readGcHistory(runtime, state);
    m_report.figures = findGcFigures(runtime, state);
    readPhase(state);
    m_report.hasHeap = hasHeap(m_snapshot);
    if (!m_report.hasHeap) return std::move(m_report);
    readCoverage();
    HEAPSCAPE_CHECK(readPinsAndGaps());
    HEAPSCAPE_CHECK(readFinalizers());
    return std::move(m_report);
  }

 private:
  /// Where the GC's variables lie tells which library they are of.
  std::string libraryOf(const ClrRuntime& runtime) const {
    const auto variables = GcVariables::of(runtime);
    const auto state = variables ? variables->variable("CurrentCGcState") : failure(ErrorCode::NotFound, {});
    const std::string own = fileNameOf(m_snapshot.summary().runtime.libraryPath);
    if (!state || own.empty()) return {};
    // A library's zeroed data lies behind its mappings without being one of the file.
    const std::vector<MappedFile>& files = m_contents.core->files;
    auto behind = std::ranges::upper_bound(files, *state, {}, [](const MappedFile& file) { return file.range.start; });
    while (behind != files.begin()) {
      const std::string name = fileNameOf((--behind)->path);
      if (name == own) return {};
      if (name.starts_with("libclrgc")) return name;
      if (*state - behind->range.end > kZeroedBytes && behind->range.end <= *state) break;
    }
    return {};
  }

  void readPhase(const GcState& state) {
    const std::optional<CollectionPlan>& plan = m_report.figures.plan;
    const std::vector<RecordedCollection>& recorded = m_report.figures.recorded;
    const bool isAhead = plan && !recorded.empty() && plan->index > recorded.front().index;
    std::string which = "A collection";
    if (isAhead)
      which = fmt::format("Collection {}, of gen{}{},", plan->index, plan->generation,
                          plan->isBackground ? " in the background" : "");
    if (state.structuresInvalid) {
      m_report.phase = CollectionPhase::Moving;
      m_report.phaseText = which + " was marking, moving or sweeping objects.";
      m_report.trustText =
          "Objects may lie half moved, and marks may be set in their method tables. Figures of the generations that it "
          "takes are lower bounds; older generations, statics, types, threads and what the GC has noted of earlier "
          "collections can be relied on.";
    } else if (state.background == BackgroundCollections::Running) {
      m_report.phase = CollectionPhase::Background;
      m_report.phaseText = "A background collection was marking or sweeping beside the program.";
      if (isAhead && !plan->isBackground) m_report.phaseText += " " + which + " had begun while it ran.";
      m_report.trustText =
          "The heap can be walked. Objects that it has found dead may still be there, with references and headers of "
          "what is gone; free lists are being made.";
    } else if (isAhead && !plan->isBackground) {
      m_report.phase = CollectionPhase::Blocking;
      m_report.phaseText = which + " had begun or was about to end; no object was being moved.";
      m_report.trustText = "The heap is whole. Records of the last collection are of the one before.";
    } else {
      m_report.phaseText = "No collection was on its way.";
    }
  }

  void readCoverage() {
    std::map<SegmentKind, SegmentCoverage> kinds;
    for (std::size_t i = 0; i < m_snapshot.segments().size(); ++i) {
      const Segment& segment = m_snapshot.segments()[i];
      SegmentCoverage& coverage = kinds[segment.kind];
      coverage.kind = segment.kind;
      coverage.bytes += segment.objects.sizeBytes();
      coverage.unreadBytes += m_snapshot.segmentContents()[i].unreadBytes;
    }
    for (const auto& [kind, coverage] : kinds) m_report.coverage.push_back(coverage);
    for (const Generation generation : kGenerations) {
      GenerationCoverage coverage;
      coverage.generation = generation;
      for (const GenerationRow& row : m_snapshot.generations()) {
        if (row.generation != generation) continue;
        coverage.bytes += row.wholeBytes;
        coverage.unreadBytes += row.unreadBytes;
      }
      if (coverage.bytes > 0) m_report.coverageByGeneration.push_back(coverage);
    }
  }

  std::uint64_t bytesOf(Address object) const {
    const SegmentId id = m_contents.heap->index.segmentOf(object);
    if (id.isNone()) return 0;
    const Segment& segment = m_snapshot.segments()[id.value];
    std::uint64_t methodTable = 0;
    std::uint32_t components = 0;
    if (!m_contents.memory->tryRead(object, methodTable)) return 0;
    const TypeIndex::Slot* slot = m_contents.heap->types.find(methodTable & kMethodTableMask);
    if (!slot || !segment.objects.contains(object)) return 0;
    m_contents.memory->tryRead(object + kComponentsOffset, components);
    return alignUp(objectSize(slot->baseSize, slot->componentSize, components), 8);
  }

  Outcome<void> readPinsAndGaps() {
    HEAPSCAPE_TRY(const std::vector<Pin> pins, listPins(m_snapshot, m_stop));
    std::unordered_set<Address> pinned;
    std::map<std::tuple<PinKind, std::string, std::string>, PinGroup> groups;
    std::map<std::tuple<PinKind, std::string, Address>, bool> seen;
    for (const Pin& pin : pins) {
      pinned.insert(pin.object);
      if (!seen.try_emplace({pin.kind, pin.holder, pin.object}).second) continue;
      const ReferredObject referred = referredObject(m_snapshot, pin.object);
      PinGroup& group = groups[{pin.kind, pin.holder, referred.typeName}];
      group.kind = toString(pin.kind);
      group.holder = pin.holder;
      group.typeName = referred.typeName;
      ++group.objects;
      group.bytes += bytesOf(pin.object);
      if (!group.example) group.example = pin.object;
    }
    m_report.pinnedObjects = pinned.size();
    for (auto& [key, group] : groups) m_report.pins.push_back(std::move(group));
    std::ranges::stable_sort(m_report.pins, std::ranges::greater{}, &PinGroup::bytes);
    HEAPSCAPE_TRY(m_report.gaps, findGaps(m_snapshot, pinned, m_stop));
    return {};
  }

  Outcome<void> readFinalizers() {
    HEAPSCAPE_TRY(const FinalizerList list, listFinalizers(m_snapshot, m_stop));
    std::map<std::string, FinalizerBacklog::Type> types;
    FinalizerBacklog& backlog = m_report.finalizers;
    for (const FinalizerRow& row : list.objects) {
      if (row.queue == FinalizerQueueKind::Registered) {
        ++backlog.registered;
        continue;
      }
      FinalizerBacklog::Type& type = types[row.typeName];
      type.typeName = row.typeName;
      ++type.objects;
      ++backlog.ready;
      const std::uint64_t bytes = bytesOf(row.object);
      type.bytes += bytes;
      backlog.readyBytes += bytes;
    }
    for (auto& [name, type] : types) backlog.types.push_back(std::move(type));
    std::ranges::stable_sort(backlog.types, std::ranges::greater{}, &FinalizerBacklog::Type::objects);
    return {};
  }

  // The data of libclrgc.so that no file backs is smaller than this.
  static constexpr std::uint64_t kZeroedBytes = 1 << 20;

  const Snapshot& m_snapshot;
  const Contents& m_contents;
  std::stop_token m_stop;
  GcReport m_report;
};

/// Name of what could not be had (failure_get_memory).
const char* wordsOf(std::int32_t failure) {
  switch (failure) {
    case 1:
      return "address space could not be reserved";
    case 2:
      return "the beginning of a segment could not be committed";
    case 3:
      return "a new ephemeral segment could not be committed";
    case 4:
      return "the GC's own tables could not grow";
    case 5:
      return "the GC's own tables could not be committed";
    default:
      return "";
  }
}

const char* reasonOf(std::int32_t reason) {
  switch (reason) {
    case 1:
    case 3:
      return "an error of the GC itself";
    case 2:
      return "memory could not be committed";
    case 4:
      return "there was no room for large objects";
    case 5:
      return "memory was low during a collection";
    case 6:
      return "full collections won nothing back";
    default:
      return "for a reason that is not known";
  }
}

}  // namespace

double Coverage::percent() const {
  return std::floor(coverageOf(bytes, unreadBytes) * 10'000) / 100;
}

std::vector<std::uint64_t> GcReport::collectionCounts() const {
  std::vector<std::uint64_t> counts;
  for (const GenerationBudget& budget : figures.budgets)
    if (budget.heap == 0 && budget.generation <= 2) counts.push_back(budget.collectionCount);
  return counts;
}

const GenerationBudget* GcReport::budgetOf(std::uint32_t heap, Generation generation) const {
  for (const GenerationBudget& budget : figures.budgets)
    if (budget.heap == heap && budget.generation == static_cast<std::uint32_t>(generation)) return &budget;
  return nullptr;
}

Outcome<GcReport> readGcReport(const Snapshot& snapshot, std::stop_token stop) {
  return ReportReader(snapshot, std::move(stop)).read();
}

std::string describe(const OutOfMemoryRecord& record) {
  std::string text = fmt::format("Heap {}: ", record.heap);
  text += record.allocationBytes ? fmt::format("an allocation of {} failed", sizeText(record.allocationBytes))
                                 : std::string("memory ran out");
  text += fmt::format(" after collection {}: {}", record.gcIndex, reasonOf(record.reason));
  if (record.getMemoryFailure != 0) {
    const std::string what = wordsOf(record.getMemoryFailure);
    if (!what.empty()) text += "; " + what;
    if (record.failedBytes) text += fmt::format(" ({})", sizeText(record.failedBytes));
    // Only such a failure notes which heap it was for.
    text += record.isLarge ? ", for large objects" : ", for small objects";
  }
  return text + ".";
}

}  // namespace heapscape::engine
