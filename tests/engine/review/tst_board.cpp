// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "review/board.h"
#include "sample_board.h"

namespace heapscape::engine::test {
namespace {

TEST(ReviewBoard, LosesContentsWhenRedactedAndSaysSo) {
  const ReviewBoard board = redacted(sampleBoard());
  EXPECT_EQ(writtenBoard(board).find(kSecret), std::string::npos);
  const auto& table = std::get<ReviewTable>(board.pages[1].content);
  ASSERT_EQ(table.columns.size(), 2u);
  EXPECT_EQ(table.columns[1].title, "Bytes");
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0].size(), 2u);
  EXPECT_EQ(table.rows[0][1].number, 1500);
  EXPECT_NE(board.pages[1].remark.find("Text"), std::string::npos);
  EXPECT_FALSE(board.pages[3].remark.empty());
}

TEST(ReviewBoard, PicturesAreRedactedInside) {
  ReviewBoard board = sampleBoard();
  const ReviewBoard clean = redacted(board);
  const auto& unmarked = std::get<ReviewPicture>(clean.pages[3].content);
  EXPECT_NE(unmarked.svg.find(kContentsLeftOut), std::string::npos) << unmarked.svg;
  EXPECT_EQ(unmarked.svg.find(kSecret), std::string::npos);
  EXPECT_FALSE(unmarked.holdsContents);

  auto& picture = std::get<ReviewPicture>(board.pages[3].content);
  picture.redactedSvg = "<svg><text>Shop.Order</text></svg>";
  const ReviewBoard marked = redacted(board);
  EXPECT_EQ(std::get<ReviewPicture>(marked.pages[3].content).svg, picture.redactedSvg);
  EXPECT_TRUE(std::get<ReviewPicture>(marked.pages[3].content).redactedSvg.empty());
  EXPECT_EQ(writtenBoard(marked).find(kSecret), std::string::npos);
}

TEST(ReviewBoard, CellsThatSayWhatStandsInTheirPlaceKeepTheirColumn) {
  ReviewBoard board;
  board.pages.push_back(
      {.content = ReviewTable{.columns = {{"Root"}, {"Bytes"}},
                              .rows = {{{kSecret, {}, "thread 5"}, {"1 B", 1}}, {{"static A.b"}, {"2 B", 2}}}}});
  EXPECT_TRUE(holdsContents(board.pages[0]));
  const ReviewBoard clean = redacted(board);
  const auto& table = std::get<ReviewTable>(clean.pages[0].content);
  ASSERT_EQ(table.columns.size(), 2u);
  EXPECT_EQ(table.rows[0][0].text, "thread 5");
  EXPECT_EQ(table.rows[1][0].text, "static A.b");
  EXPECT_EQ(writtenBoard(clean).find(kSecret), std::string::npos);
  EXPECT_FALSE(holdsContents(clean.pages[0])) << "what is redacted has nothing to redact";
}

TEST(ReviewBoard, TellsBeforehandWhatRedactionLeavesOut) {
  const ReviewBoard board = sampleBoard();
  EXPECT_EQ(redactionText(board.pages[0]), "");
  EXPECT_NE(redactionText(board.pages[1]).find("Text"), std::string::npos);
  EXPECT_EQ(redactionText(board.pages[2]), "");
  EXPECT_NE(redactionText(board.pages[3]).find(kContentsLeftOut), std::string::npos);
  const ReviewBoard clean = redacted(board);
  for (std::size_t page = 0; page < board.pages.size(); ++page) {
    EXPECT_EQ(clean.pages[page].remark, board.pages[page].remark + redactionText(board.pages[page]));
  }
}

TEST(ReviewBoard, KeepsEverythingElseWhenRedacted) {
  const ReviewBoard board = redacted(sampleBoard());
  EXPECT_EQ(board.pages[0].note, sampleBoard().pages[0].note);
  EXPECT_TRUE(std::holds_alternative<ReviewPicture>(board.pages[2].content));
  EXPECT_TRUE(board.pages[2].remark.empty());
  EXPECT_EQ(std::get<ReviewTable>(board.pages[1].content).rowsLeftOut, 7u);
}

TEST(ReviewBoard, KnowsWhichPagesHaveContents) {
  const ReviewBoard board = sampleBoard();
  EXPECT_FALSE(holdsContents(board.pages[0]));
  EXPECT_TRUE(holdsContents(board.pages[1]));
  EXPECT_FALSE(holdsContents(board.pages[2]));
  EXPECT_TRUE(holdsContents(board.pages[3]));
}

TEST(ReviewBoard, SurvivesRowsThatFitNoColumns) {
  ReviewTable table{.columns = {{"Secret", ColumnKind::Text, true}}, .rows = {{{kSecret}, {kSecret}}, {}}};
  ReviewBoard board;
  board.pages.push_back({.content = table});
  EXPECT_EQ(writtenBoard(redacted(board)).find(kSecret), std::string::npos);
}

}  // namespace
}  // namespace heapscape::engine::test
