// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include "heap/object_header.h"
#include "heap/object_walk.h"
#include "runtime/clr_runtime.h"

namespace heapscape::engine {

/// Decodes a header word by this runtime's rules: thread ids of 10 bits before .NET 8, of 16 since.
ObjectHeader decodeHeader(const Contract& contract, std::uint32_t value);

/// Reads and decodes the header of an object. Fails with NotInDump. A free object's header is left over from another
/// time and means nothing.
Result<ObjectHeader> readHeader(const ClrRuntime& runtime, Address object);

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
