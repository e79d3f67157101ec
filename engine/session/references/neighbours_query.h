// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "session/references/paths_query.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

// What surrounds an object in the reference graph, in portions that fit into a picture. Needs the stage Retained.

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

}  // namespace heapscape::engine
