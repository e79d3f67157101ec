// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/address.h"
#include "base/result.h"
#include "runtime/types/method_tables.h"
#include "values/instance.h"
#include "values/value.h"

namespace heapscape::engine {

/// The place where one item of a collection lies.
struct ItemPlace {
  Address key;                      // 0 where there are no keys
  Address value;                    // 0 if `known` has the value
  std::string label = {};           // where the collection's own way of labels does not do
  Address valueType = {};           // a method table, where it is not the collection's
  std::optional<Value> known = {};  // a value that does not lie in memory as such
};

/// Takes the places of items [first, first + count) as a collection offers all of them in its order.
class ItemCollector {
 public:
  using Visit = std::function<bool(const ItemPlace&)>;

  ItemCollector(std::uint64_t first, std::size_t count, std::stop_token stop)
      : m_first(first), m_count(count), m_stop(std::move(stop)) {}
  /// Keeps no places but hands all of them, or those from `first` on, to `visit`, until it returns false.
  ItemCollector(Visit visit, std::stop_token stop, std::uint64_t first = 0)
      : m_first(first), m_count(SIZE_MAX), m_stop(std::move(stop)), m_visit(std::move(visit)) {}

  /// How many of the next items are not wanted; they may be left out with skip().
  std::uint64_t unwanted() const { return m_first - std::min(m_first, m_offered); }
  void skip(std::uint64_t items) { m_offered += items; }
  /// False once no more are wanted.
  bool offer(ItemPlace place) {
    if (m_offered++ >= m_first) {
      if (m_visit) {
        m_isEnough = !m_visit(place);
      } else if (m_places.size() < m_count) {
        m_places.push_back(std::move(place));
      }
    }
    return !isDone();
  }
  bool isDone() {
    constexpr std::uint64_t kStopInterval = 4096;
    if (m_isEnough || m_places.size() >= m_count) return true;
    if (m_steps++ % kStopInterval == 0 && m_stop.stop_requested()) m_isStopped = true;
    return m_isStopped;
  }

  bool isStopped() const { return m_isStopped; }
  /// Items offered or skipped so far.
  std::uint64_t offered() const { return m_offered; }
  std::uint64_t first() const { return m_first; }
  const std::vector<ItemPlace>& places() const { return m_places; }

 private:
  std::uint64_t m_first;
  std::size_t m_count;
  std::stop_token m_stop;
  Visit m_visit = nullptr;
  bool m_isEnough = false;
  std::uint64_t m_offered = 0;
  std::uint64_t m_steps = 0;
  bool m_isStopped = false;
  std::vector<ItemPlace> m_places;
};

/// How the items of a kind of collection are told apart.
enum class ItemLabels : std::uint8_t { None, Index, Key };

/// All that is known of a collection before its items are read.
struct CollectionFacts {
  ItemLabels labels = ItemLabels::Index;
  bool hasKeys = false;
  TypeHandle keyType = {};
  TypeHandle valueType = {};
  std::uint64_t count = 0;
  bool isEndless = false;  // the items run in a circle, so that they have no count
  std::uint64_t capacity = 0;
  std::string state = {};
  bool isHolder = false;  // of a value rather than of items: a Task, a Lazy, a StringBuilder
  std::string damage = {};
};

/// The facts of a collection whose first type argument is the key's and whose second is the value's.
Result<CollectionFacts> keyedFacts(const Instance& instance);
/// The facts of a collection whose type argument is that of its items.
Result<CollectionFacts> itemFacts(const Instance& instance, ItemLabels labels = ItemLabels::Index);
/// The facts of a collection without type arguments: objects by their keys, objects as well.
Result<CollectionFacts> objectFacts(const Instance& instance);

/// One collection, found to be of a kind whose storage is known.
class Collection {
 public:
  explicit Collection(CollectionFacts facts) : m_facts(std::move(facts)) {}
  virtual ~Collection() = default;

  const CollectionFacts& facts() const { return m_facts; }
  /// Offers the items in the collection's own order until no more are wanted. Returns what is wrong, else empty.
  virtual std::string collect(ItemCollector& items) const = 0;

  /// Number of items certainly before the one that a place in the storage belongs to: where a search for it may begin.
  virtual std::uint64_t itemsBefore(Address) const { return 0; }
  /// The item in a node of the storage, if the storage has nodes and that can be told from the node alone.
  virtual std::optional<ItemPlace> itemIn(Address) const { return std::nullopt; }

 private:
  CollectionFacts m_facts;
};

/// Fails with NotFound if the fields are not those of the kind, with NotInDump or Damaged if they cannot be read.
using CollectionMaker = Result<std::unique_ptr<Collection>> (*)(const Instance& instance);

/// The fields of a collection that keeps all its items in one array: that of the array, and that of their number.
struct CountedArray {
  std::string_view array;
  std::string_view count;
  std::string_view free = {};  // how many of these removals have left; empty if none can be
};
inline constexpr CountedArray kListArray{"_items", "_size"};  // of a List or an ArrayList
inline constexpr CountedArray kStackArray{"_array", "_size"};
inline constexpr CountedArray kHashArray{"_entries", "_count", "_freeCount"};  // of a Dictionary or a HashSet
inline constexpr CountedArray kOrderedArray{"_entries", "_count"};             // of an OrderedDictionary
inline constexpr CountedArray kPriorityArray{"_nodes", "_size"};

/// A collection with the few items that are known when it is recognised.
class FewItems : public Collection {
 public:
  FewItems(CollectionFacts facts, std::vector<ItemPlace> items)
      : Collection(std::move(facts)), m_items(std::move(items)) {}
  std::string collect(ItemCollector& items) const override;

 private:
  std::vector<ItemPlace> m_items;
};

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
