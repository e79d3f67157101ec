// SPDX-License-Identifier: MIT
#include "heap/oversized_object.h"

#include <algorithm>

#include "heap/object_head.h"

namespace heapscape::engine {
namespace {

// Where objects begin inside of one that cannot be as large as it says; 0 if there are none. They do within the size of
// large objects, for else it would be one in truth.
Address findInside(const ObjectChain& chain, const WalkUnit& unit, Address object, std::uint64_t bytes) {
  const Address last = object + std::min(bytes, kLargeObjectBytes);
  for (Address at = object + kMinimumObjectBytes; at < last; at += 8) {
    if (chain.beginsAt(unit, at)) return at;
  }
  return {};
}

}  // namespace

Address findSwallowed(const ObjectChain& chain, WalkUnit& unit, Address object, std::uint64_t bytes) {
  if (!chain.beginsAt(unit, chain.skipGaps(unit, object + bytes))) return findInside(chain, unit, object, bytes);
  if (unit.oversized != object) ++unit.oversizedCount;  // a careful walk may begin with it again
  unit.oversized = object;
  return {};
}

Address findSwallowedToEnd(const ObjectChain& chain, const WalkUnit& unit, Address object, std::uint64_t bytes) {
  const Address inside = findInside(chain, unit, object, bytes);
  return inside && chain.reaches(unit, inside, chain.skipGaps(unit, object + bytes)) ? inside : Address{};
}

}  // namespace heapscape::engine
