// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "base/finding.h"
#include "base/progress.h"
#include "base/result.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

// All of these answer from the stage Retained: exact, by dominators, seen from the roots that were chosen for it.
// Before that stage they have nothing to tell.

/// An object and what would be freed with it.
struct RetainedRow {
  Address object;
  TypeId type;
  std::uint64_t bytes = 0;          // aligned
  std::uint64_t retainedBytes = 0;  // itself and all that it dominates; 0 if it cannot be reached
  std::uint64_t retainedCount = 0;
  Address dominator;  // the nearest object that holds it alone; 0 if only roots together do
  bool isReachable = true;
  bool isGarbage = false;  // it cannot be reached, and is no frozen object, which is never collected
};

/// A type and what would be freed with all its reachable instances. One that another one dominates is not added twice.
struct RetainedTypeRow {
  TypeId type;
  std::uint64_t instances = 0;  // reachable
  std::uint64_t bytes = 0;      // of these
  std::uint64_t retainedBytes = 0;
};

struct RetainedList {
  std::vector<RetainedRow> objects;    // the largest by retained bytes, then by address
  std::vector<RetainedTypeRow> types;  // all that are reachable, the largest by retained bytes first
  RetainedTotals totals;
  FindingList findings;  // references that lead to no object
};

/// The objects that retain the most, at most `limit`, and all types.
RetainedList largestRetained(const Snapshot& snapshot, std::size_t limit);

/// Returns what the object that starts there retains; nullopt if none does.
std::optional<RetainedRow> retainedOf(const Snapshot& snapshot, Address object);
/// 0 for what cannot be reached. For sorting: one look-up.
std::uint64_t retainedBytesOf(const Snapshot& snapshot, ObjectId object);

/// Returns the bytes that an object retains: nullopt before the stage and for no object, 0 for what cannot be reached.
std::optional<std::uint64_t> retainedBytesAt(const Snapshot& snapshot, Address object);

/// Objects and bytes that would be freed if something let go.
struct Retained {
  std::uint64_t objects = 0;
  std::uint64_t bytes = 0;  // aligned
};
/// Retained size of one root: nothing if any other root leads there too. root: index in rootsOf().roots.
Retained retainedByRoot(const Snapshot& snapshot, std::uint32_t root);
/// Retained size of a group of roots: what no root outside of it does. group: index in rootsOf().groups.
Retained retainedByGroup(const Snapshot& snapshot, std::uint32_t group);
/// Returns what the roots of a thread retain, by the address of the runtime's Thread; nullopt if no root is its.
std::optional<Retained> retainedByThread(const Snapshot& snapshot, Address thread);

/// Objects to be taken away together: those listed, and all of these types.
struct ObjectSet {
  std::vector<Address> objects = {};
  std::vector<TypeId> types = {};
};
struct RetainedSet {
  Retained members;   // those of the set that can be reached
  Retained retained;  // they and all that can be reached through them only: more than their sum where several of them
                      // hold something together
};
/// Counts what cannot be reached any more without the set: one pass over the whole graph.
Outcome<RetainedSet> retainedOfSet(const Snapshot& snapshot, const ObjectSet& set, ProgressSink* progress,
                                   std::stop_token stop);

}  // namespace heapscape::engine
