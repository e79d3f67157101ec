// SPDX-License-Identifier: MIT
// Layouts that are compared: with what the rules give, and with those of another dump or assembly.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "output/layouts/layout_reports.h"
#include "written.h"

namespace heapscape::engine {
namespace {

using test::written;
using test::writtenJson;

FieldDifference changedField(const char* name, FieldChange change, std::optional<std::uint32_t> before,
                             std::optional<std::uint32_t> after) {
  FieldDifference field;
  field.declaringType = "Zoo.Order";
  field.name = name;
  field.change = change;
  field.offsetBefore = before;
  field.offsetAfter = after;
  return field;
}

ComparedLayout changedType(std::vector<FieldDifference> fields) {
  ComparedLayout type{.type = "Zoo.Order", .assembly = "Zoo.dll", .before = {1}, .after = {2}, .difference = {}};
  type.instanceBytesBefore = 40;
  type.instanceBytesAfter = 32;
  type.paddingBefore = 9;
  type.paddingAfter = 1;
  type.difference.fields = std::move(fields);
  return type;
}

ComparedLayout oneSided(const char* name, bool isBefore) {
  ComparedLayout type{.type = name, .assembly = "Zoo.dll", .before = {}, .after = {}, .difference = {}};
  (isBefore ? type.before : type.after) = {7};
  (isBefore ? type.instanceBytesBefore : type.instanceBytesAfter) = 24;
  (isBefore ? type.paddingBefore : type.paddingAfter) = 3;
  return type;
}

std::string comparisonText(const LayoutComparison& comparison, std::size_t limit = SIZE_MAX) {
  return written([&](Output& output) { writeLayoutComparison(output, comparison, limit); });
}

std::string changeTextOf(ComparedLayout type) {
  LayoutComparison comparison;
  comparison.changed = {std::move(type)};
  return comparisonText(comparison);
}

TEST(LayoutComparisonText, NothingComparedIsOneLine) {
  EXPECT_EQ(comparisonText({}), "0 types laid out alike, 0 otherwise; 0 added, 0 removed.\n");
}

TEST(LayoutComparisonText, FieldsSayWhereTheyWereAndAre) {
  const std::string text = changeTextOf(changedType(
      {changedField("Id", FieldChange::Moved, 16, 8), changedField("Tax", FieldChange::Added, std::nullopt, 0),
       changedField("Code", FieldChange::Removed, 24, std::nullopt), changedField("Kept", FieldChange::Same, 4, 4),
       changedField("Sum", FieldChange::Resized, 12, 12)}));
  EXPECT_NE(text.find("\nChanged\nType       Size before  Size after  Padding before  Padding after  Fields\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("Zoo.Order           40          32               9              1  Id moved 16 → 8, Tax added - "
                      "→ 0, Code removed 24 → -, "
                      "Sum resized\n"),
            std::string::npos)
      << text;
}

TEST(LayoutComparisonText, OfManyFieldsFourAreNamed) {
  std::vector<FieldDifference> fields;
  for (const char* name : {"a", "b", "c", "d", "e", "f"})
    fields.push_back(changedField(name, FieldChange::Retyped, 0, 0));
  EXPECT_NE(changeTextOf(changedType(fields)).find("a retyped, b retyped, c retyped, d retyped and 2 more\n"),
            std::string::npos);
  fields.resize(4);
  EXPECT_NE(changeTextOf(changedType(fields)).find("d retyped\n"), std::string::npos);
}

TEST(LayoutComparisonText, WithoutChangedFieldsItSaysWhatElseChanged) {
  ComparedLayout type = changedType({changedField("Kept", FieldChange::Same, 4, 4)});
  EXPECT_NE(changeTextOf(type).find("paddings or references\n"), std::string::npos);
  type.difference.kindChanged = true;
  EXPECT_NE(changeTextOf(type).find("other layout kind\n"), std::string::npos);
}

TEST(LayoutComparisonText, EachListEndsAtTheLimit) {
  LayoutComparison comparison;
  comparison.same = 1'234;
  comparison.changed.assign(3, changedType({}));
  comparison.added = {oneSided("Zoo.New", false), oneSided("Zoo.Newer", false)};
  comparison.removed = {oneSided("Zoo.Old", true)};
  comparison.failures = {"one"};
  EXPECT_EQ(comparisonText(comparison, 1),
            "1,234 types laid out alike, 3 otherwise; 2 added, 1 removed.\n"
            "\n"
            "Changed\n"
            "Type       Size before  Size after  Padding before  Padding after  Fields\n"
            "Zoo.Order           40          32               9              1  paddings or references\n"
            "and 2 more types.\n"
            "\n"
            "Added\n"
            "Type     Size after  Padding after\n"
            "Zoo.New          24              3\n"
            "and 1 more type.\n"
            "\n"
            "Removed\n"
            "Type     Size before  Padding before\n"
            "Zoo.Old           24               3\n"
            "1 type could not be laid out, see --json.\n");
  EXPECT_EQ(comparisonText(comparison, 3).find("more type"), std::string::npos);
}

TEST(LayoutComparisonJson, EachSideHasItsOwnFigures) {
  LayoutComparison comparison;
  comparison.same = 5;
  comparison.changed = {changedType({changedField("Id", FieldChange::Moved, 16, 8),
                                     changedField("Tax", FieldChange::Added, std::nullopt, 0),
                                     changedField("Kept", FieldChange::Same, 4, 4)})};
  comparison.changed[0].type = "Zoo.Box<System.Int32>";
  comparison.added = {oneSided("Zoo.New", false), oneSided("Zoo.Newer", false)};
  comparison.removed = {oneSided("Zoo.Old", true)};
  comparison.failures = {"Zoo.Odd: \"why\""};
  const auto json = nlohmann::json::parse(writtenJson([&](JsonWriter& writer) {
                      writeLayoutComparison(writer, comparison, 1);
                    })).at("comparison");
  EXPECT_EQ(json.at("same"), 5);
  EXPECT_EQ(json.at("addedTypes"), 2) << "all of them, whatever the limit";
  ASSERT_EQ(json.at("added").size(), 1u);
  const auto& changed = json.at("changed").at(0);
  EXPECT_EQ(changed.at("name"), "Zoo.Box<System.Int32>");
  EXPECT_NE(changed.at("type"), changed.at("name")) << "as metadata spells it";
  EXPECT_EQ(changed.at("sizeBefore"), 40);
  EXPECT_EQ(changed.at("paddingAfter"), 1);
  EXPECT_EQ(changed.at("kindChanged"), false);
  ASSERT_EQ(changed.at("fields").size(), 2u);
  EXPECT_EQ(changed.at("fields").at(0).at("change"), "moved");
  EXPECT_TRUE(changed.at("fields").at(1).at("offsetBefore").is_null());
  EXPECT_EQ(changed.at("fields").at(1).at("offsetAfter"), 0);
  EXPECT_FALSE(json.at("added").at(0).contains("sizeBefore"));
  EXPECT_FALSE(json.at("added").at(0).contains("fields"));
  EXPECT_EQ(json.at("removed").at(0).at("sizeBefore"), 24);
  EXPECT_FALSE(json.at("removed").at(0).contains("sizeAfter"));
  EXPECT_EQ(json.at("failures").at(0), "Zoo.Odd: \"why\"");
}

LayoutCheck checkOf(std::size_t different, std::size_t notComputed) {
  LayoutCheck check{.compared = 1'512, .equal = 1'512 - different, .different = {}, .notComputed = {}};
  for (std::size_t i = 0; i < different; ++i)
    check.different.push_back({"Zoo.T" + std::to_string(i), Address{0x7f00 + i}, "Total: offset 8, by the rules 16"});
  for (std::size_t i = 0; i < notComputed; ++i)
    check.notComputed.push_back({"Zoo.U" + std::to_string(i), {}, "its metadata is missing"});
  return check;
}

TEST(LayoutCheckReport, SummaryTellsHowManyAreAsTheRulesGiveThem) {
  EXPECT_EQ(summaryOf(checkOf(0, 0)), "Layouts: 1,512 of 1,512 types as the rules give them.");
  EXPECT_EQ(summaryOf(checkOf(12, 3)),
            "Layouts: 1,500 of 1,512 types as the rules give them, 3 could not be computed.");
}

TEST(LayoutCheckReport, ListsEndAtTheLimit) {
  const auto text = [](const LayoutCheck& check, std::size_t limit) {
    return written([&](Output& output) { writeLayoutCheck(output, check, limit); });
  };
  EXPECT_EQ(text(checkOf(0, 0), 5), summaryOf(checkOf(0, 0)) + "\n");
  EXPECT_EQ(text(checkOf(3, 1), 2), summaryOf(checkOf(3, 1)) +
                                        "\n\nDifferent  What\n"
                                        "Zoo.T0     Total: offset 8, by the rules 16\n"
                                        "Zoo.T1     Total: offset 8, by the rules 16\n"
                                        "and 1 more type.\n"
                                        "\nNot computed  What\n"
                                        "Zoo.U0        its metadata is missing\n");
}

TEST(LayoutCheckReport, JsonHasAllRowsUnderTheNameAskedFor) {
  const auto json = nlohmann::json::parse(
      writtenJson([](JsonWriter& writer) { writeLayoutCheck(writer, "layouts", checkOf(2, 0)); }));
  EXPECT_EQ(json.at("layouts").at("compared"), 1'512);
  EXPECT_EQ(json.at("layouts").at("equal"), 1'510);
  EXPECT_EQ(json.at("layouts").at("different").at(1).at("methodTable"), "0x7f01");
  EXPECT_EQ(json.at("layouts").at("notComputed"), nlohmann::json::array());
}

}  // namespace
}  // namespace heapscape::engine
