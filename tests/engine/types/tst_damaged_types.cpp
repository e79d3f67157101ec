// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>

#include "session/snapshot/contents.h"
#include "session/types/generics_query.h"
#include "session/types/type_details.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"

namespace heapscape::test {
namespace {

using engine::Address;
using engine::TypeDetails;

/// A dump in which one type's description is changed before it is opened.
class DamagedTypes : public testing::Test {
 protected:
  TypeDetails original(const std::string& name) {
    const engine::Snapshot& snapshot = openedDump(kDump);
    const auto type = engine::findType(snapshot, name);
    EXPECT_TRUE(type) << name;
    return *engine::typeDetails(snapshot, *type);
  }
  engine::Snapshot reopen() const { return openSnapshot(core().path(), engine::Stage::Objects); }

  /// The type's page in the changed dump.
  engine::Result<TypeDetails> damaged(const TypeDetails& type) const {
    return engine::typeDetails(reopen(), type.methodTable);
  }

  static Address partOf(const TypeDetails& type, std::string_view name) {
    const auto part = std::ranges::find(type.parts, name, &TypeDetails::Part::name);
    return part == type.parts.end() ? Address{} : part->address;
  }

  static constexpr const char* kDump = "shop-10";
  static constexpr std::uint64_t kChunkNext = 8;
  static constexpr std::uint64_t kChunkSize = 16;
  // Unpacked once for all tests.
  static PatchedCore& core() {
    static PatchedCore unpacked{kDump};
    return unpacked;
  }
  void TearDown() override { core().restore(); }
};

TEST_F(DamagedTypes, ChunksThatRunInACircleEnd) {
  const TypeDetails type = original("Shop.Statics");
  const Address chunk = partOf(type, "MethodDescChunk");
  core().write(chunk + kChunkNext, chunk.value);
  const auto details = damaged(type);
  ASSERT_TRUE(details);
  EXPECT_EQ(details->fields.size(), type.fields.size());
}

TEST_F(DamagedTypes, AChunkThatIsNoneIsAFindingAndTheRestIsShown) {
  const TypeDetails type = original("Shop.Statics");
  const Address chunk = partOf(type, "MethodDescChunk");
  core().write(chunk + kChunkNext, std::uint64_t{0x1234});
  const auto details = damaged(type);
  ASSERT_TRUE(details);
  EXPECT_EQ(details->methods.size(), type.methods.size());
  EXPECT_FALSE(details->findings.empty());
}

TEST_F(DamagedTypes, AMethodThatReachesOutOfItsChunkIsAFinding) {
  const TypeDetails type = original("Shop.Statics");
  const Address chunk = partOf(type, "MethodDescChunk");
  core().write(chunk + kChunkSize, std::uint8_t{1});
  const auto details = damaged(type);
  ASSERT_TRUE(details);
  EXPECT_LT(details->methods.size(), type.methods.size());
  EXPECT_FALSE(details->findings.empty());
}

TEST_F(DamagedTypes, AnAbsurdDictionaryIsAFinding) {
  const TypeDetails type = original("List<string>");
  ASSERT_GT(type.dictionary.size(), 1u);
  // The word behind the only argument is the size.
  core().write(type.dictionary[0].address + 8, std::uint64_t{1} << 40);
  const auto details = damaged(type);
  ASSERT_TRUE(details);
  EXPECT_EQ(details->fields.size(), type.fields.size());
  EXPECT_LT(details->dictionary.size(), type.dictionary.size());
  EXPECT_FALSE(details->findings.empty());
}

TEST_F(DamagedTypes, ParentsThatRunInACircleEnd) {
  const TypeDetails type = original("Shop.Statics");
  constexpr std::uint64_t kParent = 16;
  core().write(type.methodTable + kParent, type.methodTable.value);
  const auto details = damaged(type);
  ASSERT_TRUE(details);
  EXPECT_LE(details->parents.size(), 1000u);
}

TEST_F(DamagedTypes, AnInterfaceMapToNowhereIsAFinding) {
  const TypeDetails type = original("List<string>");
  constexpr std::uint64_t kInterfaceMap = 56;
  core().write(type.methodTable + kInterfaceMap, std::uint64_t{0x1234});
  const auto details = damaged(type);
  ASSERT_TRUE(details);
  EXPECT_TRUE(details->interfaces.empty());
  EXPECT_FALSE(details->findings.empty());
  EXPECT_EQ(details->methods.size(), type.methods.size());
}

TEST_F(DamagedTypes, CodeThatWasNeverInTheDumpIsUnknownNotGuessed) {
  const TypeDetails type = original("Shop.Statics");
  const auto method = std::ranges::find_if(type.methods, [](const auto& m) { return m.codeBytes > 0; });
  ASSERT_NE(method, type.methods.end());
  constexpr std::uint64_t kHeaderPointer = 8;
  core().write(method->code - kHeaderPointer, std::uint64_t{0x1234});
  const auto details = damaged(type);
  ASSERT_TRUE(details);
  const auto same = std::ranges::find(details->methods, method->methodDesc, &engine::TypeMethod::methodDesc);
  ASSERT_NE(same, details->methods.end());
  EXPECT_EQ(same->code, method->code);
  EXPECT_EQ(same->state, engine::MethodState::None);
  EXPECT_EQ(same->codeBytes, 0u);
}

TEST_F(DamagedTypes, GenericsSurviveADefinitionWithoutMethodTable) {
  const TypeDetails type = original("List<string>");
  constexpr std::uint64_t kPerInstInfo = 48;
  core().write(type.methodTable + kPerInstInfo, std::uint64_t{0});
  const auto list = engine::listGenerics(reopen(), "List<", {});
  ASSERT_TRUE(list);
  EXPECT_FALSE(list->empty());
}

}  // namespace
}  // namespace heapscape::test
