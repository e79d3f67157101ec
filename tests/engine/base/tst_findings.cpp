// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <set>

#include "base/finding.h"
#include "base/limits.h"

namespace heapscape::engine {
namespace {

TEST(FindingList, KeepsAThousandAndCountsTheRest) {
  FindingList list;
  for (std::size_t i = 0; i < kLimits.findings + 5; ++i) list.add(FindingKind::HeapDamaged, {i}, "damage");
  EXPECT_EQ(list.items().size(), kLimits.findings);
  EXPECT_EQ(list.leftOut(), 5u);
  EXPECT_EQ(list.items().front().address, Address{0});
}

TEST(FindingList, CountsWhatAnotherListLeftOutToo) {
  FindingList full;
  for (std::size_t i = 0; i < kLimits.findings + 2; ++i) full.add(FindingKind::HeapDamaged, {}, "damage");
  FindingList list;
  list.add(FindingKind::DumpTruncated, {}, "cut");
  list.append(full);
  EXPECT_EQ(list.items().size(), kLimits.findings);
  EXPECT_EQ(list.items().front().kind, FindingKind::DumpTruncated);
  EXPECT_EQ(list.leftOut(), 3u);
}

TEST(FindingKind, HasANameOfItsOwnForEach) {
  std::set<std::string> names;
  for (int kind = 0; kind <= static_cast<int>(FindingKind::LayoutMismatch); ++kind) {
    const std::string name = toString(static_cast<FindingKind>(kind));
    EXPECT_NE(name, "unknown");
    EXPECT_TRUE(names.insert(name).second) << name;
  }
}

}  // namespace
}  // namespace heapscape::engine
