// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "session/references/neighbours_query.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {

class FoldedCollections;

/// An object beside another one, and how many references there are between both.
struct Adjacent {
  std::uint32_t object = 0;  // ObjectId
  std::uint32_t references = 0;
};

/// The different objects on one side of an object.
struct Adjacents {
  std::vector<Adjacent> objects;  // by ObjectId
  bool isFolded = false;          // the items of a collection
};

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

/// What objects retain together, one that another of them dominates not added twice.
std::uint64_t retainedTogether(const Contents& contents, const std::vector<Adjacent>& objects, std::stop_token stop);

/// None for an object whose head is not in the dump.
TypeId typeOfObject(const Contents& contents, std::uint32_t object);
/// What it retains; 0 if it cannot be reached.
std::uint64_t retainedBytesOf(const Contents& contents, std::uint32_t object);

}  // namespace heapscape::engine
