// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>

#include "base/result.h"
#include "values/reading/collection_details.h"
#include "values/collections/kinds/collection_kinds.h"
#include "values/reading/value_reader.h"

namespace heapscape::engine {

/// Reads collections of the class library, and what is like them (Lazy, Task, StringBuilder, Memory), as data. They are
/// recognised by the full name of their type or a base type, and their fields are found by name.
class CollectionReader {
 public:
  explicit CollectionReader(const ValueReader& values) : m_values(values) {}

  /// What an object is as a collection, with its first `limit` items; nothing if it is none. Damage is noted in it.
  std::optional<CollectionDetails> read(Address object, std::size_t limit) const;
  /// The same of one that was recognised before; nothing if its fields are not those of the kind.
  std::optional<CollectionDetails> readAs(const RecognisedCollection& recognised, std::size_t limit) const;
  /// The same for a value of a type whose fields begin at an address, as an ImmutableArray in a field.
  std::optional<CollectionDetails> readValue(const MethodTable& type, Address fieldsStart, std::size_t limit) const;
  /// Items [first, first + count) in the collection's own order. Fails with NotFound if the object is no collection,
  /// with Damaged if there should be items but none can be reached.
  Outcome<std::vector<CollectionItem>> readItems(Address object, std::uint64_t first, std::size_t count,
                                                 std::stop_token stop) const;

 private:
  const ValueReader& m_values;
};

}  // namespace heapscape::engine
