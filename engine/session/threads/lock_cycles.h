// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "session/threads/locks_query.h"

namespace heapscape::engine {

/// Managed ids: which threads each waiting one waits for. A thread waits for one lock at a time, but several may read
/// behind it, who must all leave.
using WaitsFor = std::unordered_map<std::uint32_t, std::vector<std::uint32_t>>;

/// The threads that hold a lock: its owner first, then readers.
std::vector<std::uint32_t> holdersOf(const LockRow& lock);
/// Who holds what the threads wait for.
WaitsFor waitsForOf(const std::vector<LockRow>& locks);

/// The circles in it, each beginning with its lowest id, ordered by that. Of several that share threads the shortest.
std::vector<std::vector<std::uint32_t>> findLockCycles(WaitsFor waitsFor);

}  // namespace heapscape::engine
