// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <set>

#include "runtime/aot/native_format.h"
#include "support/builders/aot_module_in_memory.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

FileBytes bytesOf(std::initializer_list<unsigned> values) {
  FileBytes bytes;
  for (const unsigned value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

TEST(NativeFormat, ReadsNumbersOfEveryLength) {
  for (const std::uint32_t value : {0u, 1u, 127u, 128u, 16'383u, 16'384u, 2'097'151u, 2'097'152u, 268'435'455u,
                                    268'435'456u, std::numeric_limits<std::uint32_t>::max()}) {
    FileBytes bytes;
    appendNativeUnsigned(bytes, value);
    NativeFormatReader reader(bytes);
    EXPECT_EQ(reader.readUnsigned(), value);
    EXPECT_EQ(reader.position(), bytes.size()) << value;
    EXPECT_FALSE(reader.failed());
  }
  for (const std::int32_t value : {0, -1, 63, 64, -64, -65, 8'191, -8'193, 1'048'576, -1'048'577, 134'217'728,
                                   std::numeric_limits<std::int32_t>::min()}) {
    FileBytes bytes;
    appendNativeSigned(bytes, value);
    NativeFormatReader reader(bytes);
    EXPECT_EQ(reader.readSigned(), value);
    EXPECT_EQ(reader.position(), bytes.size()) << value;
  }
}

// As the compiler writes them, so that a mistake that writing and reading share shows.
TEST(NativeFormat, HasTheLowestBitsSayHowLongANumberIs) {
  const FileBytes bytes = bytesOf({0x06, 0x01, 0x02, 0x07, 0x00, 0x00, 0x10, 0x0f, 0x78, 0x56, 0x34, 0x12, 0xfe});
  NativeFormatReader reader(bytes);
  EXPECT_EQ(reader.readUnsigned(), 3u);
  EXPECT_EQ(reader.readUnsigned(), 0x80u);
  EXPECT_EQ(reader.readUnsigned(), 0x0100'0000u);
  EXPECT_EQ(reader.readUnsigned(), 0x1234'5678u);
  EXPECT_EQ(reader.readSigned(), -1);
  EXPECT_TRUE(reader.atEnd());
}

TEST(NativeFormat, FailsForGoodWhereBytesEnd) {
  for (const FileBytes& cut : {bytesOf({}), bytesOf({0x01}), bytesOf({0x03, 0}), bytesOf({0x07, 0, 0}),
                               bytesOf({0x0f, 0, 0, 0}), bytesOf({0x1f, 1, 2, 3, 4, 5, 6, 7, 8})}) {
    NativeFormatReader reader(cut);
    EXPECT_EQ(reader.readUnsigned(), 0u);
    EXPECT_TRUE(reader.failed());
    EXPECT_EQ(reader.readSigned(), 0);
  }
  const FileBytes longText = bytesOf({0x0c, 'a', 'b'});
  NativeFormatReader reader(longText);
  EXPECT_EQ(reader.readString(), "");
  EXPECT_TRUE(reader.failed());
  EXPECT_TRUE(NativeFormatReader(longText, 1ull << 60).readString().empty());
}

TEST(NativeHashtable, GivesTheEntriesOfAllBuckets) {
  // Two buckets, with two entries and one; their contents follow.
  const FileBytes bytes = bytesOf({0x04, 3, 7, 9, 0x11, 10, 0x22, 8, 0x33, 6, 'a', 'b', 'c'});
  NativeHashtable table(bytes);
  std::set<std::uint64_t> contents;
  while (const auto entry = table.next()) contents.insert(*entry);
  EXPECT_EQ(contents, (std::set<std::uint64_t>{10, 11, 12}));
  EXPECT_FALSE(table.isDamaged());
}

TEST(NativeHashtable, EndsWhereItIsDamaged) {
  const auto count = [](const FileBytes& bytes) {
    NativeHashtable table(bytes);
    std::size_t entries = 0;
    while (table.next()) ++entries;
    EXPECT_TRUE(table.isDamaged());
    return entries;
  };
  EXPECT_EQ(count({}), 0u);
  EXPECT_EQ(count(bytesOf({0x03, 1, 1})), 0u);                 // places of eight bytes
  EXPECT_EQ(count(bytesOf({0xfc, 1, 1})), 0u);                 // more buckets than any table has
  EXPECT_EQ(count(bytesOf({0x04, 3, 3})), 0u);                 // without the end of its buckets
  EXPECT_EQ(count(bytesOf({0x00, 2, 9, 0, 2})), 0u);           // behind its bytes
  EXPECT_EQ(count(bytesOf({0x04, 3, 7, 3, 0, 2, 0, 2})), 2u);  // the second bucket goes back
  EXPECT_EQ(count(bytesOf({0x00, 2, 3, 0x11, 0x01, 0})), 0u);  // an entry leaves its bucket
}

}  // namespace
}  // namespace heapscape::engine
