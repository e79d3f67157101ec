// SPDX-License-Identifier: MIT
#include "graph/type_references.h"

#include "runtime/modules/loader_allocators.h"

namespace heapscape::engine {

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
}

}  // namespace heapscape::engine
