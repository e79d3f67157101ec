// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "base/ids.h"
#include "base/progress.h"
#include "base/result.h"
#include "session/objects/object_query.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {

class FoldedCollections;

enum class Direction : std::uint8_t { Holders, Held };

/// Which objects are neighbours of an object.
struct Neighbourhood {
  bool foldCollections = true;  // a collection's items in place of its arrays, buckets and nodes
  /// As retained bytes flow: with what an object dominates immediately without referring to it, or is dominated by so,
  /// and without those that refer back to what dominates them. Tells of each the account and the chain below it.
  bool followsFlow = false;
};

/// An object beside another one, and how many references there are between both.
struct Adjacent {
  std::uint32_t object = 0;      // ObjectId
  std::uint32_t references = 0;  // 0 for one that only the flow leads to
};

/// The different objects on one side of an object.
struct Adjacents {
  std::vector<Adjacent> objects;         // by ObjectId
  bool isFolded = false;                 // the items of a collection
  std::vector<std::uint32_t> back = {};  // with followsFlow: those that are left out
};

/// The neighbours on one side. Fails with nothing but that it was cancelled.
Outcome<Adjacents> findSide(const Contents& contents, std::uint32_t object, Direction direction,
                            const Neighbourhood& hood, FoldedCollections& folding, ProgressSink* progress,
                            std::stop_token stop);

/// `folding` may be null. Every step is linear in the number of references. Nothing if it was stopped.
std::optional<Adjacents> findHeld(const Contents& contents, std::uint32_t object, const FoldedCollections* folding,
                                  std::stop_token stop);
Outcome<Adjacents> findHolders(const Contents& contents, std::uint32_t object, FoldedCollections* folding,
                               ProgressSink* progress, std::stop_token stop);

struct AdjacentGroup {
  TypeId type;
  std::vector<Adjacent> objects;
};
/// By type, in no particular order. Nothing if it was stopped.
std::optional<std::vector<AdjacentGroup>> groupByType(const Contents& contents, const std::vector<Adjacent>& objects,
                                                      std::stop_token stop);

/// Puts those that retain most at [0, count), sorted; the rest follows in no order.
void putLargestFirst(const Contents& contents, std::vector<Adjacent>& objects, std::size_t count);

/// Returns what objects retain together, one that another of them dominates not added twice.
std::uint64_t retainedTogether(const Contents& contents, const std::vector<Adjacent>& objects, std::stop_token stop);

/// Returns the bytes that an object retains; 0 if it cannot be reached.
std::uint64_t retainedBytesOf(const Contents& contents, std::uint32_t object);

}  // namespace heapscape::engine
