// SPDX-License-Identifier: MIT
#pragma once

#include <stop_token>
#include <vector>

#include "base/result.h"
#include "heap/object_walk.h"

namespace heapscape::engine {

struct Contents;

/// An index and types, as after a walk; nothing is counted, for it would be no figure.
struct KnownObjects {
  /// Those given, or, of a dump that lists none, what is there around the objects: these have no address, and no
  /// generation that could be told.
  std::vector<Segment> segments;
  WalkedHeap heap;
};

/// The objects of a dump without a heap that can be told all the same: those that threads, their stacks and exceptions,
/// handles, sync blocks and statics lead to, what these refer to, and what follows one of them in the heap, as far as
/// their memory is in the dump.
Outcome<KnownObjects> findKnownObjects(const Contents& contents, const std::vector<Segment>& segments,
                                       std::stop_token stop);

}  // namespace heapscape::engine
