// SPDX-License-Identifier: MIT
#include "heap/segment.h"

namespace heapscape::engine {

Generation Segment::generationOf(Address object) const {
  for (const GenerationRange& part : generations) {
    if (part.range.contains(object)) return part.generation;
  }
  return generations.empty() ? Generation::Gen2 : generations.back().generation;
}

}  // namespace heapscape::engine
