// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <limits>

#include "query/rows/table_query.h"
#include "tables/cell.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();

TEST(Cell, saysWhatItHoldsExactly) {
  EXPECT_EQ(toString(Cell(kLargest)), "18446744073709551615");
  EXPECT_EQ(toString(Cell(-5)), "-5");
  EXPECT_EQ(toString(Cell(true)), "true");
  EXPECT_EQ(toString(Cell(Address{0x7f00})), "0x7f00");
  EXPECT_EQ(toString(Cell(AddressRange{{0x10}, {0x20}})), "0x10-0x20");
  EXPECT_EQ(toString(Cell(Cell::Words{"a", "b"})), "a b");
  EXPECT_EQ(toString(Cell(Cell::Numbers{4, 5})), "4 5");
  EXPECT_EQ(toString(Cell()), "");
  EXPECT_EQ(toString(Cell(Cell::Unknown{})), "");
}

TEST(Cell, tellsWhatIsNotThereFromWhatIsNotKnown) {
  const std::optional<std::uint64_t> none;
  EXPECT_TRUE(Cell().isNothing());
  EXPECT_TRUE(Cell(none).isUnknown());
  EXPECT_FALSE(Cell(none).isThere());
  EXPECT_TRUE(Cell(std::uint64_t{0}).isThere());
}

TEST(Cell, isEmptyWherePeopleReadNothing) {
  for (const Cell& cell : {Cell(), Cell(0u), Cell(false), Cell(Address{}), Cell(""), Cell(Cell::Words{}), Cell(0.0)})
    EXPECT_TRUE(cell.isEmpty()) << toString(cell);
  for (const Cell& cell : {Cell(1u), Cell(-1), Cell(true), Cell(Address{8}), Cell("a"), Cell(0.5)})
    EXPECT_FALSE(cell.isEmpty()) << toString(cell);
}

TEST(Cell, isAskedForAsWhatItIs) {
  EXPECT_EQ(queryValueOf(Cell(Address{})), QueryValue::ofNull());
  EXPECT_EQ(queryValueOf(Cell(Address{16})), QueryValue::ofAddress(16));
  EXPECT_EQ(queryValueOf(Cell(kLargest)), QueryValue::ofNumber(kLargest));
  EXPECT_EQ(queryValueOf(Cell(-3)).number, -3.0L);
  EXPECT_EQ(queryValueOf(Cell(Cell::Words{"a", "b"})), QueryValue::ofText("a b"));
  EXPECT_FALSE(queryValueOf(Cell(Cell::Unknown{})).isThere());
}

}  // namespace
}  // namespace heapscape::engine
