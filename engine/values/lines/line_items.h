// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/bounded_reader.h"
#include "base/ids.h"
#include "heap/object_walk.h"
#include "values/lines/nearby_memory.h"

namespace heapscape::engine {

/// The items of an array or a list that its line (ObjectLines) tells.
struct LineItems {
  TypeId arrayType = {};     // of a list's array
  std::uint32_t count = 0;   // of all there are
  std::uint32_t stride = 0;  // bytes from one to the next
  std::size_t shown = 0;
  Bytes bytes = {};  // of those shown, one behind the other
};

/// Of an array of one dimension from 0, whose bytes are given. Nothing if these do not hold them.
std::optional<LineItems> readVectorItems(Bytes array, std::uint32_t stride);

/// Of a List<T> whose bytes are given, with where its fields lie behind the method table (bytes). Nothing if the dump
/// does not hold them, or size and array do not belong together. Of what kind the array is its type has to say.
std::optional<LineItems> readListItems(const WalkedHeap& heap, NearbyMemory& memory, Bytes list,
                                       std::uint32_t itemsOffset, std::uint32_t sizeOffset);

}  // namespace heapscape::engine
