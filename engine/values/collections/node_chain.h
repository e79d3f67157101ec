// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "values/collections/collection.h"
#include "values/instance.h"

namespace heapscape::engine {

/// Objects of one type that refer to each other, with the places of their fields.
struct NodeShape {
  Address methodTable;
  std::uint32_t next = 0, key = 0, value = 0;  // from the object's address
};

/// The places of the fields of a node's type lie; `nextName` and `keyName` may be empty.
Result<NodeShape> readNodeShape(const Instance& node, std::string_view nextName, std::string_view keyName,
                                std::string_view valueName);

/// Whether there is an object of exactly this type at the address.
bool isNode(const AddressSpace& memory, Address node, Address methodTable);

/// A walk along references that tells when it has come to a place for the second time (Brent's algorithm).
class CycleWatch {
 public:
  /// True if the place was seen before.
  bool isRepeated(Address place) {
    if (place == m_mark) return true;
    if (++m_steps == m_limit) {
      m_mark = place;
      m_steps = 0;
      m_limit *= 2;
    }
    return false;
  }

 private:
  Address m_mark;
  std::uint64_t m_steps = 0;
  std::uint64_t m_limit = 1;
};

/// The shape of the nodes of a balanced binary tree. Offsets are from the object's address.
struct TreeShape {
  Address methodTable;
  Address leafMethodTable = {};  // of nodes without any below them, where those are of another type
  std::uint32_t left = 0, right = 0;
  std::uint32_t item = 0;
  std::optional<std::uint32_t> count = {};  // of the nodes below and itself, where the nodes note it
  bool hasEmptyNodes = false;               // a node without a left one stands for nothing, not for a leaf
};

/// The shape of a node of SortedSet. Fails with NotFound if it is none.
Result<TreeShape> sortedSetTree(const Instance& node);
/// The shape of a node of F#'s Map and Set: MapTreeNode and SetTreeNode, whose leaves are of their base types (map.fs,
/// set.fs), or of such a leaf. Fails with NotFound if it is none.
Result<TreeShape> fsharpTree(const Instance& node);
/// The shape of a node of the immutable collections: `itemName` is the field with the item. Fails with NotFound.
Result<TreeShape> immutableTree(const Instance& node, std::string_view itemName);

/// The places of key and value in a pair; at its start if it is none.
struct PairShape {
  std::uint32_t key = 0, value = 0;
};
/// The places in a KeyValuePair. Fails with NotFound if it is none.
Result<PairShape> pairShape(const Instance& pair);

/// Reads a tree in order, without recursion, and only as deep as a balanced tree can be.
class TreeWalk {
 public:
  /// `limit`: no tree has more nodes.
  TreeWalk(const AddressSpace& memory, const TreeShape& shape, std::uint64_t limit)
      : m_memory(memory), m_shape(shape), m_limit(limit) {}

  /// Calls visit(where the item lies) in order until it returns false. Subtrees of items that are not wanted are
  /// skipped in `skipping`, if there is one. What is wrong with the tree; empty if all is well.
  std::string run(Address root, const std::function<bool(Address)>& visit, ItemCollector* skipping = nullptr) const;

 private:
  bool tryEnter(Address node, Address& left, bool& isEmpty) const;
  bool isLeaf(Address node) const;
  std::uint64_t nodesUnder(Address node) const;

  const AddressSpace& m_memory;
  const TreeShape m_shape;
  std::uint64_t m_limit;
};

}  // namespace heapscape::engine
