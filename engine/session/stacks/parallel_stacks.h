// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

#include "layout/code_owners.h"
#include "session/stacks/stacks_query.h"

namespace heapscape::engine {

/// Sequences of keys laid over each other from their first: those that begin alike are one way up to where they part.
/// Nodes are numbered in the order in which they were made, the root is 0.
template <class Key>
class PrefixTree {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  /// The node below `parent` with this key, and whether it is new.
  std::pair<std::uint32_t, bool> childOf(std::uint32_t parent, Key key) {
    const auto next = static_cast<std::uint32_t>(m_children.size());
    const auto [place, isNew] = m_children[parent].try_emplace(std::move(key), next);
    const std::uint32_t child = place->second;
    if (isNew) m_children.emplace_back();
    return {child, isNew};
  }

  struct Placed {
    std::uint32_t node;
    std::uint32_t parent;  // index in the result; kNone for the root
    std::uint32_t depth;
  };
  /// Each node followed by all below it; of siblings the heaviest first, then by key. `weightOf(node)` is a number.
  template <class WeightOf>
  std::vector<Placed> inOrder(const WeightOf& weightOf) const {
    std::vector<Placed> placed;
    std::vector<Placed> open{{0, kNone, 0}};
    while (!open.empty()) {
      const Placed next = open.back();
      open.pop_back();
      const auto index = static_cast<std::uint32_t>(placed.size());
      placed.push_back(next);
      std::vector<std::uint32_t> children;
      for (const auto& [key, child] : m_children[next.node]) children.push_back(child);
      std::ranges::stable_sort(children, std::ranges::greater(), weightOf);
      for (const std::uint32_t child : children | std::views::reverse) open.push_back({child, index, next.depth + 1});
    }
    return placed;
  }

 private:
  std::vector<std::map<Key, std::uint32_t>> m_children = std::vector<std::map<Key, std::uint32_t>>(1);
};

/// A frame that several threads have in common, with all that they called to get there.
struct ParallelFrame {
  static constexpr std::uint32_t kNone = 0xffffffff;

  std::uint32_t parent = kNone;  // index; parents stand before their children
  std::uint32_t depth = 0;       // 0 for "all threads", 1 for the frame that a thread began with
  FrameKind kind = FrameKind::Managed;
  CodeOwner owner = CodeOwner::Own;
  bool isFolded = false;  // stands for several frames, or for none: "all threads", "[External code]", what repeats
  /// Name as nameOf() has it, of native code without the offset; "all threads" of the first.
  std::string name;
  std::string type;                    // of the frame, as FrameRow has it; empty for what is folded
  std::string method;                  // the same
  std::vector<std::uint32_t> threads;  // indices in the list of stacks, ascending: of all that pass through it
};

/// Stacks laid over each other from where the threads began: threads that share a frame are one node up to where they
/// part. Each node is followed by all below it, and of siblings those with the most threads come first.
struct ParallelStacks {
  std::vector<ParallelFrame> frames;  // the first is "all threads"; none where there are no threads
};

struct ParallelOptions {
  bool onlyMyCode = false;  // frames of .NET and of packages, in a row, become one: "[External code]"
};

/// Merges the stacks. Frames that repeat (foldedFrames) stand there once each, and below them how often they do: "[3
/// frames repeat 2,282 times]", of several threads the most; of methods without order all in one: "[P.Left, P.Right in
/// no order: 9,000 frames]". So stacks of threads that have recursed to different depths part only above. Frames
/// further in than a thousand from the beginning of a thread are one: "[more frames]".
ParallelStacks parallelStacks(const StackList& stacks, const ParallelOptions& options);

/// Whether the frame is the program's own: managed code that does not belong to .NET.
bool isMyCode(const FrameRow& frame);

/// Threads that do the same: "idle pool thread", "in Shop.Orders.Warehouse.Restock".
struct ActivityGroup {
  std::string doing;
  std::vector<std::uint32_t> threads;  // indices in the list of stacks, ascending
};
/// Where a thread was: the innermost frame of the program's own, else of managed code; null if there is none.
const FrameRow* placeOf(const ThreadStackRow& stack);
/// A thread's activity in words: `doing` where it is known, else where it is in the program's code, else in .NET's.
std::string activityOf(const ThreadStackRow& stack);
/// Most threads first.
std::vector<ActivityGroup> activitiesOf(const StackList& stacks);

}  // namespace heapscape::engine
