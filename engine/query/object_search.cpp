// SPDX-License-Identifier: MIT
#include "query/object_search.h"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <mutex>

#include "graph/heap_chunk.h"
#include "query/object_fields.h"
#include "query/object_order.h"
#include "query/object_plan.h"
#include "query/object_values.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kChunkBytes = 1 << 20;
constexpr std::uint64_t kStopInterval = 4096;
constexpr double kFindingShare = 0.9;  // of the progress; the rest is sorting

/// What one chunk of the heap has to tell.
struct ChunkMatches {
  std::vector<std::uint32_t> ids;
  std::uint64_t bytes = 0;
  std::uint64_t unreadable = 0;
};

/// One search, on all cores.
class Search {
 public:
  Search(const ObjectSearch& search, const ObjectFields& fields, const ValueReader& values, const ObjectPlan& plan)
      : m_search(search),
        m_fields(fields),
        m_plan(plan),
        m_readers([&] { return ObjectValues(fields, values); }),
        m_chunks(makeChunks(fields.contents().heap->index, *fields.contents().segments, kChunkBytes)) {
    if (!search.methodTable) return;
    const TypeIndex::Slot* slot = fields.contents().heap->types.find(search.methodTable.value);
    m_type = slot ? TypeId{slot->type} : TypeId{};
  }

  std::optional<FoundObjects> run(StageProgress& progress, const std::stop_token& stop) {
    std::vector<ChunkMatches> parts(m_chunks.size());
    if (m_search.methodTable && m_type.isNone()) parts.clear();
    std::atomic<std::size_t> done = 0;
    tbb::parallel_for(std::size_t{0}, parts.size(), [&](std::size_t i) {
      if (stop.stop_requested()) return;
      readChunk(m_chunks[i], parts[i], stop);
      // Progress is told by one thread at a time.
      const std::size_t finished = ++done;
      if (finished % kChunksPerReport == 0) {
        const std::lock_guard lock(m_progress);
        progress.report(kFindingShare * static_cast<double>(finished) / static_cast<double>(parts.size()));
      }
    });
    if (stop.stop_requested()) return std::nullopt;
    return join(parts);
  }

 private:
  static constexpr std::size_t kChunksPerReport = 16;

  void readChunk(const HeapChunk& chunk, ChunkMatches& found, const std::stop_token& stop) {
    const Segment& segment = (*m_fields.contents().segments)[chunk.segment.value];
    const HeapScope& scope = m_search.scope;
    if (scope.heap && *scope.heap != segment.heap) return;
    ObjectValues& values = m_readers.local();
    ObjectView view;
    view.segment = chunk.segment;
    std::uint64_t steps = 0;
    for (const GenerationRange& part : segment.generations) {
      const AddressRange range{std::max(part.range.start, chunk.range.start),
                               std::min(part.range.end, chunk.range.end)};
      if (range.isEmpty() || (scope.generation && *scope.generation != part.generation)) continue;
      view.generation = part.generation;
      m_fields.segments()[chunk.segment.value].forEach(range, [&](const ObjectFacts& facts) {
        if (++steps % kStopInterval == 0 && stop.stop_requested()) return false;
        if (m_plan.isExcluded(facts.type) || (!m_type.isNone() && facts.type != m_type)) return true;
        if (facts.sizeBytes < scope.minimumBytes || facts.sizeBytes > scope.maximumBytes) return true;
        view.facts = facts;
        view.id = m_fields.contents().heap->index.idOf(facts.address).value;
        if (!m_plan.accepts(view, values, found.unreadable)) return true;
        found.ids.push_back(view.id);
        found.bytes += facts.alignedBytes();
        return true;
      });
    }
  }

  static FoundObjects join(std::vector<ChunkMatches>& parts) {
    FoundObjects all;
    for (const ChunkMatches& part : parts) all.objects += part.ids.size();
    all.ids.reserve(all.objects);
    for (ChunkMatches& part : parts) {
      all.ids.insert(all.ids.end(), part.ids.begin(), part.ids.end());
      part.ids = {};
      all.bytes += part.bytes;
      all.unreadable += part.unreadable;
    }
    return all;
  }

  const ObjectSearch& m_search;
  const ObjectFields& m_fields;
  const ObjectPlan& m_plan;
  tbb::enumerable_thread_specific<ObjectValues> m_readers;
  const std::vector<HeapChunk> m_chunks;
  TypeId m_type;
  std::mutex m_progress;
};

std::vector<QueryFieldReference> allFields(const ObjectSearch& search) {
  std::vector<QueryFieldReference> fields = fieldsOf(search.query);
  fields.insert(fields.end(), search.columns.begin(), search.columns.end());
  if (search.sortBy) fields.push_back(*search.sortBy);
  return fields;
}

FoundObject describe(const ObjectFields& fields, const ObjectView& view, const ObjectSearch& search,
                     ObjectValues& values) {
  FoundObject found;
  found.row = {{view.id},       view.facts.address, view.facts.sizeBytes, view.facts.alignedBytes(),
               view.facts.type, view.segment,       view.generation};
  if (fields.snapshot().has(Stage::Retained)) found.retainedBytes = retainedBytesOf(fields.snapshot(), {view.id});
  for (const QueryFieldReference& column : search.columns) found.columns.push_back(values.value(column, view));
  return found;
}

}  // namespace

Outcome<FoundObjects> findObjects(const Snapshot& snapshot, const ObjectSearch& search, ProgressSink* progress,
                                  std::stop_token stop) {
  HEAPSCAPE_TRY(const ObjectFields fields, ObjectFields::make(snapshot, allFields(search), nullptr, stop));
  const ValueReader values({*snapshot.contents().readers, snapshot.contents().heap.get()});
  const ObjectPlan plan(search.query, fields, values);
  StageProgress finding(progress, "searching the objects", 0, 1);
  auto found = Search(search, fields, values, plan).run(finding, stop);
  if (!found) return tl::unexpected(Unfinished::cancelled());
  found->unknownFields = plan.unknownFields();
  HEAPSCAPE_TRY(const std::vector<std::uint32_t> order, firstInOrder(fields, values, found->ids, search, stop));
  ObjectValues reader(fields, values);
  for (const std::uint32_t id : order) {
    if (found->rows.size() % kStopInterval == 0 && stop.stop_requested())
      return tl::unexpected(Unfinished::cancelled());
    if (const auto view = fields.viewOf(id)) found->rows.push_back(describe(fields, *view, search, reader));
  }
  finding.report(1);
  return std::move(*found);
}

Outcome<RetainedSet> retainedWith(const Snapshot& snapshot, const std::vector<std::uint32_t>& ids,
                                  ProgressSink* progress, std::stop_token stop) {
  ObjectSet set;
  set.objects.reserve(ids.size());
  for (const std::uint32_t id : ids) set.objects.push_back(snapshot.contents().heap->index.addressOf({id}));
  return retainedOfSet(snapshot, set, progress, std::move(stop));
}

}  // namespace heapscape::engine
