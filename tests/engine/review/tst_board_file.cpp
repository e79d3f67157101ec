// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "review/board.h"
#include "sample_board.h"
#include "support/temporary_folder.h"

namespace heapscape::engine::test {
namespace {

using heapscape::test::TemporaryFolder;
using nlohmann::json;

json sampleJson() {
  return json::parse(writtenBoard(sampleBoard()));
}

TEST(BoardFile, ReadsWhatItWrote) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "shop.core.heapscape-review.json";
  ASSERT_TRUE(saveBoard(sampleBoard(), path));
  const auto board = loadBoard(path);
  ASSERT_TRUE(board) << board.error().message();
  EXPECT_EQ(board->title, "Review of <shop>");
  ASSERT_EQ(board->pages.size(), 4u);
  EXPECT_EQ(board->pages[0].note, "First line\nsecond & last");
  const auto& table = std::get<ReviewTable>(board->pages[1].content);
  EXPECT_EQ(table.columns[2].holdsContents, true);
  EXPECT_EQ(table.columns[1].kind, ColumnKind::Bytes);
  EXPECT_EQ(table.rows[0][1].number, 1500);
  EXPECT_FALSE(table.rows[0][0].number);
  EXPECT_EQ(table.rowsLeftOut, 7u);
  EXPECT_EQ(std::get<ReviewPicture>(board->pages[2].content).width, 20);
  EXPECT_FALSE(std::get<ReviewPicture>(board->pages[2].content).holdsContents);
  EXPECT_EQ(writtenBoard(*board), writtenBoard(*parseBoard(writtenBoard(*board))));
}

TEST(BoardFile, KeepsTextThatIsNoUtf8Readable) {
  ReviewBoard board;
  board.pages.push_back({.title = "\xff\xfe bad", .note = std::string("a\0b", 3)});
  const auto read = parseBoard(writtenBoard(board));
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_NE(read->pages[0].title.find(" bad"), std::string::npos);
}

TEST(BoardFile, RefusesWhatIsNoReview) {
  for (const char* text : {"", "[]", "{}", "{\"schema\":\"heapscape-review/2\",\"pages\":[]}", "null", "{\"schema\":",
                           "{\"schema\":\"heapscape-review/1\"}", "{\"schema\":\"heapscape-review/1\",\"pages\":{}}"}) {
    EXPECT_FALSE(parseBoard(text)) << text;
  }
}

TEST(BoardFile, RefusesWhatIsOfTheWrongKind) {
  const std::vector<std::pair<const char*, json>> changes{
      {"/title", 5},
      {"/pages/0", "page"},
      {"/pages/0/note", json::array()},
      {"/pages/1/table", 7},
      {"/pages/1/table/columns", json::object()},
      {"/pages/1/table/rows/0", json::array({"too short"})},
      {"/pages/1/table/rows/0/1", json::array({"1", 1.5})},
      {"/pages/1/table/rows/0/1", json::array({"1", 18446744073709551615u})},
      {"/pages/1/table/rows/0/1", json::array({1, 2})},
      {"/pages/1/table/rowsLeftOut", -1},
      {"/pages/1/table/columns/0/holdsContents", "no"},
      {"/pages/2/picture/svg", "<svg><script/></svg>"},
      {"/pages/2/picture/width", 0},
      {"/pages/2/picture/width", -3},
      {"/pages/2/picture/height", "tall"},
      {"/pages/2/picture/height", 1e300},
  };
  for (const auto& [pointer, value] : changes) {
    json changed = sampleJson();
    changed[json::json_pointer(pointer)] = value;
    EXPECT_FALSE(parseBoard(changed.dump())) << pointer << " = " << value;
  }
}

TEST(BoardFile, RefusesMoreThanABoardHas) {
  json pages = sampleJson();
  for (std::size_t i = 0; i <= kBoardLimits.pages; ++i) pages["pages"].push_back(json::object());
  EXPECT_FALSE(parseBoard(pages.dump()));
  json rows = sampleJson();
  json& table = rows["pages"][1]["table"];
  for (std::size_t i = 0; i <= kBoardLimits.rows; ++i) table["rows"].push_back(json::array({"a", "b", "c"}));
  EXPECT_FALSE(parseBoard(rows.dump()));
  json cell = sampleJson();
  cell["pages"][1]["table"]["rows"][0][0] = std::string(kBoardLimits.cellBytes + 1, 'x');
  EXPECT_FALSE(parseBoard(cell.dump()));
  EXPECT_FALSE(parseBoard(std::string(100'000, '[')));
  EXPECT_FALSE(
      parseBoard("{\"schema\":\"heapscape-review/1\",\"pages\":" + std::string(50, '[') + std::string(50, ']') + "}"));
}

TEST(BoardFile, TakesContentsForGrantedWhereNobodyDeniesThem) {
  json board = sampleJson();
  board["pages"][1]["table"]["columns"][0].erase("holdsContents");
  board["pages"][2]["picture"].erase("holdsContents");
  const auto read = parseBoard(board.dump());
  ASSERT_TRUE(read);
  EXPECT_TRUE(std::get<ReviewTable>(read->pages[1].content).columns[0].holdsContents);
  EXPECT_TRUE(std::get<ReviewPicture>(read->pages[2].content).holdsContents);
}

TEST(BoardFile, SurvivesEveryPrefixAndFlippedBytes) {
  const std::string whole = writtenBoard(sampleBoard());
  for (std::size_t length = 0; length + 1 < whole.size(); ++length) {
    EXPECT_FALSE(parseBoard(std::string_view(whole).substr(0, length))) << length;
  }
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string flipped = whole;
    flipped[i] = static_cast<char>(flipped[i] ^ 0x15);
    const auto read = parseBoard(flipped);
    EXPECT_LE(read ? read->pages.size() : 0, 4u);
  }
}

TEST(BoardFile, KeepsWhatStandsInThePlaceOfContents) {
  ReviewBoard board;
  board.pages.push_back({.content = ReviewTable{.columns = {{"Root"}}, .rows = {{{"thread 5 \"a\"", 7, "thread 5"}}}}});
  board.pages.push_back(
      {.content = ReviewPicture{"<svg><text>a</text></svg>", 2, 2, true, "<svg><text>b</text></svg>"}});
  const auto read = parseBoard(writtenBoard(board));
  ASSERT_TRUE(read) << read.error().message();
  const ReviewCell& cell = std::get<ReviewTable>(read->pages[0].content).rows[0][0];
  EXPECT_EQ(cell.text, "thread 5 \"a\"");
  EXPECT_EQ(cell.redacted, "thread 5");
  EXPECT_EQ(cell.number, 7);
  EXPECT_NE(std::get<ReviewPicture>(read->pages[1].content).redactedSvg.find(">b<"), std::string::npos);
}

TEST(BoardFile, ChecksThePictureWithoutContentsAsTheOtherOne) {
  ReviewBoard board;
  board.pages.push_back({.content = ReviewPicture{"<svg/>", 2, 2, true, "<svg><script/></svg>"}});
  EXPECT_FALSE(parseBoard(writtenBoard(board)));
}

TEST(BoardFile, IsRecognisedByItsContent) {
  const TemporaryFolder folder;
  const auto holds = [&folder](const std::string& content) {
    const std::filesystem::path path = folder.path() / "file";
    std::ofstream(path) << content;
    return looksLikeBoard(path);
  };
  EXPECT_TRUE(holds(writtenBoard(sampleBoard())));
  EXPECT_TRUE(holds("\xef\xbb\xbf\r\n  {\"pages\": []}"));
  EXPECT_FALSE(
      holds(std::string("\x7f"
                        "ELF\x02{",
                        6)));
  EXPECT_FALSE(holds("   "));
  EXPECT_FALSE(holds(""));
  EXPECT_FALSE(looksLikeBoard(folder.path()));
  EXPECT_FALSE(looksLikeBoard(folder.path() / "none"));
}

}  // namespace
}  // namespace heapscape::engine::test
