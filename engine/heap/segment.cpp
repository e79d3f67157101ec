// SPDX-License-Identifier: MIT
#include "heap/segment.h"

namespace heapscape::engine {

const char* toString(Generation generation) {
  switch (generation) {
    case Generation::Gen0:
      return "gen0";
    case Generation::Gen1:
      return "gen1";
    case Generation::Gen2:
      return "gen2";
    case Generation::Large:
      return "large";
    case Generation::Pinned:
      return "pinned";
    case Generation::Frozen:
      return "frozen";
  }
  return "unknown";
}

const char* toString(SegmentKind kind) {
  switch (kind) {
    case SegmentKind::Gen0:
      return "gen0";
    case SegmentKind::Gen1:
      return "gen1";
    case SegmentKind::Gen2:
      return "gen2";
    case SegmentKind::Ephemeral:
      return "ephemeral";
    case SegmentKind::Large:
      return "large";
    case SegmentKind::Pinned:
      return "pinned";
    case SegmentKind::Frozen:
      return "frozen";
  }
  return "unknown";
}

Generation Segment::generationOf(Address object) const {
  for (const GenerationRange& part : generations) {
    if (part.range.contains(object)) return part.generation;
  }
  return generations.empty() ? Generation::Gen2 : generations.back().generation;
}

}  // namespace heapscape::engine
