// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>

#include "session/snapshot/contents.h"
#include "shop_objects.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"
#include "support/truth.h"

// A real dump in which a few bytes were changed: the damage is told at its place and the rest is shown.
namespace heapscape::engine {
namespace {

using namespace heapscape::test;

constexpr const char* kDump = "shop-10";

Address firstOf(const Snapshot& snapshot, const std::string& type) {
  const auto rows = rowsOf(snapshot, type, 1);
  if (rows.empty()) throw std::runtime_error("not on the heap: " + type);
  return rows.front().address;
}

class DamagedObjects : public testing::Test {
 protected:
  static void SetUpTestSuite() { s_core = std::make_unique<PatchedCore>(kDump); }
  static void TearDownTestSuite() { s_core.reset(); }
  void TearDown() override { s_core->restore(); }

  static Snapshot open() { return openSnapshot(s_core->path(), Stage::Objects); }

  static inline std::unique_ptr<PatchedCore> s_core;
};

TEST_F(DamagedObjects, AReferenceToNoObjectIsDamagedAndTheOtherFieldsAreShown) {
  const Address door = firstOf(open(), "Shop.Locks+Door");
  const auto before = objectDetails(open(), door);
  ASSERT_TRUE(before);
  for (const std::uint64_t nowhere :
       {std::uint64_t{0x1234}, door.value + 4, ~std::uint64_t{0}, before->fields.front().value.object.value + 8}) {
    s_core->write(before->fields.front().address, nowhere);
    const auto details = objectDetails(open(), door);
    ASSERT_TRUE(details);
    const Value& name = details->fields.front().value;
    EXPECT_EQ(name.kind, ValueKind::Damaged);
    EXPECT_EQ(name.object.value, nowhere);
    EXPECT_FALSE(name.damage.empty());
    ASSERT_EQ(details->findings.size(), 1u);
    EXPECT_EQ(details->findings.front().address, before->fields.front().address);
    EXPECT_TRUE(details->header);
  }
}

TEST_F(DamagedObjects, AStringLongerThanItsSegmentIsDamagedWhereItIsReferredTo) {
  const auto before = objectDetails(open(), firstOf(open(), "Shop.Locks+Door"));
  ASSERT_TRUE(before);
  const Address text = before->fields.front().value.object;
  s_core->write(text + 8, std::uint32_t{0x7fffffff});
  const auto details = objectDetails(open(), before->row.address);
  ASSERT_TRUE(details);
  EXPECT_EQ(details->fields.front().value.kind, ValueKind::Damaged);
  EXPECT_NE(details->fields.front().value.damage.find("System.String"), std::string::npos);
}

TEST_F(DamagedObjects, BoundsThatContradictTheCountAreTold) {
  const Address cube = firstOf(open(), "System.Int32[,,]");
  for (const std::uint32_t length : {0xffffffffu, 0u, 7u}) {
    s_core->write(cube + 16, length);
    const auto details = objectDetails(open(), cube);
    ASSERT_TRUE(details);
    EXPECT_FALSE(details->array->damage.empty());
    EXPECT_EQ(details->array->count, 24u);
    EXPECT_EQ(details->array->elements.size(), 24u);
    EXPECT_TRUE(arrayElements(open(), cube, 3, 5));
    EXPECT_TRUE(objectBytes(open(), cube, 0, 4096));
  }
}

TEST_F(DamagedObjects, ABaseTypeThatRunsInACircleDoesNotEndInOne) {
  const Address object = firstOf(open(), "Shop.Fourth");
  const auto before = objectDetails(open(), object);
  ASSERT_TRUE(before);
  const Snapshot snapshot = open();
  const RuntimeReaders& readers = *snapshot.contents().readers;
  const auto type = readers.methodTables.read(before->methodTable);
  ASSERT_TRUE(type);
  const Address parentField = readers.runtime.member(type->parent, "MethodTable", "ParentMethodTable");
  s_core->write(parentField, type->address);
  const auto details = objectDetails(open(), object);
  ASSERT_TRUE(details);
  EXPECT_FALSE(details->fields.empty());
  EXPECT_TRUE(objectBytes(open(), object, 0, 4096));
}

TEST_F(DamagedObjects, AFieldWhoseTypeIsGoneIsDamagedAlone) {
  const Address object = firstOf(open(), "Shop.NestedStructs");
  const auto before = objectDetails(open(), object);
  ASSERT_TRUE(before);
  const FieldValue& field = fieldOf(before->fields, "s");
  ASSERT_TRUE(field.methodTable);
  // The method table no longer names its EEClass.
  const Snapshot snapshot = open();
  s_core->write(snapshot.contents().readers->runtime.member(field.methodTable, "MethodTable", "EEClassOrCanonMT"),
                std::uint64_t{0x4141414141414140});
  const auto details = objectDetails(open(), object);
  ASSERT_TRUE(details);
  EXPECT_EQ(fieldOf(details->fields, "s").value.kind, ValueKind::Damaged);
  EXPECT_EQ(fieldOf(details->fields, "b").value.text, fieldOf(before->fields, "b").value.text);
  EXPECT_EQ(details->fields.size(), before->fields.size());
}

TEST_F(DamagedObjects, AStackTraceThatClaimsTooManyFramesIsTold) {
  const auto before = objectDetails(open(), firstOf(open(), "Shop.Code+OrderException"));
  ASSERT_TRUE(before);
  const Address trace = fieldOf(before->fields, "_stackTrace").value.object;
  s_core->write(trace + 16, std::uint32_t{0x7fffffff});
  const auto details = objectDetails(open(), before->row.address);
  ASSERT_TRUE(details && details->exception);
  EXPECT_FALSE(details->exception->damage.empty());
  EXPECT_EQ(details->exception->message, "out of stock");
}

TEST_F(DamagedObjects, ADelegateWithAnAbsurdListIsStillShown) {
  const Snapshot snapshot = open();
  for (const ObjectRow& row : rowsOf(snapshot, "System.Action")) {
    const auto before = objectDetails(snapshot, row.address);
    ASSERT_TRUE(before);
    if (before->delegate.size() != 3) continue;
    s_core->write(fieldOf(before->fields, "_invocationCount").address, std::uint64_t{90'000});
    const auto details = objectDetails(open(), row.address);
    ASSERT_TRUE(details);
    EXPECT_LE(details->delegate.size(), 1u);
    EXPECT_FALSE(details->fields.empty());
    return;
  }
  FAIL() << "no delegate of three";
}

// The bytes of an object that a hole cuts: what is there is shown, and what is not is no zero.
TEST(ObjectsOfADumpWithAHole, ShowWhatIsThere) {
  PatchedCore core(kDump);
  const Snapshot whole = openSnapshot(core.path(), Stage::Objects);
  const auto rows = rowsOf(whole, "System.String", 1, 90'000);
  ASSERT_FALSE(rows.empty());
  const Address start{alignUp(rows.front().address.value + 20'000, 4096)};
  core.makeHole({start, start + 4096});
  const Snapshot snapshot = openSnapshot(core.path(), Stage::Objects);
  const auto bytes = objectBytes(snapshot, rows.front().address, 0, SIZE_MAX);
  if (!bytes) return;  // the walk may not have come so far, which the dump's findings tell
  std::uint64_t missing = 0;
  for (const ByteRun& run : bytes->runs) missing += run.owner == ByteOwner::Missing ? run.sizeBytes : 0;
  EXPECT_EQ(missing, 4096u);
  const auto details = objectDetails(snapshot, rows.front().address);
  ASSERT_TRUE(details);
  EXPECT_FALSE(details->string->damage.empty());
  EXPECT_LT(details->string->shown, details->string->length);
}

TEST(ObjectsWithoutMetadata, ShowTheirFieldsByNumber) {
  const Snapshot& snapshot = openedDump("shop-10-gcore");
  std::size_t unnamed = 0;
  for (const ObjectRow& row : listObjects(snapshot, {}, 0, 20'000)) {
    const auto details = objectDetails(snapshot, row.address);
    ASSERT_TRUE(details) << toString(row.address);
    for (const FieldValue& field : details->fields) {
      if (!field.name.starts_with("field#")) continue;
      ++unnamed;
      EXPECT_NE(field.sizeBytes, 0u);
    }
  }
  // Where the libraries of the dumped process are on this machine, their names are known.
  const bool isComplete = std::ranges::none_of(
      snapshot.modules(), [](const ModuleRow& module) { return module.metadata == MetadataSource::Missing; });
  EXPECT_TRUE(isComplete || unnamed > 0);
}

}  // namespace
}  // namespace heapscape::engine
