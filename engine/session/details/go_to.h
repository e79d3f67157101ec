// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "session/objects/object_query.h"

namespace heapscape::engine {

/// Something that a text in the go-to box may mean.
struct Destination {
  enum class Kind : std::uint8_t { Object, Segment, Type } kind = Kind::Type;
  std::string title;    // "Zoo.Order", "segment 0x7f…"
  std::string detail;   // "object at 0x7f…, 72 bytes, gen1", "12,345 objects, 1.2 MB"
  Address object;       // Kind::Object: the start of the object that holds the address
  Address methodTable;  // Kind::Object and Kind::Type
  SegmentId segment;    // Kind::Object and Kind::Segment
};

/// Addresses first, then types: names that are equal, begin with, or hold the text; at most `limit`.
std::vector<Destination> findDestinations(const Snapshot& snapshot, const std::string& text, std::size_t limit);

}  // namespace heapscape::engine
