// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/bounded_reader.h"
#include "base/ids.h"
#include "values/lines/line_items.h"
#include "values/lines/line_parts.h"
#include "values/lines/line_types.h"
#include "values/lines/nearby_memory.h"
#include "values/value_reader.h"

namespace heapscape::engine {

/// What the line of an object (ObjectLines) is made of, as a few bytes that are quicker to read than the line is to
/// write: of millions of lines most are one that was written just before. For one thread: what it learns of types it
/// keeps.
class LineKeys {
 public:
  static constexpr std::size_t kLongest = 112;  // bytes; objects with more have none

  /// The reader has a heap and outlives this.
  explicit LineKeys(const ValueReader& values);

  /// Objects with the same one have the same line, or none of them has one. Empty where that is not certain. `object`:
  /// all bytes of it; none if the dump does not hold them. Good until the next one is asked for.
  std::string_view of(Bytes object, TypeId type);

 private:
  /// Of one field, element or item: the address of an object, or bytes that say all.
  struct Part {
    bool isReference = false;
    std::uint32_t sizeBytes = 0;  // 0: there is more to it
    std::uint32_t offset = 0;     // of a field, from the object on
  };
  struct Type {
    enum class Way : std::uint8_t { Unknown, None, String, Vector, List, Fields };
    Way way = Way::Unknown;
    bool isVector = false;
    std::vector<Part> parts = {};                               // of Fields; of Vector and List one for all
    std::uint32_t stride = 0, itemsOffset = 0, sizeOffset = 0;  // of a Vector; of a List
  };

  /// What is told of an object that something refers to; OfType: nothing but its type.
  enum class Referred : std::uint8_t { Unknown, Anything, OfType, String, Array };
  struct ReferredType {
    Referred inField = Referred::Unknown, asItem = Referred::Unknown;
  };

  const Type& typeOf(TypeId type);
  Type describe(TypeId type);
  ReferredType referredTo(TypeId type);
  Part partOf(const Slot& slot) const;

  // Each is false where that is not certain.
  bool addLine(Bytes object, TypeId type);
  bool addString(Bytes string);
  bool addVector(const Type& type, Bytes array);
  bool addList(const Type& type, Bytes list);
  bool addFields(const Type& type, Bytes object);
  bool addItems(const Part& part, const LineItems& items, bool areOfList);
  bool addPart(const Part& part, const std::byte* at, bool isItem);
  bool addReference(Address object, bool isItem);
  /// Of a value whose size is known, so that it is no call to copy it.
  template <std::size_t size>
  bool add(const void* bytes) {
    if (size > kLongest - m_size) return false;
    std::memcpy(m_key + m_size, bytes, size);
    m_size += size;
    return true;
  }
  template <class T>
  bool addValue(T value) {
    return add<sizeof value>(&value);
  }

  const WalkedHeap& m_heap;
  const ValueReader& m_values;
  NearbyMemory m_memory;
  LineParts m_parts;
  LineTypes m_lines;
  std::uint64_t m_lengthOffset = 0, m_charactersOffset = 0;  // in a string
  std::vector<Type> m_types;                                 // by TypeId
  std::vector<ReferredType> m_referred;                      // by TypeId
  std::size_t m_size = 0;
  char m_key[kLongest + sizeof(std::uint64_t)];  // characters are copied eight bytes at a time
};

}  // namespace heapscape::engine
