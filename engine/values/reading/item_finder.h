// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "values/reading/value_reader.h"

namespace heapscape::engine {

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
  bool isToldByKey() const;
};

/// `holder`: the object of the collection's storage (array, node) that `place` lies in. `looks` is how many items may
/// be looked at; those that were are taken off. Nothing if the place belongs to no item, or that many were not enough.
std::optional<FoundItem> findItem(const ValueReader& values, Address collection, Address holder, Address place,
                                  std::uint64_t& looks);

}  // namespace heapscape::engine
