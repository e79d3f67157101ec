// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "heap/object_index.h"
#include "heap/object_walk.h"

namespace heapscape::engine {
namespace {

Segment segmentAt(std::uint64_t start, std::uint64_t end) {
  Segment segment;
  segment.objects = {{start}, {end}};
  return segment;
}

/// An index whose object starts are also kept in a plain set to compare with.
class IndexWithStarts {
 public:
  explicit IndexWithStarts(std::vector<Segment> segments) : m_segments(std::move(segments)), index(m_segments) {}

  void add(std::uint32_t segment, std::uint64_t offset) {
    const Address address = m_segments[segment].objects.start + offset;
    index.wordsOf({segment})[offset / ObjectIndex::kBytesPerWord] |= 1ull << (offset / 8 % 64);
    starts.insert(address);
  }

 private:
  std::vector<Segment> m_segments;

 public:
  ObjectIndex index;
  std::set<Address> starts;
};

TEST(ObjectIndex, WithoutSegmentsHoldsNothing) {
  ObjectIndex index({});
  index.finish();
  EXPECT_EQ(index.objectCount(), 0u);
  EXPECT_TRUE(index.idOf({0x1000}).isNone());
  EXPECT_TRUE(index.segmentOf(Address{0x1000}).isNone());
  EXPECT_EQ(index.startAtOrBefore({0x1000}), std::nullopt);
}

TEST(ObjectIndex, AnswersAsASortedSetDoes) {
  std::mt19937_64 random(7);
  IndexWithStarts made({segmentAt(0x10028, 0x10028), segmentAt(0x20028, 0x20028 + 8 * 1000),
                        segmentAt(0x30008, 0x30020), segmentAt(0x40000, 0x40000 + 512 * 40),
                        segmentAt(0x80000, 0x80000)});
  for (std::uint64_t offset = 0; offset < 8 * 1000; offset += 8 * (3 + random() % 90)) made.add(1, offset);
  made.add(2, 0);
  for (std::uint64_t offset = 512 * 10; offset < 512 * 30; offset += 24) made.add(3, offset);
  made.index.finish();

  ASSERT_EQ(made.index.objectCount(), made.starts.size());
  std::uint32_t id = 0;
  for (const Address start : made.starts) {
    EXPECT_EQ(made.index.idOf(start).value, id);
    EXPECT_EQ(made.index.addressOf({id}), start);
    ++id;
  }
  for (std::uint64_t address = 0x1fff8; address < 0x46000; address += 4) {
    const auto isStart = made.starts.contains({address});
    EXPECT_EQ(!made.index.idOf({address}).isNone(), isStart) << address;
    const SegmentId segment = made.index.segmentOf(Address{address});
    auto before = made.starts.upper_bound({address});
    const bool hasBefore =
        before != made.starts.begin() && !segment.isNone() && made.index.segmentOf(*std::prev(before)) == segment;
    EXPECT_EQ(made.index.startAtOrBefore({address}), hasBefore ? std::optional(*std::prev(before)) : std::nullopt)
        << address;
  }
}

// As a frozen segment may lie, with several others in one of the steps by which they are found.
TEST(ObjectIndex, FindsSegmentsThatAreTerabytesApart) {
  constexpr std::uint64_t kFar = 0x7000'0000'0000;
  IndexWithStarts made({segmentAt(0x10000, 0x10000 + 4096), segmentAt(0x20000, 0x20000 + 4096),
                        segmentAt(kFar, kFar + 4096), segmentAt(kFar + 0x10000, kFar + 0x10000 + 4096)});
  for (std::uint32_t segment = 0; segment < 4; ++segment)
    for (std::uint64_t offset = 8 * segment; offset < 4096; offset += 40) made.add(segment, offset);
  made.index.finish();

  std::uint32_t id = 0;
  for (const Address start : made.starts) EXPECT_EQ(made.index.idOf(start).value, id++);
  for (const std::uint64_t outside : {std::uint64_t{0x8000}, std::uint64_t{0x11000}, std::uint64_t{0x40000000},
                                      kFar - 8, kFar + 4096, kFar + 0x11000, ~std::uint64_t{7}})
    EXPECT_TRUE(made.index.idOf({outside}).isNone()) << outside;
}

TEST(ObjectIndex, GivesTheStartsOfAnyRange) {
  IndexWithStarts made({segmentAt(0x1028, 0x1028 + 8 * 300)});
  for (std::uint64_t offset = 0; offset < 8 * 300; offset += 24) made.add(0, offset);
  made.index.finish();
  for (std::uint64_t from = 0x1000; from < 0x1028 + 8 * 310; from += 40) {
    for (std::uint64_t to = from; to < from + 8 * 200; to += 56) {
      std::vector<Address> expected(made.starts.lower_bound({from}), made.starts.lower_bound({to}));
      std::vector<Address> found;
      made.index.forEachStart({0}, {{from}, {to}}, [&](Address address) {
        found.push_back(address);
        return true;
      });
      ASSERT_EQ(found, expected) << from << " " << to;
    }
  }
}

TEST(ObjectIndex, StopsWhenTheVisitorHasSeenEnough) {
  IndexWithStarts made({segmentAt(0x1000, 0x2000)});
  for (std::uint64_t offset = 0; offset < 0x1000; offset += 32) made.add(0, offset);
  made.index.finish();
  int seen = 0;
  EXPECT_FALSE(made.index.forEachStart({0}, {{0x1000}, {0x2000}}, [&](Address) { return ++seen < 5; }));
  EXPECT_EQ(seen, 5);
}

TEST(ObjectLimit, MoreObjectsThanCanBeNumberedAreRefused) {
  EXPECT_TRUE(checkObjectLimit(0));
  EXPECT_TRUE(checkObjectLimit(4'294'967'294));
  const auto refused = checkObjectLimit(4'294'967'295);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().what, "The heap has 4294967295 objects, more than the 4294967294 that are supported.");
}

}  // namespace
}  // namespace heapscape::engine
