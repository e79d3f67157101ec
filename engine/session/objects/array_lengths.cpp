// SPDX-License-Identifier: MIT
#include "session/objects/array_lengths.h"

#include <algorithm>

#include "layout/object_size.h"
#include "session/objects/scope_walk.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {

ArrayLengths& ArrayLengths::operator+=(const ArrayLengths& other) {
  for (std::size_t i = 0; i < m_arrays.size(); ++i) m_arrays[i] += other.m_arrays[i];
  m_elements += other.m_elements;
  return *this;
}

std::uint64_t ArrayLengths::alignedBytes(std::uint64_t baseSize, std::uint64_t elementBytes) const {
  std::uint64_t bytes = m_elements * elementBytes;
  for (std::size_t remainder = 0; remainder < m_arrays.size(); ++remainder) {
    const std::uint64_t end = baseSize + remainder * elementBytes;
    bytes += m_arrays[remainder] * (baseSize + alignUp(end, 8) - end);
  }
  return bytes;
}

Outcome<std::vector<ArrayLengths>> readArrayLengths(const Contents& contents, const std::vector<TypeId>& arrayTypes,
                                                    std::stop_token stop) {
  std::vector<ArrayLengths> all(arrayTypes.size());
  if (all.empty()) return all;
  constexpr std::uint32_t kNotAsked = UINT32_MAX;
  std::vector<std::uint32_t> placeOfType(contents.heap->types.size(), kNotAsked);
  for (std::uint32_t i = 0; i < arrayTypes.size(); ++i) placeOfType[arrayTypes[i].value] = i;

  tbb::enumerable_thread_specific<std::vector<ArrayLengths>> locals(all);
  const auto add = [&](std::vector<ArrayLengths>& local, const ObjectFacts& facts) {
    if (const std::uint32_t place = placeOfType[facts.type.value]; place != kNotAsked)
      local[place].add(facts.components);
  };
  // Where the types of all objects are known, only arrays that are asked for are read.
  const std::shared_ptr<const ObjectTypes> types = contents.graph ? contents.typesOfObjects() : nullptr;
  const auto isAsked = [&](std::uint32_t type) { return type < placeOfType.size() && placeOfType[type] != kNotAsked; };
  const bool isRead =
      types ? visitTyped(contents, *types, isAsked, locals, add, stop)
            : visitScope(
                  contents, {}, locals,
                  [&](std::vector<ArrayLengths>& local, const ObjectFacts& facts, Generation) { add(local, facts); },
                  stop);
  if (!isRead) return tl::unexpected(Unfinished::cancelled());
  for (const std::vector<ArrayLengths>& local : locals) {
    for (std::size_t i = 0; i < all.size(); ++i) all[i] += local[i];
  }
  return all;
}

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
