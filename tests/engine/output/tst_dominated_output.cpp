// SPDX-License-Identifier: MIT
// Who holds what alone: rows of all objects, the tree as JSON, and what retains the most.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "output/references/dominators_output.h"
#include "output/references/retained_output.h"
#include "output/row_writers.h"
#include "support/opened_snapshot.h"
#include "written.h"

namespace heapscape::engine {
namespace {

using test::written;
using test::writtenJson;

const std::vector<DominatedObject> kDominated{{Address{0x10}, {}, UINT64_MAX, 3},
                                              {Address{0x20}, Address{0x10}, 24, 1}};

std::string dominatedAs(DominatedRowWriter::Form form, const std::vector<DominatedObject>& rows = kDominated) {
  return written([&](Output& output) {
    DominatedRowWriter writer(output, form);
    writer.writeHeader();
    for (const DominatedObject& each : rows) writer.write(each);
    writer.finish();
  });
}

DominatorOutlineRow nodeAt(std::uint32_t depth, const char* name, DominatorKind kind = DominatorKind::Namespace) {
  DominatorOutlineRow node;
  node.depth = depth;
  node.node.kind = kind;
  node.node.name = name;
  return node;
}

nlohmann::json treeOf(const std::vector<DominatorOutlineRow>& rows, bool isRedacted = false) {
  const Snapshot& snapshot = test::retainedDump("shop-10");
  return nlohmann::json::parse(writtenJson([&](JsonWriter& json) {
           DominatorJsonWriter writer(json, snapshot, isRedacted);
           for (const DominatorOutlineRow& each : rows) writer.write(each);
           writer.finish();
           json.member("behind", true);
         }))
      .at("dominators");
}

// "a(b(c)d)e" of nodes within nodes.
std::string nested(const nlohmann::json& nodes) {
  std::string text;
  for (const nlohmann::json& node : nodes) {
    text += node.at("name").get<std::string>();
    if (!node.at("children").empty()) text += "(" + nested(node.at("children")) + ")";
  }
  return text;
}

TEST(DominatedRows, AllFormsSayTheSame) {
  EXPECT_EQ(dominatedAs(DominatedRowWriter::Form::Tsv),
            "object\tdominator\tretainedBytes\tretainedCount\n"
            "0x10\t0x0\t18446744073709551615\t3\n"
            "0x20\t0x10\t24\t1\n");
  EXPECT_EQ(nlohmann::json::parse("[" + dominatedAs(DominatedRowWriter::Form::Json) + "]"),
            nlohmann::json::parse(R"([{"object": "0x10", "dominator": "0x0", "retainedBytes": 18446744073709551615,
                                       "retainedCount": 3},
                                      {"object": "0x20", "dominator": "0x10", "retainedBytes": 24,
                                       "retainedCount": 1}])"));
  EXPECT_EQ(dominatedAs(DominatedRowWriter::Form::Text),
            "Object            Dominator                 Retained       Objects\n"
            "0x10                                18446744073709551615             3\n"
            "0x20              0x10                            24             1\n");
}

TEST(DominatedRows, NoRowsAreAnEmptyArray) {
  EXPECT_EQ(dominatedAs(DominatedRowWriter::Form::Json, {}), "");
}

TEST(DominatorsJson, NodesLieInTheirParents) {
  EXPECT_EQ(nested(treeOf({})), "");
  EXPECT_EQ(nested(treeOf({nodeAt(0, "a")})), "a");
  EXPECT_EQ(nested(treeOf({nodeAt(0, "a"), nodeAt(1, "b"), nodeAt(2, "c"), nodeAt(1, "d"), nodeAt(0, "e")})),
            "a(b(c)d)e");
  EXPECT_EQ(nested(treeOf({nodeAt(0, "a"), nodeAt(1, "b"), nodeAt(2, "c"), nodeAt(3, "d"), nodeAt(0, "e")})),
            "a(b(c(d)))e")
      << "several levels end at once";
}

TEST(DominatorsJson, NodesTellWhatIsNotShownOfThem) {
  DominatorOutlineRow node = nodeAt(0, "a");
  node.node.children = 9;
  node.childNodes = 9;
  node.hiddenBytes = 640;
  const nlohmann::json json = treeOf({node, nodeAt(1, "leaf")});
  EXPECT_EQ(json.at(0).at("leaf"), false);
  EXPECT_EQ(json.at(0).at("childNodes"), 9);
  EXPECT_EQ(json.at(0).at("hiddenBytes"), 640);
  EXPECT_EQ(json.at(0).at("children").at(0).at("leaf"), true);
  EXPECT_FALSE(json.at(0).at("children").at(0).contains("hiddenBytes"));
}

TEST(DominatorsJson, NamesOfThreadsAreContents) {
  const std::vector<DominatorOutlineRow> rows{nodeAt(0, "thread 5 \"Alice\"", DominatorKind::Root)};
  EXPECT_EQ(treeOf(rows).at(0).at("name"), "thread 5 \"Alice\"");
  EXPECT_EQ(treeOf(rows, true).at(0).at("name"), "thread 5");
  EXPECT_EQ(treeOf(rows).at(0).at("roots"), 0);
  EXPECT_FALSE(treeOf({nodeAt(0, "a")}).at(0).contains("roots"));
}

TEST(RetainedOutput, TextAndJsonHaveTheSameRows) {
  const Snapshot& snapshot = test::retainedDump("shop-10");
  const RetainedList list = largestRetained(snapshot, 20);
  ASSERT_EQ(list.objects.size(), 20u);
  const auto json = nlohmann::json::parse(
      writtenJson([&](JsonWriter& writer) { writeRetained(writer, snapshot, list, {.limit = 15}); }));
  const std::string text =
      written([&](Output& output) { writeRetainedText(output, snapshot, list, false, {.limit = 15}); });
  ASSERT_EQ(json.at("retained").size(), 15u);
  std::uint64_t above = UINT64_MAX;
  for (const nlohmann::json& each : json.at("retained")) {
    EXPECT_LE(each.at("retainedBytes").get<std::uint64_t>(), above);
    above = each.at("retainedBytes");
    EXPECT_GE(above, each.at("bytes").get<std::uint64_t>()) << "itself included";
    EXPECT_NE(text.find(each.at("object").get<std::string>() + "  " + each.at("type").get<std::string>() + "\n"),
              std::string::npos)
        << each;
  }
  EXPECT_EQ(text.find(toString(list.objects[15].object) + " "), std::string::npos);
  const ObjectTotals totals = snapshot.totals();
  EXPECT_EQ(json.at("reachableObjects").get<std::uint64_t>() + json.at("unreachableObjects").get<std::uint64_t>(),
            totals.objects - totals.freeObjects);
  EXPECT_EQ(json.at("reachableBytes").get<std::uint64_t>() + json.at("unreachableBytes").get<std::uint64_t>(),
            totals.bytes - totals.freeBytes);
}

TEST(RetainedOutput, ASetIsOneSentence) {
  RetainedSet set;
  set.members = {.objects = 1, .bytes = 24};
  set.retained = {.objects = 1'234, .bytes = 56'789};
  EXPECT_EQ(written([&](Output& output) { writeRetainedSetText(output, set); }),
            "1 object, 24 bytes, retain 1,234 objects, 56,789 bytes, themselves included.\n");
}

}  // namespace
}  // namespace heapscape::engine
