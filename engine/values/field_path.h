// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
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

}  // namespace heapscape::engine
