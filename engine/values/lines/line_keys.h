// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "base/bounded_reader.h"
#include "base/ids.h"
#include "values/lines/line_plan.h"

namespace heapscape::engine {

/// Keys of what the line of an object (ObjectLines) is made of: a few bytes that are quicker to read than the line is
/// to write: of millions of lines most are one that was written just before. For one thread.
class LineKeys {
 public:
  static constexpr std::size_t kLongest = 112;  // bytes; objects with more have none

  /// The reader of the plans has a heap; they outlive this.
  explicit LineKeys(LinePlans& plans) : m_plans(plans), m_heap(*plans.values().sources().heap) {}

  /// Objects with the same one have the same line, or none of them has one. Empty where that is not certain. `object`:
  /// all bytes of it; none if the dump does not hold them. Good until the next one is asked for.
  std::string_view of(Bytes object, TypeId type);

 private:
  // Each is false where that is not certain.
  bool addLine(Bytes object, TypeId type);
  bool addString(Bytes string);
  bool addItems(const LinePlan& plan, Bytes object);
  bool addParts(std::span<const LinePlan::Part> parts, Bytes object);
  bool addPart(const LinePlan::Part& part, const std::byte* at, bool isItem);
  bool addReference(Address object, bool isItem);
  /// Adds a value whose size is known, so that it is no call to copy it.
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

  LinePlans& m_plans;
  const WalkedHeap& m_heap;
  std::size_t m_size = 0;
  char m_key[kLongest + sizeof(std::uint64_t)];  // characters are copied eight bytes at a time
};

}  // namespace heapscape::engine
