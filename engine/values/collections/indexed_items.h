// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "values/collections/collection.h"
#include "values/managed_array.h"

namespace heapscape::engine {

/// Items at equal distances in memory, as in arrays; maybe from the end, maybe going on at the front.
struct IndexedStorage {
  Address keys = {}, values = {};  // of slot 0; `keys` only if there are keys
  std::uint32_t keyStride = 0, valueStride = 0;
  std::uint64_t slots = 0;      // that are allocated
  std::uint64_t firstSlot = 0;  // of the first item; behind the last slot comes slot 0
  bool isReversed = false;      // the first item is in the last slot that is used
};

/// A collection whose items are found by their number.
class IndexedItems : public Collection {
 public:
  /// A count beyond the slots is noted as damage and cut.
  IndexedItems(CollectionFacts facts, const IndexedStorage& storage);
  std::string collect(ItemCollector& items) const override;
  std::uint64_t itemsBefore(Address place) const override;

 private:
  IndexedStorage m_storage;
  std::uint64_t m_readable;
};

/// "The count of 12 goes beyond the 4 slots that are allocated."; empty if it does not.
std::string countDamage(std::uint64_t count, std::uint64_t slots);

}  // namespace heapscape::engine
