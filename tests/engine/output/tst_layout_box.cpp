// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "output/layouts/layout_box.h"
#include "support/hand_made_layouts.h"

namespace heapscape::engine {
namespace {

std::string drawn(const TypeLayout& layout, const LayoutBoxMarks& marks = {}) {
  std::string text;
  for (const std::string& line : layoutBox(layout, marks).draw()) text += line + '\n';
  return text;
}

TEST(LayoutBox, ObjectBeginsWithHeaderAndEndsWithPadding) {
  EXPECT_EQ(drawn(handmade::order()),
            "|====================================|\n"
            "| Object header (8 bytes)            |\n"
            "|------------------------------------|\n"
            "| Method table pointer (8 bytes)     |\n"
            "|====================================|\n"
            "|   0-7: Customer Customer (8 bytes) |\n"
            "|------------------------------------|\n"
            "|  8-11: Int32 Id (4 bytes)          |\n"
            "|------------------------------------|\n"
            "|    12: Boolean Paid (1 byte)       |\n"
            "|------------------------------------|\n"
            "| 13-15: padding (3 bytes)           |\n"
            "|====================================|\n");
}

TEST(LayoutBox, FieldsOfAUnionSayThatTheyOverlap) {
  EXPECT_EQ(drawn(handmade::unionOfFields()),
            "|========================================|\n"
            "|   0-7: Int32 whole (8 bytes, overlaps) |\n"
            "|----------------------------------------|\n"
            "|   0-3: Int32 low (4 bytes, overlaps)   |\n"
            "|----------------------------------------|\n"
            "|   4-7: Int32 high (4 bytes, overlaps)  |\n"
            "|----------------------------------------|\n"
            "|     7: Int32 top (1 byte, overlaps)    |\n"
            "|========================================|\n");
}

TEST(LayoutBox, PaddingInsideAValueLiesInItsBox) {
  EXPECT_EQ(drawn(handmade::priced()),
            "|======================================|\n"
            "| Object header (8 bytes)              |\n"
            "|--------------------------------------|\n"
            "| Method table pointer (8 bytes)       |\n"
            "|======================================|\n"
            "|   0-7: String Name (8 bytes)         |\n"
            "|--------------------------------------|\n"
            "|  8-23: Price Price (16 bytes)        |\n"
            "|   |================================| |\n"
            "|   |     0: Int32 Currency (1 byte) | |\n"
            "|   |--------------------------------| |\n"
            "|   |   1-7: padding (7 bytes)       | |\n"
            "|   |--------------------------------| |\n"
            "|   |  8-15: Int32 Amount (8 bytes)  | |\n"
            "|   |================================| |\n"
            "|======================================|\n");
}

TEST(LayoutBox, FieldsInARowAreOneRowAndOneBox) {
  TypeLayout layout = handmade::priced();
  layout.baseSize = 56;
  layout.fieldsBytes = 40;
  layout.fields[1].repeat = 2;
  layout.paddings = {{9, 7, "Zoo.Price", true}, {25, 7, "Zoo.Price", true}};
  EXPECT_EQ(drawn(layout),
            "|======================================|\n"
            "| Object header (8 bytes)              |\n"
            "|--------------------------------------|\n"
            "| Method table pointer (8 bytes)       |\n"
            "|======================================|\n"
            "|   0-7: String Name (8 bytes)         |\n"
            "|--------------------------------------|\n"
            "|  8-39: Price × 2 Price (32 bytes)    |\n"
            "|   |================================| |\n"
            "|   |     0: Int32 Currency (1 byte) | |\n"
            "|   |--------------------------------| |\n"
            "|   |   1-7: padding (7 bytes)       | |\n"
            "|   |--------------------------------| |\n"
            "|   |  8-15: Int32 Amount (8 bytes)  | |\n"
            "|   |================================| |\n"
            "|======================================|\n");
}

TEST(LayoutBox, ArrayShowsItsLengthAndOneElement) {
  EXPECT_EQ(drawn(handmade::prices()),
            "|=======================================|\n"
            "| Object header (8 bytes)               |\n"
            "|---------------------------------------|\n"
            "| Method table pointer (8 bytes)        |\n"
            "|=======================================|\n"
            "|   0-7: length (8 bytes)               |\n"
            "|=======================================|\n"
            "|    8-: Price elements (16 bytes each) |\n"
            "|   |=================================| |\n"
            "|   |     0: Int32 Currency (1 byte)  | |\n"
            "|   |---------------------------------| |\n"
            "|   |   1-7: padding (7 bytes)        | |\n"
            "|   |---------------------------------| |\n"
            "|   |  8-15: Int32 Amount (8 bytes)   | |\n"
            "|   |=================================| |\n"
            "|=======================================|\n");
}

TEST(LayoutBox, FieldsThatMovedSayWhereTheyWere) {
  TypeLayout moved = handmade::order();
  moved.fields[1].offset = 12;
  moved.fields[2].offset = 8;
  std::swap(moved.fields[1], moved.fields[2]);
  moved.paddings = {{9, 3, "Zoo.Order", false}};
  const TypeLayout before = handmade::order();
  const std::string text = drawn(moved, {.before = &before});
  EXPECT_NE(text.find("Id (4 bytes) ↕ was 8-11"), std::string::npos) << text;
  EXPECT_EQ(text.find("Customer (8 bytes) ↕"), std::string::npos) << text;
}

TEST(LayoutBox, CacheLinesCountFromTheObjectsAddress) {
  TypeLayout layout = handmade::order();
  layout.fields = {handmade::field("head", 0, 52), handmade::field("across", 52, 8), handmade::field("tail", 60, 4)};
  layout.paddings.clear();
  layout.fieldsBytes = 64;
  layout.baseSize = 80;
  const std::string text = drawn(layout, {.cacheLines = true});
  EXPECT_NE(text.find("across (8 bytes, in two cache lines)"), std::string::npos) << text;
  EXPECT_NE(text.find("-- 56 ── cache line "), std::string::npos) << text;
  EXPECT_EQ(drawn(layout).find("cache line"), std::string::npos);
}

TEST(LayoutBox, ClassesOfTheChainHaveTheirNamesInTheRules) {
  TypeLayout layout = handmade::order();
  layout.fields[2].declaringType = "Zoo.RushOrder";
  const std::string text = drawn(layout);
  EXPECT_NE(text.find("-- Zoo.Order -"), std::string::npos) << text;
  EXPECT_NE(text.find("-- Zoo.RushOrder -"), std::string::npos) << text;
}

}  // namespace
}  // namespace heapscape::engine
