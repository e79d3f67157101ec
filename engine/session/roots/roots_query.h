// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "session/objects/retained_query.h"
#include "session/snapshot/root_list.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// Weak handles and registered finalizers hold nothing and are not among them.
Outcome<RootList> listRoots(const Snapshot& snapshot, const RootOptions& options, std::stop_token stop);

/// "strong handle"; empty for kinds of which each root has a name of its own.
const char* nameOfRoot(RootKind kind);

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

  std::uint32_t parent = 0;    // index; the whole is its own
  std::uint32_t root = kNone;  // index in `roots`; none for a group
  std::string name = {};       // of the group; a root's stands in `roots`
  /// Of a group of static fields whose class nothing tells where they lie, "<statics shop+0x1a2b30>"; its name is then
  /// put together from what they refer to, "statics: List<Order>".
  std::string place = {};
  std::uint64_t roots = 0;                   // below, or 1 for a root
  Retained alone;                            // what nothing outside of it holds
  std::vector<std::uint32_t> children = {};  // indices, those that hold most first
  bool isTogether = false;                   // several roots or groups beside it hold this, see held_together.h
  Address largest = {};  // of what is held together: the object that retains most; 0 where that is not looked for
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

/// Puts the roots in other groups than by owner: by these names, one for each root. What a group holds is what nothing
/// outside of it does, exactly, which takes a pass over the heap.
Outcome<HeldRoots> groupHeldRoots(const Snapshot& snapshot, const HeldRoots& held,
                                  const std::vector<std::string>& groupOf, ProgressSink* progress,
                                  std::stop_token stop);

/// The thread that a root is of, as groups are called: "thread 5 \"worker\""; empty for all others.
std::string threadOfRoot(const RootList& list, const RootRow& root);

}  // namespace heapscape::engine
