// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/address.h"
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

/// What a collection is, beside its internals.
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

}  // namespace heapscape::engine
