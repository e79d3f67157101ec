// SPDX-License-Identifier: MIT
#include "session/threads/parallel_stacks.h"

#include <algorithm>
#include <ranges>
#include <unordered_map>

#include "session/threads/prefix_tree.h"

namespace heapscape::engine {

namespace {

// Beyond that nothing can be told apart in a picture; recursion that has run away is a hundred times as deep.
constexpr std::size_t kDeepestStack = 1000;

ParallelFrame foldedFrame(std::string name) {
  ParallelFrame node;
  node.isFramework = true;
  node.isFolded = true;
  node.name = std::move(name);
  return node;
}

// The offset within a function tells threads apart that are at the same place for everybody who reads.
std::string mergedName(const FrameRow& frame) {
  std::string name = nameOf(frame);
  if (frame.kind == FrameKind::Native) name.resize(std::min(name.rfind("+0x"), name.size()));
  return name;
}

ParallelFrame nodeOf(const FrameRow& frame) {
  ParallelFrame node;
  node.kind = frame.kind;
  node.isFramework = !isMyCode(frame);
  node.name = mergedName(frame);
  node.type = frame.type;
  node.method = frame.method;
  return node;
}

/// Adds one stack after the other to a tree, and gives it out in order.
class StackMerger {
 public:
  explicit StackMerger(const ParallelOptions& options) : m_options(options) {
    m_nodes.push_back(foldedFrame("all threads"));
  }

  void add(std::uint32_t thread, const std::vector<FrameRow>& frames) {
    std::uint32_t at = 0;
    std::size_t depth = 0;
    bool isFolding = false;
    m_nodes[0].threads.push_back(thread);
    for (const FrameRow& frame : frames | std::views::reverse) {
      const bool isFolded = m_options.onlyMyCode && !isMyCode(frame);
      if (isFolded && isFolding) continue;
      isFolding = isFolded;
      const bool isLast = ++depth >= kDeepestStack;
      at = childOf(at, isLast ? foldedFrame("[more frames]") : isFolded ? foldedFrame("[.NET]") : nodeOf(frame));
      m_nodes[at].threads.push_back(thread);
      if (isLast) return;
    }
  }

  ParallelStacks finish() {
    ParallelStacks stacks;
    for (const Tree::Placed& placed : m_tree.inOrder([this](auto node) { return m_nodes[node].threads.size(); })) {
      ParallelFrame& frame = stacks.frames.emplace_back(std::move(m_nodes[placed.node]));
      frame.parent = placed.parent;
      frame.depth = placed.depth;
    }
    return stacks;
  }

 private:
  using Tree = PrefixTree<std::pair<FrameKind, std::string>>;
  static_assert(Tree::kNone == ParallelFrame::kNone);

  std::uint32_t childOf(std::uint32_t parent, ParallelFrame node) {
    const auto [child, isNew] = m_tree.childOf(parent, {node.kind, node.name});
    if (isNew) m_nodes.push_back(std::move(node));
    return child;
  }

  ParallelOptions m_options;
  Tree m_tree;
  std::vector<ParallelFrame> m_nodes;  // by number in the tree
};

std::string wordsOf(const FrameRow& frame) {
  return "in " + (frame.type.empty() ? frame.method : frame.type + "." + frame.method);
}

}  // namespace

bool isMyCode(const FrameRow& frame) {
  return frame.kind == FrameKind::Managed && !frame.isFramework;
}

ParallelStacks parallelStacks(const StackList& stacks, const ParallelOptions& options) {
  if (stacks.threads.empty()) return {};
  StackMerger merger(options);
  for (std::uint32_t thread = 0; thread < stacks.threads.size(); ++thread) {
    merger.add(thread, stacks.threads[thread].frames);
  }
  return merger.finish();
}

const FrameRow* placeOf(const ThreadStackRow& stack) {
  const auto isManaged = [](const FrameRow& frame) { return frame.kind == FrameKind::Managed; };
  auto found = std::ranges::find_if(stack.frames, isMyCode);
  if (found == stack.frames.end()) found = std::ranges::find_if(stack.frames, isManaged);
  return found == stack.frames.end() ? nullptr : &*found;
}

std::string activityOf(const ThreadStackRow& stack) {
  if (!stack.doing.empty()) return stack.doing;
  if (const FrameRow* place = placeOf(stack)) return wordsOf(*place);
  return stack.isComplete ? "outside of managed code" : "unknown: its stack cannot be read";
}

std::vector<ActivityGroup> activitiesOf(const StackList& stacks) {
  std::vector<ActivityGroup> groups;
  std::unordered_map<std::string, std::size_t> known;
  for (std::uint32_t thread = 0; thread < stacks.threads.size(); ++thread) {
    std::string doing = activityOf(stacks.threads[thread]);
    const auto [place, isNew] = known.try_emplace(doing, groups.size());
    if (isNew) groups.push_back({std::move(doing), {}});
    groups[place->second].threads.push_back(thread);
  }
  std::ranges::stable_sort(groups, std::ranges::greater(),
                           [](const ActivityGroup& group) { return group.threads.size(); });
  return groups;
}

}  // namespace heapscape::engine
