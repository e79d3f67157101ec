// SPDX-License-Identifier: MIT
// A real dump with bytes changed: what cannot be so is told, and nothing runs on without end.
#include <gtest/gtest.h>

#include "query/objects/collection_sizes.h"
#include "session/details/object_details.h"
#include "session/objects/object_query.h"
#include "session/snapshot/contents.h"
#include "support/exhibits.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"
#include "values/reading/collection_reader.h"

namespace heapscape::test {
namespace {

using engine::Address;
using engine::CollectionDetails;
using engine::FieldValue;

class DamagedValues : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    s_core = new PatchedCore("values-10");
    s_snapshot = new engine::Snapshot(openSnapshot(s_core->path(), engine::Stage::Objects));
    s_exhibits = new std::map(exhibitsOf(*s_snapshot));
    s_holders = new std::map(exhibitHoldersOf(*s_snapshot));
  }
  static void TearDownTestSuite() {
    delete s_holders;
    delete s_exhibits;
    delete s_snapshot;
    delete s_core;
  }
  void TearDown() override { s_core->restore(); }

  static Address exhibit(const std::string& name) { return s_exhibits->at("Museum." + name); }

  static FieldValue field(const std::vector<FieldValue>& fields, const std::string& name) {
    for (const FieldValue& found : fields) {
      if (found.name == name || found.name.starts_with(name + "@")) return found;
    }
    throw std::runtime_error("no field " + name);
  }
  static FieldValue field(Address object, const std::string& name) {
    return field(engine::objectDetails(*s_snapshot, object).value().fields, name);
  }
  static Address target(Address object, const std::string& name) { return field(object, name).value.object; }
  static void point(const FieldValue& field, Address at) { s_core->write<std::uint64_t>(field.address, at.value); }

  /// The file is mapped, so a snapshot of it sees what was written.
  static std::optional<CollectionDetails> read(const std::string& name) {
    const auto details = engine::objectDetails(*s_snapshot, exhibit(name), {.elements = 1000});
    return details.value().collection;
  }
  static std::string damageOf(const std::string& name) {
    const auto collection = read(name);
    return collection ? collection->damage : "no collection";
  }
  /// How the field that refers to it reads.
  static std::string lineOf(const std::string& name) {
    return field(s_holders->at("Museum." + name), "content").value.text;
  }

  inline static PatchedCore* s_core = nullptr;
  inline static engine::Snapshot* s_snapshot = nullptr;
  inline static std::map<std::string, Address>* s_exhibits = nullptr;
  inline static std::map<std::string, Address>* s_holders = nullptr;
};

TEST_F(DamagedValues, AListOfFSharpThatRunsInACircleIsTold) {
  const Address list = exhibit("Functional.list");
  point(field(list, "tail"), list);
  EXPECT_NE(damageOf("Functional.list").find("circle"), std::string::npos);
}

/// Nodes of an F# list where a large object lies, each leading to the next and the last to the empty list.
class LongChain {
 public:
  LongChain(PatchedCore& core, Address large, std::uint64_t largeBytes, Address list, Address tail, Address empty)
      : m_core(core), m_first(large), m_tail(tail - list), m_count((largeBytes - kNodeBytes) / kNodeBytes) {
    for (std::uint64_t i = 0; i < m_count; ++i) {
      m_core.write(node(i), m_core.read<std::uint64_t>(list));
      lead(i, i + 1 < m_count ? node(i + 1) : empty);
    }
  }
  std::uint64_t size() const { return m_count; }
  Address node(std::uint64_t number) const { return m_first + number * kNodeBytes; }
  void lead(std::uint64_t number, Address to) { m_core.write(node(number) + m_tail, to.value); }

 private:
  static constexpr std::uint64_t kNodeBytes = 32;

  PatchedCore& m_core;
  Address m_first;
  std::uint64_t m_tail;
  std::uint64_t m_count;
};

TEST_F(DamagedValues, EachNodeOfALongListHasAllBehindItHoweverTheyAreAskedFor) {
  engine::ObjectRow large;
  engine::forEachObject(*s_snapshot, {}, [&](const engine::ObjectRow& row) {
    if (row.sizeBytes > large.sizeBytes) large = row;
    return true;
  });
  const Address list = exhibit("Functional.list");
  const Address empty = target(target(target(list, "tail"), "tail"), "tail");
  LongChain chain(*s_core, large.address, large.sizeBytes, list, field(list, "tail").address, empty);
  ASSERT_GT(chain.size(), 500u);

  const engine::Contents& contents = s_snapshot->contents();
  const auto read = [&](const engine::ValueReader& values, std::uint64_t number) {
    return engine::CollectionReader(values).read(chain.node(number), 0).value();
  };
  const engine::ValueReader forwards({*contents.readers, contents.heap.get()});
  for (std::uint64_t i = 0; i < chain.size(); ++i) EXPECT_EQ(read(forwards, i).count, chain.size() - i);
  const engine::ValueReader backwards({*contents.readers, contents.heap.get()});
  for (std::uint64_t i = chain.size(); i-- > 0;) EXPECT_EQ(read(backwards, i).count, chain.size() - i);

  chain.lead(chain.size() - 1, chain.node(100));
  const engine::ValueReader inCircle({*contents.readers, contents.heap.get()});
  for (const std::uint64_t number : {std::uint64_t{0}, chain.size() - 1, std::uint64_t{50}}) {
    EXPECT_EQ(read(inCircle, number).count, 0u);
    EXPECT_NE(read(inCircle, number).damage.find("circle"), std::string::npos);
    engine::CollectionType type(inCircle.instances(), s_core->read<Address>(list));
    EXPECT_TRUE(type.sizesOf(inCircle.instances(), chain.node(number)).isUnreadable);
  }
}

TEST_F(DamagedValues, AMapOfFSharpThatRunsInACircleIsTold) {
  const Address root = target(exhibit("Functional.mapLarge"), "tree");
  point(field(root, "right"), root);
  EXPECT_NE(damageOf("Functional.mapLarge").find("more than its"), std::string::npos);
  s_core->restore();
  point(field(root, "left"), root);
  EXPECT_NE(damageOf("Functional.mapLarge").find("too deep"), std::string::npos);
}

TEST_F(DamagedValues, ANodeOfAnotherTypeInASetOfFSharpIsTold) {
  const Address root = target(exhibit("Functional.setLarge"), "tree");
  point(field(root, "left"), exhibit("Functional.list"));
  EXPECT_NE(damageOf("Functional.setLarge").find("no node"), std::string::npos);
}

TEST_F(DamagedValues, AUnionWithATagThatItHasNotIsToldByItsType) {
  s_core->write<std::int32_t>(field(exhibit("Functional.word"), "_tag").address, 77);
  EXPECT_EQ(lineOf("Functional.word"), "Museum.Functional.Token+Word");
}

TEST_F(DamagedValues, JsonThatReachesBeyondItsTextIsTold) {
  const FieldValue rows = field(exhibit("Json.document"), "_parsedData");
  const Address data = field(rows.nested, "_data").value.object + 16;
  s_core->write<std::uint32_t>(data, 0x7ffffff0);  // where the object begins
  EXPECT_EQ(lineOf("Json.document"), "System.Text.Json.JsonDocument");
  s_core->write<std::uint32_t>(data + 8, 0x1fffffff);  // an object of very many rows
  EXPECT_NE(damageOf("Json.document").find("There is no part"), std::string::npos);
}

TEST_F(DamagedValues, PartsOfJsonWithoutRowsDoNotStopTheWalk) {
  const FieldValue rows = field(exhibit("Json.document"), "_parsedData");
  const Address data = field(rows.nested, "_data").value.object + 16;
  constexpr int kRowBytes = 12, kTags = 6;  // the array behind two names with their values, and its own name
  s_core->write<std::uint32_t>(data + kRowBytes * kTags + 8, 0x30000000);
  EXPECT_TRUE(read("Json.document"));
}

TEST_F(DamagedValues, AnElementOfJsonOutsideOfItsTableIsNoCollection) {
  const Address element = exhibit("Json.root");
  s_core->write<std::int32_t>(field(element, "_idx").address, 0x7ffffff8);
  EXPECT_NE(damageOf("Json.root").find("There is no part"), std::string::npos);
  s_core->write<std::int32_t>(field(element, "_idx").address, -12);
  EXPECT_NE(damageOf("Json.root").find("negative"), std::string::npos);
}

TEST_F(DamagedValues, KeysAndValuesOfUnequalNumberAreTold) {
  const Address frozen = exhibit("Frozen.texts");
  point(field(frozen, "_values"), target(exhibit("Frozen.smallTexts"), "_values"));
  const auto collection = read("Frozen.texts");
  EXPECT_EQ(collection->damage, "There are 40 keys and 2 values.");
  EXPECT_LE(collection->items.size(), 2u);
}

TEST_F(DamagedValues, WhatIsNoArrayInAFrozenSetIsTold) {
  const Address frozen = exhibit("Frozen.setTexts");
  point(field(frozen, "_items"), frozen);
  EXPECT_NE(damageOf("Frozen.setTexts").find("no array"), std::string::npos);
}

TEST_F(DamagedValues, AChannelInItselfIsNoCollection) {
  for (const char* name : {"Queues.unbounded", "Queues.bounded"}) {
    const Address channel = exhibit(name);
    point(field(channel, "_items"), channel);
    EXPECT_FALSE(read(name)) << name;
  }
}

TEST_F(DamagedValues, ABlockingCollectionInItselfIsNoCollection) {
  const Address blocking = exhibit("Queues.blocking");
  point(field(blocking, "_collection"), blocking);
  EXPECT_FALSE(read("Queues.blocking"));
}

TEST_F(DamagedValues, RingsOfAChannelThatRunInACircleAreTold) {
  const Address queue = target(exhibit("Queues.singlePassed"), "_items");
  const Address segment = target(queue, "_tail");
  point(field(segment, "_next"), segment);
  EXPECT_NE(damageOf("Queues.singlePassed").find("circle"), std::string::npos);
}

TEST_F(DamagedValues, GroupsOfALookupThatRunInACircleAreTold) {
  const Address group = target(exhibit("Queues.lookup"), "_lastGrouping");
  const Address first = target(group, "_next");
  point(field(first, "_next"), first);
  EXPECT_NE(damageOf("Queues.lookup").find("comes twice"), std::string::npos);
  s_core->restore();
  s_core->write<std::int32_t>(field(exhibit("Queues.lookup"), "_count").address, 0x7fffffff);
  EXPECT_NE(damageOf("Queues.lookup").find("comes twice"), std::string::npos);
}

TEST_F(DamagedValues, AnImmutableQueueThatRunsInACircleIsTold) {
  const Address stack = target(exhibit("Queues.queue"), "_backwards");
  point(field(stack, "_tail"), stack);
  EXPECT_NE(damageOf("Queues.queue").find("circle"), std::string::npos);
}

TEST_F(DamagedValues, APropertyWithoutAListIsToldAtItsPlace) {
  const Address property = exhibit("Json.property");
  point(field(property, "_content"), {});
  EXPECT_EQ(lineOf("Json.property"), "Newtonsoft.Json.Linq.JProperty");
  const Address list = target(target(exhibit("Json.token"), "_properties"), "items");
  const auto first = s_core->read<Address>(target(list, "_items") + 16);
  point(field(first, "_content"), {});
  EXPECT_NE(damageOf("Json.token").find("is null"), std::string::npos);
}

TEST_F(DamagedValues, AHandleThatIsNotInTheDumpIsTold) {
  s_core->write<std::uint64_t>(field(exhibit("Slices.weak"), "_taggedHandle").address, 0x10000);
  EXPECT_EQ(lineOf("Slices.weak"), "System.WeakReference");
  EXPECT_FALSE(damageOf("Slices.weak").empty());
}

TEST_F(DamagedValues, AnAddressWithoutItsEightGroupsIsToldByItsType) {
  const Address address = exhibit("Slices.address ::1");
  point(field(address, "_numbers"), exhibit("Slices.weak"));
  EXPECT_EQ(lineOf("Slices.address ::1"), "System.Net.IPAddress");
}

TEST_F(DamagedValues, ASliceBeyondItsArrayIsToldByItsFields) {
  s_core->write<std::int32_t>(field(exhibit("Slices.memory"), "_length").address, 0x7fffffff);
  EXPECT_TRUE(lineOf("Slices.memory").starts_with("{ _object = "));
  EXPECT_NE(damageOf("Slices.memory").find("goes beyond"), std::string::npos);
}

}  // namespace
}  // namespace heapscape::test
