// SPDX-License-Identifier: MIT
#include "heap/object_walk.h"

#include <algorithm>
#include <deque>
#include <map>
#include <thread>

#include "heap/object_chain.h"
#include "heap/walk_worker.h"

namespace heapscape::engine {
namespace {

std::vector<WalkUnit> makeUnits(const AddressSpace& memory, const std::vector<Segment>& segments,
                                const std::vector<AllocationGap>& gaps, ObjectIndex& index) {
  std::vector<WalkUnit> units;
  for (std::uint32_t i = 0; i < segments.size(); ++i) {
    for (const GenerationRange& part : segments[i].generations) {
      if (part.range.isEmpty()) continue;
      WalkUnit& unit = units.emplace_back();
      unit.segment = {i};
      unit.heap = segments[i].heap;
      unit.generation = part.generation;
      unit.segmentStart = segments[i].objects.start;
      unit.range = part.range;
      unit.words = index.wordsOf({i});
      const auto isBefore = [](const AllocationGap& gap, Address address) { return gap.start < address; };
      const auto first = std::lower_bound(gaps.begin(), gaps.end(), part.range.start, isBefore);
      const auto last = std::lower_bound(first, gaps.end(), part.range.end, isBefore);
      unit.gaps = {first, last};
      if (auto view = memory.view(part.range)) unit.view = std::move(*view);
    }
  }
  // The largest first, so that the cores end together.
  std::stable_sort(units.begin(), units.end(),
                   [](const WalkUnit& a, const WalkUnit& b) { return a.range.sizeBytes() > b.range.sizeBytes(); });
  return units;
}

// One object that is too large for its generation and fits by chance. With more, the size of large objects was raised.
void reopenLoneOversized(const AddressSpace& memory, std::vector<WalkUnit>& units, std::deque<WalkWorker>& workers) {
  WalkUnit* lone = nullptr;
  for (WalkUnit& unit : units) {
    if (unit.oversizedCount == 0) continue;
    if (lone || unit.oversizedCount > 1) return;
    lone = &unit;
  }
  if (!lone) return;
  const ObjectChain chain(memory, workers.front().types());
  ObjectCandidate object;
  if (!chain.tryObject(*lone, lone->oversized, object)) return;
  const Address inside = findSwallowedToEnd(chain, *lone, lone->oversized, object.alignedBytes);
  if (!inside) return;
  for (WalkWorker& worker : workers) {
    if (worker.tryReopen(*lone, lone->oversized, inside)) return;
  }
}

// One array that objects seem to lie under and that fits by chance. If there are more, it is old bytes in new arrays.
void reopenLoneDoubtful(const AddressSpace& memory, std::vector<WalkUnit>& units, std::deque<WalkWorker>& workers) {
  WalkUnit* lone = nullptr;
  for (WalkUnit& unit : units) {
    if (unit.doubtfulCount == 0) continue;
    if (lone || unit.doubtfulCount > 1) return;
    lone = &unit;
  }
  if (!lone) return;
  lone->doubtfulBytes = 0;
  const bool isTakenBack = lone->lastObjectBefore(lone->doubtful + 8) != lone->doubtful;
  const ObjectChain chain(memory, workers.front().types());
  ObjectCandidate array;
  if (isTakenBack || !chain.tryObject(*lone, lone->doubtful, array)) return;
  const Address inside = findDoubtfulLength(chain, *lone, lone->doubtful, array);
  for (WalkWorker& worker : workers) {
    if (inside && worker.tryReopen(*lone, lone->doubtful, inside)) return;
  }
}

// Gives types their final numbers, in the order of their addresses, and adds up what the workers counted.
void mergeTypes(std::deque<WalkWorker>& workers, WalkedHeap& heap) {
  std::map<Address, ObjectShape> shapes;
  for (WalkWorker& worker : workers) {
    const TypeIndex& index = worker.types().index();
    for (std::uint32_t type = 0; type < index.size(); ++type) {
      std::uint64_t count = 0;
      for (const Generation generation : kGenerations) count += worker.types().cell(type, generation).count;
      if (count > 0) shapes.emplace(index.methodTable({type}), index.shape({type}));
    }
  }
  for (const auto& [methodTable, shape] : shapes) {
    const TypeId id = heap.types.insert(methodTable, shape);
    if (shape.isFree) heap.freeType = id;
  }
  TypeCounts& counts = heap.counts = TypeCounts(shapes.size());
  for (WalkWorker& worker : workers) {
    const TypeIndex& index = worker.types().index();
    for (std::uint32_t type = 0; type < index.size(); ++type) {
      const TypeIndex::Slot* slot = heap.types.find(index.methodTable({type}).value);
      if (!slot) continue;
      for (std::size_t generation = 0; generation < kGenerationCount; ++generation) {
        const TypeCell& cell = worker.types().cell(type, kGenerations[generation]);
        counts.count[slot->type] += cell.count;
        counts.bytes[slot->type] += cell.bytes;
        if (slot->componentSize) counts.components[slot->type] += cell.components;
        counts.generationBytes[slot->type][generation] += cell.bytes;
        counts.generationCount[slot->type][generation] += cell.count;
      }
    }
  }
}

void sumUnits(const std::vector<WalkUnit>& units, const std::vector<Segment>& segments, WalkedHeap& heap) {
  heap.segments.resize(segments.size());
  std::map<std::pair<std::uint32_t, Generation>, GenerationRow> generations;
  for (const Segment& segment : segments) {
    for (const GenerationRange& part : segment.generations) generations[{segment.heap, part.generation}];
  }
  for (const WalkUnit& unit : units) {
    heap.segments[unit.segment.value].totals += unit.totals;
    heap.segments[unit.segment.value].unreadBytes += unit.unreadBytes;
    heap.segments[unit.segment.value].doubtfulBytes += unit.doubtfulBytes;
    GenerationRow& row = generations[{unit.heap, unit.generation}];
    row.totals += unit.totals;
    row.wholeBytes += unit.range.sizeBytes();
    row.unreadBytes += unit.unreadBytes;
  }
  for (auto& [key, row] : generations) {
    row.heap = key.first;
    row.generation = key.second;
    heap.generations.push_back(row);
  }
}

}  // namespace

Outcome<WalkedHeap> walkHeap(const MethodTables& methodTables, const std::vector<Segment>& segments,
                             const std::vector<AllocationGap>& gaps, HeapPages pages, StageProgress& progress,
                             std::stop_token stop) {
  const ClrRuntime& runtime = methodTables.runtime();
  HEAPSCAPE_TRY(const Address freeMethodTable, runtime.globalPointer("FreeObjectMethodTable"));
  WalkedHeap heap{ObjectIndex(segments), {}, {}, {}, {}, {}, {}};
  std::vector<WalkUnit> units = makeUnits(runtime.memory(), segments, gaps, heap.index);
  WalkQueue queue{.units = units, .isOnDisk = pages == HeapPages::OnDisk};
  for (const WalkUnit& unit : units) queue.totalBytes += unit.range.sizeBytes();

  std::deque<WalkWorker> workers;
  const std::size_t cores =
      std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, std::max<std::size_t>(units.size(), 1));
  for (std::size_t i = 0; i < cores; ++i) workers.emplace_back(methodTables, freeMethodTable, queue);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < cores; ++i)
      threads.emplace_back([&worker = workers[i], stop] { worker.run(nullptr, stop); });
    workers[0].run(&progress, stop);
  }
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());

  reopenLoneOversized(runtime.memory(), units, workers);
  reopenLoneDoubtful(runtime.memory(), units, workers);
  sumUnits(units, segments, heap);
  std::uint64_t objects = 0;
  for (const GenerationRow& row : heap.generations) objects += row.totals.objects;
  HEAPSCAPE_CHECK(checkObjectLimit(objects));
  heap.index.finish();
  mergeTypes(workers, heap);
  for (const WalkWorker& worker : workers) heap.findings.append(worker.findings());
  return heap;
}

}  // namespace heapscape::engine
