// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/address.h"
#include "query/objects/collection_sizes.h"
#include "query/query_value.h"
#include "session/snapshot/contents.h"
#include "values/reading/value_reader.h"

namespace heapscape::engine {

/// Reads field("Customer.Address.City") of objects: goes through value types and Nullable, follows references to what
/// they refer to, whatever its type. A field is meant by its name in metadata, by that of its property, or without the
/// underscore before it; at the end Count or Length of a
/// collection, an array or a string may stand. For one thread: what it learns of types it keeps.
class FieldPathReader {
 public:
  FieldPathReader(const Contents& contents, const ValueReader& values, std::string_view path);

  /// Whether objects of this type have the first part of it at all.
  bool isIn(Address methodTable) {
    const Hop& hop = hopOf(methodTable, 0);
    return hop.slot || hop.isCount;
  }
  /// Absent if there is no such field, Null if a reference on the way is null.
  QueryValue read(Address object, Address methodTable);

 private:
  /// From the fields of one object to its last slot that the path names.
  struct Hop {
    const Slot* slot = nullptr;             // null: there is no such field
    bool isCount = false;                   // what it names is the Count or Length of the object
    CollectionType collection = {};         // of a count; none for an array or a string
    std::uint32_t offset = 0;               // from the start of the fields
    std::size_t next = 0;                   // part that is to be looked for behind it
    std::vector<std::uint32_t> flags = {};  // where Nullables on the way say whether they have a value
  };
  using Key = std::pair<std::uint64_t, std::size_t>;
  struct KeyHash {
    std::size_t operator()(const Key& key) const {
      return static_cast<std::size_t>(key.first * 0x9E3779B97F4A7C15ull) ^ key.second;
    }
  };

  Hop& hopOf(Address methodTable, std::size_t part);
  Hop findHop(Address methodTable, std::size_t part) const;
  void findCount(Address methodTable, std::size_t part, Hop& hop) const;
  QueryValue readCount(Hop& hop, Address object) const;
  QueryValue readSlot(const Slot& slot, Address at) const;
  QueryValue readReference(Address at) const;
  QueryValue readOther(const Slot& slot, Address at) const;

  const Contents& m_contents;
  const ValueReader& m_values;
  const InstanceSources m_sources;
  Address m_stringType;
  std::vector<std::string> m_parts;
  std::unordered_map<Key, Hop, KeyHash> m_hops;
};

/// All characters of a System.String object; unreadable if the dump does not hold them.
QueryValue readStringValue(const Contents& contents, Address string);

}  // namespace heapscape::engine
