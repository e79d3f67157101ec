// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>

#include "session/layouts/layout_query.h"
#include "session/objects/object_query.h"
#include "session/snapshot/contents.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

class Arrays : public testing::TestWithParam<std::string> {
 protected:
  const Snapshot& m_snapshot = openedDump(GetParam());
};

TEST_P(Arrays, HaveElementsOneComponentApart) {
  std::size_t withValues = 0;
  for (const TypeRow& type : m_snapshot.types()) {
    if (type.isFree || !type.componentSize) continue;
    SCOPED_TRACE(type.name);
    const auto layout = layoutOf(m_snapshot, type.methodTable);
    ASSERT_TRUE(layout) << layout.error().message();
    if (layout->kind == TypeKind::String) {
      EXPECT_EQ(layout->componentSize, 2u);
      continue;
    }
    ASSERT_EQ(layout->kind, TypeKind::Array);
    EXPECT_GE(layout->rank, 1u);
    // Behind the length, and for more than one dimension or another lower bound two numbers for each.
    const bool isSimple = type.name.ends_with("[]");
    EXPECT_EQ(layout->elementOffset, isSimple ? 16u : alignUp(16 + 8 * layout->rank, 8));
    EXPECT_FALSE(layout->elementTypeName.empty());
    if (layout->elementLayout.empty()) continue;
    ++withValues;
    EXPECT_EQ(layout->elementLayout.front().valueSize, layout->componentSize);
    EXPECT_EQ(layout->elementLayout.front().typeName, layout->elementTypeName);
  }
  if (GetParam().starts_with("shop")) {
    EXPECT_GT(withValues, 5u);
  }
}

TEST_P(Arrays, LoseThePaddingOfTheirElementOncePerElement) {
  for (std::uint32_t i = 0; i < m_snapshot.types().size(); ++i) {
    const TypeRow& type = m_snapshot.types()[i];
    const auto layout = type.isFree ? failure(ErrorCode::NotFound, {}) : layoutOf(m_snapshot, type.methodTable);
    if (!layout || layout->elementLayout.empty()) continue;
    std::uint64_t elements = 0;
    ObjectFilter filter;
    filter.type = TypeId{i};
    forEachObject(m_snapshot, filter, [&](const ObjectRow& row) {
      elements += (row.sizeBytes - type.baseSize) / type.componentSize;
      return true;
    });
    EXPECT_EQ(m_snapshot.typePaddingBytes()[i], elements * layout->elementLayout.front().paddingBytes()) << type.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Data, Arrays, testing::ValuesIn(shopDumps()),
                         [](const auto& info) { return testName(info.param); });

TEST(BoxedValues, LoseTheRoundingOfTheirBoxToo) {
  const Snapshot& snapshot = openedDump("shop-10");
  const TypeId byte = findType(snapshot, "System.Byte");
  ASSERT_FALSE(byte.isNone());
  EXPECT_EQ(snapshot.typePaddingBytes()[byte.value], 7 * snapshot.typeCounts().count[byte.value]);
}

TEST(Strings, HaveNoPadding) {
  const Snapshot& snapshot = openedDump("shop-10");
  const TypeId string = findType(snapshot, "System.String");
  ASSERT_FALSE(string.isNone());
  EXPECT_EQ(snapshot.typePaddingBytes()[string.value], 0u);
}

TEST(DamagedFields, AreAFindingAndNoPadding) {
  PatchedCore file("shop-10");
  const Snapshot before = openSnapshot(file.path());
  const RuntimeReaders& readers = *before.contents().readers;
  const Contract& contract = readers.runtime.contract();
  const TypeId id = findType(before, "Shop.AutoClass");
  ASSERT_FALSE(id.isNone());
  const Address methodTable = before.types()[id.value].methodTable;
  const auto type = readers.methodTables.read(methodTable);
  ASSERT_TRUE(type);
  const Address list = *readers.runtime.pointerAt(type->eeClass, "EEClass", "FieldDescList");
  const Address word = list + contract.offset("FieldDesc", "DWord2");
  file.write<std::uint32_t>(word, file.read<std::uint32_t>(word) | 0x400000);
  const Snapshot after = openSnapshot(file.path());
  EXPECT_TRUE(hasFinding(after, FindingKind::LayoutMismatch)) << findingsText(after);
  EXPECT_EQ(after.typePaddingBytes()[id.value], 0u);
  EXPECT_FALSE(layoutOf(after, methodTable));
  EXPECT_EQ(after.totals().objects, before.totals().objects);
  file.restore();

  // A box that claims to be smaller than what every object has would make its padding enormous.
  const TypeId boxed = findType(before, "System.Byte");
  const auto byte = readers.methodTables.read(before.types()[boxed.value].methodTable);
  ASSERT_TRUE(byte);
  file.write<std::uint8_t>(byte->eeClass + contract.offset("EEClass", "BaseSizePadding"), 0);
  const Snapshot wrong = openSnapshot(file.path());
  EXPECT_TRUE(hasFinding(wrong, FindingKind::LayoutMismatch)) << findingsText(wrong);
  EXPECT_EQ(wrong.typePaddingBytes()[boxed.value], 0u);
}

}  // namespace
}  // namespace heapscape::engine
