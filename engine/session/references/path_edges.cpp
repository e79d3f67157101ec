// SPDX-License-Identifier: MIT
#include "session/references/path_edges.h"

#include <algorithm>
#include <cstring>
#include <tuple>

#include "session/snapshot/contents.h"

namespace heapscape::engine {

bool HeapReader::tryRead(Address address, Address& value) {
  if (address >= m_start && tryReadAt(m_bytes, address - m_start, value)) return true;
  if (const SegmentId segment = m_contents.heap->index.segmentOf(address); !segment.isNone()) {
    const AddressRange& range = (*m_contents.segments)[segment.value].objects;
    m_bytes = m_contents.memory->prefix(range.start, range.sizeBytes());
    m_start = range.start;
  }
  return m_contents.memory->tryRead(address, value);
}

const TypeIndex::Slot* HeapReader::typeAt(Address object) {
  if (const RecordedObjects* recorded = m_contents.heap->index.recorded()) {
    const ObjectId id = m_contents.heap->index.idOf(object);
    const TypeIndex& types = m_contents.heap->types;
    return id.isNone() ? nullptr : types.find(types.methodTable({recorded->types[id.value]}).value);
  }
  Address word;
  return tryRead(object, word) ? m_contents.heap->types.find(word.value & kMethodTableMask) : nullptr;
}

std::vector<EdgeRun> PathEdges::read(std::span<const std::uint32_t> path) {
  const ObjectIndex& index = m_contents.heap->index;
  std::vector<EdgeRun> runs;
  if (path.empty()) return runs;
  Address holder = index.addressOf({path.front()});
  for (std::uint32_t i = 0; i + 1 < path.size(); ++i) {
    const ObjectId target{path[i + 1]};
    Address next;
    if (!runs.empty() && runs.back().kind == EdgeKind::Field && leadsOn(runs.back(), holder, target, next)) {
      ++runs.back().length;
    } else {
      next = index.addressOf(target);
      const std::vector<Edge> edges = between(holder, next);
      const TypeIndex::Slot* type = m_reader.typeAt(holder);
      EdgeRun run{.first = i, .holder = holder, .methodTable = type ? Address{type->methodTable} : Address{}};
      if (!edges.empty()) {
        run.kind = edges.front().kind;
        run.offset = edges.front().offset;
      }
      runs.push_back(run);
    }
    holder = next;
  }
  return runs;
}

// Following the field of the step before is much quicker than trying all fields; a path may have a million steps.
bool PathEdges::leadsOn(const EdgeRun& run, Address holder, ObjectId target, Address& next) {
  const TypeIndex::Slot* type = m_reader.typeAt(holder);
  if (!type || type->methodTable != run.methodTable.value) return false;
  return m_reader.tryRead(holder + run.offset, next) && m_contents.heap->index.idOf(next) == target;
}

std::vector<Edge> PathEdges::between(Address from, Address to) {
  std::vector<Edge> edges;
  if (m_contents.recorded) return {{from, to, EdgeKind::Recorded, 0}};
  const TypeIndex::Slot* type = m_reader.typeAt(from);
  if (!type) return edges;
  const TypeReferences& references = *m_contents.typeReferences;
  const TypeId id{type->type};
  Address lengths;  // the number of components is its lower half
  if (type->componentSize && !m_reader.tryRead(from + kComponentsOffset, lengths)) return edges;
  const std::uint64_t size = objectSize(type->baseSize, type->componentSize, static_cast<std::uint32_t>(lengths.value));
  const EdgeKind kind = references.isArray(id) ? EdgeKind::Element : EdgeKind::Field;
  const std::uint64_t alignedBytes = alignUp(size, 8);
  const auto visitPlaces = [&](auto tryRead) {
    references.placesOf(id).forEachPlace(alignedBytes, [&](std::uint64_t offset) {
      Address target;
      if (tryRead(offset, target) && target == to) [[unlikely]]
        edges.push_back({from, to, kind, offset});
    });
  };
  // Arrays may have millions of elements.
  const Bytes bytes = m_contents.memory->prefix(from, alignedBytes);
  if (bytes.size() == alignedBytes) {
    visitPlaces([start = bytes.data()](std::uint64_t offset, Address& target) {
      std::memcpy(&target, start + offset, sizeof target);
      return true;
    });
  } else {
    visitPlaces([&](std::uint64_t offset, Address& target) { return m_reader.tryRead(from + offset, target); });
  }
  if (references.loaderAllocator(id) == to) edges.push_back({from, to, EdgeKind::Loader, 0});
  const auto [first, last] = m_contents.dependents->equal_range(from);
  for (auto secondary = first; secondary != last; ++secondary) {
    if (secondary->second == to) edges.push_back({from, to, EdgeKind::Dependent, 0});
  }
  return edges;
}

namespace {

// Share of the making of a path index.
constexpr double kReverseEnd = 0.5;

tl::unexpected<Unfinished> notYet() {
  return tl::unexpected(Unfinished(Error{ErrorCode::BadQuery, "Who holds an object is not known yet.",
                                         "It is known once retained sizes have been computed."}));
}

/// How much a kind of root says of why it is there; the least says most.
int rankOf(RootKind kind) {
  if (kind == RootKind::Static) return 0;
  if (kind == RootKind::ThreadStatic) return 1;
  return kind == RootKind::Stack ? 3 : 2;
}

Outcome<PathIndex> makePathIndex(const Contents& contents, ProgressSink* progress, std::stop_token stop) {
  StageProgress measuring(progress, "measuring the distance from the roots", kReverseEnd, 1);
  PathIndex index{{}, rootsByObject(contents)};
  std::vector<std::uint32_t> objects;
  objects.reserve(index.roots.size());
  for (const PathIndex::RootOfObject& root : index.roots) objects.push_back(root.object);
  auto distances = RootDistances::measure(contents.graph->edges(), objects, contents.retention->tree.reachedObjects(),
                                          measuring, std::move(stop));
  if (!distances) return tl::unexpected(Unfinished::cancelled());
  index.distances = std::move(*distances);
  return index;
}

}  // namespace

std::vector<PathIndex::RootOfObject> rootsByObject(const Contents& contents) {
  const std::vector<RootRow>& rows = contents.retention->roots.roots;
  std::vector<PathIndex::RootOfObject> roots;
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    if (const ObjectId id = contents.heap->index.idOf(rows[i].object); !id.isNone()) roots.push_back({id.value, i});
  }
  const auto orderOf = [&](const PathIndex::RootOfObject& root) {
    return std::tuple(root.object, rankOf(rows[root.root].kind), root.root);
  };
  std::ranges::sort(roots, {}, orderOf);
  return roots;
}

std::uint32_t PathIndex::rootOf(std::uint32_t object) const {
  return std::ranges::lower_bound(roots, object, {}, &RootOfObject::object)->root;
}

Outcome<std::shared_ptr<const ReverseReferences>> reverseReferencesOf(const Snapshot& snapshot, ProgressSink* progress,
                                                                      std::stop_token stop) {
  const Contents& contents = snapshot.contents();
  if (!snapshot.has(Stage::Retained)) return notYet();
  return contents.reverse->get([&]() -> Outcome<ReverseReferences> {
    StageProgress turning(progress, "turning references around", 0, kReverseEnd);
    auto reverse = ReverseReferences::build(contents.graph->edges(), turning, stop);
    if (!reverse) return tl::unexpected(Unfinished::cancelled());
    return std::move(*reverse);
  });
}

Outcome<std::shared_ptr<const PathIndex>> pathIndexOf(const Snapshot& snapshot, ProgressSink* progress,
                                                      std::stop_token stop) {
  if (!snapshot.has(Stage::Retained)) return notYet();
  const Contents& contents = snapshot.contents();
  return contents.retention->paths->get([&] { return makePathIndex(contents, progress, stop); });
}

}  // namespace heapscape::engine
