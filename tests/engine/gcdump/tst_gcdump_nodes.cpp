// SPDX-License-Identifier: MIT
// Files of dotnet-gcdump node by node, and files that are written here.
#include <gtest/gtest.h>

#include "gcdump/gcdump_reader.h"
#include "gcdump_file.h"

namespace heapscape::test {
namespace {

using namespace engine;

class GcDumpNodes : public testing::TestWithParam<const char*> {};

TEST_P(GcDumpNodes, AreThoseThatTheirMakerReads) {
  const std::string name = GetParam();
  const FileBytes file = gcDumpFile(name + ".gcdump");
  ASSERT_TRUE(isGcDump(file));
  const GcDump dump = readFile(file);
  EXPECT_EQ(nodesOf(dump.graph), expectedNodes(name));
  EXPECT_EQ(dump.graph.root, 0u);
  EXPECT_TRUE(dump.graph.is64Bit);
  EXPECT_EQ(dump.facts.tool, "dotnet-gcdump");
  EXPECT_EQ(dump.facts.pid, 0u);
}

TEST_P(GcDumpNodes, AreTheSameAfterTheyWereWritten) {
  GcDump dump = readFile(gcDumpFile(std::string(GetParam()) + ".gcdump"));
  dump.facts = {.process = "gr\u00f6wth \u2713", .machine = "here", .tool = "test", .pid = 77, .ticks = 123};
  const GcDump again = readFile(writtenFile(dump));
  EXPECT_EQ(nodesOf(again.graph), nodesOf(dump.graph));
  EXPECT_EQ(again.graph.root, dump.graph.root);
  EXPECT_EQ(again.facts.process, dump.facts.process);
  EXPECT_EQ(again.facts.machine, "here");
  EXPECT_EQ(again.facts.tool, "test");
  EXPECT_EQ(again.facts.pid, 77u);
  EXPECT_EQ(again.facts.ticks, 123u);
  EXPECT_EQ(again.facts.countMultiplier, 1);
}

INSTANTIATE_TEST_SUITE_P(All, GcDumpNodes, testing::Values("growth-8", "growth-10", "growth-11"),
                         [](const auto& info) { return "Of" + std::string(info.param).substr(7); });

// Numbers of one to five bytes: sizes, and children far before and behind their node.
TEST(WrittenGcDump, KeepsNumbersOfAnyLength) {
  std::vector<WrittenNode> nodes{{.children = {1, 70'000}}};
  for (std::uint32_t i = 1; i <= 70'000; ++i) nodes.push_back({.type = 1, .size = i * 30'000, .address = 8ull * i});
  nodes[70'000].children = {0, 1, 69'999, 70'000};
  nodes[5].size = NodeGraph::kMostBytes;
  GcDump dump;
  dump.graph = graphOfNodes({{"[.NET Roots]", ""}, {"A", "a.dll"}}, nodes);
  EXPECT_EQ(nodesOf(readFile(writtenFile(dump)).graph), nodesOf(dump.graph));
}

}  // namespace
}  // namespace heapscape::test
