// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "memory/address_space.h"
#include "values/reading/value_reader.h"
#include "values/type_shapes.h"
#include "values/value.h"

namespace heapscape::engine {

/// One value of a known type: how its readers get at its fields.
struct KnownValue {
  const ValueReader& reader;
  const AddressSpace& memory;
  const TypeShape& shape;
  const FieldValue& field;
  std::size_t references;  // that were followed to get here

  /// The bytes of the field with this name; nothing if there is none, or if it is missing or has another size.
  template <class T>
  std::optional<T> number(std::string_view name) const {
    const FieldShape* found = shape.field(name);
    T value{};
    if (!found || found->slot.sizeBytes != sizeof(T) || !reader.tryRead(field.address + found->offset, value))
      return std::nullopt;
    return value;
  }
  /// The value of the field with this name, as text; nothing if it is damaged.
  std::optional<std::string> text(std::string_view name) const;
};

/// Its text, or nothing where the value cannot be read.
using KnownText = std::optional<std::string> (*)(const KnownValue&);

/// A known value that is no mere text.
using WholeKnownValue = std::optional<Value> (*)(const KnownValue&);

// Handles of the GC, and the runtime's handles of types, methods and fields.
std::optional<Value> gcHandleValue(const KnownValue& value);
std::optional<std::string> onlyFieldText(const KnownValue& value);
std::optional<std::string> methodHandleText(const KnownValue& value);
std::optional<std::string> fieldHandleText(const KnownValue& value);

std::optional<std::string> dateTimeText(const KnownValue& value);
std::optional<std::string> dateTimeOffsetText(const KnownValue& value);
std::optional<std::string> timeSpanText(const KnownValue& value);
std::optional<std::string> dateOnlyText(const KnownValue& value);
std::optional<std::string> timeOnlyText(const KnownValue& value);

std::optional<std::string> memoryText(const KnownValue& value);  // and ReadOnlyMemory
std::optional<std::string> spanText(const KnownValue& value);    // and ReadOnlySpan
std::optional<std::string> arraySegmentText(const KnownValue& value);
std::optional<std::string> jsonElementText(const KnownValue& value);

std::optional<std::string> guidText(const KnownValue& value);
std::optional<std::string> decimalText(const KnownValue& value);
std::optional<std::string> halfValueText(const KnownValue& value);
std::optional<std::string> bfloat16ValueText(const KnownValue& value);
std::optional<std::string> int128Text(const KnownValue& value);
std::optional<std::string> uint128Text(const KnownValue& value);
std::optional<std::string> bigIntegerText(const KnownValue& value);

class ValueReader;

/// A value type of the framework that people read as one thing: dates, times, Guid, decimal, the wide and the half
/// numbers, Index, Range, pairs and tuples, CancellationToken, Rune, slices, elements of JSON, handles of the GC, of
/// types, methods and fields; and structures that F# declares. Nothing for every other type, and where the type has not
/// the fields that we know. `field` has its address and what is nested in it; `references`: that were followed to get
/// here.
std::optional<Value> readKnownValue(const ValueReader& reader, const TypeShape& shape, const FieldValue& field,
                                    std::size_t references);

}  // namespace heapscape::engine
