// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "base/progress.h"
#include "base/result.h"
#include "layout/code_owners.h"
#include "session/references/what_if.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

// The dominator tree for people: from the whole through groups of roots and roots to objects. Needs the stage Retained.

/// How siblings of the tree are put together.
enum class DominatorGrouping : std::uint8_t { Object, Type, Namespace };

template <>
inline constexpr auto kEnumNames<DominatorGrouping> =
    std::to_array<EnumName<DominatorGrouping>>({{DominatorGrouping::Object, "object"},
                                                {DominatorGrouping::Type, "type"},
                                                {DominatorGrouping::Namespace, "namespace"}});

enum class DominatorKind : std::uint8_t { Whole, RootGroup, Root, Object, Type, Namespace, Set };

template <>
inline constexpr auto kEnumNames<DominatorKind> =
    std::to_array<EnumName<DominatorKind>>({{DominatorKind::Whole, "whole"},
                                            {DominatorKind::RootGroup, "rootGroup"},
                                            {DominatorKind::Root, "root"},
                                            {DominatorKind::Object, "object"},
                                            {DominatorKind::Type, "type"},
                                            {DominatorKind::Namespace, "namespace"},
                                            {DominatorKind::Set, "set"}});

/// A node of the tree, by a number of its own that stays the same as long as the snapshot lives.
/// Grouped by type, a node stands for all objects of one type that the objects of its parent node dominate
/// immediately; by namespace, for all of a namespace, and below it for its types. Roots of one name in a group are one
/// node there. A set of objects stands for all that would be freed with them together: below it stand those of them
/// that no other one dominates, and what several of them hold only together.
struct DominatorNode {
  std::uint32_t node = 0;
  DominatorKind kind = DominatorKind::Object;
  std::string name;                  // of the type, root or namespace
  Address object;                    // Object: its address; Type: of the only one; Root: the object it holds
  TypeId type;                       // Object and Type
  CodeOwner owner = CodeOwner::Own;  // Object and Type: of the type; Namespace: of the type in it that retains most
  std::uint64_t objects = 1;         // that the node stands for: none for roots and their groups
  std::uint64_t roots = 0;           // Root: that the node stands for
  std::uint32_t root = 0;            // Root: the first of them, an index in rootsOf().roots; RootGroup: in its groups
  std::uint64_t bytes = 0;           // of these, aligned
  std::uint64_t retainedBytes = 0;   // with all below
  std::uint64_t retainedCount = 0;
  std::uint64_t children = 0;  // what the nodes below it stand for: by Object their number; 0 for a leaf

  /// Whether `bytes` are a part of what the node retains beside what stands below it.
  bool holdsItself() const { return kind != DominatorKind::Namespace && kind != DominatorKind::Set; }
};

struct DominatorPage {
  std::uint64_t total = 0;  // children in all
  std::vector<DominatorNode> nodes;
};

/// The children [skip, skip + limit) of a node, those that retain most first. Node 0 is the whole.
/// Fails with NotFound if there is no such node.
Outcome<DominatorPage> dominatedBy(const Snapshot& snapshot, DominatorGrouping grouping, std::uint32_t node,
                                   std::uint64_t skip, std::size_t limit, std::stop_token stop);

/// A way of more nodes than this is told by its first one and its last ones.
inline constexpr std::size_t kLongestDominatorPath = 1000;
/// The nodes from the whole down to an object (by Object), or to those of its type that stand for it, too. Empty if the
/// object cannot be reached.
Outcome<std::vector<DominatorNode>> dominatorsOf(const Snapshot& snapshot, DominatorGrouping grouping, Address object,
                                                 std::stop_token stop);

/// The node for this object alone, whatever the grouping of what is below; nothing if it cannot be reached.
Outcome<std::optional<DominatorNode>> dominatorNodeOf(const Snapshot& snapshot, DominatorGrouping grouping,
                                                      Address object, std::stop_token stop);

/// The node for what would be freed with all of these together, exactly (retainedOfSet); nothing if none of them can be
/// reached. `objects`: ObjectIds, ascending.
Outcome<std::optional<DominatorNode>> dominatorNodeOfSet(const Snapshot& snapshot, DominatorGrouping grouping,
                                                         const std::vector<std::uint32_t>& objects,
                                                         ProgressSink* progress, std::stop_token stop);

/// The objects that a node stands for: ObjectIds, ascending; none for roots, their groups and the whole. Of a set those
/// that stand right below it.
Outcome<std::vector<std::uint32_t>> objectsOfDominator(const Snapshot& snapshot, DominatorGrouping grouping,
                                                       std::uint32_t node, std::stop_token stop);

/// The reachable object of a type that retains most; 0 if there is none.
Outcome<Address> largestOfType(const Snapshot& snapshot, TypeId type, std::stop_token stop);

/// A node in a picture of the tree: where its share begins and how much it is, of the bytes that the top node retains.
struct DominatorShape {
  DominatorNode node;
  std::uint32_t parent = 0;     // index; the top is its own
  std::uint32_t depth = 0;      // 0 for the top
  std::uint64_t firstByte = 0;  // from the start of the top; children stand side by side within their parent, those
                                // that retain most first, and behind them what is the parent's own
  bool isRest = false;          // stands for siblings too small to be drawn: only `objects`, `bytes` and
                                // `retainedBytes` are set, both to what these retain
  std::uint64_t siblings = 0;   // isRest: how many nodes
  std::vector<DominatorNode> folded = {};  // that stand in this shape below its node, see dominator_chains.h
};
struct DominatorPictureOptions {
  std::uint32_t top = 0;         // node
  double smallestShare = 0.001;  // of the top's bytes; siblings below it are one shape
  std::uint32_t depth = 30;      // levels below the top
  std::size_t shapes = 4000;     // at most so many
};
/// Shapes with parents before children. A node that is divided at all is so to the last byte: what its shapes and its
/// rest do not cover is its own. Nodes at the deepest level, and the smallest ones if there are too many, are not.
Outcome<std::vector<DominatorShape>> dominatorPicture(const Snapshot& snapshot, DominatorGrouping grouping,
                                                      const DominatorPictureOptions& options, std::stop_token stop);

/// One object with its immediate dominator, for comparing whole heaps.
struct DominatedObject {
  Address object;
  Address dominator;  // 0 if only roots hold it
  std::uint64_t retainedBytes = 0;
  std::uint64_t retainedCount = 0;
};
/// Calls `visit` for every reachable object in address order until it returns false. False if it was stopped.
bool forEachDominated(const Snapshot& snapshot, const std::function<bool(const DominatedObject&)>& visit,
                      std::stop_token stop);

/// A node of the dominator tree in an outline.
struct DominatorOutlineRow {
  DominatorNode node;
  std::uint32_t depth = 0;        // below the top
  std::uint64_t childNodes = 0;   // in all, in this grouping; 0 at the last level, where nobody looks
  std::uint64_t shownNodes = 0;   // of these, as rows that follow
  std::uint64_t hiddenBytes = 0;  // that the others retain
};

struct DominatorOutlineOptions {
  std::uint32_t depth = 3;  // levels below the top
  std::size_t top = 20;     // children of each node, those that retain most
};

/// Calls `visit` for a node and what is below it, each node before its children, until it returns false. Holds no more
/// than the way down to the node that it is at.
Outcome<void> outlineDominators(const Snapshot& snapshot, DominatorGrouping grouping, const DominatorNode& top,
                                const DominatorOutlineOptions& options,
                                const std::function<bool(const DominatorOutlineRow&)>& visit, std::stop_token stop);

/// The node that stands for all that is reachable.
Outcome<DominatorNode> wholeOf(const Snapshot& snapshot, DominatorGrouping grouping, std::stop_token stop);

/// Returns how many of the bytes that each shape of a picture retains would be freed by cuts, exactly; 0 for a rest,
/// which stands for no node. By shape. The picture is of this snapshot; fails with NotFound if the cuts are of another
/// one.
Outcome<std::vector<std::uint64_t>> freedByShape(const Snapshot& snapshot, const WhatIf& whatIf,
                                                 DominatorGrouping grouping, std::span<const DominatorShape> shapes,
                                                 std::stop_token stop);

}  // namespace heapscape::engine
