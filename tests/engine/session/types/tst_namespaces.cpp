// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "session/snapshot/contents.h"
#include "session/types/type_query.h"

namespace heapscape::engine {
namespace {

TEST(NamespaceOf, LeavesArgumentsNestedTypesAndBracketsAside) {
  EXPECT_EQ(namespaceOf("System.String"), "System");
  EXPECT_EQ(namespaceOf("System.Collections.Generic.List<Shop.Order>"), "System.Collections.Generic");
  EXPECT_EQ(namespaceOf("Shop.Stock+Entry.Odd"), "Shop");
  EXPECT_EQ(namespaceOf("Shop.Order[,]"), "Shop");
  EXPECT_EQ(namespaceOf("Program"), "");
  EXPECT_EQ(namespaceOf("<Module>"), "");
  EXPECT_EQ(namespaceOf(""), "");
  EXPECT_EQ(namespaceOf("System.Void (System.Int32)[]"), "System");
}

/// A snapshot of nothing but type names, one object of 24 bytes each.
struct NamedTypes {
  explicit NamedTypes(const std::vector<std::string>& names) {
    auto rows = std::make_shared<std::vector<TypeRow>>();
    for (const std::string& name : names) {
      rows->push_back({});
      rows->back().name = name;
      selection.types.push_back({static_cast<std::uint32_t>(selection.types.size())});
      counts.count.push_back(1);
      counts.bytes.push_back(24);
      counts.components.push_back(0);
    }
    auto contents = std::make_shared<Contents>();
    contents->types = rows;
    snapshot.emplace(contents);
  }
  std::vector<NamespaceNode> nodes() const { return groupByNamespace(*snapshot, counts, selection); }

  TypeCounts counts;
  TypeSelection selection;
  std::optional<Snapshot> snapshot;
};

TEST(GroupByNamespace, MakesANodeForEveryLevel) {
  const auto nodes = NamedTypes({"A.B.C.T", "A.B.U", "V", "A.B.C.W"}).nodes();
  std::vector<std::string> names;
  for (const NamespaceNode& node : nodes) names.push_back(node.fullName);
  EXPECT_EQ(names, (std::vector<std::string>{"", "A", "A.B", "A.B.C", "A.B.C.T", "A.B.C.W", "A.B.U", "V"}));
  EXPECT_EQ(nodes[0].objects, 4u);
  EXPECT_EQ(nodes[3].objects, 2u);
  EXPECT_EQ(nodes[3].name, "C");
  EXPECT_EQ(nodes[4].name, "T");
}

TEST(GroupByNamespace, OfNothingIsTheRootAlone) {
  const auto nodes = NamedTypes({}).nodes();
  ASSERT_EQ(nodes.size(), 1u);
  EXPECT_EQ(nodes[0].objects, 0u);
}

TEST(GroupByNamespace, EndsAtADepthThatNoNameHas) {
  const auto nodes = NamedTypes({std::string(60'000, '.') + "T", "A.B"}).nodes();
  EXPECT_LT(nodes.size(), 100u);
  EXPECT_EQ(nodes[0].objects, 2u);
  std::string deep;
  for (int i = 0; i < 20'000; ++i) deep += "a.";
  EXPECT_LT(NamedTypes({deep + "T", deep + "U"}).nodes().size(), 100u);
}

}  // namespace
}  // namespace heapscape::engine
