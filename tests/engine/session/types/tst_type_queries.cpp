// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "session/heap/size_histogram.h"
#include "session/types/type_query.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

class TypeQueries : public testing::TestWithParam<std::string> {
 protected:
  TypeCounts countsOf(const HeapScope& scope) const {
    auto counts = countTypes(m_snapshot, scope, {});
    if (!counts) throw std::runtime_error("no counts");
    return std::move(*counts);
  }
  TypeSelection select(const TypeQuery& query) const {
    auto selection = selectTypes(m_snapshot, m_snapshot.typeCounts(), query, {});
    if (!selection) throw std::runtime_error(selection.error().error().message());
    return std::move(*selection);
  }
  const std::string& nameOf(TypeId type) const { return m_snapshot.types()[type.value].name; }

  const Snapshot& m_snapshot = openedDump(GetParam());
};

void expectSum(const std::vector<TypeCounts>& parts, const TypeCounts& whole) {
  for (std::size_t type = 0; type < whole.count.size(); ++type) {
    std::uint64_t count = 0, bytes = 0, components = 0;
    std::array<std::uint64_t, kGenerationCount> generationBytes{};
    for (const TypeCounts& part : parts) {
      count += part.count[type];
      bytes += part.bytes[type];
      components += part.components[type];
      for (std::size_t i = 0; i < kGenerationCount; ++i) generationBytes[i] += part.generationBytes[type][i];
    }
    ASSERT_EQ(count, whole.count[type]);
    ASSERT_EQ(bytes, whole.bytes[type]);
    ASSERT_EQ(components, whole.components[type]);
    ASSERT_EQ(generationBytes, whole.generationBytes[type]);
  }
}

TEST_P(TypeQueries, CountsOfGenerationsAddUpToTheWhole) {
  std::vector<TypeCounts> parts;
  for (const Generation generation : kGenerations) {
    HeapScope scope;
    scope.generation = generation;
    parts.push_back(countsOf(scope));
  }
  expectSum(parts, m_snapshot.typeCounts());
}

TEST_P(TypeQueries, CountsOfHeapsAddUpToTheWhole) {
  std::vector<TypeCounts> parts;
  for (std::uint32_t heap = 0; heap < m_snapshot.summary().runtime.heaps; ++heap) {
    HeapScope scope;
    scope.heap = heap;
    parts.push_back(countsOf(scope));
  }
  expectSum(parts, m_snapshot.typeCounts());
}

TEST_P(TypeQueries, CountsOfSizesAddUpToTheWhole) {
  HeapScope small;
  small.maximumBytes = 100;
  HeapScope large;
  large.minimumBytes = 101;
  expectSum({countsOf(small), countsOf(large)}, m_snapshot.typeCounts());
  HeapScope none;
  none.heap = 1000;
  for (const std::uint64_t count : countsOf(none).count) EXPECT_EQ(count, 0u);
}

TEST_P(TypeQueries, HistogramHoldsAllButFreeObjects) {
  const auto histogram = sizeHistogram(m_snapshot, {}, {});
  ASSERT_TRUE(histogram);
  ASSERT_FALSE(histogram->empty());
  std::uint64_t objects = 0, bytes = 0, next = 24;
  for (const SizeBucket& bucket : *histogram) {
    EXPECT_EQ(bucket.minimumBytes, next);
    EXPECT_GE(bucket.maximumBytes, bucket.minimumBytes);
    next = bucket.maximumBytes + 1;
    for (std::size_t i = 0; i < kGenerationCount; ++i) {
      objects += bucket.objects[i];
      bytes += bucket.bytes[i];
      EXPECT_GE(bucket.bytes[i], bucket.objects[i] * bucket.minimumBytes);
      EXPECT_LE(bucket.bytes[i], bucket.objects[i] * (bucket.maximumBytes + 1));
    }
  }
  const ObjectTotals totals = m_snapshot.totals();
  EXPECT_EQ(objects, totals.objects - totals.freeObjects);
  EXPECT_EQ(bytes, totals.bytes - totals.freeBytes);
}

TEST_P(TypeQueries, OrdersAreTotalInBothDirections) {
  for (const TypeColumn column : {TypeColumn::Name, TypeColumn::Count, TypeColumn::Bytes, TypeColumn::AverageBytes,
                                  TypeColumn::PaddingBytes, TypeColumn::Assembly}) {
    TypeQuery query;
    query.sortBy = column;
    const TypeSelection down = select(query);
    EXPECT_EQ(down.types.size(), m_snapshot.types().size());
    EXPECT_EQ(std::set<TypeId>(down.types.begin(), down.types.end()).size(), down.types.size());
    EXPECT_EQ(select(query).types, down.types);
    query.descending = false;
    const TypeSelection up = select(query);
    const auto keyOf = [&](TypeId type) -> std::uint64_t {
      const TypeCounts& counts = m_snapshot.typeCounts();
      switch (column) {
        case TypeColumn::Count:
          return counts.count[type.value];
        case TypeColumn::Bytes:
          return counts.bytes[type.value];
        case TypeColumn::AverageBytes:
          return counts.bytes[type.value] / counts.count[type.value];
        case TypeColumn::PaddingBytes:
          return m_snapshot.typePaddingBytes()[type.value];
        default:
          return 0;
      }
    };
    const auto textOf = [&](TypeId type) {
      return column == TypeColumn::Name       ? nameOf(type)
             : column == TypeColumn::Assembly ? m_snapshot.types()[type.value].assembly
                                              : std::string();
    };
    for (std::size_t i = 1; i < up.types.size(); ++i) {
      const auto before =
          std::tuple(keyOf(up.types[i - 1]), textOf(up.types[i - 1]), nameOf(up.types[i - 1]), up.types[i - 1]);
      const auto after = std::tuple(keyOf(up.types[i]), textOf(up.types[i]), nameOf(up.types[i]), up.types[i]);
      ASSERT_LT(before, after);
      ASSERT_GE(std::pair(keyOf(down.types[i - 1]), textOf(down.types[i - 1])),
                std::pair(keyOf(down.types[i]), textOf(down.types[i])));
    }
  }
}

TEST_P(TypeQueries, TextIsPartOfTheNameWhateverItsCase) {
  TypeQuery query;
  query.text = "system.STRING";
  const TypeSelection selection = select(query);
  EXPECT_FALSE(selection.types.empty());
  for (const TypeId type : selection.types)
    EXPECT_NE(nameOf(type).find("System.String"), std::string::npos) << nameOf(type);
  query.text = "List<";
  EXPECT_NO_THROW(select(query));
  query.text = "[]";
  for (const TypeId type : select(query).types) EXPECT_NE(nameOf(type).find("[]"), std::string::npos);
}

TEST_P(TypeQueries, RegularExpressionsMatchAndFailWithASentence) {
  TypeQuery query;
  query.isRegularExpression = true;
  query.text = "^System\\.Int(16|32|64)$";
  for (const TypeId type : select(query).types) EXPECT_TRUE(nameOf(type).starts_with("System.Int"));
  for (const char* wrong : {"(", "[a", "a{2,1}", "*", "(?<name", "\\"}) {
    query.text = wrong;
    const auto failed = selectTypes(m_snapshot, m_snapshot.typeCounts(), query, {});
    ASSERT_FALSE(failed) << wrong;
    ASSERT_FALSE(failed.error().isCancelled());
    EXPECT_EQ(failed.error().error().code, ErrorCode::BadQuery);
    EXPECT_TRUE(failed.error().error().what.ends_with('.')) << failed.error().error().what;
  }
}

TEST_P(TypeQueries, SelectionsAddUpWhatTheyHold) {
  TypeQuery query;
  const TypeSelection all = select(query);
  const ObjectTotals totals = m_snapshot.totals();
  EXPECT_EQ(all.objects, totals.objects);
  EXPECT_EQ(all.bytes, totals.bytes);
  query.includeFree = false;
  const TypeSelection used = select(query);
  EXPECT_EQ(used.objects, totals.objects - totals.freeObjects);
  EXPECT_EQ(used.bytes, totals.bytes - totals.freeBytes);
  query.nameSpace = "System";
  const TypeSelection system = select(query);
  EXPECT_LT(system.objects, used.objects);
  for (const TypeId type : system.types) EXPECT_TRUE(nameOf(type).starts_with("System.")) << nameOf(type);
  query.nameSpace = "Sys";
  EXPECT_TRUE(select(query).types.empty());
}

TEST_P(TypeQueries, NamespacesHoldEachTypeOnce) {
  const TypeSelection selection = select({});
  const auto nodes = groupByNamespace(m_snapshot, m_snapshot.typeCounts(), selection);
  ASSERT_FALSE(nodes.empty());
  EXPECT_EQ(nodes[0].objects, selection.objects);
  EXPECT_EQ(nodes[0].bytes, selection.bytes);
  EXPECT_EQ(nodes[0].paddingBytes, selection.paddingBytes);
  std::size_t leaves = 0;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    const NamespaceNode& node = nodes[i];
    leaves += !node.type.isNone();
    if (i > 0) {
      EXPECT_LT(node.parent, i);
    }
    if (node.children.empty()) continue;
    std::uint64_t bytes = 0;
    std::uint64_t last = UINT64_MAX;
    for (const std::uint32_t child : node.children) {
      EXPECT_EQ(nodes[child].parent, i);
      EXPECT_LE(nodes[child].bytes, last);
      last = nodes[child].bytes;
      bytes += last;
    }
    EXPECT_EQ(bytes, node.bytes) << node.fullName;
  }
  EXPECT_EQ(leaves, selection.types.size());
}

INSTANTIATE_TEST_SUITE_P(Data, TypeQueries, testing::Values("shop-10", "shop-9-server", "shop-8-segments"),
                         [](const auto& info) { return testName(info.param); });

}  // namespace
}  // namespace heapscape::engine
