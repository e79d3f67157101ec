// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>

#include "session/async/async_query.h"

namespace heapscape::engine {
namespace {

using Lines = std::vector<std::string>;

/// Chains by the names of their calls, innermost first, and what the innermost waits for.
class HandMadeChains {
 public:
  void add(std::size_t count, const std::vector<std::string>& calls, const std::string& waitsFor) {
    AsyncGroup& group = list.groups.emplace_back();
    for (std::size_t i = 0; i < count; ++i) {
      AsyncChain chain;
      chain.firstFrame = static_cast<std::uint32_t>(list.frames.size());
      chain.frameCount = static_cast<std::uint32_t>(calls.size());
      if (!waitsFor.empty()) chain.waitsFor = nameId(waitsFor);
      for (const std::string& call : calls) list.frames.emplace_back().name = nameId(call);
      group.chains.push_back(static_cast<std::uint32_t>(list.chains.size()));
      list.chains.push_back(chain);
    }
  }

  AsyncList list;

 private:
  std::uint32_t nameId(const std::string& name) {
    const auto found = std::ranges::find(list.names, name);
    if (found != list.names.end()) return static_cast<std::uint32_t>(found - list.names.begin());
    list.names.push_back(name);
    return static_cast<std::uint32_t>(list.names.size() - 1);
  }
};

Lines outline(const AsyncList& list) {
  Lines lines;
  for (const AsyncTreeNode& node : asyncTree(list)) {
    lines.push_back(std::string(node.depth, ' ') + std::to_string(node.chains) + " " + node.name);
  }
  return lines;
}

TEST(AsyncTree, LaysChainsOverEachOtherFromTheCallNobodyWaitsFor) {
  HandMadeChains chains;
  chains.add(1, {"Warehouse.RestockAsync", "Worker.RunAsync"}, "Task.Delay");
  chains.add(3, {"Npgsql.ReadAsync", "Worker.RunAsync"}, "socket");
  chains.add(2, {"Server.AcceptAsync"}, "socket");
  EXPECT_EQ(outline(chains.list),
            (Lines{"6 ", " 4 Worker.RunAsync", "  3 Npgsql.ReadAsync", "   3 socket", "  1 Warehouse.RestockAsync",
                   "   1 Task.Delay", " 2 Server.AcceptAsync", "  2 socket"}));
  const auto tree = asyncTree(chains.list);
  EXPECT_EQ(tree[1].groups, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_TRUE(tree[2].isMethod);
  EXPECT_FALSE(tree[3].isMethod);
}

TEST(AsyncTree, ARunningMethodWaitsForNothing) {
  HandMadeChains chains;
  chains.add(1, {"Worker.RunAsync"}, "");
  EXPECT_EQ(outline(chains.list), (Lines{"1 ", " 1 Worker.RunAsync"}));
}

TEST(AsyncTree, LeavesOutWhatOnlyGarbageLeadsTo) {
  HandMadeChains chains;
  chains.add(1, {"Worker.RunAsync"}, "Task.Delay");
  chains.list.chains[0].isReachable = false;
  EXPECT_TRUE(asyncTree(chains.list).empty());
  EXPECT_TRUE(asyncTree({}).empty());
}

TEST(AsyncTree, ChainsWithoutEndAreCut) {
  HandMadeChains chains;
  chains.add(1, Lines(5000, "Worker.RunAsync"), "Task.Delay");
  EXPECT_EQ(asyncTree(chains.list).size(), 1000u);
}

}  // namespace
}  // namespace heapscape::engine
