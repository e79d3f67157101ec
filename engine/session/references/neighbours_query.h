// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "graph/object_references.h"
#include "session/references/adjacents.h"
#include "session/references/paths_query.h"
#include "session/references/retained_flow.h"
#include "session/snapshot/contents.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// Calls visit(Edge) for what one object refers to, by offset, whether or not it leads to an object. From the
/// References stage on.
template <class Visit>
void forEachEdgeOf(const Contents& contents, Address object, Visit visit) {
  const SegmentId segment = contents.heap->index.segmentOf(object);
  if (segment.isNone()) return;
  const SegmentObjects objects(*contents.memory, contents.heap->index, contents.heap->types, segment,
                               (*contents.segments)[segment.value]);
  ObjectFacts facts;
  if (!objects.tryRead(object, facts)) return;
  ObjectReferences(*contents.memory, objects, *contents.typeReferences, contents.dependents.get())
      .forEach(facts, visit);
}

// Neighbours of an object in the reference graph, in portions that fit into a picture. Needs the stage Retained.

/// An object of a chain.
struct ChainStep {
  Address object;
  TypeId type;
};

/// An object beside another one.
struct Neighbour {
  Address object;
  TypeId type;
  std::string name;                    // type, or what the object is in one line: "System.String \"abc\""
  std::string value;                   // of a string, an array or a box what is in it; else empty
  std::optional<std::uint64_t> items;  // of a collection
  Address storageOf;                   // the collection that keeps its items in it; told by describeObjects() alone
  std::string via;                     // field or element of the one that refers: "Lines", "[3]", "[\"key\"].Value"
  std::uint64_t references = 0;        // that it holds itself
  std::uint64_t bytes = 0;             // aligned
  std::uint64_t retainedBytes = 0;     // 0 if it cannot be reached
  bool isReachable = true;
  bool isGarbage = false;    // see RetainedRow
  bool isDominated = false;  // one of both dominates the other immediately
  // With followsFlow:
  std::uint32_t steps = 1;                      // references between both; 0 if there are more than were followed
  std::uint64_t flowBytes = 0;                  // retained by the inner one, if the outer one dominates it immediately
  std::optional<RetainedAccount> account;       // of the object
  std::optional<RetainedAccount> chainAccount;  // of it with the chain
  std::vector<ChainStep> chain = {};            // below it, each with nearly all that the one before retains
};

/// All neighbours of one type on one side.
struct NeighbourGroup {
  TypeId type;
  std::uint64_t objects = 0;  // different ones
  std::uint64_t references = 0;
  std::uint64_t bytes = 0;
  std::uint64_t retainedBytes = 0;  // what they retain together, one that another dominates not added twice
  std::uint64_t flowBytes = 0;      // of all, which add up; with followsFlow
  std::vector<Neighbour> first;     // those that retain most
};

struct NeighbourOptions {
  std::size_t perGroup = 3;  // how many of each group to name
  std::size_t groups = 100;  // how many groups to name some of; of the others only the figures are told
  Neighbourhood hood = {};
};

struct Neighbours {
  std::uint64_t objects = 0;           // different ones on this side
  std::vector<NeighbourGroup> groups;  // those that retain most first; with followsFlow those that most flows through
  std::vector<std::uint32_t> roots;    // Holders: indices in rootsOf().roots of roots that refer to the object
  bool isFolded = false;               // the object is a collection, and its items are what is shown
  // With followsFlow:
  std::uint64_t referBack = 0;  // on this side, left out above: what it dominates refers to it, or it to
                                // what dominates it
  std::vector<Address> back;    // of these, at most kMostBack
  std::optional<std::uint32_t> dominatingRoot;  // Holders: of `roots` the one that alone keeps the object
};
inline constexpr std::size_t kMostBack = 1000;
/// Fails with NotFound.
Outcome<Neighbours> neighboursOf(const Snapshot& snapshot, Address object, Direction direction,
                                 const NeighbourOptions& options, ProgressSink* progress, std::stop_token stop);

/// Neighbours [skip, skip + limit) of one type, those that retain most first.
Outcome<std::vector<Neighbour>> neighboursOfType(const Snapshot& snapshot, Address object, Direction direction,
                                                 TypeId type, const Neighbourhood& hood, std::uint64_t skip,
                                                 std::size_t limit, ProgressSink* progress, std::stop_token stop);

/// Objects by themselves, as nodes of a picture that no reference has led to: `via` is empty. Addresses of no object
/// are passed over.
std::vector<Neighbour> describeObjects(const Snapshot& snapshot, const std::vector<Address>& objects,
                                       std::stop_token stop, const Neighbourhood& hood = {});

/// The first objects of the chain below an object, with the way from the one before as `via`. Fails with NotFound.
Outcome<std::vector<Neighbour>> chainBelow(const Snapshot& snapshot, Address object, bool foldCollections,
                                           std::size_t limit, std::stop_token stop);

}  // namespace heapscape::engine
