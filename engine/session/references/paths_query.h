// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "graph/edge.h"
#include "session/roots/roots_query.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

class WhatIf;

// Why an object is alive. All of these need the stage Retained; the first question turns the graph's edges around and
// measures the distance of every object from the roots, which is kept for the next ones.

/// Does so now: for referrers the first is enough.
Outcome<void> prepareReferrers(const Snapshot& snapshot, ProgressSink* progress, std::stop_token stop);
Outcome<void> preparePaths(const Snapshot& snapshot, ProgressSink* progress, std::stop_token stop);

/// An object that refers to another one, and where.
struct Referrer {
  Address object;
  TypeId type;
  EdgeKind kind = EdgeKind::Field;
  std::uint64_t offset = 0;  // from the referrer's address
  std::string via;           // "Customer", "[42]"
  bool isReachable = true;
};
struct ReferrerPage {
  std::uint64_t total = 0;  // edges that lead to the object, unreachable sources among them
  std::vector<Referrer> referrers;
};
/// References [skip, skip + limit) to an object, by address of the source, then by offset. Fails with NotFound.
Outcome<ReferrerPage> referrersOf(const Snapshot& snapshot, Address object, std::uint64_t skip, std::size_t limit,
                                  ProgressSink* progress, std::stop_token stop);

/// One object of a path, and how the one before refers to it.
struct PathStep {
  Address object;
  TypeId type;
  std::string via;  // field or element: "Lines", "[3]", "[3].Key"; empty for what a root refers to
  std::uint64_t retainedBytes = 0;
};

/// From a root to an object.
struct RootPath {
  std::uint32_t root = 0;                 // index in rootsOf().roots
  std::vector<std::uint32_t> otherRoots;  // that lead to the same object: the first of them
  std::uint64_t otherRootCount = 0;       // all of them
  std::uint64_t length = 0;               // objects on the way, both ends included
  std::vector<PathStep> steps;     // all of them, or the first and last ones if there are more than was asked for
  std::uint64_t stepsLeftOut = 0;  // in the middle
  std::uint64_t leftOutAfter = 0;  // steps that stand before the gap
  std::string expression;  // as C#: "Zoo.P.orders[42].Lines[3].Sku", a long run of one field as "Next…×999,998"
  std::string redactedExpression;  // without keys, and names that programs give threads
};

struct PathOptions {
  std::size_t paths = 10;            // at most so many
  std::size_t steps = 1000;          // of each
  std::size_t references = 400'000;  // followed back in search of more than the first path
  const WhatIf* without = nullptr;   // the ways that would be left with these cuts; of the same snapshot
};
struct RootPathList {
  std::vector<RootPath> paths;  // shortest first; each ends at another object that roots refer to
  bool isExhausted = true;      // false if there may be more than those listed
  bool isReachable = true;      // false: nothing holds the object any more
  bool isGarbage = false;       // nor is it a frozen one, which is never collected
  bool isFreed = false;         // nothing would, with the cuts
};
/// The shortest ways that keep an object alive. Fails with NotFound.
Outcome<RootPathList> pathsToRoots(const Snapshot& snapshot, Address object, const PathOptions& options,
                                   ProgressSink* progress, std::stop_token stop);

/// A way that is known already, from an object that a root refers to on (ObjectIds), with at most so many steps.
/// `root`: index in rootsOf().roots.
RootPath describeRootPath(const Snapshot& snapshot, const std::vector<std::uint32_t>& objects, std::uint32_t root,
                          std::size_t steps);

/// The shortest way from one object to another, both included; empty if there is none. Fails with NotFound.
struct ObjectPath {
  std::uint64_t length = 0;
  std::vector<PathStep> steps;
  std::uint64_t stepsLeftOut = 0, leftOutAfter = 0;  // as in RootPath
  std::string expression;                            // from the first object on: ".Lines[3].Sku"
  std::string redactedExpression;
};
Outcome<ObjectPath> pathBetween(const Snapshot& snapshot, Address from, Address to, std::size_t steps,
                                ProgressSink* progress, std::stop_token stop);

/// The shortest paths of many objects laid over each other, from the objects (node 0) up to the roots: what the paths
/// share is one node. Objects of one type that are reached through the same field of the same node are one node.
struct MergedPathNode {
  std::uint32_t parent = 0;  // index of the node nearer to the objects; node 0 is its own
  bool isRoot = false;
  std::uint32_t root = 0;     // isRoot: index in rootsOf().roots of one of them
  std::string name;           // the type's, or the root's: "static Zoo.P.orders", "stack of thread 5"
  TypeId type;                // none for a root
  std::string via;            // field of this node that leads to the parent: "Customer", "[…]", "[…].value"
  bool isRun = false;         // stands for objects that hold each other by this very field, as a list's nodes do
  std::uint64_t objects = 0;  // of the set that are held through this node
  std::uint64_t holders = 0;  // different objects in this node
  std::uint64_t bytes = 0;    // of these objects of the set, aligned
  // These objects (ObjectIds, ascending); empty where they are more than are kept of all nodes together.
  std::vector<std::uint32_t> members = {};
};
struct MergedPaths {
  std::vector<MergedPathNode> nodes;  // parents before children, those of more objects first
  std::uint64_t objects = 0;          // of the set that can be reached
  std::uint64_t unreachable = 0;
  std::uint64_t frozen = 0;  // of these: never collected all the same
};
/// At most `limit` nodes; those of fewest objects are left out.
Outcome<MergedPaths> mergedPathsOfType(const Snapshot& snapshot, TypeId type, std::size_t limit, ProgressSink* progress,
                                       std::stop_token stop);
/// Merges the paths of any objects (ObjectIds, ascending). Node 0 has their type, or no name if these differ.
Outcome<MergedPaths> mergedPathsOfSet(const Snapshot& snapshot, const std::vector<std::uint32_t>& objects,
                                      std::size_t limit, ProgressSink* progress, std::stop_token stop);

}  // namespace heapscape::engine
