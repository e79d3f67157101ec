// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heapscape::engine {

/// What stands for a field where C# would get at what it refers to.
enum class FieldRole : std::uint8_t {
  Named,    // a name of its own
  Hidden,   // nothing: what it holds is taken for the object itself, as the array of a List
  Storage,  // nothing, but only within its collection, whose items are told by key or position
  Item,     // the same, and it is itself the place of an item
};

struct WrittenField {
  FieldRole role = FieldRole::Named;
  std::string_view name;  // of the field in C#: the property behind it where there is one
};

/// `declaringType`: the name of the type that declares the field, type arguments included or not.
WrittenField writtenField(std::string_view declaringType, std::string_view fieldName);

/// "System.Collections.Generic.Dictionary<System.String, Shop.Order>+Entry" without what stands in angle brackets.
std::string withoutTypeArguments(std::string_view typeName);

/// Whether items of a collection of this kind (CollectionKind::name) have an indexer that takes their position.
bool hasIndexer(std::string_view collectionKind);

}  // namespace heapscape::engine
