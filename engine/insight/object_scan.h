// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

#include "heap/segment_objects.h"
#include "insight/insight_input.h"

namespace heapscape::engine {

/// An object in the hands of a pass.
struct ScannedObject {
  std::uint32_t id = 0;  // ObjectId
  ObjectFacts facts;
  Bytes bytes;             // from its address on, aligned size
  bool isInPlace = false;  // these bytes stay until the end of the pass, not only of the visit
};

/// Objects that one core looks at in a row.
struct ScanPiece {
  std::uint32_t segment = 0;
  AddressRange range;
  std::uint32_t firstObject = 0;  // ObjectId of the first one that starts in there
};

/// Sees objects of a pass over the heap, which several may share.
class ObjectVisitor {
 public:
  virtual ~ObjectVisitor() = default;
  /// By TypeId: whether it sees the reachable objects of a type.
  virtual std::vector<std::uint8_t> wantedTypes() const = 0;
  /// Before the pass: what it comes in, in address order.
  virtual void begin(std::span<const ScanPiece> pieces) = 0;
  /// From any core; objects of one piece come from one alone, in address order.
  virtual void visit(std::size_t piece, const ScannedObject& object) = 0;
};

/// Looks at all reachable objects that a visitor wants on all cores, once for all of them. Only the pages of these are
/// touched. Objects that the dump does not hold are left out. `tell` gets shares of it, rising to 1. False if it was
/// stopped.
bool visitObjects(const InsightInput& input, std::span<ObjectVisitor* const> visitors,
                  const std::function<void(double)>& tell, const std::stop_token& stop);

}  // namespace heapscape::engine
