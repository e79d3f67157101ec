// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/limits.h"
#include "values/reading/value_reader.h"
#include "values/type_shapes.h"

namespace heapscape::engine {

/// How much of a value is told: all, or its kind, its text and whether that holds what strings say.
struct ValueExtent {
  bool isWhole = true;
  std::size_t textBytes = SIZE_MAX;  // that are shown: a longer text need be right no further, only longer
};

/// Reads one value with all that lies in it. Bounded in depth and number, since a damaged type may nest without end.
class SlotReader {
 public:
  /// `values`: how many values are to be read one after the other. `references`: that were followed to get here, from
  /// the value that is shown; of objects far away only the type is told.
  explicit SlotReader(const ValueReader& reader, std::size_t values = 1, std::size_t references = 0)
      : m_reader(reader), m_left(kLimits.nestedValues + kPartsOfOne * values), m_references(references) {}

  FieldValue read(const Slot& slot, Address at, std::uint64_t offset) { return readAt(slot, at, offset, 0); }
  /// Adds the value's text, "?" where it is damaged: all that a line needs, of which `shown` bytes count. True if it
  /// holds what strings say.
  bool addText(const Slot& slot, Address at, std::string& text, std::size_t shown);
  /// The fields that the type itself declares.
  std::vector<FieldValue> readDeclared(const TypeShape& shape, Address start, std::uint64_t startOffset) {
    return readFields(shape, start, startOffset, 0);
  }

 private:
  static constexpr std::size_t kPartsOfOne = 64;

  FieldValue readAt(const Slot& slot, Address at, std::uint64_t offset, std::size_t depth);
  Value readSimple(const Slot& slot, Address at, std::size_t depth, ValueExtent extent) const;
  Value readPrimitive(ElementType element, Address at) const;
  bool holdsContents(const char* choice = nullptr) const;
  Value readReferenceAt(Address at, std::size_t depth, ValueExtent extent) const;
  std::size_t partsOf(const TypeShape& shape) const;
  Value readPointer(Address at) const;
  Value readTypedReference(Address at) const;
  void readValueType(FieldValue& field, const TypeShape& shape, std::size_t depth);
  Value readNullable(const TypeShape& shape, const FieldValue& field) const;
  std::vector<FieldValue> readFields(const TypeShape& shape, Address start, std::uint64_t startOffset,
                                     std::size_t depth);
  std::vector<FieldValue> readRepeated(const TypeShape& shape, Address start, std::uint64_t startOffset,
                                       std::size_t depth);

  const ValueReader& m_reader;
  std::size_t m_left;
  std::size_t m_references;
};

/// A bare address with what it leads to, if that is known.
Value pointerValue(const ValueReader& reader, Address address);

/// "{ X = 1, Y = 2 }": the first fields of a value type; empty if it has none.
Value structValue(const std::vector<FieldValue>& fields);

/// The value that a reference leads to: a string's characters, an array's type with its lengths, what a box or an
/// object that people read as one thing holds, of anything else the type's name. `references`: that were followed
/// before this one.
Value referenceValue(const ValueReader& reader, Address object, std::size_t references = 0, ValueExtent extent = {});

}  // namespace heapscape::engine
