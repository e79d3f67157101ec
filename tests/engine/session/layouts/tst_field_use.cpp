// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>

#include "session/layouts/field_use.h"
#include "session/layouts/layout_query.h"
#include "session/objects/object_query.h"
#include "session/snapshot/contents.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

constexpr std::size_t kFieldUseAll = 1'000'000;

std::vector<FieldUse> usesOf(const Snapshot& snapshot, Address methodTable, std::size_t limit) {
  auto uses = fieldUse(snapshot, methodTable, limit, {});
  if (!uses) throw std::runtime_error("the use of the fields was not counted");
  return std::move(*uses);
}

std::vector<FieldUse> usesOf(const Snapshot& snapshot, std::string_view type, std::size_t limit = kFieldUseAll) {
  return usesOf(snapshot, snapshot.types().at(findType(snapshot, type).value).methodTable, limit);
}

FieldUse useOf(const std::vector<FieldUse>& uses, std::string_view field) {
  const auto found = std::ranges::find(uses, field, &FieldUse::name);
  if (found == uses.end()) throw std::runtime_error("no such field");
  return *found;
}

/// Whether any byte that a primitive or a reference takes up is not zero.
bool isUsed(const AddressSpace& memory, Address object, const LayoutField& field, std::uint64_t shift) {
  for (std::uint32_t element = 0; element < field.repeat; ++element) {
    const std::uint64_t more = shift + std::uint64_t{element} * field.sizeBytes;
    for (const LayoutField& nested : field.nested) {
      if (isUsed(memory, object, nested, more)) return true;
    }
    for (std::uint32_t at = 0; field.nested.empty() && at < field.sizeBytes; ++at) {
      std::uint8_t byte = 0;
      if (memory.tryRead(object + 8 + field.offset + more + at, byte) && byte) return true;
    }
  }
  return false;
}

TEST(FieldUse, CountsObjectsWithABitSetInAnyField) {
  const Snapshot snapshot = openSnapshot(dumpPath("shop-10"));
  std::size_t compared = 0;
  for (std::uint32_t i = 0; i < snapshot.types().size(); i += 3) {
    const TypeRow& type = snapshot.types()[i];
    if (type.isFree || type.componentSize || snapshot.typeCounts().count[i] > 2000) continue;
    const TypeLayout layout = layoutOf(snapshot, type.methodTable).value();
    const std::vector<FieldUse> uses = usesOf(snapshot, type.methodTable, kFieldUseAll);
    ASSERT_EQ(uses.size(), layout.fields.size()) << type.name;
    std::vector<std::uint64_t> used(uses.size());
    ObjectFilter ofType;
    ofType.type = TypeId{i};
    forEachObject(snapshot, ofType, [&](const ObjectRow& row) {
      for (std::size_t field = 0; field < used.size(); ++field)
        used[field] += isUsed(*snapshot.contents().memory, row.address, layout.fields[field], 0);
      return true;
    });
    for (std::size_t field = 0; field < uses.size(); ++field) {
      EXPECT_EQ(uses[field].name, layout.fields[field].name);
      EXPECT_EQ(uses[field].instances, snapshot.typeCounts().count[i]) << type.name;
      EXPECT_EQ(uses[field].used, used[field]) << type.name << ' ' << uses[field].name;
      ++compared;
    }
  }
  EXPECT_GT(compared, 300u);
}

TEST(FieldUse, FindsFieldsThatHardlyAnyObjectUses) {
  const Snapshot snapshot = openSnapshot(dumpPath("waste/plain-10"));
  const std::vector<FieldUse> sensor = usesOf(snapshot, "Weather.Sensor");
  EXPECT_EQ(useOf(sensor, "Name").used, 100u);
  EXPECT_EQ(useOf(sensor, "On").used, 25u);
  EXPECT_EQ(useOf(sensor, "Last").used, 0u);
  // Inherited ones, and boxes.
  const std::vector<FieldUse> packet = usesOf(snapshot, "Weather.Packet");
  EXPECT_EQ(useOf(packet, "Id").used, 99u);
  EXPECT_EQ(useOf(packet, "Id").declaringType, "Weather.Header");
  EXPECT_EQ(useOf(packet, "Extra").used, 100u);
  EXPECT_EQ(useOf(usesOf(snapshot, "Weather.Reading"), "Value").used, 99u);
}

TEST(FieldUse, OfManyObjectsLooksAtASampleAndSaysSo) {
  const Snapshot snapshot = openSnapshot(dumpPath("waste/plain-10"));
  const std::vector<FieldUse> uses = usesOf(snapshot, "Weather.Packet", 20);
  for (const FieldUse& use : uses) {
    EXPECT_GT(use.instances, 0u);
    EXPECT_LE(use.instances, 20u);
    EXPECT_LE(use.used, use.instances);
  }
  EXPECT_EQ(usesOf(snapshot, "Weather.Packet", 20).front().instances, uses.front().instances);
  EXPECT_EQ(usesOf(snapshot, "Weather.Packet", 0).front().instances, 0u);
}

TEST(FieldUse, KnowsFieldsOfTypesWithoutObjects) {
  const Snapshot snapshot = openSnapshot(dumpPath("waste/plain-10"));
  const auto loaded = loadedTypes(snapshot, {}).value();
  const auto shape = std::ranges::find(loaded, "Weather.Shape", &LoadedType::name);
  ASSERT_NE(shape, loaded.end());
  const std::vector<FieldUse> uses = usesOf(snapshot, shape->methodTable, kFieldUseAll);
  ASSERT_EQ(uses.size(), 4u);
  for (const FieldUse& use : uses) EXPECT_EQ(use.instances, 0u);
}

TEST(FieldUse, FailsForWhatIsNoType) {
  const Snapshot snapshot = openSnapshot(dumpPath("waste/plain-10"));
  const auto uses = fieldUse(snapshot, Address{0x1234}, kFieldUseAll, {});
  ASSERT_FALSE(uses);
  EXPECT_FALSE(uses.error().isCancelled());
}

TEST(FieldUse, CanBeStopped) {
  const Snapshot snapshot = openSnapshot(dumpPath("waste/plain-10"));
  std::stop_source source;
  source.request_stop();
  const auto uses = fieldUse(snapshot, snapshot.types().at(findType(snapshot, "Weather.Packet").value).methodTable,
                             kFieldUseAll, source.get_token());
  ASSERT_FALSE(uses);
  EXPECT_TRUE(uses.error().isCancelled());
}

}  // namespace
}  // namespace heapscape::engine
