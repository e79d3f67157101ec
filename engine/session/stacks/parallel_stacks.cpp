// SPDX-License-Identifier: MIT
#include "session/stacks/parallel_stacks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>
#include <unordered_map>

#include "base/figures.h"
#include "session/stacks/folded_frames.h"

namespace heapscape::engine {
namespace {

// Beyond that nothing can be told apart in a picture; recursion that has run away is a hundred times as deep.
constexpr std::size_t kDeepestStack = 1000;

ParallelFrame foldedFrame(std::string name) {
  ParallelFrame node;
  node.owner = CodeOwner::Framework;
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
  node.owner = frame.owner;
  node.name = mergedName(frame);
  node.type = frame.type;
  node.method = frame.method;
  return node;
}

std::string namesOf(const FrameRun& mix, const std::vector<FrameRow>& frames) {
  std::vector<std::string> names;
  for (const MethodShare& share : mix.mix) names.push_back(mergedName(frames[share.frame]));
  std::ranges::sort(names);
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Frames that a node stands for below frames that repeat.
struct Repeated {
  bool isMix = false;
  std::uint32_t times = 0;  // of units, or frames of a mix: the most of any thread
};

std::string nameOfRepeated(const std::string& what, const Repeated& repeated) {
  if (repeated.isMix) return fmt::format("[{} in no order: {}]", what, countOf(repeated.times, "frame"));
  return fmt::format("[{} repeat{} {} times]", what, what == "1 frame" ? "s" : "", readableCount(repeated.times));
}

/// Adds one stack after the other to a tree, and gives it out in order.
class StackMerger {
 public:
  explicit StackMerger(const ParallelOptions& options) : m_options(options) {
    m_nodes.push_back(foldedFrame("all threads"));
  }

  void add(std::uint32_t thread, const std::vector<FrameRow>& frames) {
    m_way = {.thread = thread};
    m_nodes[0].threads.push_back(thread);
    for (const FrameRun& run : foldedFrames(frames) | std::views::reverse) {
      if (!run.mix.empty()) {
        addRepeated(namesOf(run, frames), {.isMix = true, .times = run.count});
        continue;
      }
      for (std::uint32_t i = run.first + run.unit(); i-- > run.first;) addFrame(frames[i]);
      if (run.isFolded()) addRepeated(countOf(run.unit(), "frame"), {.isMix = false, .times = run.times});
    }
  }

  ParallelStacks finish() {
    ParallelStacks stacks;
    for (const Tree::Placed& placed : m_tree.inOrder([this](auto node) { return m_nodes[node].threads.size(); })) {
      ParallelFrame& frame = stacks.frames.emplace_back(std::move(m_nodes[placed.node]));
      if (const auto repeated = m_repeated.find(placed.node); repeated != m_repeated.end())
        frame.name = nameOfRepeated(frame.name, repeated->second);
      frame.parent = placed.parent;
      frame.depth = placed.depth;
    }
    return stacks;
  }

 private:
  using Tree = PrefixTree<std::pair<FrameKind, std::string>>;
  static_assert(Tree::kNone == ParallelFrame::kNone);

  /// Where in the tree a thread's stack has come to.
  struct Way {
    std::uint32_t thread = 0;
    std::uint32_t at = 0;
    std::size_t depth = 0;
    bool isFolding = false;
  };

  void addFrame(const FrameRow& frame) {
    const bool isFolded = m_options.onlyMyCode && !isMyCode(frame);
    if (isFolded && m_way.isFolding) return;
    m_way.isFolding = isFolded;
    addNode(isFolded ? foldedFrame("[External code]") : nodeOf(frame));
  }

  void addRepeated(std::string what, const Repeated& repeated) {
    // Of frames that are left out it does not matter how often they repeat.
    if (m_way.isFolding || !addNode(foldedFrame(std::move(what)))) return;
    Repeated& most = m_repeated.try_emplace(m_way.at, repeated).first->second;
    most.times = std::max(most.times, repeated.times);
  }

  bool addNode(ParallelFrame node) {
    if (m_way.depth >= kDeepestStack) return false;
    const bool isLast = ++m_way.depth >= kDeepestStack;
    m_way.at = childOf(m_way.at, isLast ? foldedFrame("[more frames]") : std::move(node));
    m_nodes[m_way.at].threads.push_back(m_way.thread);
    return !isLast;
  }

  std::uint32_t childOf(std::uint32_t parent, ParallelFrame node) {
    const auto [child, isNew] = m_tree.childOf(parent, {node.kind, node.name});
    if (isNew) m_nodes.push_back(std::move(node));
    return child;
  }

  ParallelOptions m_options;
  Tree m_tree;
  std::vector<ParallelFrame> m_nodes;  // by number in the tree
  Way m_way;
  std::unordered_map<std::uint32_t, Repeated> m_repeated;  // by number of the node
};

std::string wordsOf(const FrameRow& frame) {
  return "in " + (frame.type.empty() ? frame.method : frame.type + "." + frame.method);
}

}  // namespace

bool isMyCode(const FrameRow& frame) {
  return frame.kind == FrameKind::Managed && frame.owner == CodeOwner::Own;
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
  return stack.isComplete ? "in native code" : "unknown: its stack cannot be read";
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
