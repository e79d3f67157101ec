// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>

#include "session/layout_query.h"
#include "session/object_query.h"
#include "support/opened_snapshot.h"
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
  if (GetParam().starts_with("shop")) EXPECT_GT(withValues, 5u);
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

}  // namespace
}  // namespace heapscape::engine
