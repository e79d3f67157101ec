// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "heap/object_head.h"
#include "session/objects/object_query.h"
#include "session/snapshot/contents.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

std::uint64_t unreadBytes(const Snapshot& snapshot) {
  std::uint64_t sum = 0;
  for (const SegmentContents& contents : snapshot.segmentContents()) sum += contents.unreadBytes;
  return sum;
}

std::uint64_t doubtfulBytes(const Snapshot& snapshot) {
  std::uint64_t sum = 0;
  for (const SegmentContents& contents : snapshot.segmentContents()) sum += contents.doubtfulBytes;
  return sum;
}

/// A dump in which lengths of strings and arrays are changed.
class FlippedLengths : public testing::Test {
 protected:
  void open(const std::string& dump) {
    m_file.emplace(dump);
    m_before.emplace(reopened());
    for (const ObjectRow& row : listObjects(*m_before, {}, 0, SIZE_MAX)) {
      if (!typeOf(row).isFree) m_starts.push_back(row.address);
      if (typeOf(row).componentSize && !typeOf(row).isFree) m_arrays.push_back(row);
    }
  }
  Snapshot reopened() const { return openSnapshot(m_file->path(), Stage::Objects); }

  const TypeRow& typeOf(const ObjectRow& row) const { return m_before->types()[row.type.value]; }
  std::uint32_t lengthOf(const ObjectRow& row) const { return m_file->read<std::uint32_t>(row.address + 8); }
  void setLength(const ObjectRow& row, std::uint32_t length) { m_file->write(row.address + 8, length); }
  Address endOf(const ObjectRow& row, std::uint32_t length) const {
    return row.address + alignUp(typeOf(row).baseSize + std::uint64_t{typeOf(row).componentSize} * length, 8);
  }
  Address generationEnd(const ObjectRow& row) const {
    for (const GenerationRange& part : m_before->segments()[row.segment.value].generations)
      if (part.range.contains(row.address)) return part.range.end;
    return {};
  }

  /// An array of generation 2 that lies over others once one more bit of its length is set, and ends where another
  /// begins, or amid one. Gives that length.
  std::optional<std::uint32_t> swallowingLength(const ObjectRow& row, bool endsWithAnObject) const {
    const std::uint32_t length = lengthOf(row);
    for (std::uint32_t bit = 32; bit <= 4096; bit *= 2) {
      const Address end = endOf(row, length | bit);
      if ((length & bit) || end >= generationEnd(row)) continue;
      if (std::ranges::binary_search(m_starts, end) == endsWithAnObject) return length | bit;
    }
    return std::nullopt;
  }

  template <class Fits>
  std::vector<std::pair<ObjectRow, std::uint32_t>> swallowing(bool endsWithAnObject, std::size_t most,
                                                              Fits fits) const {
    std::vector<std::pair<ObjectRow, std::uint32_t>> found;
    for (const ObjectRow& row : m_arrays) {
      if (found.size() == most) break;
      if (row.generation != Generation::Gen2 || !fits(typeOf(row))) continue;
      // Far enough from the one before not to lie over it.
      if (!found.empty() && row.address < found.back().first.address + (1 << 17)) continue;
      if (const auto length = swallowingLength(row, endsWithAnObject)) found.emplace_back(row, *length);
    }
    return found;
  }

  void expectOnlyLost(const Snapshot& after, const ObjectRow& row) const {
    EXPECT_EQ(after.totals().objects, m_before->totals().objects - 1);
    EXPECT_EQ(after.totals().bytes, m_before->totals().bytes - row.alignedBytes);
    EXPECT_EQ(unreadBytes(after), row.alignedBytes);
    EXPECT_LT(after.coverage(), 1.0);
    ASSERT_TRUE(hasFinding(after, FindingKind::HeapDamaged)) << findingsText(after);
    EXPECT_EQ(after.findings().front().address, row.address);
    std::uint64_t ofGenerations = 0;
    for (const GenerationRow& generation : after.generations()) ofGenerations += generation.unreadBytes;
    EXPECT_EQ(ofGenerations, row.alignedBytes);
  }

  /// Each by itself.
  void expectOnlyLost(const std::vector<std::pair<ObjectRow, std::uint32_t>>& swallowing) {
    ASSERT_FALSE(swallowing.empty());
    for (const auto& [row, length] : swallowing) {
      SCOPED_TRACE(toString(row.address));
      setLength(row, length);
      expectOnlyLost(reopened(), row);
      m_file->restore();
    }
  }

  std::optional<PatchedCore> m_file;
  std::optional<Snapshot> m_before;
  std::vector<Address> m_starts;
  std::vector<ObjectRow> m_arrays;
};

class FlippedLengthsOf : public FlippedLengths, public testing::WithParamInterface<const char*> {};

INSTANTIATE_TEST_SUITE_P(Dumps, FlippedLengthsOf, testing::Values("shop-8", "shop-9-server", "shop-10-segments"),
                         [](const auto& dump) {
                           std::string name = dump.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

bool isString(const TypeRow& type) {
  return type.name == "System.String";
}
bool isOfReferences(const TypeRow& type) {
  return type.name == "Catalog.OrderLine[]" || type.name == "Catalog.Review[]";
}
bool isOfNumbers(const TypeRow& type) {
  return type.name == "System.Byte[]" || type.name == "System.Int32[]";
}

TEST_P(FlippedLengthsOf, LoseTheStringAloneThatEndsWhereAnObjectBegins) {
  open(GetParam());
  expectOnlyLost(swallowing(true, 3, isString));
}

TEST_P(FlippedLengthsOf, LoseTheArrayAloneThatEndsWhereAnObjectBegins) {
  open(GetParam());
  expectOnlyLost(swallowing(true, 3, isOfReferences));
}

TEST_P(FlippedLengthsOf, LoseTheArrayAloneThatEndsAmidAnObject) {
  open(GetParam());
  expectOnlyLost(swallowing(false, 5, [](const TypeRow& type) { return isString(type) || isOfReferences(type); }));
}

// Each by itself: a reader of the figures must see that something is amiss.
TEST_P(FlippedLengthsOf, NeverChangeAFigureInSilence) {
  open(GetParam());
  std::mt19937 random(7);
  const ObjectTotals whole = m_before->totals();
  for (int i = 0; i < 40; ++i) {
    const ObjectRow& row = m_arrays[random() % m_arrays.size()];
    const std::uint32_t length = lengthOf(row) ^ (1u << random() % 32);
    setLength(row, length);
    const Snapshot after = reopened();
    const ObjectTotals totals = after.totals();
    if (totals.objects != whole.objects || totals.bytes != whole.bytes) {
      EXPECT_LT(after.coverage(), 1.0) << toString(row.address) << " " << length;
      EXPECT_FALSE(after.isComplete()) << toString(row.address) << " " << length;
      // What was lost is counted: objects are 24 bytes at least.
      if (totals.objects < whole.objects) {
        EXPECT_GE(unreadBytes(after), 24 * (whole.objects - totals.objects)) << toString(row.address) << " " << length;
      }
    }
    m_file->restore();
  }
}

// What numbers hold may look like objects, in memory that was not cleared; but then in many arrays.
TEST_F(FlippedLengths, OfNumbersAreDoubtfulUnlessTheyAreAlone) {
  open("shop-10");
  const auto found = swallowing(true, 2, isOfNumbers);
  ASSERT_EQ(found.size(), 2u);
  setLength(found[0].first, found[0].second);
  expectOnlyLost(reopened(), found[0].first);
  setLength(found[1].first, found[1].second);
  const Snapshot after = reopened();
  EXPECT_LT(after.totals().objects, m_before->totals().objects);
  std::uint64_t claimed = 0;
  for (const auto& [row, length] : found) claimed += endOf(row, length) - row.address;
  EXPECT_EQ(doubtfulBytes(after), claimed);
  EXPECT_EQ(doubtfulBytes(*m_before), 0u);
}

// The runtime keeps such arrays, of what a generic type was made of: each address in it begins an object, as it were.
class ArraysOfMethodTables : public FlippedLengths {
 protected:
  /// Fills a large array of numbers with the address of a method table whose objects end where others begin.
  ObjectRow fill() {
    const auto array = std::ranges::find_if(m_arrays, [&](const ObjectRow& row) {
      return row.generation == Generation::Gen2 && isOfNumbers(typeOf(row)) && row.alignedBytes > 1024;
    });
    const auto& types = m_before->types();
    const auto type =
        std::ranges::find_if(types, [](const TypeRow& t) { return t.baseSize == 32 && t.componentSize == 0; });
    if (array == m_arrays.end() || type == types.end()) throw std::runtime_error("no such array or type");
    for (Address at = array->address + 16; at + 8 < array->address + array->alignedBytes; at += 8)
      m_file->write(at, type->methodTable.value);
    return *array;
  }
};

TEST_F(ArraysOfMethodTables, AreNotTakenForObjects) {
  open("shop-10");
  fill();
  const Snapshot after = reopened();
  EXPECT_EQ(after.totals().objects, m_before->totals().objects);
  EXPECT_EQ(doubtfulBytes(after), 0u);
  EXPECT_TRUE(after.isComplete()) << findingsText(after);
}

TEST_F(ArraysOfMethodTables, AreNotTakenForObjectsWhereTheirOwnIsDamaged) {
  open("shop-10");
  const ObjectRow array = fill();
  m_file->write<std::uint64_t>(array.address, 0x123450);
  expectOnlyLost(reopened(), array);
}

TEST_F(FlippedLengths, OverMemoryThatAThreadStillAllocatesFromAreNotBelieved) {
  open("shop-10");
  const auto& readers = *m_before->contents().readers;
  FindingList findings;
  const auto gaps = findAllocationGaps(readThreads(readers.runtime, findings), *m_before->contents().gc, 24);
  int tried = 0;
  for (const AllocationGap& gap : gaps) {
    const auto behind = std::ranges::upper_bound(m_starts, gap.end);
    // The last array before the context, made to end at the second object behind it.
    const ObjectRow* array = nullptr;
    for (const ObjectRow& row : m_arrays)
      if (row.address < gap.start && row.generation == Generation::Gen0) array = &row;
    if (!array || behind == m_starts.end() || *behind >= generationEnd(*array)) continue;
    const std::uint64_t room = *behind - array->address - typeOf(*array).baseSize;
    setLength(*array, static_cast<std::uint32_t>(room / typeOf(*array).componentSize));
    const Snapshot after = reopened();
    const std::uint64_t lost = m_before->totals().objects - after.totals().objects;
    EXPECT_GE(lost, 1u);
    EXPECT_LT(lost, 20u);
    EXPECT_GE(unreadBytes(after), lost * kMinimumObjectBytes);
    EXPECT_LT(after.coverage(), 1.0);
    EXPECT_FALSE(after.isComplete());
    m_file->restore();
    ++tried;
  }
  EXPECT_GT(tried, 0);
}

TEST_F(FlippedLengths, AreNotTheOnlyThingThatCoverageTells) {
  open("shop-10");
  const auto large = std::ranges::max_element(m_arrays, {}, &ObjectRow::alignedBytes);
  ASSERT_GT(large->alignedBytes, 3u * 4096);
  const Address page{alignUp(large->address.value + kMinimumObjectBytes, 4096)};
  m_file->makeHole({page, page + 4096});
  const Snapshot after = reopened();
  EXPECT_EQ(after.totals().objects, m_before->totals().objects);
  EXPECT_EQ(unreadBytes(after), 4096u);
  EXPECT_LT(after.coverage(), 1.0);
  EXPECT_TRUE(hasFinding(after, FindingKind::MemoryMissing)) << findingsText(after);
}

}  // namespace
}  // namespace heapscape::engine
