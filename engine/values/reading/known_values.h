// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "values/type_shapes.h"
#include "values/value.h"

namespace heapscape::engine {

class ValueReader;

/// A value type of the framework that people read as one thing: dates, times, Guid, decimal, the wide and the half
/// numbers, Index, Range, pairs and tuples, CancellationToken, Rune, slices, elements of JSON, handles of the GC, of
/// types, methods and fields; and structures that F# declares. Nothing for every other type, and where the type has not
/// the fields that we know. `field` has its address and what is nested in it; `references`: that were followed to get
/// here.
std::optional<Value> readKnownValue(const ValueReader& reader, const TypeShape& shape, const FieldValue& field,
                                    std::size_t references);

}  // namespace heapscape::engine
