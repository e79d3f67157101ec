// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "graph/gc_desc.h"
#include "session/snapshot/contents.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using engine::GcDesc;
using Places = std::vector<std::uint64_t>;

Places placesIn(const GcDesc& desc, std::uint64_t alignedBytes) {
  Places places;
  desc.forEachPlace(alignedBytes, [&](std::uint64_t offset) { places.push_back(offset); });
  return places;
}

TEST(GcDesc, OfNothingHasNoPlaces) {
  EXPECT_TRUE(placesIn(GcDesc{}, 64).empty());
}

TEST(GcDesc, SeriesCoversTheFieldsOfAnObject) {
  // Two references behind a number in an object of 40 bytes.
  const GcDesc desc{.series = {{16, 16 - 40}}};
  EXPECT_EQ(placesIn(desc, 40), (Places{16, 24}));
}

TEST(GcDesc, SeriesGrowsWithAnArray) {
  // Elements from offset 16 on; base size 24, of which the array's length takes 8.
  const GcDesc desc{.series = {{16, -24}}};
  EXPECT_EQ(placesIn(desc, 24), Places{});
  EXPECT_EQ(placesIn(desc, 24 + 3 * 8), (Places{16, 24, 32}));
}

TEST(GcDesc, RunsRepeatOverTheElementsOfAnArray) {
  // Elements {reference, 16 bytes}: two of them.
  const GcDesc desc{.runs = {{1, 16}}, .runsOffset = 16};
  EXPECT_EQ(placesIn(desc, 24 + 2 * 24), (Places{16, 40}));
}

TEST(GcDesc, RunsOfOneElementFollowEachOther) {
  // Elements {reference, 8, reference, reference, 8}.
  const GcDesc desc{.runs = {{1, 8}, {2, 8}}, .runsOffset = 16};
  EXPECT_EQ(placesIn(desc, 24 + 2 * 40), (Places{16, 32, 40, 56, 72, 80}));
}

TEST(GcDesc, NeverLeavesTheObject) {
  EXPECT_EQ(placesIn({.series = {{16, 1'000'000}}}, 40), (Places{16, 24}));
  EXPECT_EQ(placesIn({.series = {{4096, 0}}}, 40), Places{});
  EXPECT_EQ(placesIn({.series = {{0, 0}}}, 40), Places{}) << "the method table is no reference";
  EXPECT_EQ(placesIn({.runs = {{0xffffffff, 0}}, .runsOffset = 16}, 40), (Places{16, 24}));
  EXPECT_EQ(placesIn({.runs = {{1, 0}}, .runsOffset = 0}, 40), Places{});
  EXPECT_EQ(placesIn({.series = {{8, 0}}}, 8), Places{});
}

// The method table of a type with one reference at least.
engine::MethodTable typeOf(const engine::Snapshot& snapshot, const char* name) {
  const engine::TypeId id = findType(snapshot, name);
  return *snapshot.contents().readers->methodTables.read(snapshot.types().at(id.value).methodTable);
}

TEST(GcDesc, IsReadFromInFrontOfTheMethodTable) {
  const engine::Snapshot& snapshot = openedDump("shop-10");
  const auto& runtime = snapshot.contents().readers->runtime;
  const auto list = readGcDesc(runtime, typeOf(snapshot, "System.Collections.Generic.List<System.Object>"));
  ASSERT_TRUE(list);
  EXPECT_EQ(placesIn(*list, 32), (Places{8})) << "_items";
  const auto text = readGcDesc(runtime, typeOf(snapshot, "System.String"));
  ASSERT_TRUE(text);
  EXPECT_TRUE(text->isEmpty());
  const auto objects = readGcDesc(runtime, typeOf(snapshot, "System.Object[]"));
  ASSERT_TRUE(objects);
  EXPECT_EQ(placesIn(*objects, 24 + 16), (Places{16, 24}));
}

TEST(GcDesc, ThatContradictsItselfIsAnError) {
  PatchedCore patched("shop-10");
  engine::Address table;
  {
    const engine::Snapshot snapshot = openSnapshot(patched.path(), engine::Stage::Objects);
    table = typeOf(snapshot, "System.Collections.Generic.List<System.Object>").address;
  }
  patched.write(table - 8, std::int64_t{0x7fffffffffff});
  const engine::Snapshot snapshot = openSnapshot(patched.path(), engine::Stage::Objects);
  const auto desc = readGcDesc(snapshot.contents().readers->runtime,
                               typeOf(snapshot, "System.Collections.Generic.List<System.Object>"));
  ASSERT_FALSE(desc);
  EXPECT_EQ(desc.error().code, engine::ErrorCode::Damaged);
}

}  // namespace
}  // namespace heapscape::test
