// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "base/address.h"
#include "base/ids.h"
#include "heap/object_index.h"

namespace heapscape::engine {

/// A part of one segment and the objects that begin in it: [firstObject, endObject).
struct HeapChunk {
  SegmentId segment;
  AddressRange range;
  std::uint32_t firstObject = 0;
  std::uint32_t endObject = 0;
  std::uint32_t objectCount() const { return endObject - firstObject; }
};

/// All objects in order, in parts of about this many bytes.
std::vector<HeapChunk> makeChunks(const ObjectIndex& index, const std::vector<Segment>& segments,
                                  std::uint64_t bytesPerChunk);

}  // namespace heapscape::engine
