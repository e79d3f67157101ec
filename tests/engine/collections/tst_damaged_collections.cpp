// SPDX-License-Identifier: MIT
// A real dump with bytes changed: what is wrong is told at its place, the rest is read.
#include <gtest/gtest.h>

#include "session/details/object_details.h"
#include "support/exhibits.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"

namespace heapscape::test {
namespace {

using engine::Address;
using engine::CollectionDetails;
using engine::FieldValue;

class DamagedCollections : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    s_core = new PatchedCore("exhibits-10");
    s_healthy = new engine::Snapshot(openSnapshot(s_core->path(), engine::Stage::Objects));
    s_exhibits = new std::map(exhibitsOf(*s_healthy));
  }
  static void TearDownTestSuite() {
    delete s_exhibits;
    delete s_healthy;
    delete s_core;
  }
  void TearDown() override { s_core->restore(); }

  static Address exhibit(const std::string& name) { return s_exhibits->at("Museum.Collections." + name); }

  /// A field of an object as the healthy dump has it.
  static FieldValue field(Address object, const std::string& name) {
    const auto details = engine::objectDetails(*s_healthy, object);
    for (const FieldValue& found : details.value().fields) {
      if (found.name == name) return found;
    }
    throw std::runtime_error("no field " + name);
  }
  static Address target(Address object, const std::string& name) { return field(object, name).value.object; }

  /// The file is mapped, so a snapshot of it sees what was written.
  static CollectionDetails read(const std::string& name) {
    const auto details = engine::objectDetails(*s_healthy, exhibit(name), {.elements = 1000});
    if (!details) throw std::runtime_error(details.error().message());
    return details->collection.value();
  }

  inline static PatchedCore* s_core = nullptr;
  inline static engine::Snapshot* s_healthy = nullptr;
  inline static std::map<std::string, Address>* s_exhibits = nullptr;
};

TEST_F(DamagedCollections, ACircleInADictionarysChainsLosesNothing) {
  constexpr int kEntryBytes = 24, kNextOffset = 4;  // hash code, next, key, value
  const Address entries = target(exhibit("dictionary"), "_entries") + 16;
  s_core->write<std::int32_t>(entries + kNextOffset, 1);
  s_core->write<std::int32_t>(entries + kEntryBytes + kNextOffset, 0);
  const CollectionDetails dictionary = read("dictionary");
  ASSERT_EQ(dictionary.items.size(), 3u);
  EXPECT_EQ(dictionary.items[2].value.text, "\"three\"");
}

TEST_F(DamagedCollections, ACountBeyondTheEntriesIsTold) {
  s_core->write<std::int32_t>(field(exhibit("dictionary"), "_count").address, 0x7fffffff);
  const CollectionDetails dictionary = read("dictionary");
  EXPECT_NE(dictionary.damage.find("goes beyond"), std::string::npos) << dictionary.damage;
  EXPECT_EQ(dictionary.items.size(), 3u);
}

TEST_F(DamagedCollections, ANegativeCountIsTold) {
  s_core->write<std::int32_t>(field(exhibit("list"), "_size").address, -5);
  const CollectionDetails list = read("list");
  EXPECT_NE(list.damage.find("negative"), std::string::npos) << list.damage;
  EXPECT_TRUE(list.items.empty());
}

TEST_F(DamagedCollections, MoreFreeEntriesThanWereUsedAreTold) {
  s_core->write<std::int32_t>(field(exhibit("dictionaryWithHoles"), "_freeCount").address, 51);
  const CollectionDetails dictionary = read("dictionaryWithHoles");
  EXPECT_NE(dictionary.damage.find("free"), std::string::npos) << dictionary.damage;
}

TEST_F(DamagedCollections, EntriesThatAreNoArrayAreTold) {
  s_core->write<std::uint64_t>(field(exhibit("dictionary"), "_entries").address, exhibit("list").value);
  const CollectionDetails dictionary = read("dictionary");
  EXPECT_NE(dictionary.damage.find("no array"), std::string::npos) << dictionary.damage;
}

TEST_F(DamagedCollections, EntriesThatAreNotInTheDumpAreTold) {
  s_core->write<std::uint64_t>(field(exhibit("dictionary"), "_entries").address, 0x10000);
  const CollectionDetails dictionary = read("dictionary");
  EXPECT_EQ(dictionary.kind, "Dictionary");
  EXPECT_FALSE(dictionary.damage.empty());
  const auto items = engine::collectionItems(*s_healthy, exhibit("dictionary"), 0, 10);
  ASSERT_FALSE(items);
  EXPECT_FALSE(items.error().isCancelled());
}

TEST_F(DamagedCollections, AnArrayWithAnAbsurdLengthEndsWhereMemoryEnds) {
  s_core->write<std::uint32_t>(target(exhibit("hashSet"), "_entries") + 8, 0x7fffffff);
  s_core->write<std::int32_t>(field(exhibit("hashSet"), "_count").address, 0x7fffffff);
  const auto items = engine::collectionItems(*s_healthy, exhibit("hashSet"), 0x7ffffff0, 10);
  EXPECT_TRUE(!items || items->size() <= 10);
}

TEST_F(DamagedCollections, AQueuesHeadBeyondItsArrayStaysInside) {
  s_core->write<std::int32_t>(field(exhibit("queueWrapped"), "_head").address, 0x7ffffff1);
  const CollectionDetails queue = read("queueWrapped");
  EXPECT_EQ(queue.items.size(), 6u);
  EXPECT_NE(queue.damage.find("head"), std::string::npos) << queue.damage;
}

TEST_F(DamagedCollections, ALinkedListThatRunsInACircleIsTold) {
  const Address second = target(target(exhibit("linkedList"), "head"), "next");
  s_core->write<std::uint64_t>(field(second, "next").address, second.value);
  const CollectionDetails list = read("linkedList");
  EXPECT_NE(list.damage.find("circle"), std::string::npos) << list.damage;
  EXPECT_GE(list.items.size(), 2u);
}

TEST_F(DamagedCollections, ANodeOfAnotherTypeEndsAChain) {
  const Address head = target(exhibit("linkedList"), "head");
  s_core->write<std::uint64_t>(field(head, "next").address, exhibit("list").value);
  const CollectionDetails list = read("linkedList");
  EXPECT_NE(list.damage.find("no node"), std::string::npos) << list.damage;
  EXPECT_EQ(list.items.size(), 1u);
}

TEST_F(DamagedCollections, AStackThatRunsInACircleIsTold) {
  const Address head = target(exhibit("concurrentStack"), "_head");
  s_core->write<std::uint64_t>(field(head, "_next").address, head.value);
  const CollectionDetails stack = read("concurrentStack");
  EXPECT_EQ(stack.items.size(), 1u);
  EXPECT_NE(stack.damage.find("circle"), std::string::npos) << stack.damage;
}

TEST_F(DamagedCollections, ATreeThatRunsInACircleToTheLeftIsTold) {
  const Address root = target(exhibit("sortedSet"), "root");
  s_core->write<std::uint64_t>(field(root, "<Left>k__BackingField").address, root.value);
  EXPECT_NE(read("sortedSet").damage.find("deep"), std::string::npos);
}

TEST_F(DamagedCollections, ATreeThatRunsInACircleToTheRightIsTold) {
  const Address root = target(exhibit("sortedSet"), "root");
  s_core->write<std::uint64_t>(field(root, "<Right>k__BackingField").address, root.value);
  const CollectionDetails set = read("sortedSet");
  EXPECT_NE(set.damage.find("more than its 500 nodes"), std::string::npos) << set.damage;
}

TEST_F(DamagedCollections, ABucketThatRunsInACircleIsTold) {
  const Address buckets = target(target(exhibit("concurrentDictionaryOfStructs"), "_tables"), "_buckets");
  const auto count = s_core->read<std::uint32_t>(buckets + 8);
  Address node;
  for (std::uint32_t i = 0; !node && i < count; ++i) node = s_core->read<Address>(buckets + 16 + 8ull * i);
  s_core->write<std::uint64_t>(field(node, "_next").address, node.value);
  const CollectionDetails dictionary = read("concurrentDictionaryOfStructs");
  EXPECT_NE(dictionary.damage.find("more nodes than"), std::string::npos) << dictionary.damage;
  EXPECT_LT(dictionary.items.size(), 1000u);
}

TEST_F(DamagedCollections, ASegmentThatClaimsMoreThanItsSlotsIsTold) {
  const Address segment = target(exhibit("concurrentQueue"), "_head");
  const FieldValue ends = field(segment, "_headAndTail");
  for (const FieldValue& end : ends.nested) {
    if (end.name == "Tail") s_core->write<std::int32_t>(end.address, 1'000'000);
  }
  EXPECT_NE(read("concurrentQueue").damage.find("claims"), std::string::npos);
}

TEST_F(DamagedCollections, ASlotThatIsJustBeingWrittenIsToldAtItsPlace) {
  constexpr int kSlotBytes = 8, kSequenceOffset = 4;  // item, sequence number
  const Address slots = target(target(exhibit("concurrentQueue"), "_head"), "_slots") + 16;
  s_core->write<std::int32_t>(slots + kSlotBytes + kSequenceOffset, 1);
  const CollectionDetails queue = read("concurrentQueue");
  ASSERT_EQ(queue.items.size(), 3u);
  EXPECT_EQ(queue.items[0].value.text, "1");
  EXPECT_EQ(queue.items[1].value.kind, engine::ValueKind::Damaged);
  EXPECT_EQ(queue.items[2].value.text, "3");
}

TEST_F(DamagedCollections, SegmentsThatRunInACircleAreTold) {
  const Address segment = target(exhibit("concurrentQueueLong"), "_head");
  s_core->write<std::uint64_t>(field(segment, "_nextSegment").address, segment.value);
  EXPECT_NE(read("concurrentQueueLong").damage.find("circle"), std::string::npos);
}

TEST_F(DamagedCollections, AWrapperOfItselfIsTold) {
  const Address wrapper = exhibit("readOnlyOfList");
  s_core->write<std::uint64_t>(field(wrapper, "list").address, wrapper.value);
  EXPECT_NE(read("readOnlyOfList").damage.find("lies in itself"), std::string::npos);
}

TEST_F(DamagedCollections, ChunksOfTextThatRunInACircleAreTold) {
  const Address builder = exhibit("stringBuilderOfChunks");
  s_core->write<std::uint64_t>(field(builder, "m_ChunkPrevious").address, builder.value);
  EXPECT_NE(read("stringBuilderOfChunks").damage.find("does not end"), std::string::npos);
}

TEST_F(DamagedCollections, AnEntryOfAWeakTableThatIsNoHandleIsToldAtItsPlace) {
  constexpr int kHandleOffset = 8;  // hash code, next, handle
  const Address entries = target(target(exhibit("weakTable"), "_container"), "_entries") + 16;
  s_core->write<std::uint64_t>(entries + kHandleOffset, exhibit("list").value);
  const CollectionDetails table = read("weakTable");
  ASSERT_EQ(table.items.size(), 2u);
  EXPECT_EQ(table.items[0].value.kind, engine::ValueKind::Damaged);
  EXPECT_NE(table.items[0].value.damage.find("no dependent handle"), std::string::npos);
  EXPECT_EQ(table.items[1].value.text, "\"about kept two\"");
}

}  // namespace
}  // namespace heapscape::test
