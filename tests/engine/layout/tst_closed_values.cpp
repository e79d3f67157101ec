// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "layout/closed_values.h"
#include "layout/rules/layout_rules.h"
#include "support/builders/types_in_memory.h"

namespace heapscape::engine {
namespace {

using heapscape::test::TypesInMemory;

/// Outer { byte; Middle { byte; Inner { byte; long; byte }; short }; int }, the middle one twice in an inline array
/// behind it: paddings on each level.
class ClosedValues : public testing::Test {
 protected:
  ClosedValues() {
    using enum ElementType;
    const auto inner = m_types.addStruct("Inner", {{"a", U1}, {"b", I8}, {"c", U1}});
    const auto middle = m_types.addStruct("Middle", {{"m", U1}, TypesInMemory::value("inner", inner), {"s", I2}});
    const auto pair = m_types.addStruct("Pair", {TypesInMemory::value("first", middle)});
    m_types.declaration(pair).inlineArrayLength = 2;
    m_outer = m_types.addStruct(
        "Outer", {{"x", U1}, TypesInMemory::value("middle", middle), {"y", I4}, TypesInMemory::value("pair", pair)});
  }

  TypeLayout closedBelow(std::size_t levels) {
    LayoutRules rules(m_types, {});
    TypeLayout layout = rules.layoutOf(m_outer).value();
    closeValuesBelow(layout, levels);
    return layout;
  }
  static std::uint32_t drawnBytes(const TypeLayout& layout) {
    std::uint32_t bytes = 0;
    for (const Padding& padding : layout.paddings) bytes += padding.sizeBytes;
    return bytes;
  }

  static constexpr std::uint32_t kOwn = 7 + 4;       // behind x and y
  static constexpr std::uint32_t kInMiddle = 7 + 6;  // behind m and s
  static constexpr std::uint32_t kInInner = 7 + 7;   // behind a and c
  static constexpr std::uint32_t kNested = 3 * (kInMiddle + kInInner);

  TypesInMemory m_types;
  ClosedTypeId m_outer;
};

TEST_F(ClosedValues, KeepTheSumsWhateverIsClosed) {
  for (const std::size_t levels : {0, 1, 2, 3, 9}) {
    const TypeLayout layout = closedBelow(levels);
    EXPECT_EQ(layout.ownPaddingBytes, kOwn);
    EXPECT_EQ(layout.nestedPaddingBytes, kNested);
    EXPECT_EQ(closedPaddingBytes(layout), layout.paddingBytes() - drawnBytes(layout));
  }
}

TEST_F(ClosedValues, ShowOwnPaddingAloneWhereNoneIsOpen) {
  const TypeLayout layout = closedBelow(0);
  for (const LayoutField& field : layout.fields) EXPECT_TRUE(field.nested.empty()) << field.name;
  EXPECT_EQ(drawnBytes(layout), kOwn);
}

TEST_F(ClosedValues, OpenAsManyLevelsAsAreAskedFor) {
  const TypeLayout one = closedBelow(1);
  ASSERT_EQ(one.fields[1].nested.size(), 3u);
  EXPECT_TRUE(one.fields[1].nested[1].nested.empty());
  EXPECT_EQ(drawnBytes(one), kOwn + kInMiddle);
  // Both elements of the inline array are on the second level.
  EXPECT_EQ(drawnBytes(closedBelow(2)), kOwn + 3 * kInMiddle + kInInner);
  EXPECT_EQ(drawnBytes(closedBelow(3)), kOwn + kNested);
}

TEST_F(ClosedValues, OfArraysBeginWithTheFieldsOfAnElement) {
  LayoutRules rules(m_types, {});
  TypeLayout array;
  array.kind = TypeKind::Array;
  array.elementLayout = {rules.layoutOf(m_outer).value()};
  closeValuesBelow(array, 0);
  EXPECT_EQ(array.elementLayout.front().fields.size(), 4u);
  EXPECT_EQ(drawnBytes(array.elementLayout.front()), kOwn);
}

}  // namespace
}  // namespace heapscape::engine
