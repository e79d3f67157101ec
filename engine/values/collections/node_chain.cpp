// SPDX-License-Identifier: MIT
#include "values/collections/node_chain.h"

#include <fmt/format.h>

#include "heap/object_head.h"

namespace heapscape::engine {

Result<NodeShape> readNodeShape(const Instance& node, std::string_view nextName, std::string_view keyName,
                                std::string_view valueName) {
  constexpr auto kFields = static_cast<std::uint32_t>(Instance::kFieldsOffset);
  NodeShape shape{node.type().address};
  HEAPSCAPE_TRY(const std::uint32_t value, node.offsetOf(valueName));
  shape.value = kFields + value;
  if (!nextName.empty()) {
    HEAPSCAPE_TRY(const std::uint32_t next, node.offsetOf(nextName));
    shape.next = kFields + next;
  }
  if (!keyName.empty()) {
    HEAPSCAPE_TRY(const std::uint32_t key, node.offsetOf(keyName));
    shape.key = kFields + key;
  }
  return shape;
}

bool isNode(const AddressSpace& memory, Address node, Address methodTable) {
  Address found;
  return memory.tryRead(node, found) && (found.value & kMethodTableMask) == methodTable.value;
}

namespace {

constexpr std::size_t kDeepest = 128;  // a red-black tree of 2^31 nodes has 64 levels, an AVL tree fewer

constexpr auto kFields = static_cast<std::uint32_t>(Instance::kFieldsOffset);

Result<TreeShape> treeShape(const Instance& node, std::string_view leftName, std::string_view rightName,
                            std::string_view itemName) {
  TreeShape shape{.methodTable = node.type().address};
  HEAPSCAPE_TRY(const std::uint32_t left, node.offsetOf(leftName));
  HEAPSCAPE_TRY(const std::uint32_t right, node.offsetOf(rightName));
  HEAPSCAPE_TRY(const std::uint32_t item, node.offsetOf(itemName));
  shape.left = kFields + left;
  shape.right = kFields + right;
  shape.item = kFields + item;
  return shape;
}

std::string noNode(Address node) {
  return fmt::format("There is no node of the tree at {}.", toString(node));
}

}  // namespace

Result<TreeShape> sortedSetTree(const Instance& node) {
  return treeShape(node, "<Left>k__BackingField", "<Right>k__BackingField", "<Item>k__BackingField");
}

Result<TreeShape> fsharpTree(const Instance& node) {
  HEAPSCAPE_TRY(const std::uint32_t item, node.offsetOf("k"));
  TreeShape tree{.methodTable = node.type().address, .leafMethodTable = node.type().address, .item = kFields + item};
  if (!node.offsetOf("left")) return tree;  // the whole tree is one leaf
  HEAPSCAPE_TRY(tree, treeShape(node, "left", "right", "k"));
  tree.leafMethodTable = node.type().parent;
  return tree;
}

Result<TreeShape> immutableTree(const Instance& node, std::string_view itemName) {
  HEAPSCAPE_TRY(TreeShape tree, treeShape(node, "_left", "_right", itemName));
  tree.hasEmptyNodes = true;
  if (const auto count = node.offsetOf("_count")) tree.count = kFields + *count;
  return tree;
}

Result<PairShape> pairShape(const Instance& pair) {
  PairShape shape;
  HEAPSCAPE_TRY(shape.key, pair.offsetOf("key"));
  HEAPSCAPE_TRY(shape.value, pair.offsetOf("value"));
  return shape;
}

bool TreeWalk::isLeaf(Address node) const {
  return m_shape.leafMethodTable && isNode(m_memory, node, m_shape.leafMethodTable);
}

bool TreeWalk::tryEnter(Address node, Address& left, bool& isEmpty) const {
  if (isLeaf(node)) {
    left = {};
    return true;
  }
  if (!isNode(m_memory, node, m_shape.methodTable) || !m_memory.tryRead(node + m_shape.left, left)) return false;
  isEmpty = m_shape.hasEmptyNodes && !left;
  return true;
}

std::uint64_t TreeWalk::nodesUnder(Address node) const {
  std::int32_t nodes = 0;
  return m_shape.count && m_memory.tryRead(node + *m_shape.count, nodes) && nodes > 0
             ? static_cast<std::uint64_t>(nodes)
             : 0;
}

std::string TreeWalk::run(Address root, const std::function<bool(Address)>& visit, ItemCollector* skipping) const {
  std::vector<Address> path;  // nodes whose left side is done or under way
  std::uint64_t visited = 0;
  Address node = root;
  for (;;) {
    while (node) {
      Address left;
      bool isEmpty = false;
      if (!tryEnter(node, left, isEmpty)) return noNode(node);
      if (isEmpty) break;
      const std::uint64_t nodes = skipping ? nodesUnder(node) : 0;
      if (nodes && nodes <= skipping->unwanted()) {
        skipping->skip(nodes);
        break;
      }
      if (path.size() == kDeepest) return fmt::format("The tree is too deep at {} to be one.", toString(node));
      path.push_back(node);
      node = left;
    }
    if (path.empty()) return {};
    node = path.back();
    path.pop_back();
    if (++visited > m_limit) return fmt::format("The tree has more than its {} nodes.", m_limit);
    if (!visit(node + m_shape.item)) return {};
    const Address last = node;
    if (isLeaf(last)) {
      node = {};
    } else if (!m_memory.tryRead(last + m_shape.right, node)) {
      return noNode(last);
    }
  }
}

}  // namespace heapscape::engine
