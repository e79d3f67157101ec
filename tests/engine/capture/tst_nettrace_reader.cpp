// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <limits>
#include <optional>

#include "capture/heap_counter.h"
#include "capture/nettrace_reader.h"
#include "support/builders/nettrace_builder.h"

namespace heapscape::test {
namespace {

using namespace engine;

FileBytes recorded(const std::string& name) {
  std::ifstream file(std::string(HEAPSCAPE_TEST_DATA) + "/capture/" + name, std::ios::binary);
  return bytesOfText(std::string{std::istreambuf_iterator<char>(file), {}});
}

struct Read {
  std::vector<std::uint64_t> heapBytes = {};
  std::size_t events = 0;
  bool isDamaged = false;
  bool isAtEnd = false;
};

/// In pieces of this size.
Read readIn(Bytes stream, std::size_t piece = SIZE_MAX) {
  Read read;
  NettraceReader reader([&read](const NettraceEvent& event) {
    ++read.events;
    if (const auto bytes = heapBytesOf(event)) read.heapBytes.push_back(*bytes);
  });
  while (!stream.empty() && !read.isDamaged) {
    const Bytes next = stream.first(std::min(piece, stream.size()));
    read.isDamaged = !reader.take(next).has_value();
    stream = stream.subspan(next.size());
  }
  read.isAtEnd = reader.isAtEnd();
  return read;
}

TEST(NettraceReader, ReadsTheHeapOutOfWhatRuntimesStreamed) {
  const Read ten = readIn(recorded("counters-10.nettrace"));
  EXPECT_EQ(ten.heapBytes, std::vector<std::uint64_t>{2'830'288});
  EXPECT_TRUE(ten.isAtEnd);
  EXPECT_FALSE(ten.isDamaged);
  EXPECT_EQ(readIn(recorded("counters-8.nettrace")).heapBytes, std::vector<std::uint64_t>{2'830'504});
}

TEST(NettraceReader, TakesPiecesOfAnySize) {
  const FileBytes stream = recorded("counters-10.nettrace");
  const Read whole = readIn(stream);
  EXPECT_GT(whole.events, 20u);
  for (const std::size_t piece : {1u, 2u, 3u, 7u, 100u, 4095u}) {
    const Read read = readIn(stream, piece);
    EXPECT_EQ(read.events, whole.events) << piece;
    EXPECT_EQ(read.heapBytes, whole.heapBytes) << piece;
    EXPECT_TRUE(read.isAtEnd) << piece;
  }
}

TEST(NettraceReader, TellsNothingBeforeTheEventIsWhole) {
  const FileBytes stream = recorded("counters-10.nettrace");
  for (std::size_t size = 0; size < 1400; size += 13) {
    const Read read = readIn(Bytes(stream).first(size));
    EXPECT_FALSE(read.isDamaged) << size;
    EXPECT_EQ(read.events, 0u) << size;
  }
}

TEST(NettraceReader, RefusesWhatIsNoStream) {
  EXPECT_TRUE(readIn(bytesOfText("GET / HTTP/1.1\r\n")).isDamaged);
  EXPECT_TRUE(readIn(bytesOfText("Nettracx")).isDamaged);
  FileBytes stream = NettraceBuilder().bytes();
  stream.push_back(std::byte{9});  // no tag of an object
  EXPECT_TRUE(readIn(stream).isDamaged);
}

TEST(NettraceReader, RefusesBlocksThatAreTooLargeOrOfAnotherForm) {
  NettraceBuilder large;
  FileBytes stream = large.block("EventBlock", FileBytes(8)).bytes();
  const std::uint32_t size = 1u << 30;
  std::memcpy(stream.data() + stream.size() - 8 - 1 - 4, &size, sizeof size);
  for (std::size_t back = 0; back < 4; ++back) {
    // Where the size stands depends on the padding behind it.
    FileBytes changed = large.bytes();
    std::memcpy(changed.data() + changed.size() - 8 - 1 - 4 - back, &size, sizeof size);
    readIn(changed);
  }
  EXPECT_TRUE(readIn(stream).isDamaged || readIn(stream).events == 0);
  EXPECT_TRUE(readIn(NettraceBuilder().block("EventBlock", NettraceBuilder::blockHeader(0)).bytes()).isDamaged);
}

TEST(NettraceReader, PassesOverWhatItDoesNotKnow) {
  FileBytes unknown = NettraceBuilder::blockHeader();
  NettraceBuilder::appendEvent(unknown, 9, bytesOfText("whatever"));
  const Read read = readIn(NettraceBuilder()
                               .block("StackBlock", FileBytes(30))
                               .block("NewBlock", FileBytes(3))
                               .block("EventBlock", unknown)
                               .counter("cpu-usage", 12, "%")
                               .counter("gc-heap-size", 123.456789, "MB")
                               .end()
                               .bytes());
  EXPECT_FALSE(read.isDamaged);
  EXPECT_EQ(read.events, 2u);
  EXPECT_EQ(read.heapBytes, std::vector<std::uint64_t>{123'456'789});
}

TEST(NettraceReader, BelievesNoSizeThatNoHeapHas) {
  for (const double mean :
       {-1.0, 1e10, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
    EXPECT_TRUE(readIn(NettraceBuilder().counter("gc-heap-size", mean, "MB").bytes()).heapBytes.empty()) << mean;
  EXPECT_TRUE(readIn(NettraceBuilder().counter("gc-heap-size", 5, "KB").bytes()).heapBytes.empty());
}

TEST(NettraceReader, ReadsNoFieldBehindTheEndOfAnEvent) {
  FileBytes cut = NettraceBuilder::blockHeader();
  FileBytes payload;
  NettraceBuilder::appendText(payload, "gc-heap-size");
  NettraceBuilder::appendEvent(cut, 1, payload);  // no number behind the name
  NettraceBuilder::appendEvent(cut, 1, {});
  EXPECT_EQ(readIn(NettraceBuilder().block("EventBlock", cut).bytes()).events, 0u);
}

TEST(NettraceReader, DescribesNoFieldsWithoutEnd) {
  FileBytes description;
  NettraceBuilder::append(description, std::uint32_t{1});
  NettraceBuilder::appendText(description, "P");
  NettraceBuilder::append(description, std::uint32_t{4});
  NettraceBuilder::appendText(description, "E");
  description.resize(description.size() + 16);
  // Each field has one field, which has one …
  for (int i = 0; i < 4000; ++i) NettraceBuilder::append(description, std::uint32_t{1});
  FileBytes contents = NettraceBuilder::blockHeader();
  NettraceBuilder::appendEvent(contents, 0, description);
  const Read read = readIn(NettraceBuilder().block("MetadataBlock", contents).counter("gc-heap-size", 1, "MB").bytes());
  EXPECT_FALSE(read.isDamaged);
  EXPECT_EQ(read.heapBytes, std::vector<std::uint64_t>{1'000'000});
}

}  // namespace
}  // namespace heapscape::test
