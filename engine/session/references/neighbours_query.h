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
#include "session/references/paths_query.h"
#include "session/snapshot/contents.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

class FoldedCollections;

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

enum class Direction : std::uint8_t { Holders, Held };

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
  bool isDominated = false;  // one of both dominates the other immediately
};

/// All neighbours of one type on one side.
struct NeighbourGroup {
  TypeId type;
  std::uint64_t objects = 0;  // different ones
  std::uint64_t references = 0;
  std::uint64_t bytes = 0;
  std::uint64_t retainedBytes = 0;  // what they retain together, one that another dominates not added twice
  std::vector<Neighbour> first;     // those that retain most
};

struct NeighbourOptions {
  std::size_t perGroup = 3;     // how many of each group to name
  std::size_t groups = 100;     // how many groups to name some of; of the others only the figures are told
  bool foldCollections = true;  // a collection's items in place of its arrays, buckets and nodes
};

struct Neighbours {
  std::uint64_t objects = 0;           // different ones on this side
  std::vector<NeighbourGroup> groups;  // those that retain most first
  std::vector<std::uint32_t> roots;    // Holders: indices in rootsOf().roots of roots that refer to the object
  bool isFolded = false;               // the object is a collection, and its items are what is shown
};
/// Fails with NotFound.
Outcome<Neighbours> neighboursOf(const Snapshot& snapshot, Address object, Direction direction,
                                 const NeighbourOptions& options, ProgressSink* progress, std::stop_token stop);

/// Neighbours [skip, skip + limit) of one type, those that retain most first.
Outcome<std::vector<Neighbour>> neighboursOfType(const Snapshot& snapshot, Address object, Direction direction,
                                                 TypeId type, bool foldCollections, std::uint64_t skip,
                                                 std::size_t limit, ProgressSink* progress, std::stop_token stop);

/// Objects by themselves, as nodes of a picture that no reference has led to: `via` is empty. Addresses of no object
/// are passed over.
std::vector<Neighbour> describeObjects(const Snapshot& snapshot, const std::vector<Address>& objects,
                                       std::stop_token stop);

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

/// Returns what objects retain together, one that another of them dominates not added twice.
std::uint64_t retainedTogether(const Contents& contents, const std::vector<Adjacent>& objects, std::stop_token stop);

/// Returns no type for an object whose head is not in the dump.
TypeId typeOfObject(const Contents& contents, std::uint32_t object);
/// Returns the bytes that an object retains; 0 if it cannot be reached.
std::uint64_t retainedBytesOf(const Contents& contents, std::uint32_t object);

}  // namespace heapscape::engine
