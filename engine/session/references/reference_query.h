// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/address.h"
#include "base/ids.h"
#include "base/result.h"
#include "graph/edge.h"
#include "session/objects/object_query.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// Calls `visit` for every reference between two objects, by address of the source, then by offset, until it returns
/// false; those of free objects are left out, and those that lead to no object. False if it was stopped.
bool forEachEdge(const Snapshot& snapshot, const std::function<bool(const Edge&)>& visit, std::stop_token stop = {});

/// Whether a reference of any object, living or dead, leads to no object. On all cores, as fast as the memory is read.
bool hasDamagedEdge(const Snapshot& snapshot, std::stop_token stop = {});

/// An edge with the name of the field or element that it is in.
struct NamedEdge {
  Edge edge;
  std::string name;  // "Customer", "Total.Currency", "[3]", "[3].Key"; "(dependent handle)", "(loader allocator)"
  std::string toType;
};

/// Returns what one object refers to, at most `limit`. Fails with NotFound.
Result<std::vector<NamedEdge>> referencesOf(const Snapshot& snapshot, Address object, std::size_t limit);

/// Everything that can be reached from an object, itself included, each once (SOS: objsize).
struct TransitiveSize {
  std::uint64_t objects = 0;
  std::uint64_t bytes = 0;  // aligned
};
Outcome<TransitiveSize> transitiveSize(const Snapshot& snapshot, const std::vector<Address>& objects,
                                       std::stop_token stop);

/// Calls `visit` for every object that can be reached from some, these included, each once and breadth first, until it
/// returns false. Fails only if it was stopped.
Outcome<void> forEachReachable(const Snapshot& snapshot, const std::vector<Address>& objects,
                               const std::function<bool(const ObjectRow&)>& visit, std::stop_token stop);

/// The objects of a type that no other object holds alone: only roots do, or several objects together.
struct OutermostType {
  TypeId type;
  std::uint64_t objects = 0;
  std::uint64_t retainedBytes = 0;  // of all these, aligned
};

/// Returns the outermost types: what each retains adds up to all that can be reached, each byte once. The largest
/// first. Needs the stage Retained; before it there is nothing.
Outcome<std::vector<OutermostType>> outermostTypes(const Snapshot& snapshot, std::stop_token stop);

}  // namespace heapscape::engine
