// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "base/address.h"
#include "values/collections/kinds/collection_kinds.h"

namespace heapscape::engine {

/// Items and slots of a collection. Neither if it is no collection; `isUnreadable` if it is damaged or not in the dump.
struct CollectionSizes {
  std::optional<std::uint64_t> count = {};
  std::optional<std::uint64_t> capacity = {};  // nothing where that says nothing
  bool isUnreadable = false;
  bool operator==(const CollectionSizes&) const = default;
};

/// Tells what objects of one type are as a collection, which takes long to tell. For one thread: what it learns of the
/// first ones it uses for all others.
class CollectionType {
 public:
  CollectionType() = default;  // of what is no collection
  CollectionType(const InstanceSources& sources, Address methodTable);

  bool isCollection() const { return m_kind != nullptr; }
  /// The sizes of an object of the type.
  CollectionSizes sizesOf(const InstanceSources& sources, Address object);

 private:
  /// Where a collection has its counts and its array, from the object on, if these are all there is to it.
  struct Fields {
    std::uint32_t array = 0, count = 0, end = 0;
    std::optional<std::uint32_t> free = {};
  };
  /// Array and sizes of a collection.
  struct Storage {
    Address arrayType;  // none without an array
    CollectionSizes sizes;
  };

  void findFields(const InstanceSources& sources);
  std::optional<Storage> storageOf(const AddressSpace& memory, Address object) const;
  CollectionSizes open(const InstanceSources& sources, Address object) const;

  const CollectionKind* m_kind = nullptr;
  const TypeShape* m_shape = nullptr;  // of the type itself, or of its base that is of the kind
  std::optional<Fields> m_fields;
  // One with such an array, or without any, was opened, and had these sizes: so have all like it.
  Address m_openedArray;
  bool m_isOpenedWithout = false;
};

}  // namespace heapscape::engine
