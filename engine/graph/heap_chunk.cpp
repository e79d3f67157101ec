// SPDX-License-Identifier: MIT
#include "graph/heap_chunk.h"

#include <algorithm>

namespace heapscape::engine {

std::vector<HeapChunk> makeChunks(const ObjectIndex& index, const std::vector<Segment>& segments,
                                  std::uint64_t bytesPerChunk) {
  std::vector<HeapChunk> chunks;
  for (std::uint32_t i = 0; i < segments.size(); ++i) {
    const AddressRange& objects = segments[i].objects;
    std::uint32_t first = index.objectsOf({i}).first.value;
    for (Address start = objects.start; start < objects.end; start += bytesPerChunk) {
      const Address end = std::min(objects.end, start + bytesPerChunk);
      const std::uint32_t next = index.countBefore({i}, end);
      if (next > first) chunks.push_back({{i}, {start, end}, first, next});
      first = next;
    }
  }
  return chunks;
}

}  // namespace heapscape::engine
