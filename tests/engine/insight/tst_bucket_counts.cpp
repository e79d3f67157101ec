// SPDX-License-Identifier: MIT
#include "insight/collections/collection_items.h"

#include <gtest/gtest.h>

namespace heapscape::engine {
namespace {

TEST(BucketCounts, GoOnBeyondWhatAByteHolds) {
  BucketCounts counts(3);
  for (std::uint32_t items = 1; items <= 70'000; ++items) ASSERT_EQ(counts.add(1), items);
  for (std::uint32_t items = 1; items <= 300; ++items) ASSERT_EQ(counts.add(2), items);
  EXPECT_EQ(counts.add(0), 1u);
  EXPECT_EQ(counts.add(1), 70'001u);
}

}  // namespace
}  // namespace heapscape::engine
