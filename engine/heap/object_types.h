// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "base/large_array.h"
#include "heap/object_walk.h"
#include "memory/address_space.h"

namespace heapscape::engine {

/// The TypeId of every object, by ObjectId, read on all cores. Objects that cannot be read any more have none.
LargeArray<std::uint32_t> readObjectTypes(const AddressSpace& memory, const std::vector<Segment>& segments,
                                          const WalkedHeap& heap);

}  // namespace heapscape::engine
