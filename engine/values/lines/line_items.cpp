// SPDX-License-Identifier: MIT
#include "values/lines/line_items.h"

#include <algorithm>

#include "heap/object_head.h"
#include "runtime/types/method_tables.h"
#include "values/lines/line_types.h"

namespace heapscape::engine {
namespace {

std::size_t shownOf(std::uint32_t count) {
  return std::min<std::size_t>(count, LineTypes::kItemsOnLine);
}

}  // namespace

std::optional<LineItems> readVectorItems(Bytes array, std::uint32_t stride) {
  LineItems items{.stride = stride};
  if (!tryReadAt(array, kComponentsOffset, items.count)) return std::nullopt;
  items.shown = shownOf(items.count);
  if (!trySlice(array, kElementsOffset, std::uint64_t{stride} * items.shown, items.bytes)) return std::nullopt;
  return items;
}

std::optional<LineItems> readListItems(const WalkedHeap& heap, NearbyMemory& memory, Bytes list,
                                       std::uint32_t itemsOffset, std::uint32_t sizeOffset) {
  Address array, methodTable;
  std::int32_t size = 0;
  std::uint32_t capacity = 0;
  if (!tryReadAt(list, kFieldsStart + itemsOffset, array) || !tryReadAt(list, kFieldsStart + sizeOffset, size))
    return std::nullopt;
  const Bytes head = memory.prefix(array, kElementsOffset);
  if (!tryReadAt(head, 0, methodTable) || !tryReadAt(head, kComponentsOffset, capacity)) return std::nullopt;
  const auto count = static_cast<std::uint32_t>(size);
  const TypeIndex::Slot* type = heap.types.find(methodTable.value & kMethodTableMask);
  if (!type || size < 0 || count > capacity) return std::nullopt;
  LineItems items{.arrayType = {type->type}, .count = count, .stride = type->componentSize, .shown = shownOf(count)};
  const std::uint64_t bytes = std::uint64_t{items.stride} * items.shown;
  items.bytes = memory.prefix(array + kElementsOffset, bytes);
  if (items.bytes.size() < bytes) return std::nullopt;
  return items;
}

}  // namespace heapscape::engine
