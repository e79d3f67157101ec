// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "review/board_file.h"
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
  EXPECT_TRUE(std::holds_alternative<std::monostate>(board.pages[3].content));
  EXPECT_FALSE(board.pages[3].remark.empty());
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
  ReviewTable table{.columns = {{"Secret", ReviewCellKind::Text, true}}, .rows = {{{kSecret}, {kSecret}}, {}}};
  ReviewBoard board;
  board.pages.push_back({.content = table});
  EXPECT_EQ(writtenBoard(redacted(board)).find(kSecret), std::string::npos);
}

}  // namespace
}  // namespace heapscape::engine::test
