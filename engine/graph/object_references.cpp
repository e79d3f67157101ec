// SPDX-License-Identifier: MIT
#include "graph/object_references.h"

#include "runtime/gc/handles.h"
#include "runtime/modules/loader_allocators.h"

namespace heapscape::engine {

DependentEdges readDependentEdges(const ClrRuntime& runtime, FindingList& findings) {
  DependentEdges edges;
  for (const GcHandle& handle : readHandles(runtime, false, findings)) {
    if (handle.kind == HandleKind::Dependent && handle.object && handle.dependent)
      edges.emplace(handle.object, handle.dependent);
  }
  return edges;
}

TypeReferences::TypeReferences(const RuntimeReaders& readers, const WalkedHeap& heap)
    : m_places(heap.types.size()),
      m_loaderAllocators(heap.types.size()),
      m_isArray(heap.types.size()),
      m_hasNone(heap.types.size()) {
  for (std::uint32_t i = 0; i < heap.types.size(); ++i) {
    if (heap.types.shape({i}).isFree) continue;
    const auto type = readers.methodTables.read(heap.types.methodTable({i}));
    if (!type) continue;
    m_isArray[i] = type->isArray;
    auto places = readGcDesc(readers.runtime, *type);
    if (places) {
      m_places[i] = std::move(*places);
    } else {
      m_findings.add(
          FindingKind::RuntimeDataDamaged, type->address,
          "The references of " + readers.names.nameOf(type->address) + " are unknown: " + places.error().what);
    }
    if (!type->isCollectible) continue;
    if (const auto object = loaderAllocatorObject(readers.methodTables, *type)) m_loaderAllocators[i] = *object;
  }
  for (std::size_t i = 0; i < m_hasNone.size(); ++i) m_hasNone[i] = m_places[i].isEmpty() && !m_loaderAllocators[i];
  m_fixed.reserve(heap.types.size());
  for (std::uint32_t i = 0; i < heap.types.size(); ++i) m_fixed.push_back(fix({i}, heap.types.shape({i})));
}

TypeReferences::TypeReferences(std::vector<bool> isArray, const RecordedReferences& references)
    : m_places(isArray.size()),
      m_loaderAllocators(isArray.size()),
      m_isArray(std::move(isArray)),
      m_hasNone(m_places.size()),
      m_recorded(references) {}

TypeReferences::FixedPlaces TypeReferences::fix(TypeId type, const ObjectShape& shape) {
  FixedPlaces fixed{static_cast<std::uint32_t>(m_fixedOffsets.size()), 0};
  if (hasNone(type)) return fixed;
  if (shape.componentSize || loaderAllocator(type)) return {0, FixedPlaces::kVarying};
  placesOf(type).forEachPlace(alignUp(objectSize(shape.baseSize, 0, 0), 8), [&](std::uint64_t offset) {
    m_fixedOffsets.push_back(static_cast<std::uint32_t>(offset));
    ++fixed.count;
  });
  return fixed;
}

}  // namespace heapscape::engine
