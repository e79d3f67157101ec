// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "runtime/types/method_tables.h"
#include "values/collections/item_collector.h"
#include "values/instance.h"

namespace heapscape::engine {

/// How the items of a kind of collection are told apart.
enum class ItemLabels : std::uint8_t { None, Index, Key };

/// What is known of a collection before its items are read.
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

/// Of a collection whose first type argument is the key's and whose second is the value's.
Result<CollectionFacts> keyedFacts(const Instance& instance);
/// Of a collection whose type argument is that of its items.
Result<CollectionFacts> itemFacts(const Instance& instance, ItemLabels labels = ItemLabels::Index);
/// Of a collection without type arguments: objects by their keys, objects as well.
Result<CollectionFacts> objectFacts(const Instance& instance);

/// One collection, found to be of a kind whose storage is known.
class Collection {
 public:
  explicit Collection(CollectionFacts facts) : m_facts(std::move(facts)) {}
  virtual ~Collection() = default;

  const CollectionFacts& facts() const { return m_facts; }
  /// Offers the items in the collection's own order until no more are wanted. What is wrong with the storage; empty if
  /// all is well.
  virtual std::string collect(ItemCollector& items) const = 0;

  /// How many items certainly stand before the one that a place in the storage belongs to: where a search for it may
  /// begin.
  virtual std::uint64_t itemsBefore(Address) const { return 0; }
  /// The item in a node of the storage, if the storage has nodes and that can be told from the node alone.
  virtual std::optional<ItemPlace> itemIn(Address) const { return std::nullopt; }

 private:
  CollectionFacts m_facts;
};

/// Fails with NotFound if the fields are not those of the kind, with NotInDump or Damaged if they cannot be read.
using CollectionMaker = Result<std::unique_ptr<Collection>> (*)(const Instance& instance);

/// A collection with the few items that are known when it is recognised.
class FewItems : public Collection {
 public:
  FewItems(CollectionFacts facts, std::vector<ItemPlace> items)
      : Collection(std::move(facts)), m_items(std::move(items)) {}
  std::string collect(ItemCollector& items) const override;

 private:
  std::vector<ItemPlace> m_items;
};

}  // namespace heapscape::engine
