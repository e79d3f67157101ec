// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// What keeps an object where it is.
enum class PinKind : std::uint8_t { Handle, AsyncHandle, Stack };
/// "pinned handle", "async pinned handle", "stack".
const char* toString(PinKind kind);

struct Pin {
  PinKind kind = PinKind::Handle;
  /// The type of an object that keeps the handle (a GCHandle in one of its fields or elements), or the method whose
  /// frame pins; empty if neither is known.
  std::string holder = {};
  Address holderObject = {};  // 0 for none
  Address handle = {};        // 0 for a stack
  Address object = {};
};

/// Every pin of the process; an object may have several. Objects of the pinned object heap need none. Holders of
/// handles are found by reading the whole heap, unless there are no such handles. Needs the stage Objects.
Outcome<std::vector<Pin>> listPins(const Snapshot& snapshot, std::stop_token stop);

}  // namespace heapscape::engine
