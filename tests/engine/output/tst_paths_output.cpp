// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "output/references/paths_output.h"
#include "session/objects/object_query.h"
#include "support/opened_snapshot.h"
#include "written.h"

namespace heapscape::engine {
namespace {

using nlohmann::json;
using test::written;
using test::writtenJson;

class PathsOutput : public testing::Test {
 protected:
  /// The first root of a kind.
  std::uint32_t rootOf(RootKind kind) const {
    const auto& roots = m_snapshot.roots().roots;
    const auto found = std::ranges::find(roots, kind, &RootRow::kind);
    if (found == roots.end()) throw std::runtime_error("the dump has no such root");
    return static_cast<std::uint32_t>(found - roots.begin());
  }
  /// A path of two objects from that root, with a step that is left out between them.
  PathsAnswer answerFrom(std::uint32_t root) const {
    const auto objects = listObjects(m_snapshot, {}, 0, 2);
    RootPath path{.root = root,
                  .otherRoots = {},
                  .otherRootCount = 0,
                  .length = 3,
                  .steps = {{objects[0].address, objects[0].type, "", 2048}, {objects[1].address, {}, "[3].Key", 24}},
                  .stepsLeftOut = 1,
                  .leftOutAfter = 1,
                  .expression = "Zoo.orders[\"Ann\"]",
                  .redactedExpression = "Zoo.orders[…]"};
    return {.object = objects[1].address, .paths = {.paths = {path}}, .seconds = 0.5};
  }
  std::string textOf(const PathsAnswer& answer, const RowSelection& selection = {}) const {
    return written([&](Output& output) { writePathsText(output, m_snapshot, answer, selection); });
  }
  json jsonOf(const PathsAnswer& answer, const RowSelection& selection = {}) const {
    return json::parse(writtenJson([&](JsonWriter& writer) { writePaths(writer, m_snapshot, answer, selection); }));
  }

  const Snapshot& m_snapshot = test::retainedDump("shop-10");
};

TEST_F(PathsOutput, StepsStandBelowTheirRootWithTheGapWhereItIs) {
  const PathsAnswer answer = answerFrom(rootOf(RootKind::Static));
  const RootPath& path = answer.paths.paths.front();
  const RootRow& root = m_snapshot.roots().roots[path.root];
  const std::string text = textOf(answer);
  const std::vector<std::string> inOrder{" is held by 1 root object.\n",
                                         "1. Zoo.orders[\"Ann\"]\n",
                                         "  " + root.name + "\n",
                                         "2.00 KB  " + toString(path.steps[0].object) + "    ",
                                         "    … 1 step …\n",
                                         toString(path.steps[1].object) + "      [3].Key  ?\n"};
  std::size_t at = 0;
  for (const std::string& part : inOrder) {
    at = text.find(part, at);
    ASSERT_NE(at, std::string::npos) << part << "\n" << text;
  }
}

TEST_F(PathsOutput, JsonHasTheSamePath) {
  const PathsAnswer answer = answerFrom(rootOf(RootKind::Static));
  const json found = jsonOf(answer);
  EXPECT_EQ(found["object"], toString(answer.object));
  EXPECT_TRUE(found["reachable"].get<bool>());
  ASSERT_EQ(found["paths"].size(), 1u);
  const json& path = found["paths"][0];
  EXPECT_EQ(path["root"]["kind"], "static");
  EXPECT_EQ(path["expression"], "Zoo.orders[\"Ann\"]");
  EXPECT_EQ(path["length"], 3);
  EXPECT_EQ(path["stepsLeftOut"], 1);
  EXPECT_EQ(path["leftOutAfter"], 1);
  EXPECT_EQ(path["steps"][1]["via"], "[3].Key");
  EXPECT_EQ(path["steps"][0]["retainedBytes"], 2048);
}

TEST_F(PathsOutput, RedactionLeavesOutKeysAndNamesOfThreads) {
  const PathsAnswer answer = answerFrom(rootOf(RootKind::Stack));
  const std::string name = m_snapshot.roots().roots[answer.paths.paths.front().root].name;
  ASSERT_NE(textOf(answer).find(name), std::string::npos);
  const std::string text = textOf(answer, {.isRedacted = true});
  EXPECT_EQ(text.find("Ann"), std::string::npos) << text;
  EXPECT_EQ(text.find(name), std::string::npos) << text;
  const json found = jsonOf(answer, {.isRedacted = true});
  EXPECT_EQ(found["paths"][0]["root"]["name"], "stack");
  EXPECT_EQ(found.dump().find("Ann"), std::string::npos);
}

TEST_F(PathsOutput, WhatNothingHoldsIsSaid) {
  PathsAnswer answer = answerFrom(rootOf(RootKind::Static));
  answer.paths = {.paths = {}, .isExhausted = true, .isReachable = false, .isGarbage = true};
  EXPECT_TRUE(textOf(answer).ends_with(" is garbage: no root leads to it.\n")) << textOf(answer);
  EXPECT_FALSE(jsonOf(answer)["reachable"].get<bool>());
  const std::string all =
      written([&](Output& output) { writePathsOfAllText(output, m_snapshot, {answer}, RowSelection()); });
  EXPECT_NE(all.find("garbage\n"), std::string::npos) << all;
  answer.paths.isGarbage = false;
  EXPECT_TRUE(textOf(answer).ends_with(" is frozen and never collected, though no root leads to it.\n"));
}

TEST_F(PathsOutput, ListsThatMayGoOnSaySo) {
  PathsAnswer answer = answerFrom(rootOf(RootKind::Static));
  answer.paths.isExhausted = false;
  EXPECT_NE(textOf(answer).find(" is held by at least 1 root object.\n"), std::string::npos);
  const std::string all =
      written([&](Output& output) { writePathsOfAllText(output, m_snapshot, {answer}, RowSelection()); });
  EXPECT_NE(all.find("0.500000     1+       3  "), std::string::npos) << all;
}

TEST_F(PathsOutput, NoWayIsNullInJson) {
  const ObjectPath none;
  EXPECT_EQ(written([&](Output& output) { writePathBetweenText(output, m_snapshot, none, {}); }),
            "No way leads there.\n");
  EXPECT_EQ(writtenJson([&](JsonWriter& writer) { writePathBetween(writer, m_snapshot, none, {}); }),
            "{\"path\":null}");
}

TEST_F(PathsOutput, MergedPathsAreATreeBelowTheType) {
  MergedPaths merged;
  merged.objects = 3;
  merged.unreachable = 2;
  merged.frozen = 1;
  merged.nodes.resize(4);
  merged.nodes[0].name = "Shop.Order";
  merged.nodes[1].name = "Shop.Order[]";
  merged.nodes[1].via = "[…]";
  merged.nodes[2].name = "Shop.Node";
  merged.nodes[2].via = "Next";
  merged.nodes[2].isRun = true;
  merged.nodes[3].parent = 1;
  merged.nodes[3].isRoot = true;
  merged.nodes[3].root = rootOf(RootKind::Static);
  merged.nodes[3].name = "static Shop.all";
  const TypeId type = listObjects(m_snapshot, {}, 0, 1).front().type;
  const std::string text = written([&](Output& output) { writeMergedPathsText(output, m_snapshot, type, merged, {}); });
  EXPECT_NE(text.find(": 3 objects live, 1 garbage, 1 frozen\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  Shop.Order\n"), std::string::npos) << text;
  // Behind its own holder, not behind the last node.
  EXPECT_LT(text.find("    static Shop.all\n"), text.find("  Shop.Node.Next…\n")) << text;
  EXPECT_NE(text.find("  Shop.Order[][…]\n"), std::string::npos) << text;
  const json found =
      json::parse(writtenJson([&](JsonWriter& writer) { writeMergedPaths(writer, m_snapshot, type, merged, {}); }));
  EXPECT_EQ(found["merged"]["nodes"][3]["root"], "static");
  EXPECT_TRUE(found["merged"]["nodes"][2]["run"].get<bool>());
  EXPECT_FALSE(found["merged"]["nodes"][3].contains("via"));
}

}  // namespace
}  // namespace heapscape::engine
