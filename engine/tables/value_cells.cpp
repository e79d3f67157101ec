// SPDX-License-Identifier: MIT
#include "tables/value_cells.h"

#include "values/string_object.h"

namespace heapscape::engine {

std::string valueLine(const Value& value) {
  return value.kind == ValueKind::Damaged ? "? " + value.damage : value.text;
}

Cell redactedValueLine(const Value& value) {
  if (!isContents(value)) return valueLine(value);
  return isStringObject(value) || value.objectType.empty() ? Cell(Cell::Unknown{}) : Cell(value.objectType);
}

}  // namespace heapscape::engine
