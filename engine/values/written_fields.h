// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "values/type_shapes.h"

namespace heapscape::engine {

/// A field, and the element in it if it is the only field of an inline array.
struct FieldPathPart {
  const TypeShape* declaring = nullptr;
  const FieldShape* field = nullptr;
  std::optional<std::uint32_t> element = {};
};

/// The fields that a place lies in: one of the type, then one of the value type in it, and so on down to a reference,
/// pointer or primitive. `offset` is from the start of the fields of the type or of one of its bases. Empty if nothing
/// is known of the place. The shapes live as long as `shapes`.
std::vector<FieldPathPart> fieldPathAt(const TypeShapes& shapes, const TypeShape& type, std::uint64_t offset);

/// "Total.Currency", "names[2]": as C# writes it.
std::string toString(const std::vector<FieldPathPart>& path);

/// The way in which a field is written where C# would get at what it refers to.
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
