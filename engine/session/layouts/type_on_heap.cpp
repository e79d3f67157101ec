// SPDX-License-Identifier: MIT
#include "session/layouts/type_on_heap.h"

#include <algorithm>

#include "layout/object_size.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {

std::uint64_t TypeOnHeap::bytesBy(const TypeLayout& layout) const {
  if (arrays) return arrays->alignedBytes(layout.baseSize, layout.componentSize);
  return objects * std::max<std::uint64_t>(kSmallestObjectBytes, alignUp(layout.baseSize, 8));
}

Outcome<TypeOnHeap> typeOnHeap(const Snapshot& snapshot, const TypeLayout& layout, Address methodTable,
                               std::stop_token stop) {
  TypeOnHeap found;
  const TypeIndex::Slot* slot = snapshot.contents().heap->types.find(methodTable.value);
  if (slot) found.objects = snapshot.typeCounts().count[slot->type];
  if (!slot || layout.elementLayout.empty()) return found;
  HEAPSCAPE_TRY(const std::vector<ArrayLengths> lengths,
                readArrayLengths(snapshot.contents(), {TypeId{slot->type}}, stop));
  found.arrays = lengths.front();
  return found;
}

}  // namespace heapscape::engine
