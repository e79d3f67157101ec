// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "session/objects/object_query.h"
#include "session/snapshot/contents.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kHeadBytes = 12;  // method table and number of components: what the walk reads of an object

/// A dump with one thing changed, next to what was in it before.
class DamagedHeap : public testing::Test {
 protected:
  void open(const std::string& dump) {
    m_file.emplace(dump);
    m_before.emplace(openSnapshot(m_file->path(), Stage::Objects));
  }
  Snapshot reopened() { return openSnapshot(m_file->path(), Stage::Objects); }

  std::uint64_t offset(std::string_view type, std::string_view field) const {
    return m_before->contents().readers->runtime.contract().offset(type, field);
  }
  std::vector<ObjectRow> objectsOf(std::uint32_t segment) const {
    ObjectFilter filter;
    filter.addresses = m_before->segments()[segment].objects;
    return listObjects(*m_before, filter, 0, SIZE_MAX);
  }
  /// The segment with most objects.
  std::uint32_t busiestSegment() const {
    const auto& contents = m_before->segmentContents();
    const auto most = std::ranges::max_element(contents, {}, [](const SegmentContents& c) { return c.totals.objects; });
    return static_cast<std::uint32_t>(most - contents.begin());
  }
  static std::uint64_t unreadBytes(const Snapshot& snapshot) {
    std::uint64_t sum = 0;
    for (const SegmentContents& contents : snapshot.segmentContents()) sum += contents.unreadBytes;
    return sum;
  }
  static const Segment* segmentAt(const Snapshot& snapshot, Address record) {
    const auto found = std::ranges::find(snapshot.segments(), record, &Segment::address);
    return found == snapshot.segments().end() ? nullptr : &*found;
  }

  std::optional<PatchedCore> m_file;
  std::optional<Snapshot> m_before;
};

TEST_F(DamagedHeap, IsWalkedBehindAHole) {
  open("shop-10");
  const std::uint32_t segment = busiestSegment();
  const auto rows = objectsOf(segment);
  // A page amid small objects.
  const AddressRange objects = m_before->segments()[segment].objects;
  AddressRange hole;
  for (Address page{alignUp(objects.start.value + 4 * kPage, kPage)}; page + kPage < objects.end; page += kPage) {
    const auto inside = std::ranges::count_if(
        rows, [&](const ObjectRow& row) { return row.address >= page && row.address < page + kPage; });
    if (inside > 40) {
      hole = {page, page + kPage};
      break;
    }
  }
  ASSERT_FALSE(hole.isEmpty());
  const auto lost = std::ranges::find_if(rows, [&](const ObjectRow& r) { return r.address + kHeadBytes > hole.start; });
  const auto found = std::ranges::find_if(rows, [&](const ObjectRow& r) { return r.address >= hole.end; });
  ASSERT_NE(found, rows.end());
  m_file->makeHole(hole);

  const Snapshot after = reopened();
  EXPECT_EQ(after.totals().objects, m_before->totals().objects - static_cast<std::uint64_t>(found - lost));
  // With what the hole takes of the object before.
  const Address from = std::min(hole.start, lost->address);
  EXPECT_EQ(after.segmentContents()[segment].unreadBytes, found->address - from);
  EXPECT_EQ(unreadBytes(after), found->address - from);
  EXPECT_TRUE(hasFinding(after, FindingKind::MemoryMissing)) << findingsText(after);
  EXPECT_LT(after.coverage(), 1.0);
  EXPECT_FALSE(after.summary().missing.empty());
  EXPECT_EQ(objectAt(after, hole.start + 100), std::nullopt);
  ASSERT_TRUE(objectAt(after, found->address));
  EXPECT_EQ(objectAt(after, found->address)->sizeBytes, found->sizeBytes);
}

TEST_F(DamagedHeap, LosesOnlyTheObjectWhoseMethodTableIsWrong) {
  open("shop-9");
  const std::uint32_t segment = busiestSegment();
  const auto rows = objectsOf(segment);
  const auto victim = std::find_if(rows.begin() + static_cast<std::ptrdiff_t>(rows.size() / 2), rows.end(),
                                   [](const ObjectRow& row) { return row.alignedBytes == 24; });
  ASSERT_NE(victim, rows.end());
  m_file->write<std::uint64_t>(victim->address, 0x123450);

  const Snapshot after = reopened();
  EXPECT_EQ(after.totals().objects, m_before->totals().objects - 1);
  EXPECT_EQ(unreadBytes(after), victim->alignedBytes);
  ASSERT_TRUE(hasFinding(after, FindingKind::HeapDamaged)) << findingsText(after);
  EXPECT_EQ(after.findings().front().address, victim->address);
  EXPECT_EQ(objectAt(after, victim->address), std::nullopt);
}

TEST_F(DamagedHeap, FindsItsWayAgainBehindAnArrayThatClaimsTooMuch) {
  open("shop-8");
  const std::uint32_t segment = busiestSegment();
  const auto rows = objectsOf(segment);
  const auto victim =
      std::find_if(rows.begin() + static_cast<std::ptrdiff_t>(rows.size() / 2), rows.end(),
                   [&](const ObjectRow& row) { return m_before->types()[row.type.value].name == "System.String"; });
  ASSERT_NE(victim, rows.end());
  m_file->write<std::uint32_t>(victim->address + 8, 0x7fffffff);

  const Snapshot after = reopened();
  EXPECT_EQ(after.totals().objects, m_before->totals().objects - 1);
  EXPECT_EQ(unreadBytes(after), victim->alignedBytes);
  EXPECT_TRUE(hasFinding(after, FindingKind::HeapDamaged));
}

/// An array whose length was made so large that it lies over the objects behind it.
struct Swallowing {
  ObjectRow array;
  Address end;  // where it claims to end
  std::size_t swallowed = 0;
};

class SwallowingArray : public DamagedHeap, public testing::WithParamInterface<const char*> {
 protected:
  /// In generation 2, some 200 KB long. Its end is that of the object where it lies, or 8 bytes before.
  Swallowing plant(bool endsWithAnObject) {
    open(GetParam());
    const auto& types = m_before->types();
    ObjectFilter old;
    old.generation = Generation::Gen2;
    for (const ObjectRow& row : listObjects(*m_before, old, 0, SIZE_MAX)) {
      const TypeRow& type = types[row.type.value];
      if (type.name != "System.Byte[]" && type.name != "System.Int32[]") continue;
      Swallowing planted{row, {}, 0};
      for (const ObjectRow& other : behind(row)) {
        ++planted.swallowed;
        const std::uint64_t claimed = other.address + other.alignedBytes - row.address;
        // Unless the last object is longer than that, its middle is no object's start.
        if (claimed < 200'000 || other.alignedBytes < 48) continue;
        planted.end = row.address + (endsWithAnObject ? claimed : claimed - 8);
        const std::uint64_t elements = (planted.end - row.address - type.baseSize) / type.componentSize;
        m_file->write(row.address + 8, static_cast<std::uint32_t>(elements));
        return planted;
      }
    }
    ADD_FAILURE() << "no array is followed by enough objects";
    return {};
  }

  std::vector<ObjectRow> behind(const ObjectRow& row) const {
    const Segment& segment = m_before->segments()[row.segment.value];
    for (const GenerationRange& part : segment.generations) {
      if (!part.range.contains(row.address)) continue;
      ObjectFilter filter;
      filter.addresses = AddressRange{row.address + 1, part.range.end};
      return listObjects(*m_before, filter, 0, SIZE_MAX);
    }
    return {};
  }

  void expectOnlyTheArrayIsLost(const Swallowing& planted) {
    const Snapshot after = reopened();
    EXPECT_GT(planted.swallowed, 100u);
    EXPECT_EQ(after.totals().objects, m_before->totals().objects - 1);
    EXPECT_EQ(after.totals().bytes, m_before->totals().bytes - planted.array.alignedBytes);
    EXPECT_EQ(unreadBytes(after), planted.array.alignedBytes);
    EXPECT_LT(after.coverage(), 1.0);
    ASSERT_TRUE(hasFinding(after, FindingKind::HeapDamaged)) << findingsText(after);
    EXPECT_EQ(after.findings().front().address, planted.array.address);
    EXPECT_EQ(objectAt(after, planted.array.address), std::nullopt);
    const TypeId type = planted.array.type;
    EXPECT_EQ(after.types()[type.value].methodTable, m_before->types()[type.value].methodTable);
    EXPECT_EQ(after.typeCounts().count[type.value], m_before->typeCounts().count[type.value] - 1);
  }
};

INSTANTIATE_TEST_SUITE_P(OfShop, SwallowingArray,
                         testing::Values("shop-8", "shop-9", "shop-10", "shop-11", "shop-arm64-10", "shop-8-segments",
                                         "shop-10-server"),
                         [](const auto& dump) {
                           std::string name = dump.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST_P(SwallowingArray, IsNotBelieved) {
  expectOnlyTheArrayIsLost(plant(false));
}

TEST_P(SwallowingArray, IsNotBelievedWhereItEndsWithAnObjectByChance) {
  expectOnlyTheArrayIsLost(plant(true));
}

TEST_F(DamagedHeap, ToleratesTheMarkBitsOfACollection) {
  open("shop-10");
  const auto rows = objectsOf(busiestSegment());
  for (std::size_t i = 10; i < 200; ++i) {
    m_file->write<std::uint64_t>(rows[i].address, m_file->read<std::uint64_t>(rows[i].address) | (1 + i % 7));
  }
  const Snapshot after = reopened();
  EXPECT_EQ(after.totals().objects, m_before->totals().objects);
  EXPECT_EQ(after.totals().bytes, m_before->totals().bytes);
  EXPECT_EQ(unreadBytes(after), 0u);
}

TEST_F(DamagedHeap, LeavesOutASegmentFarLargerThanTheDump) {
  open("shop-10");
  const std::uint32_t victim = busiestSegment();
  const Segment segment = m_before->segments()[victim];
  m_file->write<std::uint64_t>(segment.address + offset("HeapSegment", "Mem"), 0x1000);
  for (const bool isFrozen : {false, true}) {
    if (isFrozen) m_file->write<std::uint64_t>(segment.address + offset("HeapSegment", "Flags"), 1);
    const Snapshot after = reopened();
    EXPECT_EQ(segmentAt(after, segment.address), nullptr);
    EXPECT_TRUE(hasFinding(after, FindingKind::RuntimeDataDamaged)) << findingsText(after);
    EXPECT_FALSE(after.isComplete());
    EXPECT_EQ(after.totals().objects, m_before->totals().objects - m_before->segmentContents()[victim].totals.objects);
    EXPECT_LT(after.indexBytes(), 64u << 20);
  }
}

TEST_F(DamagedHeap, LeavesOutASegmentWhoseBoundsAreUpsideDownOrUnaligned) {
  open("shop-9");
  const Segment segment = m_before->segments()[busiestSegment()];
  const Address memory = segment.address + offset("HeapSegment", "Mem");
  for (const std::uint64_t start : {segment.objects.end.value + 8, segment.objects.start.value + 3}) {
    m_file->write(memory, start);
    const Snapshot after = reopened();
    EXPECT_EQ(segmentAt(after, segment.address), nullptr);
    EXPECT_TRUE(hasFinding(after, FindingKind::RuntimeDataDamaged)) << findingsText(after);
    m_file->restore();
  }
}

TEST_F(DamagedHeap, EndsAListOfSegmentsThatRunsInACircle) {
  open("shop-8");
  const Segment segment = m_before->segments()[busiestSegment()];
  m_file->write<std::uint64_t>(segment.address + offset("HeapSegment", "Next"), segment.address.value);
  const Snapshot after = reopened();
  EXPECT_NE(segmentAt(after, segment.address), nullptr);
  EXPECT_TRUE(hasFinding(after, FindingKind::RuntimeDataDamaged)) << findingsText(after);
}

TEST_F(DamagedHeap, SaysThatAListOfSegmentsBreaksOff) {
  open("shop-10");
  const Segment segment = m_before->segments()[busiestSegment()];
  m_file->write<std::uint64_t>(segment.address + offset("HeapSegment", "Next"), 0x10);
  const Snapshot after = reopened();
  EXPECT_NE(segmentAt(after, segment.address), nullptr);
  EXPECT_TRUE(hasFinding(after, FindingKind::MemoryMissing)) << findingsText(after);
}

TEST_F(DamagedHeap, DoesNotLoseARegionToAnAllocationContextWithoutAnEnd) {
  for (const char* name : {"storm-10-calm", "storm-9-full"}) {
    SCOPED_TRACE(name);
    open(name);
    FindingList findings;
    const ClrRuntime& runtime = m_before->contents().readers->runtime;
    int tried = 0;
    for (const RuntimeThread& thread : readThreads(runtime, findings)) {
      if (!thread.allocationContext.pointer) continue;
      ++tried;
      const Address locals = *runtime.pointerAt(thread.address, "Thread", "RuntimeThreadLocals");
      const Address limit =
          locals + offset("RuntimeThreadLocals", "AllocContextPointer") + offset("GCAllocContext", "Limit");
      ASSERT_EQ(m_file->read<std::uint64_t>(limit), thread.allocationContext.limit.value);
      m_file->write<std::uint64_t>(limit, UINT64_MAX >> 1);
      const Snapshot after = reopened();
      EXPECT_TRUE(hasFinding(after, FindingKind::HeapDamaged)) << findingsText(after);
      EXPECT_FALSE(after.isComplete());
      // All but what lies in the context itself is still found.
      EXPECT_EQ(after.totals().objects, m_before->totals().objects);
      EXPECT_GT(unreadBytes(after), 0u);
      EXPECT_LT(unreadBytes(after), 16384u);
      m_file->restore();
    }
    EXPECT_GT(tried, 0);
  }
}

TEST_F(DamagedHeap, CountsAnEphemeralSegmentAsOldWhereItsBoundsAreDamaged) {
  open("shop-9-segments");
  const ClrRuntime& runtime = m_before->contents().readers->runtime;
  const Address variables = *runtime.globalPointer("GcDacVars");
  const Address table = *runtime.pointerAt(variables, "GcDacVars", "GenerationTable");
  const auto generationBytes = *runtime.valueAt<std::uint64_t>(variables, "GcDacVars", "GenerationSize");
  const Address offsets = *runtime.pointerAt(variables, "GcDacVars", "GenerationFieldOffsets");
  const auto start =
      *runtime.memory().read<std::int32_t>(offsets + 4 * offset("GenerationFieldOffsetsIndex", "AllocationStart"));
  const Address bound = table + generationBytes + static_cast<std::uint64_t>(start);  // of generation 1
  const auto before = m_file->read<std::uint64_t>(bound);
  EXPECT_EQ(before, m_before->contents().gc->heaps[0].generations[1].allocationStart.value);
  for (const std::uint64_t wrong : {before + 4, std::uint64_t{16}, UINT64_MAX}) {
    m_file->write(bound, wrong);
    const Snapshot after = reopened();
    EXPECT_TRUE(hasFinding(after, FindingKind::RuntimeDataDamaged)) << findingsText(after);
    EXPECT_EQ(after.totals().objects, m_before->totals().objects);
    std::uint64_t rows = 0;
    forEachObject(after, {}, [&](const ObjectRow&) { return ++rows > 0; });
    EXPECT_EQ(rows, after.totals().objects);
    m_file->restore();
  }
}

}  // namespace
}  // namespace heapscape::engine
