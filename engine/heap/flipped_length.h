// SPDX-License-Identifier: MIT
#pragma once

#include "heap/object_chain.h"

namespace heapscape::engine {

/// An array that ends where an object begins is believed by the walk, even if it got there by a damaged length. Looks
/// where it would end with each bit of its length cleared: if objects follow each other from there up to or over its
/// end, or if an allocation context lies under it, it is an array over other objects. Certain for strings and arrays of
/// references, which cannot hold the address of a method table: gives where those objects begin. Other arrays may have
/// been left as they were when they were allocated (GC.AllocateUninitializedArray, ArrayPool): those the unit remembers
/// as doubtful, and 0 is given.
Address findDamagedLength(const ObjectChain& chain, WalkUnit& unit, Address array, const ObjectCandidate& candidate);

/// The same for one that the unit remembers. Old bytes look so in many arrays or in none, so ask only if it is alone in
/// the whole heap.
Address findDoubtfulLength(const ObjectChain& chain, const WalkUnit& unit, Address array,
                           const ObjectCandidate& candidate);

/// Where objects begin inside of an array that ends where none does, if they follow each other beyond its end; else 0.
Address findAcrossEnd(const ObjectChain& chain, const WalkUnit& unit, Address array, const ObjectCandidate& candidate);

}  // namespace heapscape::engine
