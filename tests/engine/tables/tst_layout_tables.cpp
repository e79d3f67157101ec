// SPDX-License-Identifier: MIT
// Types whose layouts are compared, and the fields that differ, as rows.
#include <gtest/gtest.h>

#include <limits>

#include "named_cell.h"
#include "tables/layout_tables.h"

namespace heapscape::engine {
namespace {

using test::cellOf;
using test::textIn;

FieldDifference differenceOf(const char* name, FieldChange change) {
  FieldDifference field;
  field.declaringType = "Shop.Box<System.Int32>";
  field.name = name;
  field.change = change;
  return field;
}

ComparedLayout comparedOf(LayoutTypeId before, LayoutTypeId after) {
  ComparedLayout type{.type = "Shop.Box<System.Int32>",
                      .assembly = "Shop.dll",
                      .before = before,
                      .after = after,
                      .instanceBytesBefore = 40,
                      .instanceBytesAfter = 0,
                      .difference = {}};
  type.difference.kindChanged = true;
  return type;
}

TEST(ComparedLayoutRows, ASideThatLacksTheTypeHasNoFigures) {
  const ComparedLayout removed = comparedOf({1}, {});
  EXPECT_EQ(cellOf(comparedLayoutsTable(), removed, "sizeBefore"), Cell(std::uint64_t{40}));
  EXPECT_EQ(cellOf(comparedLayoutsTable(), removed, "paddingBefore"), Cell(std::uint64_t{0})) << "0 is a figure";
  EXPECT_TRUE(cellOf(comparedLayoutsTable(), removed, "sizeAfter").isNothing());
  EXPECT_TRUE(cellOf(comparedLayoutsTable(), removed, "paddingAfter").isNothing());
  const ComparedLayout added = comparedOf({}, {1});
  EXPECT_TRUE(cellOf(comparedLayoutsTable(), added, "sizeBefore").isNothing());
  EXPECT_EQ(cellOf(comparedLayoutsTable(), added, "sizeAfter"), Cell(std::uint64_t{0}));
}

TEST(ComparedLayoutRows, OnlyWhatBothSidesHaveCanDiffer) {
  EXPECT_EQ(cellOf(comparedLayoutsTable(), comparedOf({1}, {2}), "kindChanged"), Cell(true));
  EXPECT_TRUE(cellOf(comparedLayoutsTable(), comparedOf({1}, {}), "kindChanged").isNothing());
  EXPECT_EQ(cellOf(comparedLayoutsTable(), comparedOf({}, {2}), "changes"), Cell(""));
  const Table table =
      comparedLayoutsTable().with(std::vector{comparedOf({1}, {}), comparedOf({}, {2}), comparedOf({1}, {2})});
  EXPECT_TRUE(table.inner(0).empty());
  EXPECT_TRUE(table.inner(1).empty());
  EXPECT_EQ(table.inner(2).size(), 1u);
}

TEST(ComparedLayoutRows, FieldsThatStayedAreNotListed) {
  ComparedLayout type = comparedOf({1}, {2});
  type.difference.fields = {differenceOf("kept", FieldChange::Same), differenceOf("moved", FieldChange::Moved),
                            differenceOf("kept too", FieldChange::Same), differenceOf("gone", FieldChange::Removed)};
  const Table fields = comparedLayoutsTable().with(std::vector{type}).inner(0).front();
  ASSERT_EQ(fields.rows, 2u);
  EXPECT_EQ(textIn(fields, 0, "name"), "moved");
  EXPECT_EQ(textIn(fields, 0, "change"), "moved");
  EXPECT_EQ(textIn(fields, 1, "change"), "removed");
}

TEST(ComparedLayoutRows, NamesAreToldInBothForms) {
  const ComparedLayout type = comparedOf({1}, {2});
  EXPECT_EQ(cellOf(comparedLayoutsTable(), type, "type"), Cell("Shop.Box<System.Int32>"));
  EXPECT_EQ(cellOf(comparedLayoutsTable(), type, "metadataName"), Cell("Shop.Box`1<System.Int32>"));
}

TEST(FieldDifferenceRows, WhatASideLacksIsUnknownAndZeroIsAnOffset) {
  FieldDifference field = differenceOf("Tax", FieldChange::Added);
  field.offsetAfter = 0;
  field.sizeAfter = std::numeric_limits<std::uint32_t>::max();
  field.typeAfter = "System.Collections.Generic.List<System.String>";
  EXPECT_TRUE(cellOf(fieldDifferencesTable(), field, "offsetBefore").isUnknown());
  EXPECT_TRUE(cellOf(fieldDifferencesTable(), field, "sizeBefore").isUnknown());
  EXPECT_EQ(cellOf(fieldDifferencesTable(), field, "offsetAfter"), Cell(std::uint64_t{0}));
  EXPECT_EQ(toString(cellOf(fieldDifferencesTable(), field, "sizeAfter")), "4294967295");
  EXPECT_EQ(cellOf(fieldDifferencesTable(), field, "typeBefore"), Cell(""));
  EXPECT_EQ(toString(cellOf(fieldDifferencesTable(), field, "typeAfter")),
            "System.Collections.Generic.List`1<System.String>");
}

}  // namespace
}  // namespace heapscape::engine
