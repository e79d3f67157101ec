// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>

#include "shop_objects.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

std::vector<std::string> described(const ObjectBytes& bytes) {
  std::vector<std::string> lines;
  for (const ByteRun& run : bytes.runs) {
    lines.push_back(std::string(toString(run.owner)) + " " + run.name + " " + std::to_string(run.offset) + " " +
                    std::to_string(run.sizeBytes));
  }
  return lines;
}

class ShopBytes : public testing::TestWithParam<std::string> {
 protected:
  ObjectBytes firstOf(const std::string& type) const {
    for (const ObjectRow& row : rowsOf(m_snapshot, type, 1)) {
      auto bytes = objectBytes(m_snapshot, row.address, 0, SIZE_MAX);
      if (bytes) return std::move(*bytes);
    }
    throw std::runtime_error("not on the heap: " + type);
  }

  const Snapshot& m_snapshot = openedDump(GetParam());
};

INSTANTIATE_TEST_SUITE_P(OfVersions, ShopBytes,
                         testing::Values("shop-8", "shop-9", "shop-10", "shop-11", "shop-arm64-10"),
                         [](const auto& dump) { return testName(dump.param); });

TEST_P(ShopBytes, EveryByteOfEveryObjectBelongsToOneThing) {
  std::size_t objects = 0;
  forEachObject(m_snapshot, {}, [&](const ObjectRow& row) {
    const auto bytes = objectBytes(m_snapshot, row.address, 0, SIZE_MAX);
    std::int64_t next = -8;
    for (const ByteRun& run : bytes->runs) {
      if (run.offset != next || run.sizeBytes == 0) break;
      next += run.sizeBytes;
    }
    EXPECT_EQ(next + 8, static_cast<std::int64_t>(row.alignedBytes)) << toString(row.address);
    EXPECT_EQ(bytes->bytes.size(), row.alignedBytes);
    ++objects;
    return !HasFailure();
  });
  EXPECT_EQ(objects, m_snapshot.totals().objects);
}

TEST_P(ShopBytes, FieldsAreTakenApartIntoTheirLeaves) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(described(firstOf("Shop.Wrappers")),
            (Lines{"alignment alignment -8 4", "header header -4 4", "methodTable method table 0 8", "field d 8 4",
                   "field a.value 12 1", "field b.value 13 1", "field c.value 14 1", "field e 15 1"}));
  EXPECT_EQ(described(firstOf("Shop.Union")),
            (Lines{"alignment alignment -8 4", "header header -4 4", "methodTable method table 0 8",
                   "field Whole | real | low | high | top 8 8"}));
}

TEST_P(ShopBytes, StringsEndWithTheirTerminator) {
  for (const ObjectRow& row : rowsOf(m_snapshot, "System.String", 50)) {
    const auto bytes = objectBytes(m_snapshot, row.address, 0, SIZE_MAX);
    ASSERT_TRUE(bytes);
    const auto terminator = std::ranges::find(bytes->runs, ByteOwner::Terminator, &ByteRun::owner);
    ASSERT_NE(terminator, bytes->runs.end());
    EXPECT_EQ(terminator->sizeBytes, 2u);
    const auto at = static_cast<std::size_t>(terminator->offset + 8);
    EXPECT_EQ(bytes->bytes[at] + bytes->bytes[at + 1], 0);
    const auto characters = std::ranges::count(bytes->runs, ByteOwner::Element, &ByteRun::owner);
    EXPECT_EQ(terminator->offset, 12 + 2 * characters);
  }
}

TEST_P(ShopBytes, BoundsOfArraysStandBeforeTheElements) {
  const auto runs = described(firstOf("System.Int32[,,]"));
  ASSERT_GE(runs.size(), 11u);
  EXPECT_EQ(runs[3], "length length 8 4");
  EXPECT_EQ(runs[4], "padding padding 12 4");
  EXPECT_EQ(runs[5], "bounds length of dimension 0 16 4");
  EXPECT_EQ(runs[8], "bounds lower bound of dimension 0 28 4");
  EXPECT_EQ(runs[11], "element [0, 0, 0] 40 4");
}

TEST_P(ShopBytes, AWindowShowsOnlyItsOwnBytes) {
  const ObjectBytes whole = firstOf("System.Int32[,,]");
  const auto window = objectBytes(m_snapshot, whole.object, 50, 10);
  ASSERT_TRUE(window);
  EXPECT_EQ(window->skipped, 50u);
  EXPECT_EQ(window->totalBytes, whole.totalBytes);
  EXPECT_TRUE(std::equal(window->bytes.begin(), window->bytes.end(), whole.bytes.begin() + 50));
  EXPECT_EQ(described(*window),
            (std::vector<std::string>{"element [0, 0, 0] 42 2", "element [0, 0, 1] 44 4", "element [0, 0, 2] 48 4"}));
  const auto behind = objectBytes(m_snapshot, whole.object, 1'000'000, 10);
  ASSERT_TRUE(behind);
  EXPECT_TRUE(behind->bytes.empty() && behind->runs.empty());
}

}  // namespace
}  // namespace heapscape::engine
