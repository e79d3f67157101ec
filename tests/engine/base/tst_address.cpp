// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "base/address.h"

namespace heapscape::engine {
namespace {

TEST(Address, IsWrittenInLowerCaseWithoutLeadingZeros) {
  EXPECT_EQ(toString(Address{0x7F4C59812340}), "0x7f4c59812340");
  EXPECT_EQ(toString(Address{0}), "0x0");
  EXPECT_EQ(toString(Address{~0ull}), "0xffffffffffffffff");
}

TEST(Address, IsReadWithAndWithoutPrefix) {
  for (const char* text : {"0x7f4c59812340", "0X7F4C59812340", "7f4c59812340", "0x00007f4c59812340"}) {
    Address address;
    EXPECT_TRUE(tryParseAddress(text, address)) << text;
    EXPECT_EQ(address, Address{0x7f4c59812340}) << text;
  }
}

TEST(Address, IsNotReadFromAnythingElse) {
  for (const char* text :
       {"", "0x", "x", "0x7g", "12 ", " 12", "-1", "+1", "0x-1", "0x0x1", "10000000000000000", "Shop.Order"}) {
    Address address;
    EXPECT_FALSE(tryParseAddress(text, address)) << text;
  }
}

TEST(AddressRange, HasItsStartAndNotItsEnd) {
  const AddressRange range{{0x1000}, {0x1010}};
  EXPECT_TRUE(range.contains({0x1000}));
  EXPECT_TRUE(range.contains({0x100f}));
  EXPECT_FALSE(range.contains({0x1010}));
  EXPECT_FALSE(range.contains({0xfff}));
  EXPECT_EQ(range.sizeBytes(), 16u);
}

TEST(AddressRange, IsEmptyWhenUpsideDown) {
  const AddressRange range{{0x1010}, {0x1000}};
  EXPECT_TRUE(range.isEmpty());
  EXPECT_EQ(range.sizeBytes(), 0u);
  EXPECT_FALSE(range.contains({0x1008}));
}

TEST(AlignUp, GoesToTheNextMultiple) {
  EXPECT_EQ(alignUp(0, 8), 0u);
  EXPECT_EQ(alignUp(1, 8), 8u);
  EXPECT_EQ(alignUp(8, 8), 8u);
  EXPECT_EQ(alignUp(22, 8), 24u);
}

}  // namespace
}  // namespace heapscape::engine
