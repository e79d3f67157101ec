// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace heapscape::engine {

// Head of every object: the pointer to its method table, then of arrays and strings the number of components.
inline constexpr std::uint64_t kMethodTableMask = ~7ull;  // the GC borrows the low bits while it marks
inline constexpr std::uint64_t kComponentsOffset = 8;     // from the object's address
inline constexpr std::uint64_t kMinimumObjectBytes = 24;
inline constexpr std::uint64_t kHeaderDistance = 4;  // from the header on to the object's address
// In front of the header: zero but for free objects (ObjHeader::m_alignpad, src/coreclr/vm/syncblk.h).
inline constexpr std::uint64_t kPaddingDistance = 8;

}  // namespace heapscape::engine
