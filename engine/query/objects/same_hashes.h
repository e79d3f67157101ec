// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>

#include "base/content_hash.h"
#include "base/large_array.h"

namespace heapscape::engine {

/// Finds hashes that are the same, on all cores. Calls same(first, later) with the places of each but the first, of one
/// first on one thread only. What it has called means nothing if it was stopped.
void forEachSame(const LargeArray<Hash128>& hashes, std::size_t count,
                 const std::function<void(std::uint32_t first, std::uint32_t later)>& same,
                 const std::stop_token& stop);

}  // namespace heapscape::engine
