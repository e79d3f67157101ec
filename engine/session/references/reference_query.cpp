// SPDX-License-Identifier: MIT
#include "session/references/reference_query.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <memory>

#include "base/progress.h"
#include "graph/object_references.h"
#include "graph/retained/reachable_set.h"
#include "session/details/object_details.h"
#include "session/objects/object_query.h"
#include "session/references/edge_names.h"
#include "session/references/path_edges.h"
#include "session/references/paths_query.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kBytesBefore = 8;  // objectBytes() begins so far in front of the object

/// Tables to read edges with: those of the References stage if there is one, else made for the question.
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
  if (edge.kind == EdgeKind::Recorded) return {};
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

Outcome<void> forEachReachable(const Snapshot& snapshot, const std::vector<Address>& objects,
                               const std::function<bool(const ObjectRow&)>& visit, std::stop_token stop) {
  const Contents& contents = snapshot.contents();
  if (!contents.heap) return {};
  const EdgeTables tables(contents);
  std::vector<bool> isSeen(contents.heap->index.objectCount());
  std::deque<ObjectRow> waiting;
  const auto add = [&](Address address) {
    const auto row = objectAt(snapshot, address);
    if (!row || row->address != address || isSeen[row->id.value] || snapshot.types()[row->type.value].isFree) return;
    isSeen[row->id.value] = true;
    waiting.push_back(*row);
  };
  for (const Address object : objects) {
    add(object);
    while (!waiting.empty()) {
      if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      const ObjectRow row = waiting.front();
      waiting.pop_front();
      if (!visit(row)) return {};
      const SegmentObjects segment(*contents.memory, contents.heap->index, contents.heap->types, row.segment,
                                   (*contents.segments)[row.segment.value]);
      ObjectFacts facts;
      if (!segment.tryRead(row.address, facts)) continue;
      visitEdges(contents, tables, segment, facts, [&](const Edge& edge) {
        add(edge.to);
        return true;
      });
    }
  }
  return {};
}

namespace {

/// The references to one object in order of their sources.
class ReferrerReader {
 public:
  ReferrerReader(const Contents& contents, const ReverseReferences& reverse, ObjectId object)
      : m_contents(contents),
        m_object(contents.heap->index.addressOf(object)),
        m_edges(contents),
        m_reader(contents),
        m_names(contents),
        m_sources(reverse.of(object.value)) {
    // The runtime's arrays of statics have an edge to themselves in place of each that a root stands for.
    const auto [first, last] = std::equal_range(m_sources.begin(), m_sources.end(), object.value);
    m_ownFirst = static_cast<std::size_t>(first - m_sources.begin());
    m_ownEdges = m_edges.between(m_object, m_object).size();
    const auto listed = static_cast<std::size_t>(last - first);
    m_noEdges = listed - std::min(listed, m_ownEdges);
  }

  std::uint64_t total() const { return m_sources.size() - m_noEdges; }

  std::vector<Referrer> read(std::uint64_t skip, std::size_t limit, const std::stop_token& stop) {
    std::vector<Referrer> referrers;
    std::uint64_t position = skip;
    while (position < total() && referrers.size() < limit && !stop.stop_requested()) {
      const std::uint32_t source = sourceAt(position);
      const std::uint64_t first = firstOf(source);
      const std::vector<Edge> edges = m_edges.between(m_contents.heap->index.addressOf({source}), m_object);
      const std::uint64_t before = position;
      // An array of statics may refer to the object by a slot that a root stands for, too.
      const std::uint64_t count = std::min<std::uint64_t>(edges.size(), entriesOf(source));
      for (std::uint64_t i = position - first; i < count && referrers.size() < limit; ++i, ++position)
        referrers.push_back(describe(edges[i], source));
      if (position == before) break;  // memory says otherwise than the graph: the file was changed
    }
    return referrers;
  }

 private:
  // Positions among the edges, as total() counts them.
  std::uint32_t sourceAt(std::uint64_t position) const {
    return m_sources[position < m_ownFirst + m_ownEdges ? position : position + m_noEdges];
  }
  std::uint64_t entriesOf(std::uint32_t source) const {
    const auto [first, last] = std::equal_range(m_sources.begin(), m_sources.end(), source);
    return static_cast<std::uint64_t>(last - first);
  }
  std::uint64_t firstOf(std::uint32_t source) const {
    const auto first =
        static_cast<std::uint64_t>(std::lower_bound(m_sources.begin(), m_sources.end(), source) - m_sources.begin());
    return first > m_ownFirst ? first - m_noEdges : first;
  }

  Referrer describe(const Edge& edge, std::uint32_t source) {
    const TypeIndex::Slot* type = m_reader.typeAt(edge.from);
    return {.object = edge.from,
            .type = type ? TypeId{type->type} : TypeId{},
            .kind = edge.kind,
            .offset = edge.offset,
            .via = m_names.nameOf(edge, type ? Address{type->methodTable} : Address{}),
            .isReachable = m_contents.retention->tree.numberOf(source) != 0};
  }

  const Contents& m_contents;
  Address m_object;
  PathEdges m_edges;
  HeapReader m_reader;
  EdgeNames m_names;
  std::span<const std::uint32_t> m_sources;
  std::size_t m_ownFirst = 0;  // where the object itself stands among the sources
  std::size_t m_ownEdges = 0;  // that lead from it to itself
  std::size_t m_noEdges = 0;   // entries of the object itself that stand for a root
};

}  // namespace

Outcome<ReferrerPage> referrersOf(const Snapshot& snapshot, Address object, std::uint64_t skip, std::size_t limit,
                                  ProgressSink* progress, std::stop_token stop) {
  const Contents& contents = snapshot.contents();
  const ObjectId id = contents.heap ? contents.heap->index.idOf(object) : ObjectId{};
  if (id.isNone()) return failure(ErrorCode::NotFound, fmt::format("There is no object at {}.", toString(object)));
  HEAPSCAPE_TRY(const auto reverse, reverseReferencesOf(snapshot, progress, stop));
  ReferrerReader reader(contents, *reverse, id);
  ReferrerPage page{reader.total(), reader.read(skip, limit, stop)};
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  return page;
}

Outcome<std::vector<OutermostType>> outermostTypes(const Snapshot& snapshot, std::stop_token stop) {
  std::vector<OutermostType> types;
  if (!snapshot.has(Stage::Retained)) return types;
  const Contents& contents = snapshot.contents();
  const DominatorTree& tree = contents.retention->tree;
  const RetainedSizes& sizes = contents.retention->sizes;
  types.resize(snapshot.types().size());
  std::uint32_t steps = 0;
  for (std::uint32_t number = 1; number <= tree.reachedCount();) {
    if (++steps % kStopInterval == 0 && stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    const std::uint32_t vertex = tree.vertexOf(number);
    if (!tree.isObject(vertex)) {
      ++number;
      continue;
    }
    if (const TypeId type = typeOfObject(contents, vertex); !type.isNone()) {
      ++types[type.value].objects;
      types[type.value].retainedBytes += sizes.bytes[number];
    }
    // All that it retains has the numbers behind its own.
    number += std::max<std::uint32_t>(1, sizes.objects[number]);
  }
  for (std::uint32_t type = 0; type < types.size(); ++type) types[type].type = TypeId{type};
  std::erase_if(types, [](const OutermostType& type) { return type.objects == 0; });
  std::ranges::stable_sort(types, std::ranges::greater{}, &OutermostType::retainedBytes);
  return types;
}

}  // namespace heapscape::engine
