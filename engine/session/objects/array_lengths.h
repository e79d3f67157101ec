// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "base/address.h"
#include "base/ids.h"
#include "base/result.h"
#include "layout/type_layout.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

struct Contents;

/// The arrays of one type, by what decides how much rounding each up to 8 bytes adds, whatever the size of its
/// elements: the length modulo 8.
class ArrayLengths {
 public:
  void add(std::uint32_t length) {
    ++m_arrays[length % m_arrays.size()];
    m_elements += length;
  }
  std::uint64_t elements() const { return m_elements; }
  ArrayLengths& operator+=(const ArrayLengths& other);

  /// Bytes of all of them on the heap if an array without elements and each element have these sizes.
  std::uint64_t alignedBytes(std::uint64_t baseSize, std::uint64_t elementBytes) const;

 private:
  std::array<std::uint64_t, 8> m_arrays{};
  std::uint64_t m_elements = 0;
};

/// The lengths of all arrays of these types, in their order; read from the heap on all cores.
Outcome<std::vector<ArrayLengths>> readArrayLengths(const Contents& contents, const std::vector<TypeId>& arrayTypes,
                                                    std::stop_token stop);

/// The objects of exactly one type, so that it can be told what they would take up by another layout.
struct TypeOnHeap {
  std::uint64_t objects = 0;           // boxes of a value type
  std::optional<ArrayLengths> arrays;  // of an array type whose elements are value types

  /// Exact, each object rounded up to 8 bytes.
  std::uint64_t bytesBy(const TypeLayout& layout) const;
};

/// Needs the stage Objects. Reads the lengths of arrays, and of `layout` only what kind of type it is.
Outcome<TypeOnHeap> typeOnHeap(const Snapshot& snapshot, const TypeLayout& layout, Address methodTable,
                               std::stop_token stop);

}  // namespace heapscape::engine
