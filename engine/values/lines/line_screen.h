// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bounded_reader.h"
#include "base/ids.h"
#include "values/lines/line_items.h"
#include "values/lines/line_parts.h"
#include "values/lines/line_types.h"
#include "values/value_reader.h"

namespace heapscape::engine {

/// Tells of most objects without writing it that their line (ObjectLines) does not hold a word: of millions few do. For
/// one thread: what it learns of types it keeps.
class LineScreen {
 public:
  /// `word`: letters and digits of ASCII, in lower case. The reader has a heap and outlives this.
  LineScreen(const ValueReader& values, std::string word);

  /// False only for an object whose line can be read and does not hold the word, in letters of either case. `object`:
  /// all bytes of it; none if the dump does not hold them.
  bool mayHold(Bytes object, TypeId type);

 private:
  /// What one field, element or item is told by.
  struct Part {
    enum class Kind : std::uint8_t { Anything, Nothing, Reference, Integer, Real, Boolean, Character };
    Kind kind = Kind::Anything;  // Anything has to be written; of Nothing it is known that it holds no such word
    bool isSigned = false;
    std::uint8_t sizeBytes = 0;  // but for a reference
    std::uint32_t offset = 0;    // of a field, from the object on
  };
  /// What is told of an object that something refers to.
  enum class Referred : std::uint8_t { Anything, Nothing, String, Array };
  struct Type {
    enum class Way : std::uint8_t { Write, Nothing, String, Vector, List, Fields };
    bool isKnown = false;
    bool isVector = false;
    bool isReadable = false;  // of Fields: one of the parts can be told in any case
    Way way = Way::Write;
    Referred inField = Referred::Anything, asItem = Referred::Anything;
    std::vector<Part> parts = {};                               // of Fields; of Vector and List one for all
    std::uint32_t stride = 0, itemsOffset = 0, sizeOffset = 0;  // of a Vector; of a List
  };

  const Type& typeOf(TypeId type);
  Type describe(TypeId type);
  void describeFields(const LineType& line, Type& type) const;
  void describeReferred(const TypeShape& shape, Type& type) const;
  Part partOf(const Slot& slot) const;
  Part primitivePart(ElementType element) const;
  Part integerPart(ElementType element) const;
  /// Whether a text that is the same for all objects holds it, or something that is written otherwise than it reads.
  bool isIn(std::string_view text) const;

  bool vectorMayHold(const Type& type, Bytes array);
  bool listMayHold(const Type& type, Bytes list);
  bool fieldsMayHold(const Type& type, Bytes object);
  bool itemsMayHold(const Part& part, const LineItems& items, bool areOfList);
  /// `from`: where it begins in `bytes`.
  bool partMayHold(const Part& part, Bytes bytes, std::uint64_t from, bool isItem);
  bool referenceMayHold(Address object, bool isItem);
  bool stringMayHold(Bytes string) const;
  bool numberMayHold(std::uint64_t magnitude) const;
  bool realMayHold(double value, double exactBelow) const;

  const ValueReader& m_values;
  const WalkedHeap& m_heap;
  NearbyMemory m_memory;
  const std::string m_word;
  LineParts m_parts;
  LineTypes m_lines;
  std::uint64_t m_lengthOffset = 0, m_charactersOffset = 0;  // in a string
  bool m_isNumber = false;                                   // nothing but digits
  std::uint64_t m_number = 0, m_power = 0;                   // what these mean, and 10 to their count; 0 for too many
  bool m_isInNull = false;
  std::vector<Type> m_types;  // by TypeId
};

}  // namespace heapscape::engine
