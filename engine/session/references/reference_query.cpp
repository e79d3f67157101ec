// SPDX-License-Identifier: MIT
#include "session/references/reference_query.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <atomic>
#include <memory>

#include "base/progress.h"
#include "graph/object_references.h"
#include "graph/retained/reachable_set.h"
#include "session/details/object_details.h"
#include "session/objects/object_query.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kBytesBefore = 8;  // objectBytes() begins so far in front of the object

/// What edges are read with: that of the References stage if there is one, else made for the question.
struct EdgeTables {
  explicit EdgeTables(const Contents& contents) : types(contents.typeReferences), dependents(contents.dependents) {
    if (types && dependents) return;
    FindingList findings;  // opening or a check tells of them
    types = std::make_shared<const TypeReferences>(*contents.readers, *contents.heap);
    dependents = std::make_shared<const DependentEdges>(readDependentEdges(contents.readers->runtime, findings));
  }

  std::shared_ptr<const TypeReferences> types;
  std::shared_ptr<const DependentEdges> dependents;
};

bool leadsToObject(const Contents& contents, const Edge& edge) {
  if (contents.heap->index.idOf(edge.to).isNone()) return false;
  std::uint64_t methodTable = 0;
  if (contents.heap->freeType.isNone() || !contents.memory->tryRead(edge.to, methodTable)) return true;
  const TypeIndex::Slot* slot = contents.heap->types.find(methodTable & kMethodTableMask);
  return !slot || !slot->freeMask;
}

/// Calls visit(Edge) for the edges of one object that lead to objects, until it returns false.
template <class Visit>
bool visitEdges(const Contents& contents, const EdgeTables& tables, const SegmentObjects& objects,
                const ObjectFacts& facts, Visit visit) {
  bool goesOn = true;
  const auto check = [&](const Edge& edge) {
    if (goesOn && leadsToObject(contents, edge)) goesOn = visit(edge);
  };
  ObjectReferences(*contents.memory, objects, *tables.types, tables.dependents.get()).forEach(facts, check);
  return goesOn;
}

std::string nameOf(const Snapshot& snapshot, const Edge& edge) {
  if (edge.kind == EdgeKind::Dependent) return "(dependent handle)";
  if (edge.kind == EdgeKind::Loader) return "(loader allocator)";
  const auto bytes = objectBytes(snapshot, edge.from, kBytesBefore + edge.offset, GcDesc::kReferenceBytes);
  return bytes && !bytes->runs.empty() ? bytes->runs.front().name : fmt::format("+{}", edge.offset);
}

}  // namespace

bool forEachEdge(const Snapshot& snapshot, const std::function<bool(const Edge&)>& visit, std::stop_token stop) {
  const Contents& contents = snapshot.contents();
  if (!contents.heap) return true;
  const EdgeTables tables(contents);
  const TypeId freeType = contents.heap->freeType;
  std::uint64_t steps = 0;
  for (std::uint32_t i = 0; i < contents.segments->size(); ++i) {
    const Segment& segment = (*contents.segments)[i];
    const SegmentObjects objects(*contents.memory, contents.heap->index, contents.heap->types, {i}, segment);
    const bool goesOn = objects.forEach(segment.objects, [&](const ObjectFacts& facts) {
      if (++steps % kStopInterval == 0 && stop.stop_requested()) return false;
      return facts.type == freeType || visitEdges(contents, tables, objects, facts, visit);
    });
    if (!goesOn) return false;
  }
  return true;
}

bool hasDamagedEdge(const Snapshot& snapshot, std::stop_token stop) {
  const Contents& contents = snapshot.contents();
  if (!contents.heap) return false;
  const EdgeTables tables(contents);
  std::atomic<bool> isFound = false;
  tbb::parallel_for(std::size_t{0}, contents.segments->size(), [&](std::size_t i) {
    const Segment& segment = (*contents.segments)[i];
    const SegmentId id{static_cast<std::uint32_t>(i)};
    const SegmentObjects objects(*contents.memory, contents.heap->index, contents.heap->types, id, segment);
    const ObjectReferences references(*contents.memory, objects, *tables.types, tables.dependents.get());
    objects.forEach(segment.objects, [&](const ObjectFacts& facts) {
      if (facts.type == contents.heap->freeType) return true;
      references.forEach(facts, [&](const Edge& edge) {
        if (!leadsToObject(contents, edge)) isFound = true;
      });
      return !isFound && !stop.stop_requested();
    });
  });
  return isFound;
}

Result<std::vector<NamedEdge>> referencesOf(const Snapshot& snapshot, Address object, std::size_t limit) {
  const Contents& contents = snapshot.contents();
  const auto row = objectAt(snapshot, object);
  if (!row) return failure(ErrorCode::NotFound, fmt::format("There is no object at {}.", toString(object)));
  const EdgeTables tables(contents);
  const SegmentObjects objects(*contents.memory, contents.heap->index, contents.heap->types, row->segment,
                               (*contents.segments)[row->segment.value]);
  std::vector<NamedEdge> edges;
  ObjectFacts facts;
  if (limit == 0 || !objects.tryRead(row->address, facts)) return edges;
  visitEdges(contents, tables, objects, facts, [&](const Edge& edge) {
    const auto target = objectAt(snapshot, edge.to);
    edges.push_back({edge, nameOf(snapshot, edge), target ? snapshot.types()[target->type.value].name : std::string()});
    return edges.size() < limit;
  });
  return edges;
}

Outcome<TransitiveSize> transitiveSize(const Snapshot& snapshot, const std::vector<Address>& objects,
                                       std::stop_token stop) {
  const Contents& contents = snapshot.contents();
  if (!contents.heap) return TransitiveSize{};
  const EdgeTables tables(contents);
  const ReferenceSources sources{*contents.memory, *contents.segments, *contents.heap, *tables.types,
                                 *tables.dependents};
  const auto totals = countReachable(sources, objects, std::move(stop));
  if (!totals) return tl::unexpected(Unfinished::cancelled());
  return TransitiveSize{totals->objects, totals->bytes};
}

}  // namespace heapscape::engine
