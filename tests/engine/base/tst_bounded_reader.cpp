// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdint>

#include "support/builders/core_builder.h"

namespace heapscape::engine {
namespace {

using test::bytesOfText;

TEST(BoundedReader, ReadsLittleEndianValuesInARow) {
  const test::FileBytes bytes{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{0xff}, std::byte{0xff}};
  BoundedReader reader(bytes);
  EXPECT_EQ(reader.read<std::uint8_t>(), 1);
  EXPECT_EQ(reader.read<std::uint16_t>(), 0x0302);
  EXPECT_EQ(reader.read<std::int16_t>(), -1);
  EXPECT_TRUE(reader.atEnd());
  EXPECT_FALSE(reader.failed());
}

TEST(BoundedReader, FailsForGoodOnceItHasFailed) {
  const test::FileBytes bytes(6);
  BoundedReader reader(bytes);
  reader.read<std::uint32_t>();
  EXPECT_EQ(reader.read<std::uint32_t>(), 0u);
  EXPECT_TRUE(reader.failed());
  EXPECT_EQ(reader.read<std::uint8_t>(), 0);
  EXPECT_TRUE(reader.readBytes(0).empty());
  EXPECT_EQ(reader.readZeroTerminated(), "");
  EXPECT_TRUE(reader.failed());
}

TEST(BoundedReader, FailsBehindTheEndEvenFarBehind) {
  const test::FileBytes bytes(16);
  for (const std::uint64_t position : {std::uint64_t{16}, std::uint64_t{17}, UINT64_MAX, UINT64_MAX - 3}) {
    BoundedReader reader(bytes);
    reader.seek(position);
    reader.read<std::uint32_t>();
    EXPECT_TRUE(reader.failed()) << position;
  }
  BoundedReader reader(bytes);
  reader.skip(8);
  EXPECT_EQ(reader.readBytes(~0ull).size(), 0u);
  EXPECT_TRUE(reader.failed());
}

TEST(BoundedReader, ReadsTextsUpToTheirZero) {
  test::FileBytes bytes = bytesOfText("one");
  bytes.push_back(std::byte{0});
  bytes.push_back(std::byte{0});
  const test::FileBytes open = bytesOfText("open");
  bytes.insert(bytes.end(), open.begin(), open.end());
  BoundedReader reader(bytes);
  EXPECT_EQ(reader.readZeroTerminated(), "one");
  EXPECT_EQ(reader.readZeroTerminated(), "");
  EXPECT_FALSE(reader.failed());
  EXPECT_EQ(reader.readZeroTerminated(), "");
  EXPECT_TRUE(reader.failed());
}

TEST(BoundedReader, ReadsNothingFromNothing) {
  BoundedReader reader(Bytes{});
  EXPECT_TRUE(reader.atEnd());
  EXPECT_EQ(reader.readZeroTerminated(), "");
  EXPECT_TRUE(reader.failed());
}

TEST(TrySlice, TakesOnlyWhatIsInside) {
  const test::FileBytes bytes(10);
  Bytes slice;
  EXPECT_TRUE(trySlice(bytes, 10, 0, slice));
  EXPECT_TRUE(trySlice(bytes, 4, 6, slice));
  EXPECT_EQ(slice.size(), 6u);
  EXPECT_FALSE(trySlice(bytes, 4, 7, slice));
  EXPECT_FALSE(trySlice(bytes, 11, 0, slice));
  EXPECT_FALSE(trySlice(bytes, 1, ~0ull, slice));
}

}  // namespace
}  // namespace heapscape::engine
