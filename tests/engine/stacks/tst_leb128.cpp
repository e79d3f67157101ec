// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <vector>

#include "memory/elf/eh_frame.h"

namespace heapscape::engine {
namespace {

/// What a number was read as, and how much of the bytes is left.
template <class Number>
struct Read {
  Number value = 0;
  std::size_t left = 0;
  bool failed = false;
  bool operator==(const Read&) const = default;
};

template <class Number>
Read<Number> read(Number (*readNumber)(BoundedReader&), const std::vector<unsigned>& bytes) {
  std::vector<std::byte> raw;
  for (const unsigned byte : bytes) raw.push_back(static_cast<std::byte>(byte));
  BoundedReader reader(raw);
  const Number value = readNumber(reader);
  return {value, raw.size() - reader.position(), reader.failed()};
}

auto unsignedOf(const std::vector<unsigned>& bytes) {
  return read<std::uint64_t>(readUleb128, bytes);
}
auto signedOf(const std::vector<unsigned>& bytes) {
  return read<std::int64_t>(readSleb128, bytes);
}

// The examples of DWARF 5, tables 7.7 and 7.8.
TEST(Leb128, ReadsTheExamplesOfTheStandard) {
  EXPECT_EQ(unsignedOf({2}).value, 2u);
  EXPECT_EQ(unsignedOf({0x7f}).value, 127u);
  EXPECT_EQ(unsignedOf({0x80, 1}).value, 128u);
  EXPECT_EQ(unsignedOf({0x81, 1}).value, 129u);
  EXPECT_EQ(unsignedOf({0xb9, 0x64}).value, 12857u);
  EXPECT_EQ(signedOf({2}).value, 2);
  EXPECT_EQ(signedOf({0x7e}).value, -2);
  EXPECT_EQ(signedOf({0xff, 0}).value, 127);
  EXPECT_EQ(signedOf({0x81, 0x7f}).value, -127);
  EXPECT_EQ(signedOf({0x80, 1}).value, 128);
  EXPECT_EQ(signedOf({0x80, 0x7f}).value, -128);
}

TEST(Leb128, ReadsTheLargestNumbers) {
  const std::vector<unsigned> ones{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01};
  EXPECT_EQ(unsignedOf(ones).value, UINT64_MAX);
  const std::vector<unsigned> smallest{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f};
  EXPECT_EQ(signedOf(smallest).value, INT64_MIN);
}

TEST(Leb128, StopsBehindTheNumber) {
  EXPECT_EQ(unsignedOf({0x80, 1, 0xaa, 0xbb}).left, 2u);
  EXPECT_EQ(signedOf({0x7e, 0xaa}).left, 1u);
}

// Of a number that is too long all its bytes are read, and bits beyond the 64th are lost.
TEST(Leb128, OutlivesNumbersThatAreTooLong) {
  std::vector<unsigned> bytes(200, 0xff);
  bytes.push_back(0x7f);
  EXPECT_EQ(unsignedOf(bytes), (Read<std::uint64_t>{UINT64_MAX, 0, false}));
  EXPECT_EQ(signedOf(bytes), (Read<std::int64_t>{-1, 0, false}));
}

TEST(Leb128, FailsWhereTheBytesEndWithinANumber) {
  EXPECT_TRUE(unsignedOf({}).failed);
  EXPECT_TRUE(unsignedOf({0x80, 0x80}).failed);
  EXPECT_TRUE(signedOf({0xff}).failed);
}

}  // namespace
}  // namespace heapscape::engine
