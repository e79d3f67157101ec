// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

#include "values/collections/collection.h"

namespace heapscape::engine {

/// A type of the class library that is read as data.
struct CollectionKind {
  std::string_view definition;  // "System.Collections.Generic.List`1"
  std::string_view name;        // "List"
  CollectionMaker make;         // null for a wrapper
  std::string_view wrapped;     // of a wrapper: the field that refers to the collection inside
};

/// The fields of a kind that keeps all its items in one array; nothing for one that keeps them in another way, or whose
/// number needs more than these.
std::optional<CountedArray> countedArrayOf(const CollectionKind& kind);

struct RecognisedCollection {
  const CollectionKind* kind = nullptr;
  Instance instance;  // as the type that was recognised: the object's own or one of its bases
};

/// Whether it is such a type itself, whatever its base types are.
bool isCollectionKind(const RuntimeReaders& readers, const MethodTable& type);

/// Whether the object's type, or the nearest of its base types, is such a type; nothing if none is.
std::optional<RecognisedCollection> recogniseCollection(const Instance& instance);

/// The collection of a recognised object; of a wrapper the one inside. Fails with NotFound if its fields are not those
/// of the kind, with NotInDump or Damaged if they cannot be read.
Result<std::unique_ptr<Collection>> openCollection(const RecognisedCollection& recognised);

}  // namespace heapscape::engine
