// SPDX-License-Identifier: MIT
// Types and insights of two dumps made by hand, matched and put in order.
#include <gtest/gtest.h>

#include <algorithm>

#include "insight/comparison/compare_snapshots.h"
#include "support/builders/heap_in_memory.h"

namespace heapscape::test {
namespace {

using namespace engine;

constexpr const char* kCoreLibrary = "System.Private.CoreLib.dll";
constexpr const char* kCollections = "System.Collections.dll";

/// A heap of objects by type, each held by a handle.
class CountedHeap {
 public:
  CountedHeap& add(const std::string& name, int objects, const std::string& assembly = "Program.dll",
                   std::uint32_t baseBytes = 24) {
    const TypeId type = m_heap.addType(name, baseBytes, 0, assembly);
    for (int i = 0; i < objects; ++i) m_heap.addRoot(RootKind::StrongHandle, m_heap.addObject(type), "strong handle");
    return *this;
  }
  CountedHeap& addModule(std::string name, MetadataSource metadata) {
    ModuleRow module;
    module.name = std::move(name);
    module.metadata = metadata;
    m_heap.addModule(std::move(module));
    return *this;
  }
  CountedHeap& addGarbage(const std::string& name) {
    m_heap.addObject(m_heap.addType(name));
    return *this;
  }
  CountedHeap& addFree(std::uint32_t bytes) {
    m_heap.addObject(m_heap.addFreeType(), bytes - 24);
    return *this;
  }
  Snapshot snapshot() const { return m_heap.snapshot(); }

 private:
  HeapInMemory m_heap;
};

std::vector<TypeChange> changesOf(const CountedHeap& before, const CountedHeap& after) {
  return compareTypes(before.snapshot(), after.snapshot());
}

TEST(ComparedTypes, ThatArrivedAreGrowthAndThoseGoneAreLast) {
  const auto types = changesOf(CountedHeap().add("Gone", 3).add("Same", 9).add("Fewer", 5),
                               CountedHeap().add("Same", 9).add("Fewer", 4).add("Arrived", 2));
  ASSERT_EQ(types.size(), 4u);
  EXPECT_EQ(types[0].name, "Arrived");
  EXPECT_TRUE(types[0].isNew());
  EXPECT_EQ(types[0].count.after, 2u);
  EXPECT_EQ(types[0].bytes.difference(), 48);
  EXPECT_EQ(types[0].retained.difference(), 48);
  EXPECT_EQ(types[0].instanceBytes.before, 0u);
  EXPECT_EQ(types[1].name, "Same");
  EXPECT_EQ(types[2].name, "Fewer");
  EXPECT_EQ(types[3].name, "Gone");
  EXPECT_TRUE(types[3].isGone());
  EXPECT_EQ(types[3].bytes.difference(), -72);
}

TEST(ComparedTypes, RetainOnlyWhatCanBeReached) {
  const auto types = changesOf(CountedHeap().add("Held", 1), CountedHeap().add("Held", 1).addGarbage("Dropped"));
  EXPECT_EQ(types[0].name, "Dropped");
  EXPECT_EQ(types[0].bytes.after, 24u);
  EXPECT_EQ(types[0].retained.after, 0u);
  EXPECT_EQ(types[1].retained.after, 24u);
}

TEST(ComparedTypes, AreOneForEachNameAndAssembly) {
  const auto types = changesOf(CountedHeap().add("Order", 1, "A.dll").add("Order", 2, "B.dll"),
                               CountedHeap().add("Order", 4, "B.dll").add("Order", 8, "B.dll", 32));
  ASSERT_EQ(types.size(), 2u);
  EXPECT_EQ(types[0].assembly, "B.dll");
  EXPECT_EQ(types[0].count.before, 2u);
  EXPECT_EQ(types[0].count.after, 12u) << "of a name that was loaded twice";
  EXPECT_EQ(types[0].typesAfter.size(), 2u);
  EXPECT_EQ(types[0].instanceBytes.after, 32u) << "the larger of the two";
  EXPECT_EQ(types[1].assembly, "A.dll");
}

TEST(ComparedTypes, OfTheFrameworkMayMoveToAnotherOfItsAssemblies) {
  const auto types = changesOf(CountedHeap().add("System.Queue", 5, kCollections, 40).add("Order", 1, "A.dll"),
                               CountedHeap().add("System.Queue", 7, kCoreLibrary, 48).add("Order", 1, "B.dll"));
  ASSERT_EQ(types.size(), 3u);
  EXPECT_EQ(types[0].name, "System.Queue");
  EXPECT_EQ(types[0].assembly, kCoreLibrary) << "where it is now";
  EXPECT_EQ(types[0].count.before, 5u);
  EXPECT_EQ(types[0].count.after, 7u);
  EXPECT_EQ(types[0].instanceBytes.before, 40u);
  EXPECT_EQ(types[0].typesBefore.size(), 1u);
  EXPECT_TRUE(types[1].isNew()) << "the program's own is another one";
}

TEST(ComparedTypes, MoveNowhereIfTheyWereInTwoPlaces) {
  const auto types = changesOf(
      CountedHeap().add("System.Queue", 5, kCollections).add("System.Queue", 6, "System.Collections.Concurrent.dll"),
      CountedHeap().add("System.Queue", 7, kCoreLibrary));
  ASSERT_EQ(types.size(), 3u);
  EXPECT_TRUE(types[0].isNew());
}

TEST(ComparedTypes, MoveNowhereIfTheyMayBeInTwoPlaces) {
  const auto types =
      changesOf(CountedHeap().add("Interop+Sys", 5, kCollections),
                CountedHeap().add("Interop+Sys", 6, kCoreLibrary).add("Interop+Sys", 7, "System.IO.dll"));
  ASSERT_EQ(types.size(), 3u);
  EXPECT_TRUE(types[0].isNew());
  EXPECT_TRUE(types[1].isNew());
  EXPECT_TRUE(types[2].isGone());
}

TEST(ComparedTypes, CountFreeSpaceThatIsNoType) {
  const auto types = changesOf(CountedHeap().add("Order", 1).addFree(32), CountedHeap().add("Order", 2).addFree(9000));
  ASSERT_EQ(types.size(), 2u);
  EXPECT_EQ(types[0].name, "Order") << "free space grows nothing";
  EXPECT_TRUE(types[1].isFree);
  EXPECT_EQ(types[1].bytes.after, 9000u);
  Comparison comparison;
  comparison.types = types;
  comparison.objects = {2, 3};
  EXPECT_EQ(objectsOf(comparison).before, 1u);
  EXPECT_EQ(objectsOf(comparison).after, 2u);
  comparison.objects = {0, 0};
  EXPECT_EQ(objectsOf(comparison).after, 0u) << "never below none";
}

TEST(SortByGrowth, GoesByTheColumnThatIsAskedForThenByNameAndAssembly) {
  std::vector<TypeChange> types(4);
  for (TypeChange& type : types) type.name = "C";
  types[0].bytes = {0, 10};
  types[1].count = {0, 10};
  types[2].retained = {5, 0};
  types[2].name = "B";
  types[1].assembly = "B.dll";
  types[3].assembly = "A.dll";
  const auto firstBy = [&](GrowthColumn column) {
    sortByGrowth(types, column);
    return types.front();
  };
  EXPECT_EQ(firstBy(GrowthColumn::Bytes).bytes.after, 10u);
  EXPECT_EQ(types[1].name, "B");
  EXPECT_EQ(types[3].assembly, "B.dll");
  EXPECT_EQ(firstBy(GrowthColumn::Count).count.after, 10u);
  sortByGrowth(types, GrowthColumn::Retained);
  EXPECT_EQ(types.back().name, "B") << "shrunk";
  EXPECT_EQ(growthOf(types.back(), GrowthColumn::Retained), -5);
}

TEST(ComparedInsights, AreMatchedByKindSubjectAndContents) {
  const auto insight = [](InsightKind kind, std::string subject, std::string contents, std::uint64_t bytes) {
    return Insight{.kind = kind,
                   .title = std::to_string(bytes),
                   .subject = std::move(subject),
                   .contents = std::move(contents),
                   .bytes = bytes,
                   .objects = 1};
  };
  InsightList before, after;
  before.insights = {insight(InsightKind::DuplicateStrings, "", "red", 100),
                     insight(InsightKind::EmptyArrays, "A[]", "", 90),
                     insight(InsightKind::SparseArrays, "A[]", "", 8)};
  after.insights = {insight(InsightKind::DuplicateStrings, "", "blue", 70),
                    insight(InsightKind::SparseArrays, "A[]", "", 8), insight(InsightKind::EmptyArrays, "A[]", "", 95)};
  const auto changes = compareInsights(before, after);
  std::vector<std::int64_t> grown;
  for (const InsightChange& change : changes) grown.push_back(change.bytes.difference());
  ASSERT_EQ(grown, (std::vector<std::int64_t>{70, 5, 0, -100}));
  EXPECT_EQ(changes[1].title, "95") << "as the later dump has it";
  EXPECT_EQ(changes[3].title, "100");
  EXPECT_TRUE(compareInsights({}, {}).empty());
}

TEST(ComparisonGaps, AreModulesThatOnlyOneDumpHasNamesFor) {
  constexpr auto kNamed = MetadataSource::Dump, kUnnamed = MetadataSource::Missing;
  const Snapshot named = CountedHeap().addModule("A.dll", kNamed).addModule("B.dll", kNamed).snapshot();
  const Snapshot unnamed = CountedHeap()
                               .addModule("A.dll", kUnnamed)
                               .addModule("B.dll", kUnnamed)
                               .addModule("Alone.dll", kUnnamed)
                               .snapshot();
  const FindingList gaps = findComparisonGaps(unnamed, named);
  ASSERT_EQ(gaps.items().size(), 1u);
  EXPECT_NE(gaps.items()[0].message.find("The earlier dump has no names for the types of 2 modules, A.dll among"),
            std::string::npos)
      << gaps.items()[0].message;
  EXPECT_TRUE(findComparisonGaps(unnamed, unnamed).items().empty());
}

}  // namespace
}  // namespace heapscape::test
