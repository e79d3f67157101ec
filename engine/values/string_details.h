// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "heap/object_walk.h"
#include "runtime/clr_runtime.h"

namespace heapscape::engine {

/// Bytes of a string object: the terminator lies behind the characters, then what rounds the object up.
struct StringDetails {
  std::uint32_t length = 0;            // in UTF-16 units
  std::uint32_t lengthOffset = 8;      // from the object's address
  std::uint32_t charactersOffset = 0;  // from the object's address
  std::uint32_t terminatorBytes = 2;
  std::uint32_t alignmentBytes = 0;  // unused behind the terminator
  std::string text;                  // UTF-8 of the first `shown` units
  std::uint32_t shown = 0;
  std::string damage;  // a length beyond the object's segment, a missing terminator; empty if all is well
};

/// About a System.String object; `limit`: UTF-16 units of text. Never fails: what is wrong is told in `damage`.
StringDetails readStringDetails(const ClrRuntime& runtime, const WalkedHeap& heap, Address string, std::size_t limit);

}  // namespace heapscape::engine
