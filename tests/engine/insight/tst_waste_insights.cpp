// SPDX-License-Identifier: MIT
// What is said of waste beside its bytes, that innocent twins are not named, and dumps that lie in collections.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/insight/flawed_heap.h"
#include "insight/collections/collection_storage.h"
#include "insight/detectors/array_detector.h"
#include "layout/framework_assembly.h"
#include "session/snapshot/contents.h"

namespace heapscape::test {
namespace {

using namespace engine;

const std::vector<InsightKind> kWaste{
    InsightKind::DuplicateStrings,     InsightKind::BoxedValues,           InsightKind::EmptyArrays,
    InsightKind::UniformArrays,        InsightKind::SparseArrays,          InsightKind::EmptyCollections,
    InsightKind::OversizedCollections, InsightKind::OneElementCollections, InsightKind::PoorHashing,
    InsightKind::PaddingWaste,         InsightKind::SmallObjects,          InsightKind::SingleFieldWrappers};

TEST(WasteInsights, LeaveOutInnocentTwins) {
  for (const Insight& insight : insightsOf("flaws-10").insights) {
    if (std::ranges::count(kWaste, insight.kind) == 0) continue;
    for (const char* innocent : {"Unique", "Height", "Pair", "Tenant", "GoodKey", "Tidy", "Linked", "Twin"})
      EXPECT_EQ(insight.subject.find(std::string("Flaws.") + innocent), std::string::npos) << insight.title;
    EXPECT_FALSE(insight.contents.starts_with("Flaws: city number")) << insight.contents;
  }
}

TEST(WasteInsights, OfBoxesNameTheMostFrequentValuesAsContents) {
  const Insight* boxes = findInsight(insightsOf("flaws-10"), InsightKind::BoxedValues, "Flaws.Colour");
  ASSERT_TRUE(boxes);
  EXPECT_NE(factOf(*boxes, "Most frequent").find("Red (500 times)"), std::string::npos)
      << factOf(*boxes, "Most frequent");
  for (const InsightFact& fact : boxes->facts) EXPECT_EQ(fact.isContents, fact.label == "Most frequent") << fact.label;
}

TEST(WasteInsights, OfHashTablesTellHowItemsAreSpread) {
  const Insight* table = findInsight(insightsOf("flaws-10"), InsightKind::PoorHashing,
                                     "System.Collections.Generic.Dictionary<Flaws.BadKey, System.Int64>");
  ASSERT_TRUE(table);
  EXPECT_EQ(factOf(*table, "Items"), "500");
  EXPECT_EQ(factOf(*table, "Buckets with items"), "4 of 919");
  EXPECT_EQ(factOf(*table, "Largest bucket"), "125 items");
  EXPECT_EQ(factOf(*table, "Items compared for one that is found"), "63.0");
}

TEST(WasteInsights, OfCollectionsTellTheirFill) {
  const Insight* lists = findInsight(insightsOf("flaws-10"), InsightKind::OversizedCollections,
                                     "System.Collections.Generic.List<Flaws.Parcel>");
  ASSERT_TRUE(lists);
  EXPECT_EQ(factOf(*lists, "Fill"), "10%");
  ASSERT_FALSE(lists->items.empty());
  EXPECT_EQ(lists->items.front().text, "10 of 100 slots");
}

TEST(WasteInsights, OfSingleFieldsTellHowManyFieldsThereAre) {
  const Insight* remarks = findInsight(insightsOf("flaws-10"), InsightKind::SingleFieldWrappers, "Flaws.Remark");
  ASSERT_TRUE(remarks);
  EXPECT_EQ(factOf(*remarks, "Field"), "System.Int64 Number");
  EXPECT_EQ(factOf(*remarks, "Objects of this type"), "300");
  EXPECT_EQ(factOf(*remarks, "Fields declared as it"), "400");
  EXPECT_NE(remarks->advice.find("nullable"), std::string::npos) << remarks->advice;
  EXPECT_EQ(remarks->bytes, 300 * 24u - 400 * 8u);
}

/// What is told of the one is not told of the other: the list inside is a part of the collection.
TEST(WasteInsights, OfCollectionsInEachOtherAreToldOnce) {
  const Insight* lists = findInsight(insightsOf("flaws-10"), InsightKind::OneElementCollections,
                                     "System.Collections.Generic.List<Flaws.Hermit>");
  ASSERT_TRUE(lists);
  EXPECT_EQ(lists->objects, 200u);
  for (const char* hidden : {"TreeSet", "ConcurrentQueueSegment", "ReadOnlyCollection<Flaws.Tenant>"}) {
    for (const Insight& insight : insightsOf("flaws-10").insights)
      EXPECT_EQ(insight.subject.find(hidden), std::string::npos) << insight.title;
  }
}

TEST(TrimmedSizes, AreThePrimesOfTheClassLibrary) {
  EXPECT_EQ(primeFor(0), 3u);
  EXPECT_EQ(primeFor(3), 3u);
  EXPECT_EQ(primeFor(8), 11u);
  EXPECT_EQ(primeFor(100), 107u);
  EXPECT_EQ(primeFor(7199369), 7199369u);
  EXPECT_EQ(primeFor(7199370), 7199371u);  // beyond the table: any prime whose predecessor 101 does not divide
}

TEST(ElementPatterns, AreToldForElementsOfAnySize) {
  for (const std::uint32_t size : {1u, 2u, 4u, 8u, 12u, 16u}) {
    std::vector<std::byte> elements(size * 100);
    EXPECT_TRUE(patternOf(elements, size, 25).isUniform);
    EXPECT_TRUE(patternOf(elements, size, 25).isZero);
    elements[size * 99 + size - 1] = std::byte{1};
    EXPECT_FALSE(patternOf(elements, size, 25).isUniform) << size;
    EXPECT_EQ(patternOf(elements, size, 25).other, 1u) << size;
    for (std::size_t i = 0; i < 100; ++i) elements[size * i] = std::byte{7};
    EXPECT_GT(patternOf(elements, size, 25).other, 25u) << size;
  }
  EXPECT_FALSE(patternOf({}, 8, 1).isUniform);
  EXPECT_FALSE(patternOf({}, 0, 1).isUniform);
}

using DamagedWaste = DamagedHeap;

TEST_F(DamagedWaste, IsNotMadeUpOfCollectionsThatClaimMoreThanTheirArraysHold) {
  constexpr std::uint64_t kSizeOffset = 16;  // of List: behind the method table pointer and the array
  for (const ObjectRow& row : objectsOf(open(), "List<Flaws.Parcel>")) {
    if (row.alignedBytes == 32) m_core.write<std::int32_t>(row.address + kSizeOffset, 0x7fffffff);
  }
  const InsightList list = lookFor(open(), kWaste);
  EXPECT_FALSE(findInsight(list, InsightKind::OversizedCollections, "System.Collections.Generic.List<Flaws.Parcel>"));
  EXPECT_TRUE(findInsight(list, InsightKind::OversizedCollections, "System.Collections.Generic.Stack<Flaws.Parcel>"));
}

TEST_F(DamagedWaste, SurvivesAnyBytesInCollectionsAndArrays) {
  constexpr const char* kTypes[]{
      "System.Collections.", "StringBuilder", "MemoryStream", "ThreadLocal",  "Entry",     "System.Object[]",
      "System.Int32[]",      "System.String", "Flaws.Cell[]", "Flaws.Colour", "Flaws.Dot", "Flaws.Spot"};
  lookAtAnyBytesIn(kTypes, kWaste);
}

TEST_F(DamagedWaste, SurvivesAnyBytesInPartsOfCollectionsAndWrappers) {
  constexpr const char* kTypes[]{"ConcurrentQueueSegment", "WorkStealingQueue", "Tables",     "+Node",
                                 "LinkedListNode",         "LinkedSlot",        "TreeSet",    "System.Object",
                                 "Flaws.CaseNumber",       "Flaws.Held",        "Flaws.Case", "Flaws.Validity"};
  lookAtAnyBytesIn(kTypes, kWaste);
}

TEST_F(DamagedWaste, IsNotMadeUpOfSegmentsThatLeadInACircle) {
  constexpr std::uint64_t kFieldsOffset = 8, kFields = 5;
  const Snapshot snapshot = open();
  for (const ObjectRow& row : objectsOf(snapshot, "ConcurrentQueueSegment<Flaws.Parcel>")) {
    for (std::uint64_t i = 0; i < kFields; ++i) {
      const Address field = row.address + kFieldsOffset + 8 * i;
      Address value;
      if (snapshot.contents().memory->tryRead(field, value) && !value) m_core.write(field, row.address.value);
    }
  }
  EXPECT_FALSE(findInsight(lookFor(open(), kWaste), InsightKind::OversizedCollections,
                           "System.Collections.Concurrent.ConcurrentQueue<Flaws.Parcel>"));
}

TEST(Framework, IsWhatTheSharedFrameworksHaveAndWhatExtendsThem) {
  for (const char* name : {"System.Private.CoreLib.dll", "System.dll", "mscorlib", "Microsoft.Extensions.Logging.dll",
                           "Microsoft.AspNetCore.Http", "Microsoft.Win32.Primitives.dll", "Microsoft.CSharp.dll",
                           "Microsoft.VisualBasic.Core.dll", "FSharp.Core.dll"})
    EXPECT_TRUE(isFrameworkAssembly(name)) << name;
  // The compiler is a program as any, and in its own process the only one there is.
  for (const char* name : {"Microsoft.CodeAnalysis.dll", "Microsoft.CodeAnalysis.CSharp.dll", "Microsoft.Build.dll",
                           "VBCSCompiler.dll", "Shop.dll", "Systematics.dll", "FSharp.Data.dll"})
    EXPECT_FALSE(isFrameworkAssembly(name)) << name;
  EXPECT_TRUE(isFrameworkMember("Microsoft.FSharp.Core.FSharpOption<Shop.Order>"));
  EXPECT_TRUE(isFrameworkMember("Internal.Runtime.Thing"));
  EXPECT_FALSE(isFrameworkMember("Microsoft.CodeAnalysis.SyntaxNode.Cache"));
}

}  // namespace
}  // namespace heapscape::test
