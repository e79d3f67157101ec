// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "session/threads/locks_query.h"

namespace heapscape::engine {

/// Managed ids: which thread each waiting one waits for. A thread waits for one lock at a time.
using WaitsFor = std::unordered_map<std::uint32_t, std::uint32_t>;

/// Who holds what the threads wait for.
WaitsFor waitsForOf(const std::vector<LockRow>& locks);

/// The circles in it, each beginning with its lowest id, ordered by that.
std::vector<std::vector<std::uint32_t>> findLockCycles(const WaitsFor& waitsFor);

}  // namespace heapscape::engine
