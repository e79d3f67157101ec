// SPDX-License-Identifier: MIT
#include "memory/address_space.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <thread>

#include "support/opened_core.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

std::uint64_t wordAt(const FileBytes& bytes, std::size_t offset) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes.data() + offset, sizeof word);
  return word;
}

TEST(AddressSpace, ReadsWhatTheFileHolds) {
  const FileBytes contents = pattern(0x1000);
  const OpenedCore core(CoreBuilder().memory(0x7f0000001000, contents));
  EXPECT_EQ(core.space().read<std::uint64_t>({0x7f0000001010}).value(), wordAt(contents, 0x10));
  EXPECT_EQ(core.space().readPointer({0x7f0000001ff8}).value(), Address{wordAt(contents, 0xff8)});
}

TEST(AddressSpace, TellsMissingMemoryFromZeros) {
  const OpenedCore core(CoreBuilder().memory(0x10000, FileBytes(0x1000), 0x3000).leftOut(0x20000, 0x1000));
  std::uint64_t word = 77;
  EXPECT_TRUE(core.space().tryRead({0x10ff8}, word));
  EXPECT_EQ(word, 0u);
  word = 77;
  EXPECT_FALSE(core.space().tryRead({0x11000}, word));
  EXPECT_FALSE(core.space().tryRead({0x20000}, word));
  EXPECT_FALSE(core.space().tryRead({0x10ffc}, word)) << "half of it is missing";
  EXPECT_EQ(word, 77u) << "a failed read leaves its target alone";
  const auto result = core.space().read<std::uint64_t>({0x11000});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::NotInDump);
  EXPECT_EQ(result.error().what, "The dump does not hold the memory at 0x11000.");
}

TEST(AddressSpace, MergesNeighboursInMemoryAndFile) {
  const OpenedCore core(CoreBuilder().memory(0x10000, pattern(0x1000, 1)).memory(0x11000, pattern(0x1000, 2)));
  const Bytes whole = core.space().prefix({0x10800}, 0x1000);
  ASSERT_EQ(whole.size(), 0x1000u);
  EXPECT_EQ(whole[0x7ff], pattern(0x1000, 1)[0xfff]);
  EXPECT_EQ(whole[0x800], pattern(0x1000, 2)[0]);
}

TEST(AddressSpace, GivesNoPrefixOfMissingMemory) {
  const OpenedCore core(CoreBuilder().memory(0x10000, pattern(0x1000)));
  EXPECT_TRUE(core.space().prefix({0xffff}, 8).empty());
  EXPECT_EQ(core.space().prefix({0x10ffe}, 8).size(), 2u);
  EXPECT_TRUE(core.space().prefix({0x11000}, 8).empty());
  EXPECT_TRUE(core.space().prefix({~0ull}, 8).empty());
}

TEST(AddressSpace, ReadsAcrossNeighboursThatAreApartInTheFile) {
  const FileBytes low = pattern(0x1000, 1);
  const FileBytes high = pattern(0x1000, 2);
  const OpenedCore core(CoreBuilder().memory(0x11000, high).memory(0x50000, pattern(0x1000, 3)).memory(0x10000, low));
  std::array<std::byte, 16> bytes{};
  ASSERT_TRUE(core.space().tryRead({0x10ff8}, bytes));
  EXPECT_TRUE(std::equal(bytes.begin(), bytes.begin() + 8, low.end() - 8));
  EXPECT_TRUE(std::equal(bytes.begin() + 8, bytes.end(), high.begin()));
  std::uint64_t word = 0;
  EXPECT_TRUE(core.space().tryRead({0x10ffc}, word));
}

TEST(AddressSpace, DoesNotReadPastTheLastAddress) {
  const OpenedCore core(
      CoreBuilder().memory(0xffffffffffffe000, pattern(0x1000)).memory(0xfffffffffffff000, pattern(0xfff)));
  std::array<std::byte, 64> bytes{};
  EXPECT_FALSE(core.space().tryRead({0xfffffffffffffff0}, bytes));
  std::byte last{};
  EXPECT_TRUE(core.space().tryRead({0xfffffffffffffffe}, last));
  EXPECT_FALSE(core.space().tryRead({0xffffffffffffffff}, last));
}

TEST(AddressSpace, ReadsText) {
  const OpenedCore core(CoreBuilder()
                            .memory(0x11000, bytesOfText(std::string("end\0", 4)))
                            .memory(0x30000, FileBytes(0x1000))
                            .memory(0x10ffc, bytesOfText("some"))
                            .memory(0x20000, bytesOfText("endless")));
  EXPECT_EQ(core.space().readText({0x10ffc}).value(), "someend");
  EXPECT_EQ(core.space().readText({0x30000}).value(), "");
  EXPECT_EQ(core.space().readText({0x20000}).error().code, ErrorCode::NotInDump);
  EXPECT_EQ(core.space().readText({0x10ffc}, 5).error().code, ErrorCode::Damaged);
}

TEST(AddressSpace, ViewsOneRunInPlace) {
  const OpenedCore core(CoreBuilder().memory(0x10000, pattern(0x4000)));
  const MemoryView view = core.space().view({{0x10010}, {0x13000}}).value();
  EXPECT_EQ(view.bytes.data(), core.space().prefix({0x10010}, 1).data());
  EXPECT_EQ(view.bytes.size(), 0x2ff0u);
  EXPECT_TRUE(core.space().view({{0x10010}, {0x10010}}).value().bytes.empty());
}

TEST(AddressSpace, ViewsFailWhereMemoryIsMissing) {
  const OpenedCore core(CoreBuilder().memory(0x10000, pattern(0x1000)).memory(0x12000, pattern(0x1000)));
  const auto view = core.space().view({{0x10800}, {0x12800}});
  ASSERT_FALSE(view);
  EXPECT_EQ(view.error().code, ErrorCode::NotInDump);
  EXPECT_NE(view.error().what.find("0x11000"), std::string::npos);
  EXPECT_FALSE(core.space().view({{0xf000}, {0x10800}}));
}

/// Neighbours in memory whose bytes lie in the file in reverse order, a page apart.
struct Scattered {
  explicit Scattered(std::size_t pieceBytes, std::uint64_t alignment = 4096, std::uint64_t start = 0x100000) {
    constexpr std::size_t kPieces = 5;
    CoreBuilder builder;
    builder.dataAlignment(alignment);
    for (std::size_t index = kPieces; index-- > 0;) {
      builder.memory(start + index * pieceBytes, pattern(pieceBytes, static_cast<unsigned>(index)));
    }
    for (std::size_t index = 0; index < kPieces; ++index) {
      const FileBytes piece = pattern(pieceBytes, static_cast<unsigned>(index));
      contents.insert(contents.end(), piece.begin(), piece.end());
    }
    core.emplace(builder);
  }

  FileBytes contents;
  std::optional<OpenedCore> core;
};

void expectViewsEqual(const Scattered& scattered, std::uint64_t start) {
  const std::size_t size = scattered.contents.size();
  for (const auto& [from, to] :
       {std::pair<std::size_t, std::size_t>{0, size}, {1, size}, {5000, size - 7}, {17, 100'017}}) {
    const auto view = scattered.core->space().view({{start + from}, {start + std::min(to, size)}});
    ASSERT_TRUE(view) << view.error().message();
    EXPECT_TRUE(std::ranges::equal(view->bytes, Bytes(scattered.contents).subspan(from, std::min(to, size) - from)));
  }
}

TEST(AddressSpace, ViewsMapPagesTogether) {
  const Scattered scattered(0x10000);
  expectViewsEqual(scattered, 0x100000);
}

TEST(AddressSpace, ViewsCopyWhatIsNotOnPages) {
  expectViewsEqual(Scattered(100'003, 1), 0x100000);
  expectViewsEqual(Scattered(0x10000, 1, 0x100123), 0x100123);
  expectViewsEqual(Scattered(20'000, 4096), 0x100000);
}

TEST(AddressSpace, ViewsOutliveTheSpace) {
  MemoryView view;
  FileBytes contents;
  {
    const Scattered scattered(0x10000);
    contents = scattered.contents;
    view = scattered.core->space().view({{0x100000}, {0x100000 + contents.size()}}).value();
  }
  EXPECT_TRUE(std::ranges::equal(view.bytes, contents));
}

TEST(AddressSpace, RefusesToCopyBytesThatManySegmentsShare) {
  CoreBuilder builder;
  builder.memory(0x1000, pattern(0x1000));
  // Offsets that alternate keep the segments apart; nothing is on page boundaries.
  for (std::uint64_t index = 0; index < 400; ++index) {
    builder.rawSegment({PT_LOAD, PF_R, 8 + index % 2, 0x1000000 + index * 0x3f01, 0, 0x3f01, 0x3f01, 1});
  }
  const OpenedCore core(builder);
  const AddressRange range{{0x1000000}, {0x1000000 + 400 * 0x3f01}};
  EXPECT_TRUE(core.space().holds(range));
  const auto view = core.space().view(range);
  ASSERT_FALSE(view);
  EXPECT_EQ(view.error().code, ErrorCode::Damaged);
}

TEST(AddressSpace, ListsWhatIsPresent) {
  const OpenedCore core(CoreBuilder()
                            .memory(0x12000, pattern(0x1000))
                            .memory(0x40000, pattern(0x1000))
                            .memory(0x11000, pattern(0x1000))
                            .memory(0x20000, pattern(0x800), 0x2000));
  const std::vector<AddressRange> expected{{{0x11800}, {0x13000}}, {{0x20000}, {0x20800}}};
  EXPECT_EQ(core.space().present({{0x11800}, {0x40000}}), expected);
  EXPECT_TRUE(core.space().present({{0x13000}, {0x20000}}).empty());
  EXPECT_TRUE(core.space().present({{0x12000}, {0x12000}}).empty());
  EXPECT_TRUE(core.space().holds({{0x11000}, {0x13000}}));
  EXPECT_FALSE(core.space().holds({{0x11000}, {0x13001}}));
  EXPECT_FALSE(core.space().holds({{0x20000}, {0x21000}}));
  EXPECT_TRUE(core.space().holds({{0x99999}, {0x99999}})) << "nothing is always there";
}

TEST(AddressSpace, AgreesWithANaiveReaderEverywhere) {
  std::mt19937 random(7);
  std::vector<int> expected(0x8000, -1);
  CoreBuilder builder;
  builder.dataAlignment(1);
  std::vector<std::pair<std::size_t, std::size_t>> pieces;
  for (std::size_t start = random() % 64; start < 0x7f00;) {
    const std::size_t size = 1 + random() % 200;
    pieces.emplace_back(start, size);
    start += size + (random() % 3 ? 0 : random() % 50);
  }
  std::ranges::shuffle(pieces, random);
  for (const auto& [start, size] : pieces) {
    const FileBytes contents = pattern(size, static_cast<unsigned>(start));
    for (std::size_t index = 0; index < size; ++index) expected[start + index] = std::to_integer<int>(contents[index]);
    builder.memory(0x10000 + start, contents);
  }
  const OpenedCore core(builder);
  for (std::size_t start = 0; start + 300 < expected.size(); start += 3) {
    FileBytes bytes(1 + random() % 300);
    const auto first = expected.begin() + static_cast<std::ptrdiff_t>(start);
    const auto last = first + static_cast<std::ptrdiff_t>(bytes.size());
    const bool whole = std::find(first, last, -1) == last;
    ASSERT_EQ(core.space().tryRead({0x10000 + start}, bytes), whole) << start;
    if (!whole) continue;
    EXPECT_TRUE(std::equal(first, last, bytes.begin(),
                           [](int left, std::byte right) { return left == std::to_integer<int>(right); }));
  }
}

TEST(AddressSpace, IsReadFromManyThreads) {
  const Scattered scattered(0x10000);
  std::vector<std::jthread> threads;
  std::atomic<int> wrong = 0;
  for (unsigned seed = 0; seed < 4; ++seed) {
    threads.emplace_back([&, seed] {
      std::mt19937 random(seed);
      for (int round = 0; round < 20'000; ++round) {
        const std::size_t offset = random() % (scattered.contents.size() - 8);
        std::uint64_t word = 0;
        if (!scattered.core->space().tryRead({0x100000 + offset}, word)) ++wrong;
        if (word != wordAt(scattered.contents, offset)) ++wrong;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(wrong, 0);
}

TEST(AddressSpace, PopulatesOverlappingRangesAndReportsTheEnd) {
  class LastFraction : public ProgressSink {
   public:
    void progressed(const Progress& progress) override {
      EXPECT_GE(progress.fraction, fraction);
      fraction = progress.fraction;
    }
    double fraction = 0;
  };
  const OpenedCore core(CoreBuilder().memory(0x100000, FileBytes(20 << 20)).memory(0x10000, pattern(100)));
  LastFraction sink;
  StageProgress progress(&sink, "mapping", 0, 1);
  const std::array<AddressRange, 4> ranges{
      {{{0x100000}, {0x900000}}, {{0x500000}, {0x1500000}}, {{0x10000}, {0x10001}}, {{0x30000}, {0x30000}}}};
  core.space().populate(ranges, progress, {});
  EXPECT_DOUBLE_EQ(sink.fraction, 1);
}

TEST(AddressSpace, PopulatesNothingAfterAStop) {
  const OpenedCore core(CoreBuilder().memory(0x100000, FileBytes(1 << 20)));
  std::stop_source source;
  source.request_stop();
  StageProgress progress(nullptr, "mapping", 0, 1);
  const AddressRange all{{0}, {~0ull}};
  core.space().populate(std::span(&all, 1), progress, source.get_token());
}

}  // namespace
}  // namespace heapscape::engine
