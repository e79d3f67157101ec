// SPDX-License-Identifier: MIT
#pragma once

#include <stop_token>
#include <vector>

#include "heap/object_walk.h"

namespace heapscape::engine {

/// A lock that is kept in its object's header alone.
struct ThinLock {
  Address object;
  std::uint32_t ownerManagedId = 0;
  std::uint32_t recursion = 0;  // times the owner has entered again, so one less than enters
};

/// The thin locks of the whole heap in address order, found on all cores. Headers of free objects are left over from
/// another time and are skipped, as are headers that the dump does not hold. Cut short on stop.
std::vector<ThinLock> findThinLocks(const ClrRuntime& runtime, const std::vector<Segment>& segments,
                                    const WalkedHeap& heap, std::stop_token stop);

}  // namespace heapscape::engine
