// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "session/dominators/dominators_query.h"
#include "session/open/retained_stage.h"
#include "support/opened_snapshot.h"

namespace heapscape::test {

/// A dump with its retained sizes; the last one asked for stays open.
inline const engine::Snapshot& retainedWithoutTypes(const std::string& dump) {
  static std::string name;
  static std::optional<engine::Snapshot> seen;
  if (name != dump) {
    auto retained = engine::addRetained(openedDump(dump), {.byType = false}, nullptr, {});
    EXPECT_TRUE(retained);
    seen = *retained;
    name = dump;
  }
  return *seen;
}

inline constexpr std::array kGroupings{engine::DominatorGrouping::Object, engine::DominatorGrouping::Type,
                                       engine::DominatorGrouping::Namespace};

inline std::vector<engine::DominatorNode> childrenOf(const engine::Snapshot& snapshot,
                                                     engine::DominatorGrouping grouping, std::uint32_t node) {
  auto page = engine::dominatedBy(snapshot, grouping, node, 0, SIZE_MAX, {});
  EXPECT_TRUE(page);
  if (!page) return {};
  EXPECT_EQ(page->total, page->nodes.size());
  return page->nodes;
}

inline std::vector<engine::DominatorShape> pictureOf(const engine::Snapshot& snapshot,
                                                     engine::DominatorGrouping grouping,
                                                     const engine::DominatorPictureOptions& options = {}) {
  auto shapes = engine::dominatorPicture(snapshot, grouping, options, {});
  EXPECT_TRUE(shapes);
  return shapes ? *shapes : std::vector<engine::DominatorShape>{};
}

/// What lies below a node, its own share left out.
inline std::uint64_t bytesBelow(const engine::DominatorNode& node) {
  return node.retainedBytes - (node.holdsItself() ? node.bytes : 0);
}

inline void expectWholeChildren(const engine::DominatorNode& node, const std::vector<engine::DominatorNode>& children) {
  std::uint64_t below = 0, standFor = 0;
  for (std::size_t i = 0; i < children.size(); ++i) {
    const bool isGroup = children[i].kind == engine::DominatorKind::RootGroup;
    below += children[i].retainedBytes;
    standFor += children[i].objects + children[i].roots + (isGroup ? 1 : 0);
    if (i > 0) {
      EXPECT_GE(children[i - 1].retainedBytes, children[i].retainedBytes);
    }
  }
  EXPECT_EQ(below, bytesBelow(node)) << node.name;
  EXPECT_EQ(standFor, node.children) << node.name;
}

inline engine::Snapshot seenFrom(const engine::Snapshot& snapshot, const std::vector<engine::Address>& roots) {
  auto seen = engine::addRetained(snapshot, {.roots = {.only = roots}, .byType = false}, nullptr, {});
  EXPECT_TRUE(seen);
  return *seen;
}

}  // namespace heapscape::test
