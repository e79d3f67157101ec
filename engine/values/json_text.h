// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "values/instance.h"
#include "values/value.h"

namespace heapscape::engine {

/// Bytes that a ReadOnlyMemory<byte> leads to.
struct ByteSlice {
  Address first;
  std::uint32_t count = 0;
};
/// Fails with NotFound if they are not kept in an array, with NotInDump or Damaged.
Result<ByteSlice> byteSliceOf(const Instance& memory);

/// The text of a JsonDocument with the table of where its parts lie (JsonDocument.MetadataDb.cs). A part is told by its
/// place in the table, counted in bytes as JsonElement does.
class JsonText {
 public:
  /// Fails with NotFound if the object is no such thing or keeps its text elsewhere, with NotInDump or Damaged.
  static Result<JsonText> of(const Instance& document);

  /// JsonTokenType.
  enum class Kind : std::uint8_t {
    Object = 1,
    Array = 3,
    Name = 5,
    String = 7,
    Number = 8,
    True = 9,
    False = 10,
    Null = 11
  };
  struct Part {
    Kind kind = Kind::Null;
    std::uint32_t location = 0;  // in the text; of strings behind the quotation mark
    std::uint32_t length = 0;    // in bytes; of arrays and objects a count
    bool hasEscapes = false;
    std::uint32_t rows = 1;  // up to the end of an array or object
  };
  Result<Part> part(std::uint64_t place) const;

  /// The part as a value: a string with the escapes of C#, everything else as it stands in the text but for white
  /// space. Cut behind `limit` bytes.
  Value valueAt(std::uint64_t place, std::size_t limit) const;
  /// Calls visit(place, place of the name or 0) for the elements or members until it returns false. What is wrong with
  /// the table; empty if all is well.
  std::string forEachChild(std::uint64_t place, const std::function<bool(std::uint64_t, std::uint64_t)>& visit) const;

 private:
  explicit JsonText(const AddressSpace& memory) : m_memory(&memory) {}

  /// From the first byte of a part to the last, at most so many.
  Result<std::string> bytesOf(std::uint64_t place, std::size_t limit, bool& isCut) const;

  const AddressSpace* m_memory;
  ByteSlice m_text, m_rows;
};

/// A JsonElement: its document, and the part of it. Fails with NotFound if there is none.
struct JsonPlace {
  JsonText text;
  std::uint64_t place = 0;
};
Result<JsonPlace> jsonPlaceOf(const Instance& element);

}  // namespace heapscape::engine
