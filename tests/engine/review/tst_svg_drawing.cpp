// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <regex>
#include <set>

#include "output/text.h"
#include "review/drawing_check.h"
#include "review/review_cells.h"
#include "review/svg_drawing.h"

namespace heapscape::engine {
namespace {

std::string svgOf(const std::function<void(SvgDrawing&)>& draw) {
  SvgDrawing drawing(100, 50);
  draw(drawing);
  return drawing.take("title").svg;
}

// All that a pattern finds, by its groups.
std::vector<std::vector<double>> numbersIn(const std::string& text, const std::string& pattern) {
  std::vector<std::vector<double>> all;
  const std::regex regex(pattern);
  for (std::sregex_iterator it(text.begin(), text.end(), regex); it != std::sregex_iterator(); ++it) {
    std::vector<double>& groups = all.emplace_back();
    for (std::size_t group = 1; group < it->size(); ++group) groups.push_back(std::stod((*it)[group]));
  }
  return all;
}

bool holdsText(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(SvgDrawing, WhateverIsDrawnIsADrawingThatReviewsTake) {
  const std::string names = "<b>\"&'\x01\n\xff name";
  const std::string svg = svgOf([&](SvgDrawing& drawing) {
    drawing.rect({1, 2, 30, 40}, SvgColour::Gen0, names, 0.5);
    drawing.frame({1, 2, -3, 40}, SvgColour::Line);
    drawing.hatch({1, 2, 30, 40}, SvgColour::Padding);
    drawing.dots({1, 2, 30, 40}, SvgColour::Free);
    drawing.line(0, 0, 10, 10, SvgColour::Line);
    drawing.text(5, 5, names, {.isBold = true, .isFixed = true});
  });
  const auto checked = checkedDrawing(svg);
  ASSERT_TRUE(checked) << checked.error().message();
  EXPECT_TRUE(holdsText(svg, "&lt;b&gt;&quot;&amp;&#39;")) << svg;
  EXPECT_FALSE(holdsText(svg, "\x01"));
  EXPECT_FALSE(holdsText(svg, "width=\"-")) << "no rectangle is less than nothing";
}

TEST(SvgDrawing, PictureKnowsItsSizeAndTitle) {
  const ReviewPicture picture = SvgDrawing(100, 50).take("a < b", true);
  EXPECT_EQ(picture.width, 100);
  EXPECT_EQ(picture.height, 50);
  EXPECT_TRUE(picture.holdsContents);
  EXPECT_TRUE(holdsText(picture.svg, "viewBox=\"0 0 100.00 50.00\"")) << picture.svg;
  EXPECT_TRUE(holdsText(picture.svg, "<title>a &lt; b</title>")) << picture.svg;
}

TEST(SvgDrawing, HatchingStaysInsideAndRunsAt45Degrees) {
  const TreemapRect area{10, 20, 37, 13};
  const std::string svg = svgOf([&](SvgDrawing& drawing) { drawing.hatch(area, SvgColour::Padding, 5); });
  const auto lines = numbersIn(svg, R"(M([-\d.]+) ([-\d.]+)L([-\d.]+) ([-\d.]+))");
  EXPECT_EQ(lines.size(), 10u) << "x + y from 30 up to 75, every 5";
  for (const std::vector<double>& line : lines) {
    EXPECT_NEAR(line[0] + line[1], line[2] + line[3], 0.011);
    EXPECT_NEAR(std::fmod(line[0] + line[1], 5), 0, 0.011);
    for (const std::size_t end : {std::size_t{0}, std::size_t{2}}) {
      EXPECT_TRUE(line[end] >= 9.99 && line[end] <= 47.01) << line[end];
      EXPECT_TRUE(line[end + 1] >= 19.99 && line[end + 1] <= 33.01) << line[end + 1];
    }
  }
}

TEST(SvgDrawing, DotsAreOneStepApartAndBounded) {
  const auto dots = [](const TreemapRect& area, double step) {
    return numbersIn(svgOf([&](SvgDrawing& drawing) { drawing.dots(area, SvgColour::Free, step); }),
                     R"(M([-\d.]+) ([-\d.]+)h1)");
  };
  EXPECT_EQ(dots({0, 0, 20, 10}, 5),
            (std::vector<std::vector<double>>{
                {2.5, 2.5}, {7.5, 2.5}, {12.5, 2.5}, {17.5, 2.5}, {2.5, 7.5}, {7.5, 7.5}, {12.5, 7.5}, {17.5, 7.5}}));
  EXPECT_EQ(dots({0, 0, 1'000, 1'000}, 1).size(), 20'000u) << "no file grows without bounds";
}

TEST(SvgDrawing, NothingIsDrawnWhereThereIsNoRoom) {
  const std::string empty = svgOf([](SvgDrawing&) {});
  for (const TreemapRect& area : {TreemapRect{0, 0, 0, 10}, TreemapRect{0, 0, 10, -1}})
    EXPECT_EQ(svgOf([&](SvgDrawing& drawing) {
                drawing.hatch(area, SvgColour::Padding);
                drawing.dots(area, SvgColour::Free);
                drawing.text(0, 0, "words", {.room = 3});
              }),
              empty);
  EXPECT_EQ(svgOf([](SvgDrawing& drawing) { drawing.dots({0, 0, 9, 9}, SvgColour::Free, 0); }), empty);
}

TEST(SvgText, ShortenedFitsAndCutsNoCharacterInTwo) {
  for (const char* text : {"Shop.Orders", "größer als", "名前名前名前", "iiiiiiii", "WWWWWWWW"}) {
    for (const bool isFixed : {false, true}) {
      EXPECT_EQ(shortened(text, 1e9, 10, isFixed), text);
      for (double room = 0; room < 120; room += 1) {
        const std::string cut = shortened(text, room, 10, isFixed);
        EXPECT_TRUE(cut.empty() || likelyWidth(cut, 10, isFixed) <= room) << cut;
        EXPECT_EQ(cut, validUtf8(cut));
        EXPECT_TRUE(cut.empty() || cut == text || (cut.ends_with("…") && textWidth(cut) >= 3)) << cut;
      }
    }
  }
}

TEST(SvgText, WidthGrowsWithSizeAndLetters) {
  EXPECT_EQ(likelyWidth("", 10), 0);
  EXPECT_DOUBLE_EQ(likelyWidth("abc", 20), 2 * likelyWidth("abc", 10));
  EXPECT_DOUBLE_EQ(likelyWidth("ilW", 10, true), 3 * likelyWidth("ß", 10, true)) << "fixed ones are all alike";
  EXPECT_LT(likelyWidth("iii", 10), likelyWidth("WWW", 10));
}

TEST(SvgColours, EachHasANameAndAColourOfItsOwn) {
  std::set<std::string> names;
  const std::string style = colourStyle();
  for (int i = 0; i <= static_cast<int>(SvgColour::Outline); ++i) {
    const SvgInk ink{static_cast<SvgColour>(i)};
    EXPECT_TRUE(names.insert(classOf(ink)).second) << classOf(ink);
    EXPECT_TRUE(holdsText(style, "--" + classOf(ink) + ":" + lightColour(ink) + ";")) << classOf(ink);
    EXPECT_TRUE(holdsText(style, ".f-" + classOf(inkOn(ink.colour)) + "{")) << classOf(ink);
  }
}

TEST(SvgColours, TextOnAColourIsTheOneThatReads) {
  EXPECT_EQ(lightColour(inkOn(SvgColour::Surface)), "#14171a");
  EXPECT_EQ(lightColour(inkOn(SvgColour::Text)), "#ffffff");
  EXPECT_EQ(lightColour(inkOn(SvgColour::Gen2)), "#ffffff");
  EXPECT_EQ(lightColour(inkOn(SvgColour::Pinned)), "#14171a");
  EXPECT_EQ(classOf(inkOn(SvgColour::Gen2)), "on-gen2");
}

TEST(ReviewCells, FiguresHaveTheirExactNumberBehindThem) {
  EXPECT_EQ(countCell(1'234).text, "1,234");
  EXPECT_EQ(bytesCell(1'536).text, "1.50 KB");
  EXPECT_EQ(bytesCell(1'536).number, 1'536);
  EXPECT_EQ(bytesCell(UINT64_MAX).number, INT64_MAX) << "as large as can be sorted by";
  EXPECT_EQ(savedBytesCell(512).text, "512 B");
  EXPECT_EQ(savedBytesCell(0).text, "0 B");
  EXPECT_EQ(savedBytesCell(-512).text, "−512 B");
  EXPECT_EQ(savedBytesCell(INT64_MIN).text, "−8.00 EB");
  EXPECT_EQ(savedBytesCell(INT64_MIN).number, INT64_MIN);
}

TEST(ReviewCells, SharesAreSortedByThousandths) {
  EXPECT_EQ(percentCell(1, 8).text, "12.5%");
  EXPECT_EQ(percentCell(1, 8).number, 12'500);
  EXPECT_EQ(percentCell(1, 1'000'000).text, "<0.1%");
  EXPECT_EQ(percentCell(999'999, 1'000'000).text, ">99.9%");
  EXPECT_EQ(percentCell(0, 0).text, "0%");
  EXPECT_EQ(percentCell(0, 0).number, 0);
}

TEST(ReviewCells, ContentsStandBesideWhatIsLeftWithoutThem) {
  const ReviewCell both = contentsCell(false, "thread 5 \"a\"", "thread 5");
  EXPECT_EQ(both.text, "thread 5 \"a\"");
  EXPECT_EQ(both.redacted, "thread 5");
  EXPECT_EQ(contentsCell(true, "thread 5 \"a\"", "thread 5").text, "thread 5");
  EXPECT_FALSE(contentsCell(false, "thread 5", "thread 5").redacted) << "it holds none";
  EXPECT_EQ(addressCell({}).text, "");
  EXPECT_EQ(addressCell(Address{0x10}).text, "0x10");
}

}  // namespace
}  // namespace heapscape::engine
