// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <sstream>

#include "output/layouts/layout_box.h"
#include "output/text.h"
#include "support/hand_made_layouts.h"
#include "written.h"

namespace heapscape::engine {
namespace {

using test::written;

std::string boxText(const TextBox& box, std::size_t minimumWidth = 0) {
  std::string text;
  for (const std::string& line : box.draw(minimumWidth)) text += line + '\n';
  return text;
}

LayoutVariant variant(RuleSet rules, TypeLayout layout) {
  LayoutVariant made{.question = {.rules = rules}, .layout = std::move(layout)};
  made.question.runtimeMajor = 8;
  return made;
}

// The same without its padding: flag and number have changed places.
TypeLayout tightOrder() {
  TypeLayout layout = handmade::order();
  layout.baseSize = 24;
  layout.fieldsBytes = 8;
  layout.fields = {handmade::field("Id", 0, 4), handmade::field("Paid", 4, 1)};
  layout.paddings = {{5, 3, "Zoo.Order", false}};
  return layout;
}

std::string columnsText(const std::vector<LayoutVariant>& layouts) {
  return written([&](Output& output) { writeLayoutColumns(output, layouts); });
}

std::vector<std::string> linesIn(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(TextBox, RightBarsAreInOneLine) {
  TextBox box;
  box.addRule('=');
  box.addRow("ä");
  box.addRule('-', "title");
  box.addRow("longer row");
  EXPECT_EQ(boxText(box),
            "|============|\n"
            "| ä          |\n"
            "|-- title ---|\n"
            "| longer row |\n");
}

TEST(TextBox, TitleOfARuleHasRoom) {
  TextBox box;
  box.addRow("x");
  box.addRule('-', "a long title");
  const std::vector<std::string> lines = box.draw();
  EXPECT_EQ(lines[1].substr(0, 17), "|-- a long title ");
  EXPECT_EQ(lines[0].size(), lines[1].size());
}

TEST(TextBox, BoxesWithinBoxesMakeTheOuterOnesWide) {
  TextBox innermost;
  innermost.addRow("the widest of all");
  TextBox inner;
  inner.addBox(innermost);
  TextBox box;
  box.addRow("x");
  box.addBox(inner);
  EXPECT_EQ(boxText(box),
            "| x                             |\n"
            "|   |   | the widest of all | | |\n");
}

TEST(TextBox, IsAsWideAsAskedForAtLeast) {
  TextBox box;
  box.addRow("x");
  EXPECT_EQ(boxText(box, 9), "| x     |\n");
  EXPECT_EQ(boxText(box, 2), "| x |\n");
  EXPECT_EQ(boxText(TextBox(), 20), "");
}

TEST(LayoutColumns, CaptionsNameTheRulesAndWhatDiffers) {
  LayoutVariant made = variant(RuleSet::Best, handmade::order());
  EXPECT_EQ(captionOf(made, false), "best");
  EXPECT_EQ(captionOf(made, true), ".NET 8, best");
  made.question.pack = 1;
  EXPECT_EQ(captionOf(made, true), ".NET 8, best, Pack=1");
  made.question.runtimeMajor.reset();
  EXPECT_EQ(captionOf(made, true), "best, Pack=1");
}

TEST(LayoutColumns, EachSaysWhatItSavesAgainstTheFirst) {
  const auto lines =
      linesIn(columnsText({variant(RuleSet::Actual, handmade::order()), variant(RuleSet::Best, tightOrder())}));
  ASSERT_GT(lines.size(), 4u);
  EXPECT_NE(lines[0].find("'Zoo.Order'"), std::string::npos);
  EXPECT_EQ(lines[1].substr(0, 6), "actual");
  EXPECT_NE(lines[1].find("   best"), std::string::npos);
  EXPECT_NE(lines[2].find("32 bytes  "), std::string::npos);
  EXPECT_NE(lines[2].find("24 bytes, 8 fewer than 32"), std::string::npos);
  EXPECT_NE(lines[3].find("padding 3, 18% of the fields"), std::string::npos) << "3 of 16";
}

TEST(LayoutColumns, WhatTakesMoreSaysSo) {
  const std::string text =
      columnsText({variant(RuleSet::Best, tightOrder()), variant(RuleSet::Actual, handmade::order())});
  EXPECT_NE(text.find("32 bytes, 8 more than 24"), std::string::npos) << text;
}

TEST(LayoutColumns, FieldsThatMovedAndCacheLinesAreMarked) {
  const std::string text =
      columnsText({variant(RuleSet::Actual, handmade::order()), variant(RuleSet::Best, tightOrder())});
  EXPECT_NE(text.find("Id (4 bytes) ↕ was 8-11"), std::string::npos) << text;
  EXPECT_NE(text.find("Paid (1 byte) ↕ was 12"), std::string::npos) << text;
  EXPECT_EQ(columnsText({variant(RuleSet::Best, tightOrder())}).find("↕"), std::string::npos);
}

TEST(LayoutColumns, BoxesBeginInOneColumnAndNoLineEndsInBlanks) {
  const auto lines =
      linesIn(columnsText({variant(RuleSet::Best, tightOrder()), variant(RuleSet::Actual, handmade::order())}));
  std::size_t column = std::string::npos;
  for (const std::string& line : lines) {
    EXPECT_TRUE(line.empty() || line.back() != ' ') << line;
    const std::size_t second = line.rfind("|=");
    if (line.find("|=") == second || second == std::string::npos) continue;
    const std::size_t width = textWidth(line.substr(0, second));
    EXPECT_TRUE(column == std::string::npos || width == column) << line;
    column = width;
  }
  EXPECT_NE(column, std::string::npos);
}

TEST(LayoutColumns, ARemarkIsWrappedToTheBox) {
  LayoutVariant remarked = variant(RuleSet::Sequential, handmade::order());
  remarked.remark = "the runtime keeps auto layout:\tCustomer is a reference and so the attribute says nothing to it";
  const auto lines = linesIn(columnsText({remarked}));
  std::string words;
  std::size_t at = 4;
  for (; lines[at].front() != '|'; ++at) {
    EXPECT_LE(textWidth(lines[at]), textWidth(lines.back())) << lines[at];
    words += (words.empty() ? "" : " ") + lines[at];
  }
  EXPECT_EQ(words, printable(remarked.remark)) << "no word is lost or cut";
  EXPECT_GT(at, 6u);
}

TEST(LayoutColumns, RuntimesAreNamedOnlyWhereTheyDiffer) {
  std::vector<LayoutVariant> layouts{variant(RuleSet::Declared, handmade::order()),
                                     variant(RuleSet::Declared, handmade::order())};
  EXPECT_EQ(columnsText(layouts).find(".NET"), std::string::npos);
  layouts[1].question.runtimeMajor = 10;
  const std::string text = columnsText(layouts);
  EXPECT_NE(text.find(".NET 8, declared"), std::string::npos) << text;
  EXPECT_NE(text.find(".NET 10, declared"), std::string::npos) << text;
}

}  // namespace
}  // namespace heapscape::engine
