// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <vector>

#include "session/snapshot/contents.h"
#include "values/collections/kinds/collection_kinds.h"
#include "values/reading/value_reader.h"

namespace heapscape::engine {

/// Looks at collections of the class library as data: their items in place of the arrays, buckets and nodes that they
/// are kept in. Lazy, Task, Memory, StringBuilder and tables of weak references are left as they are: what they refer
/// to is the data. For one question, on one thread; it keeps what it learns of types.
class FoldedCollections {
 public:
  static constexpr std::uint32_t kNone = ObjectId::kNone;

  explicit FoldedCollections(const Contents& contents);
  FoldedCollections(const FoldedCollections&) = delete;
  FoldedCollections& operator=(const FoldedCollections&) = delete;

  struct Item {
    std::uint64_t index = 0;  // in the collection's own order
    bool isKey = false;
    Address place;             // of the key or value that holds the reference
    std::uint32_t object = 0;  // ObjectId
  };
  using VisitItem = std::function<bool(const Item&)>;

  /// False if it is none, or damaged.
  bool isCollection(std::uint32_t object) const;
  /// Calls visit(Item) for every reference that the items of a collection hold, until it returns false. False if it is
  /// no collection, or its items cannot all be read.
  bool forEachItem(std::uint32_t collection, const VisitItem& visit, std::stop_token stop) const;
  /// Whether a field of a collection belongs to the class library's own class, and not to one that derives from it.
  bool isOwnField(std::uint32_t collection, std::uint64_t offset) const;

  /// Lets a root that refers to an array, as a word on a stack may, not keep it from being told as part of its
  /// collection. `reverse` outlives this.
  void setReverse(const ReverseReferences& reverse) { m_reverse = &reverse; }
  /// The collection that keeps its items in this array or node; kNone if the object is no such thing, or if any other
  /// object refers to it, too.
  std::uint32_t collectionAround(std::uint32_t object);
  /// "[3]" or "[\"key\"]" of the item with a reference; ".Key" behind it for a key, empty for items without order.
  std::string labelOf(std::uint32_t collection, const Item& item, std::stop_token stop) const;

 private:
  enum class Role : std::uint8_t { Plain, Array, Storage, Collection };

  Address addressOf(std::uint32_t object) const { return m_contents.heap->index.addressOf({object}); }
  Address methodTableOf(std::uint32_t object) const;
  std::optional<RecognisedCollection> recognise(std::uint32_t object) const;
  Role roleOf(std::uint32_t object);
  Role readRole(std::uint32_t object) const;
  bool isStorageOf(std::uint32_t array, std::uint32_t collection) const;
  /// The object that alone holds it.
  std::uint32_t ownerOf(std::uint32_t object) const;
  const std::vector<std::uint32_t>& referencesIn(TypeHandle type) const;

  const Contents& m_contents;
  const ReverseReferences* m_reverse = nullptr;
  ValueReader m_values;
  InstanceSources m_sources;                                                     // instances keep a pointer to it
  std::unordered_map<Address, Role> m_roles;                                     // by method table
  std::unordered_map<std::uint32_t, std::uint32_t> m_arounds;                    // collectionAround() by object
  mutable std::unordered_map<Address, std::vector<std::uint32_t>> m_references;  // where values of a type have them
};

}  // namespace heapscape::engine
