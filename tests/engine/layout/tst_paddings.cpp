// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <chrono>

#include "layout/padding.h"

namespace heapscape::engine {
namespace {

LayoutField field(std::uint32_t offset, std::uint32_t sizeBytes) {
  LayoutField made;
  made.name = "at" + std::to_string(offset);
  made.offset = offset;
  made.sizeBytes = sizeBytes;
  return made;
}

/// Offsets of `nested` count from the start of the whole, as everywhere.
LayoutField value(std::string typeName, std::uint32_t offset, std::uint32_t sizeBytes, std::vector<LayoutField> nested,
                  std::uint32_t repeat = 1) {
  LayoutField made = field(offset, sizeBytes);
  made.kind = FieldKind::ValueType;
  made.typeName = std::move(typeName);
  made.nested = std::move(nested);
  made.repeat = repeat;
  return made;
}

TypeLayout layoutOf(std::uint32_t fieldsBytes, std::vector<LayoutField> fields) {
  TypeLayout layout;
  layout.typeName = "Outer";
  layout.fieldsBytes = fieldsBytes;
  layout.fields = std::move(fields);
  findPaddings(layout);
  return layout;
}

struct Expected {
  std::uint32_t offset;
  std::uint32_t sizeBytes;
  std::string in;
};

void expectPaddings(const TypeLayout& layout, const std::vector<Expected>& expected) {
  ASSERT_EQ(layout.paddings.size(), expected.size());
  std::uint32_t own = 0;
  std::uint32_t nested = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Padding& padding = layout.paddings[i];
    EXPECT_EQ(padding.offset, expected[i].offset);
    EXPECT_EQ(padding.sizeBytes, expected[i].sizeBytes);
    EXPECT_EQ(padding.in, expected[i].in);
    EXPECT_EQ(padding.isNested, expected[i].in != "Outer");
    (padding.isNested ? nested : own) += padding.sizeBytes;
  }
  EXPECT_EQ(layout.ownPaddingBytes, own);
  EXPECT_EQ(layout.nestedPaddingBytes, nested);
}

TEST(FindPaddings, FindsNoneWhereFieldsTouch) {
  expectPaddings(layoutOf(16, {field(0, 8), field(8, 4), field(12, 4)}), {});
  expectPaddings(layoutOf(0, {}), {});
}

TEST(FindPaddings, FindsThoseBeforeBetweenAndBehind) {
  expectPaddings(layoutOf(24, {field(4, 4), field(9, 1), field(12, 8)}),
                 {{0, 4, "Outer"}, {8, 1, "Outer"}, {10, 2, "Outer"}, {20, 4, "Outer"}});
}

TEST(FindPaddings, CallsAnEmptyTypesBytesPadding) {
  expectPaddings(layoutOf(1, {}), {{0, 1, "Outer"}});
}

TEST(FindPaddings, GivesInnerBytesToTheInnerType) {
  expectPaddings(layoutOf(32, {field(0, 1), value("Inner", 8, 16, {field(8, 1), field(16, 4)}), field(24, 2)}),
                 {{1, 7, "Outer"}, {9, 7, "Inner"}, {20, 4, "Inner"}, {26, 6, "Outer"}});
}

TEST(FindPaddings, GoesDownToTheInnermost) {
  const LayoutField innermost = value("Innermost", 8, 8, {field(8, 1)});
  expectPaddings(layoutOf(24, {value("Inner", 8, 16, {innermost, field(16, 4)})}),
                 {{0, 8, "Outer"}, {9, 7, "Innermost"}, {20, 4, "Inner"}});
}

TEST(FindPaddings, SplitsAHoleThatEndsOneValueAndBeginsTheNext) {
  expectPaddings(layoutOf(16, {value("A", 0, 8, {field(0, 4)}), value("B", 8, 8, {field(12, 4)})}),
                 {{4, 4, "A"}, {8, 4, "B"}});
}

TEST(FindPaddings, CountsBytesOfOneOfSeveralOverlappingFieldsAsUsed) {
  expectPaddings(layoutOf(16, {field(0, 1), field(0, 8), field(4, 2), field(6, 1)}), {{8, 8, "Outer"}});
  expectPaddings(layoutOf(8, {value("A", 0, 8, {field(0, 2)}), value("B", 0, 8, {field(4, 4)})}), {{2, 2, "A"}});
}

TEST(FindPaddings, RepeatsTheElementsOfAnInlineArray) {
  expectPaddings(layoutOf(32, {value("Pair", 0, 8, {field(0, 1), field(4, 4)}, 3)}),
                 {{1, 3, "Pair"}, {9, 3, "Pair"}, {17, 3, "Pair"}, {24, 8, "Outer"}});
  LayoutField bytes = field(0, 1);
  bytes.repeat = 13;
  expectPaddings(layoutOf(16, {bytes}), {{13, 3, "Outer"}});
}

TEST(FindPaddings, StaysInsideTheTypeWhateverItsFieldsSay) {
  const TypeLayout layout = layoutOf(16, {field(8, 0xffffffff), field(0xfffffff0, 0xffffffff)});
  expectPaddings(layout, {{0, 8, "Outer"}});
  LayoutField many = field(0, 0x80000000);
  many.repeat = 0xffffffff;
  expectPaddings(layoutOf(16, {many}), {});
  expectPaddings(layoutOf(8, {value("Beyond", 64, 8, {field(64, 4)})}), {{0, 8, "Outer"}});
}

TEST(FindPaddings, AreWholeForAnArrayTooLongToWalkEachElement) {
  const TypeLayout layout = layoutOf(800'000, {value("Pair", 0, 8, {field(0, 1), field(4, 4)}, 100'000)});
  EXPECT_LE(layout.paddingBytes(), 300'000u);
}

TEST(FindPaddings, TakesNoLongTimeOverManyFields) {
  std::vector<LayoutField> fields;
  for (std::uint32_t i = 0; i < 16'000; ++i) fields.push_back(value("Value", i * 8, 4, {field(i * 8, 1)}));
  const auto start = std::chrono::steady_clock::now();
  const TypeLayout layout = layoutOf(16'000 * 8, std::move(fields));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  EXPECT_EQ(layout.ownPaddingBytes, 16'000u * 4);
  EXPECT_EQ(layout.nestedPaddingBytes, 16'000u * 3);
}

}  // namespace
}  // namespace heapscape::engine
