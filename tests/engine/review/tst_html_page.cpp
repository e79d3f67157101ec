// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <regex>
#include <string>

#include "review/html_page.h"
#include "sample_board.h"

namespace heapscape::engine::test {
namespace {

std::size_t countOf(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

TEST(HtmlPage, EscapesWhatIsPlantedAnywhere) {
  const std::string evil = "</script><script>alert('x')</script><img src=x onerror=\"y\">&";
  ReviewTable table{.columns = {{evil, ColumnKind::TypeName}, {evil, ColumnKind::Bytes}},
                    .rows = {{{evil}, {evil, 1}}}};
  ReviewBoard board{.title = evil, .dump = evil, .summary = evil, .pages = {}};
  board.pages.push_back({.title = evil, .source = evil, .remark = evil, .note = evil, .content = table});
  const std::string page = htmlPage(board);
  EXPECT_EQ(countOf(page, "<script"), 1u);
  EXPECT_EQ(countOf(page, "</script"), 1u);
  EXPECT_EQ(countOf(page, "<img"), 0u);
  EXPECT_GE(countOf(page, "&lt;script&gt;alert(&#39;x&#39;)"), 8u);
}

TEST(HtmlPage, AsksNobodyForAnything) {
  const std::string page = htmlPage(sampleBoard());
  for (const char* foreign : {"http:", "https:", "//www", " src=", "<link", "@import", "url(", "fetch(", "XMLHttp"}) {
    EXPECT_EQ(page.find(foreign), std::string::npos) << foreign;
  }
  const std::regex reference("href=\"([^\"]*)\"");
  for (auto it = std::sregex_iterator(page.begin(), page.end(), reference); it != std::sregex_iterator(); ++it) {
    EXPECT_TRUE((*it)[1].str().starts_with("#page-")) << it->str();
  }
}

TEST(HtmlPage, ForbidsItselfToFetchAndOtherScriptsToRun) {
  const std::string page = htmlPage(sampleBoard());
  const std::size_t policy = page.find("Content-Security-Policy");
  ASSERT_NE(policy, std::string::npos);
  EXPECT_LT(policy, page.find("<style>"));
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  const std::regex script("script-src 'sha256-[A-Za-z0-9+/]{43}='");
  EXPECT_TRUE(std::regex_search(page, script));
  EXPECT_EQ(page.find("script-src 'unsafe-inline'"), std::string::npos);
  EXPECT_NE(page.find(std::string("<script>") + kPageScript + "</script>"), std::string::npos);
}

TEST(HtmlPage, MarksUpTablesForEveryReader) {
  const std::string page = htmlPage(sampleBoard());
  EXPECT_EQ(countOf(page, "<th scope=\"col\""), 3u);
  EXPECT_NE(page.find("<span class=\"space\">Shop.</span><wbr>Order&lt;System.Int32&gt;"), std::string::npos);
  EXPECT_NE(page.find("data-n=\"1500\" title=\"1,500 bytes\">1.46 KB</td>"), std::string::npos);
  EXPECT_NE(page.find("7 more rows are not on this page."), std::string::npos);
  EXPECT_NE(page.find("<nav aria-label=\"Contents\">"), std::string::npos);
}

TEST(HtmlPage, ShowsNotesWithTheirLines) {
  EXPECT_NE(htmlPage(sampleBoard()).find("<p class=\"note\">First line\nsecond &amp; last</p>"), std::string::npos);
}

TEST(HtmlPage, LeavesOutAPictureThatDoesMoreThanDraw) {
  ReviewBoard board = sampleBoard();
  board.pages[2].content = ReviewPicture{"<svg><script>x</script></svg>", 10, 10, false};
  const std::string page = htmlPage(board);
  EXPECT_EQ(countOf(page, "<script"), 1u);
  EXPECT_NE(page.find("holds &lt;script&gt;"), std::string::npos);
}

TEST(HtmlPage, HasNoContentsOfARedactedBoard) {
  ASSERT_NE(htmlPage(sampleBoard()).find(kSecret), std::string::npos);
  EXPECT_EQ(htmlPage(redacted(sampleBoard())).find(kSecret), std::string::npos);
}

TEST(HtmlPage, IsAPageEvenOfNothing) {
  const std::string page = htmlPage({});
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
  EXPECT_NE(page.find("Review of a dump"), std::string::npos);
}

}  // namespace
}  // namespace heapscape::engine::test
