// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "session/objects/retained_query.h"
#include "session/roots/roots_query.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// A root with what it holds.
struct HeldRoot {
  RootRow root;
  std::string typeName;  // of the object; empty if there is none
  Address methodTable;
  Retained alone;                         // what no other root holds
  std::uint64_t objectRetainedBytes = 0;  // what the object retains, however many roots lead to it
};

/// A line of the roots grouped by kind and owner.
struct RootTreeNode {
  static constexpr std::uint32_t kNone = 0xffffffff;

  std::uint32_t parent = 0;                  // index; the whole is its own
  std::uint32_t root = kNone;                // index in `roots`; none for a group
  std::string name = {};                     // of the group; a root's stands in `roots`
  std::uint64_t roots = 0;                   // below, or 1 for a root
  Retained alone;                            // what nothing outside of it holds
  std::vector<std::uint32_t> children = {};  // indices, those that hold most first
};

struct HeldRoots {
  std::vector<HeldRoot> roots;     // by index in Snapshot::roots()
  std::vector<RootTreeNode> tree;  // node 0 is the whole
};

/// "Statics", "static Zoo.P.orders".
const std::string& nameOf(const HeldRoots& held, const RootTreeNode& node);

/// Needs the stage Retained; before it there are none.
Outcome<HeldRoots> listHeldRoots(const Snapshot& snapshot, std::stop_token stop);
/// Puts siblings that hold most first.
void sortHeldRoots(HeldRoots& held);

}  // namespace heapscape::engine
