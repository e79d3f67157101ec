// SPDX-License-Identifier: MIT
// Tables of a page: what is sorted by, compared and read of each cell.
#include <gtest/gtest.h>

#include "review/html_page.h"

namespace heapscape::engine {
namespace {

std::string htmlOf(const ReviewTable& table) {
  std::string html;
  appendHtmlTable(html, table, "Types <all>");
  return html;
}

bool holds(const std::string& html, std::string_view part) {
  return html.find(part) != std::string::npos;
}

ReviewTable figures() {
  return {.columns = {{"Type", ColumnKind::TypeName}, {"Bytes", ColumnKind::Bytes}},
          .rows = {{{.text = "Shop.Cart<System.Int32>"}, {.text = "4 KB", .number = 4096}},
                   {{.text = "Line"}, {.text = "1 KB", .number = 1024}}}};
}

TEST(HtmlTable, FiguresAreSortedByTheirNumberAndComparedWithTheLargest) {
  const std::string html = htmlOf(figures());
  EXPECT_TRUE(holds(html, "<th scope=\"col\" class=\"figure\">Bytes</th>"));
  EXPECT_TRUE(holds(html, "<th scope=\"col\">Type</th>"));
  EXPECT_TRUE(holds(html, "--share:1.0000\" data-n=\"4096\" title=\"4,096 bytes\">4 KB</td>"));
  EXPECT_TRUE(holds(html, "--share:0.2500\" data-n=\"1024\" title=\"1,024 bytes\">1 KB</td>"));
}

TEST(HtmlTable, NamesBreakBehindTheirNamespaceAndNothingIsMarkup) {
  const std::string html = htmlOf(figures());
  EXPECT_TRUE(holds(html, "<span class=\"space\">Shop.</span><wbr>Cart&lt;System.Int32&gt;</td>"));
  EXPECT_TRUE(holds(html, ">Line</td>"));
  EXPECT_TRUE(holds(html, "aria-label=\"Types &lt;all&gt;\""));
}

TEST(HtmlTable, TellsWhatIsNotOnThePage) {
  ReviewTable table = figures();
  EXPECT_FALSE(holds(htmlOf(table), "not on this page"));
  table.rowsLeftOut = 1;
  EXPECT_TRUE(holds(htmlOf(table), "1 more row is not on this page."));
  table.rowsLeftOut = 12'345;
  EXPECT_TRUE(holds(htmlOf(table), "12,345 more rows are not on this page."));
}

TEST(HtmlTable, CellsThatARowLacksAreEmpty) {
  ReviewTable table = figures();
  table.rows.push_back({{.text = "Alone"}});
  EXPECT_TRUE(holds(htmlOf(table), ">Alone</td><td class=\"figure\"></td></tr>"));
}

TEST(HtmlTable, LongTablesScroll) {
  ReviewTable table = figures();
  EXPECT_TRUE(holds(htmlOf(table), "class=\"scroll short\""));
  table.rows.resize(26, table.rows.front());
  EXPECT_TRUE(holds(htmlOf(table), "class=\"scroll\""));
}

TEST(HtmlTable, WordsThatWouldMakeAColumnTooWideMayBreak) {
  const ReviewTable table{.columns = {{"What", ColumnKind::Text}},
                          .rows = {{{.text = std::string(41, 'x')}}, {{.text = std::string(40, 'y') + " and more"}}}};
  EXPECT_TRUE(holds(htmlOf(table), "<td class=\"words long\">xxx"));
  EXPECT_TRUE(holds(htmlOf(table), "<td class=\"words\">yyy"));
}

TEST(HtmlTable, ExactTextIsOfBytesAlone) {
  EXPECT_EQ(exactText(ColumnKind::Bytes, {.text = "", .number = 1}), "1 byte");
  EXPECT_EQ(exactText(ColumnKind::SavedBytes, {.text = "", .number = -2048}), "−2,048 bytes");
  EXPECT_EQ(exactText(ColumnKind::SavedBytes, {.text = "", .number = INT64_MIN}), "−9,223,372,036,854,775,808 bytes");
  EXPECT_EQ(exactText(ColumnKind::Count, {.text = "", .number = 5}), "");
  EXPECT_EQ(exactText(ColumnKind::Bytes, {.text = "not known"}), "");
}

}  // namespace
}  // namespace heapscape::engine
