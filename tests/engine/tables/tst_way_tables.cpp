// SPDX-License-Identifier: MIT
// Steps of the ways that keep objects alive, and what would be freed with objects and types, as rows.
#include <gtest/gtest.h>

#include <map>

#include "memory/address_space.h"
#include "named_cell.h"
#include "session/snapshot/contents.h"
#include "support/details.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"
#include "tables/path_tables.h"
#include "tables/retained_tables.h"

namespace heapscape::engine {
namespace {

using test::cellOf;

constexpr const char* kDump = "shop-10";

template <class Path>
Path pathOf(std::size_t steps, std::uint64_t leftOut, std::uint64_t leftOutAfter) {
  Path path;
  path.steps.resize(steps);
  path.stepsLeftOut = leftOut;
  path.leftOutAfter = leftOutAfter;
  return path;
}

template <class Path>
std::vector<std::uint64_t> numbersOf(const Path& path) {
  std::vector<std::uint64_t> numbers;
  for (const ListedStep& step : listSteps(test::openedDump(kDump), path)) numbers.push_back(step.number);
  return numbers;
}

using Numbered = std::vector<std::uint64_t>;

// The method table as the object's first word has it; its lowest bits are the GC's.
Address methodTableAt(const Snapshot& snapshot, Address object) {
  return Address{snapshot.contents().memory->read<std::uint64_t>(object).value() & ~std::uint64_t{7}};
}

TEST(StepRows, NoStepsHaveNoRows) {
  EXPECT_TRUE(numbersOf(RootPath{}).empty());
  EXPECT_TRUE(numbersOf(ObjectPath{}).empty());
}

TEST(StepRows, AreCountedFromOne) {
  EXPECT_EQ(numbersOf(pathOf<RootPath>(1, 0, 0)), (Numbered{1}));
  EXPECT_EQ(numbersOf(pathOf<ObjectPath>(3, 0, 0)), (Numbered{1, 2, 3}));
}

TEST(StepRows, StepsThatAreLeftOutAreCounted) {
  EXPECT_EQ(numbersOf(pathOf<RootPath>(5, 999'995, 3)), (Numbered{1, 2, 3, 999'999, 1'000'000}));
  EXPECT_EQ(numbersOf(pathOf<ObjectPath>(2, 1, 1)), (Numbered{1, 3}));
}

TEST(StepRows, AGapAtAnEndIsCountedOnce) {
  EXPECT_EQ(numbersOf(pathOf<RootPath>(2, 4, 0)), (Numbered{5, 6}));
  EXPECT_EQ(numbersOf(pathOf<RootPath>(2, 4, 2)), (Numbered{1, 2}));
  EXPECT_EQ(numbersOf(pathOf<RootPath>(6, 2, 2)), (Numbered{1, 2, 5, 6, 7, 8})) << "5 is past the gap";
}

TEST(StepRows, AnObjectOfUnknownTypeHasNoName) {
  const Snapshot& snapshot = test::openedDump(kDump);
  RootPath path = pathOf<RootPath>(2, 0, 0);
  path.steps[0].object = Address{0x7f00};
  path.steps[1].type = TypeId{0};
  path.steps[1].via = "Lines[\"a\\\"b\"]";
  path.steps[1].retainedBytes = UINT64_MAX;
  const std::vector<ListedStep> rows = listSteps(snapshot, path);
  EXPECT_EQ(rows[0].type, "");
  EXPECT_FALSE(rows[0].methodTable);
  EXPECT_EQ(cellOf(stepsTable(), rows[0], "object"), Cell(Address{0x7f00}));
  EXPECT_EQ(rows[1].type, snapshot.types()[0].name);
  EXPECT_EQ(rows[1].methodTable, snapshot.types()[0].methodTable);
  EXPECT_EQ(cellOf(stepsTable(), rows[1], "via"), Cell("Lines[\"a\\\"b\"]"));
  EXPECT_EQ(toString(cellOf(stepsTable(), rows[1], "retainedBytes")), "18446744073709551615");
}

TEST(StepRows, EachObjectOfAWayHasTheTypeThatItsFirstWordSays) {
  const Snapshot& snapshot = test::retainedDump(kDump);
  const Address order = largestRetained(snapshot, 1).objects.front().object;
  const RootPathList paths = pathsToRoots(snapshot, order, {.paths = 3}, nullptr, {}).value();
  ASSERT_FALSE(paths.paths.empty());
  for (const RootPath& path : paths.paths) {
    const std::vector<ListedStep> rows = listSteps(snapshot, path);
    ASSERT_EQ(rows.size(), path.steps.size());
    EXPECT_EQ(rows.back().number, path.length);
    EXPECT_EQ(rows.back().step.object, order);
    for (const ListedStep& row : rows) EXPECT_EQ(row.methodTable, methodTableAt(snapshot, row.step.object));
  }
}

TEST(RetainedRows, BeforeTheStageThereAreNone) {
  const Snapshot snapshot = test::openSnapshot(test::dumpPath(kDump), Stage::Segments);
  const RetainedList list = largestRetained(snapshot, 10);
  EXPECT_TRUE(listRetained(snapshot, list).empty());
  EXPECT_TRUE(listRetainedTypes(snapshot, list).empty());
}

TEST(RetainedRows, ObjectsAreNamedByTheTypeThatClrMdFinds) {
  const Snapshot& snapshot = test::retainedDump(kDump);
  std::map<std::uint64_t, nlohmann::json> samples;
  const nlohmann::json details = test::detailsOf(kDump);
  for (const nlohmann::json& sample : details["samples"]) samples[test::addressIn(sample, "address").value] = sample;
  std::size_t compared = 0;
  for (const ListedRetained& row : listRetained(snapshot, largestRetained(snapshot, SIZE_MAX))) {
    const auto sample = samples.find(row.row.object.value);
    if (sample == samples.end()) continue;
    ++compared;
    const Address methodTable = methodTableAt(snapshot, row.row.object);
    EXPECT_EQ(row.type, snapshot.typeName(snapshot.typeOf(methodTable)));
    EXPECT_GE(row.row.bytes, sample->second["size"].get<std::uint64_t>());
    EXPECT_LT(row.row.bytes, sample->second["size"].get<std::uint64_t>() + 8) << "rounded up to 8";
    EXPECT_GE(cellOf(retainedTable(), row, "retained").number(), row.row.isReachable ? row.row.bytes : 0);
  }
  EXPECT_GT(compared, 100u);
}

TEST(RetainedRows, TypesCoverAllReachableObjectsOnce) {
  const Snapshot& snapshot = test::retainedDump(kDump);
  const RetainedList list = largestRetained(snapshot, 1);
  std::uint64_t objects = 0, bytes = 0, before = UINT64_MAX;
  for (const ListedRetainedType& row : listRetainedTypes(snapshot, list)) {
    objects += cellOf(retainedTypesTable(), row, "count").number();
    bytes += cellOf(retainedTypesTable(), row, "bytes").number();
    const std::uint64_t retained = cellOf(retainedTypesTable(), row, "retainedBytes").number();
    EXPECT_LE(retained, before) << "the largest first";
    EXPECT_GE(retained, cellOf(retainedTypesTable(), row, "bytes").number()) << row.type;
    EXPECT_EQ(snapshot.typeName(snapshot.typeOf(row.methodTable)), row.type);
    before = retained;
  }
  EXPECT_EQ(objects, list.totals.reachableObjects);
  EXPECT_EQ(bytes, list.totals.reachableBytes);
}

TEST(RetainedRows, ACellIsReadOffTheRowAsItIs) {
  const ListedRetained row{{.object = Address{0x10},
                            .type = {},
                            .bytes = 24,
                            .retainedBytes = UINT64_MAX,
                            .retainedCount = 3,
                            .dominator = {},
                            .isReachable = true},
                           "Shop.Order<\"\t>"};
  EXPECT_EQ(cellOf(retainedTable(), row, "type"), Cell("Shop.Order<\"\t>"));
  EXPECT_EQ(toString(cellOf(retainedTable(), row, "retained")), "18446744073709551615");
  EXPECT_EQ(cellOf(retainedTable(), row, "retainedCount"), Cell(std::uint64_t{3}));
  EXPECT_EQ(cellOf(retainedTable(), row, "dominator"), Cell(Address{})) << "only roots hold it";
}

}  // namespace
}  // namespace heapscape::engine
