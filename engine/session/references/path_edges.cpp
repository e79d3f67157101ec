// SPDX-License-Identifier: MIT
#include "session/references/path_edges.h"

#include <cstring>

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

}  // namespace heapscape::engine
