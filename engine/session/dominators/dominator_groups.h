// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "session/dominators/dominator_nodes.h"

namespace heapscape::engine {

/// Vertices of the dominator tree looked at as one. None dominates another one, so what they retain adds up.
struct DominatorGroup {
  static constexpr std::uint32_t kNone = 0xffffffff;

  DominatorKind kind = DominatorKind::Whole;
  bool isOpen = false;               // its children are made
  CodeOwner owner = CodeOwner::Own;  // Namespace: of the type in it that retains most
  std::uint32_t key = kNone;  // TypeId; RootGroup and Root: index; Namespace: index in `namespaces`; Set: in `sets`
  std::uint32_t firstChild = 0;
  std::uint32_t childCount = 0;
  std::span<const std::uint32_t> members = {};  // by number
  std::uint64_t bytes = 0;                      // of the members themselves
  std::uint64_t retainedBytes = 0;
  std::uint64_t retainedCount = 0;
  std::uint64_t dominated = 0;  // vertices right below the members
};

/// Lists of numbers that stay where they are.
class NumberStore {
 public:
  std::span<std::uint32_t> take(std::size_t count);

 private:
  static constexpr std::size_t kBlock = 1 << 16;

  std::vector<std::unique_ptr<std::uint32_t[]>> m_blocks;
  std::uint32_t* m_next = nullptr;
  std::size_t m_left = 0;
};

/// The groups that were asked for so far. At most 4 bytes an object for all their members, since each object is a
/// member of one group on its level.
struct DominatorGroupStore {
  std::vector<DominatorGroup> groups;  // by node; node 0 is the whole
  std::vector<std::string> namespaces;
  std::vector<std::pair<DominatedSet, std::uint32_t>> sets;  // with their nodes
  NumberStore numbers;
  std::unordered_map<std::uint32_t, std::uint32_t> alone;  // nodes of single vertices, by number
};

/// Siblings of one type put together, or of one namespace and in it of one type. Groups of roots stay what they are;
/// roots of one name in a group are one node.
class DominatorGroups : public DominatorNodes {
 public:
  DominatorGroups(const Contents& contents, const DominatorIndex& index, bool byNamespace, DominatorGroupStore& store);

  bool has(std::uint32_t node) const override { return node < m_store.groups.size(); }
  Outcome<DominatorFamily> childrenOf(std::uint32_t node, std::stop_token stop) override;
  std::uint64_t retainedBytes(std::uint32_t node) const override { return m_store.groups[node].retainedBytes; }
  DominatorNode describe(std::uint32_t node) const override;
  Outcome<std::uint32_t> nodeOf(std::uint32_t number) override;
  std::uint32_t nodeOfSet(DominatedSet set) override;
  std::vector<std::uint32_t> membersOf(std::uint32_t node) const override;
  Outcome<std::vector<std::uint32_t>> along(const std::vector<std::uint32_t>& numbers, std::stop_token stop) override;

 private:
  /// The child of a node that holds a vertex; none if none does.
  Outcome<std::uint32_t> childWith(std::uint32_t node, std::uint32_t number, std::stop_token stop);
  std::string nameOf(const DominatorGroup& group) const;

  const Contents& m_contents;
  const DominatorIndex& m_index;
  bool m_byNamespace;
  DominatorGroupStore& m_store;
};

}  // namespace heapscape::engine
