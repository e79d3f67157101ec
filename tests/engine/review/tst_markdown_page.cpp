// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>

#include "review/markdown_page.h"
#include "review/opening_page.h"
#include "session/roots/roots_query.h"
#include "support/opened_snapshot.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

std::size_t countIn(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

ReviewBoard boardWith(ReviewPage page) {
  return {.title = "Why so much", .dump = "shop.core", .summary = ".NET 10", .pages = {std::move(page)}};
}

TEST(MarkdownPage, HasASectionForEachPage) {
  ReviewTable table{.columns = {{"Type", ColumnKind::TypeName}, {"Bytes", ColumnKind::Bytes}},
                    .rows = {{{"Shop.Order[]"}, {"1.5 MB", 1572864}}}};
  ReviewBoard board = boardWith(
      {.title = "Largest", .source = "Types", .remark = "All heaps", .note = "Look here", .content = std::move(table)});
  board.pages.push_back({.title = "Map", .content = ReviewPicture{.svg = "<svg/>"}});
  const std::string markdown = markdownOf(board);
  EXPECT_TRUE(markdown.starts_with("## Why so much\n\nshop.core: .NET 10\n\n### Largest\n\nLook here\n\nAll heaps\n\n"))
      << markdown;
  EXPECT_NE(markdown.find("| Type | Bytes |\n| --- | ---: |\n| `Shop.Order[]` | 1.5 MB |\n"), std::string::npos)
      << markdown;
  EXPECT_NE(markdown.find("### Map\n\n_A picture"), std::string::npos);
  EXPECT_EQ(markdown.find("<svg"), std::string::npos);
  EXPECT_EQ(markdown.find("\n\n\n"), std::string::npos);
  const std::string page = markdownOf(board, 0);
  EXPECT_TRUE(page.starts_with("## Largest\n")) << page;
  EXPECT_EQ(page.find("Map"), std::string::npos);
  EXPECT_TRUE(markdownOf(board, 2).empty());
}

TEST(MarkdownPage, MarksUpNothingThatComesFromTheDump) {
  ReviewTable table{.columns = {{"Text"}, {"Type", ColumnKind::TypeName}},
                    .rows = {{{"a|b *c* <img src=x> [l](http://x) @me #1 `q`\nnext"}, {"T`1|x"}}}};
  const std::string markdown =
      markdownOf(boardWith({.title = "# <script>", .note = "1. no list\n- nor this", .content = std::move(table)}));
  EXPECT_NE(markdown.find("### \\# \\<script\\>"), std::string::npos) << markdown;
  EXPECT_NE(markdown.find("1\\. no list\n\\- nor this\n"), std::string::npos) << markdown;
  EXPECT_NE(markdown.find("| a\\|b \\*c\\* \\<img src=x\\> \\[l\\](http://x) &#64;me \\#1 \\`q\\` next | T\\`1\\|x |"),
            std::string::npos)
      << markdown;
}

TEST(MarkdownPage, LongTablesSayWhatIsLeftOut) {
  ReviewTable table{.columns = {{"N"}}};
  for (std::size_t i = 0; i < kMarkdownRows + 5; ++i) table.rows.push_back({{"row " + std::to_string(i)}});
  table.rowsLeftOut = 1000;
  const std::string markdown = markdownOf(boardWith({.title = "Many", .content = std::move(table)}));
  EXPECT_EQ(countIn(markdown, "| row "), kMarkdownRows);
  EXPECT_NE(markdown.find("\n1,005 more rows.\n"), std::string::npos) << markdown;
}

TEST(MarkdownPage, ContentsStayOutOfARedactedBoard) {
  ReviewTable table{.columns = {{"Type"}, {"Value", ColumnKind::Text, true}}, .rows = {{{"String"}, {"secret"}}}};
  const ReviewBoard board = boardWith({.title = "Strings", .content = std::move(table)});
  EXPECT_NE(markdownOf(board).find("secret"), std::string::npos);
  EXPECT_EQ(markdownOf(redacted(board)).find("secret"), std::string::npos);
}

const ReviewTable& tableOf(const ReviewPage& page) {
  return std::get<ReviewTable>(page.content);
}

std::string valueOf(const ReviewPage& page, const std::string& figure) {
  for (const auto& row : tableOf(page).rows) {
    if (row[0].text == figure) return row[1].text;
  }
  return {};
}

TEST(OpeningPage, TellsLiveGarbageAndTheTopOwners) {
  const Snapshot& snapshot = retainedDump("shop-10");
  const ReviewPage page = openingPage(snapshot, {}).value();
  EXPECT_EQ(page.title, kOpeningTitle);
  EXPECT_TRUE(valueOf(page, "Runtime").starts_with(".NET 10."));
  const RetainedTotals totals = snapshot.retainedTotals();
  EXPECT_FALSE(valueOf(page, "Live: reachable from roots").empty());
  EXPECT_NE(valueOf(page, "Garbage: not collected yet").find("object"), std::string::npos);
  EXPECT_GT(totals.unreachableBytes, 0u);
  std::vector<std::string> owners;
  for (const auto& row : tableOf(page).rows) {
    if (row[0].text.starts_with("Retained by ")) owners.push_back(row[0].text);
  }
  ASSERT_GE(owners.size(), 3u);
  EXPECT_LE(owners.size(), 5u);
  // The first is the group below the kinds of roots that retains most.
  const HeldRoots held = listHeldRoots(snapshot, {}).value();
  std::uint64_t most = 0;
  std::string largest;
  for (const std::uint32_t kind : held.tree[0].children) {
    for (const std::uint32_t owner : held.tree[kind].children) {
      if (held.tree[owner].alone.bytes <= most) continue;
      most = held.tree[owner].alone.bytes;
      largest = nameOf(held, held.tree[owner]);
    }
  }
  EXPECT_TRUE(owners.front().ends_with(largest)) << owners.front() << " " << largest;
}

TEST(OpeningPage, TellsNothingOfRootsBeforeTheyAreKnown) {
  const ReviewPage page = openingPage(openedDump("shop-10"), {}).value();
  EXPECT_TRUE(valueOf(page, "Garbage: not collected yet").empty());
  EXPECT_TRUE(page.remark.empty());
  EXPECT_FALSE(valueOf(page, "Objects").empty());
}

TEST(OpeningPage, ATitleIsProposed) {
  const std::string title = proposedTitle(retainedDump("shop-10"), "28 Nov");
  EXPECT_TRUE(title.starts_with("shop-10, 28 Nov: ")) << title;
  EXPECT_TRUE(title.ends_with(" is garbage")) << title;
}

}  // namespace
}  // namespace heapscape::engine
