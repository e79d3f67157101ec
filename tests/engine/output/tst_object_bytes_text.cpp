// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>

#include "output/objects/object_details_output.h"
#include "written.h"

namespace heapscape::engine {
namespace {

std::string bytesTextOf(const ObjectBytes& bytes) {
  return test::written([&](Output& output) { writeObjectBytesText(output, bytes); });
}

// Bytes 0, 1, 2 … of a single run.
ObjectBytes oneRun(ByteOwner owner, std::int64_t offset, std::uint32_t size) {
  ObjectBytes bytes;
  for (std::uint32_t i = 0; i < size; ++i) bytes.bytes.push_back(static_cast<std::uint8_t>(i));
  bytes.totalBytes = size;
  bytes.runs = {{owner, offset, size, "Total", "System.Decimal"}};
  return bytes;
}

TEST(ObjectBytesText, NoBytesAreAHeading) {
  EXPECT_EQ(bytesTextOf({}), "\nBytes\nOffset  Bytes  Owner  Name  Type\n");
}

TEST(ObjectBytesText, RunsStandBelowEachOtherFromTheHeaderOn) {
  ObjectBytes bytes;
  bytes.bytes = {0, 0, 0, 0, 0x05, 0, 0, 0x80};
  bytes.totalBytes = 8;
  bytes.runs = {{ByteOwner::Alignment, -8, 4, "", ""}, {ByteOwner::Header, -4, 4, "header", ""}};
  EXPECT_EQ(bytesTextOf(bytes),
            "\nBytes\n"
            "Offset  Bytes        Owner      Name    Type\n"
            "    -8  00 00 00 00  alignment\n"
            "    -4  05 00 00 80  header     header\n");
}

TEST(ObjectBytesText, ALongRunIsNamedOnItsFirstLineOnly) {
  EXPECT_EQ(bytesTextOf(oneRun(ByteOwner::Field, 8, 17)),
            "\nBytes\n"
            "Offset  Bytes                                            Owner  Name   Type\n"
            "     8  00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f  field  Total  System.Decimal\n"
            "    24  10\n");
}

TEST(ObjectBytesText, AFullLineIsNotFollowedByAnEmptyOne) {
  const std::string text = bytesTextOf(oneRun(ByteOwner::Field, 8, 16));
  EXPECT_EQ(std::ranges::count(text, '\n'), 4) << text;
}

TEST(ObjectBytesText, BytesThatTheDumpLacksAreNotShownAsZeros) {
  const std::string text = bytesTextOf(oneRun(ByteOwner::Missing, 8, 20));
  EXPECT_NE(text.find("     8  (not in the dump)  missing"), std::string::npos) << text;
  EXPECT_NE(text.find("    24  (not in the dump)\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("00 01"), std::string::npos) << text;
}

TEST(ObjectBytesText, WhatIsBehindTheShownBytesIsCounted) {
  ObjectBytes bytes = oneRun(ByteOwner::Element, 16, 4);
  EXPECT_EQ(bytesTextOf(bytes).find("more bytes"), std::string::npos);
  bytes.totalBytes = UINT64_MAX;
  bytes.skipped = 24;
  EXPECT_TRUE(bytesTextOf(bytes).ends_with("\n18446744073709551587 more bytes\n")) << bytesTextOf(bytes);
  bytes.totalBytes = 28;
  EXPECT_EQ(bytesTextOf(bytes).find("more bytes"), std::string::npos) << "all of it, up to the end";
}

}  // namespace
}  // namespace heapscape::engine
