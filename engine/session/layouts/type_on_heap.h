// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>

#include "base/address.h"
#include "base/result.h"
#include "layout/type_layout.h"
#include "session/objects/array_lengths.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

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
