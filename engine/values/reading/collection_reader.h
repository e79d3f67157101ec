// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/address.h"
#include "base/result.h"
#include "values/collections/kinds/collection_kinds.h"
#include "values/reading/value_reader.h"
#include "values/value.h"

namespace heapscape::engine {

/// One row of a collection read as data.
struct CollectionItem {
  std::string label;  // "[42]", or empty where order says nothing
  Value key;          // of dictionaries; Null for others
  Value value;
  std::vector<FieldValue> keyFields;  // of a key or value that is a value type with fields
  std::vector<FieldValue> valueFields;
  Address keyAddress;  // where they lie in memory
  Address valueAddress;
};

/// A collection as data, without its internals.
struct CollectionDetails {
  std::string kind;  // "List", "Dictionary", "HashSet", "Queue", …
  bool hasKeys = false;
  std::string keyType, valueType;
  std::uint64_t count = 0;
  std::uint64_t capacity = 0;  // slots that are allocated; 0 where that says nothing
  std::string
      state;  // of a Lazy or a Task: "created", "running", "faulted" …; "12 characters, room for 16"; else empty
  bool isHolder = false;  // of one value, as a Lazy or a RuntimeType: its state, if any, says more than a count
  std::vector<CollectionItem> items;  // the first ones; more through collectionItems()
  std::string damage;
};

/// Reads collections of the class library, and what is like them (Lazy, Task, StringBuilder, Memory), as data. They are
/// recognised by the full name of their type or a base type, and their fields are found by name.
class CollectionReader {
 public:
  explicit CollectionReader(const ValueReader& values) : m_values(values) {}

  /// An object as a collection, with its first `limit` items; nothing if it is none. Damage is noted in it.
  std::optional<CollectionDetails> read(Address object, std::size_t limit) const;
  /// A collection that was recognised before, as read() has it; nothing if its fields are not those of the kind.
  std::optional<CollectionDetails> readAs(const RecognisedCollection& recognised, std::size_t limit) const;
  /// A value of a type, as read() has it, whose fields begin at an address, as an ImmutableArray in a field.
  std::optional<CollectionDetails> readValue(const MethodTable& type, Address fieldsStart, std::size_t limit) const;
  /// Items [first, first + count) in the collection's own order. Fails with NotFound if the object is no collection,
  /// with Damaged if there should be items but none can be reached.
  Outcome<std::vector<CollectionItem>> readItems(Address object, std::uint64_t first, std::size_t count,
                                                 std::stop_token stop) const;

 private:
  const ValueReader& m_values;
};

/// The item of a collection that a place in its storage belongs to.
struct FoundItem {
  std::string_view kind;                 // of the collection: "Dictionary"
  std::optional<std::uint64_t> ordinal;  // in the collection's own order, where that had to be known or was at hand
  bool hasKeys = false;
  bool isKey = false;  // the place lies in the item's key
  Value key;           // if there are keys
  std::string keyType;
  Address type;                   // of the key or value that the place lies in
  std::uint64_t innerOffset = 0;  // of the place, from the start of that

  /// Whether C# can write the key as a literal or a name.
  bool isNamedByKey() const;
};

/// `holder`: the object of the collection's storage (array, node) that `place` lies in. `looks` is how many items may
/// be looked at; those that were are taken off. Nothing if the place belongs to no item, or that many were not enough.
std::optional<FoundItem> findItem(const ValueReader& values, Address collection, Address holder, Address place,
                                  std::uint64_t& looks);

}  // namespace heapscape::engine
