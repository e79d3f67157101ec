// SPDX-License-Identifier: MIT
#include "session/async/async_tree.h"

#include <ranges>

#include "session/stacks/prefix_tree.h"

namespace heapscape::engine {

namespace {

// Beyond that nothing can be told apart in a picture.
constexpr std::size_t kDeepestChain = 1000;

class AsyncMerger {
 public:
  explicit AsyncMerger(const AsyncList& list) : m_list(list), m_nodes(1) {}

  void add(std::uint32_t group) {
    const AsyncChain& chain = m_list.firstOf(m_list.groups[group]);
    if (!chain.isReachable) return;
    std::uint32_t at = count(0, group);
    std::size_t depth = 0;
    for (const AsyncFrame& frame : m_list.framesOf(chain) | std::views::reverse) {
      if (++depth >= kDeepestChain) return;
      at = count(childOf(at, frame.name, frame.isMethod), group);
    }
    if (chain.waitsFor != AsyncFrame::kNone) count(childOf(at, chain.waitsFor, false), group);
  }

  std::vector<AsyncTreeNode> finish() {
    std::vector<AsyncTreeNode> nodes;
    if (m_nodes[0].chains == 0) return nodes;
    for (const Tree::Placed& placed : m_tree.inOrder([this](auto node) { return m_nodes[node].chains; })) {
      AsyncTreeNode& node = nodes.emplace_back(std::move(m_nodes[placed.node]));
      node.parent = placed.parent;
      node.depth = placed.depth;
    }
    return nodes;
  }

 private:
  using Tree = PrefixTree<std::pair<std::uint32_t, bool>>;
  static_assert(Tree::kNone == AsyncTreeNode::kNone);

  std::uint32_t childOf(std::uint32_t parent, std::uint32_t name, bool isMethod) {
    const auto [child, isNew] = m_tree.childOf(parent, {name, isMethod});
    if (isNew) {
      AsyncTreeNode& node = m_nodes.emplace_back();
      node.name = m_list.nameOf(name);
      node.isMethod = isMethod;
    }
    return child;
  }

  std::uint32_t count(std::uint32_t node, std::uint32_t group) {
    m_nodes[node].chains += m_list.groups[group].chains.size();
    m_nodes[node].groups.push_back(group);
    return node;
  }

  const AsyncList& m_list;
  Tree m_tree;
  std::vector<AsyncTreeNode> m_nodes;  // by number in the tree
};

}  // namespace

std::vector<AsyncTreeNode> asyncTree(const AsyncList& list) {
  AsyncMerger merger(list);
  for (std::uint32_t group = 0; group < list.groups.size(); ++group) merger.add(group);
  return merger.finish();
}

}  // namespace heapscape::engine
