// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "output/query_table.h"
#include "query/rows/table_query.h"
#include "written.h"

namespace heapscape::engine {
namespace {

using test::written;
using test::writtenJson;

QueryValue real(double number) {
  return queryValueOf(Cell(number));
}

QueryTable tableOf(std::vector<QueryColumn> columns, std::vector<std::vector<QueryValue>> rows) {
  QueryTable table{.noun = "objects", .columns = std::move(columns), .rows = std::move(rows), .totals = {}};
  table.rowsInAll = table.rows.size();
  return table;
}

std::string queryText(const QueryTable& table) {
  return written([&](Output& output) { writeQueryText(output, table); });
}

std::string queryTsv(const QueryTable& table) {
  return written([&](Output& output) { writeQueryTsv(output, table); });
}

nlohmann::json queryJson(const QueryTable& table) {
  return nlohmann::json::parse(writtenJson([&](JsonWriter& json) { writeQuery(json, table); }));
}

// One figure as each form has it.
std::string figureAsText(const QueryValue& value, QueryKind kind = QueryKind::Number) {
  const std::string text = queryText(tableOf({{"f", kind}}, {{value}}));
  const std::size_t line = text.find('\n') + 1;
  const std::size_t begin = text.find_first_not_of(' ', line);
  return text.substr(begin, text.find('\n', line) - begin);
}

TEST(QueryText, FiguresStandToTheRightAndAreGrouped) {
  EXPECT_EQ(queryText(tableOf({{"type", QueryKind::Text}, {"objects", QueryKind::Number}, {"bytes", QueryKind::Bytes}},
                              {{QueryValue::ofText("A"), QueryValue::ofNumber(1234), QueryValue::ofNumber(2048)},
                               {QueryValue::ofText("Longer"), QueryValue::ofNumber(0), QueryValue()}})),
            "type    objects    bytes\n"
            "A         1,234  2.00 KB\n"
            "Longer        0\n"
            "\n");
}

TEST(QueryText, EveryFigureIsWhatItIs) {
  EXPECT_EQ(figureAsText(QueryValue::ofNumber(UINT64_MAX)), "18,446,744,073,709,551,615");
  EXPECT_EQ(figureAsText(QueryValue::ofNumber(UINT64_MAX), QueryKind::Bytes), "16.0 EB");
  EXPECT_EQ(figureAsText(real(0.75)), "0.75") << "a share is not cut to a whole number";
  EXPECT_EQ(figureAsText(real(12.5)), "12.5");
  EXPECT_EQ(figureAsText(queryValueOf(Cell(std::int64_t{-1234}))), "-1,234");
  EXPECT_EQ(figureAsText(queryValueOf(Cell(std::int64_t{-2048})), QueryKind::Bytes), "-2.00 KB");
  EXPECT_EQ(figureAsText(queryValueOf(Cell(INT64_MIN))), "-9,223,372,036,854,775,808");
}

TEST(QueryText, LongTextIsCutAtAWholeCharacter) {
  const auto shown = [](const std::string& text) { return figureAsText(QueryValue::ofText(text), QueryKind::Text); };
  std::string hundred;
  for (int i = 0; i < 100; ++i) hundred += "ß";
  EXPECT_EQ(shown(hundred), hundred);
  EXPECT_EQ(shown(hundred + "x"), hundred.substr(0, 2 * 99) + "…");
}

TEST(QueryText, HowManyMoreThereAreIsSaidBelowTheRows) {
  QueryTable table = tableOf({{"type", QueryKind::Text}}, {{QueryValue::ofText("A")}});
  table.rowsInAll = 12'346;
  table.totals = {{"objects", 12'346}, {"bytes", 1536, true}};
  table.notes = {"Nothing\tfits."};
  EXPECT_EQ(queryText(table),
            "type\nA\n… and 12,345 more\n\n"
            "objects                   12,346\n"
            "bytes                    1.50 KB\n"
            "Nothing\\tfits.\n");
  table.rows.clear();
  EXPECT_EQ(queryText(table).find("type"), std::string::npos) << "totals alone have no head";
}

TEST(QueryTsv, CellsAreExactAndOnOneLine) {
  QueryValue order = QueryValue::ofAddress(0x7f10);
  order.text = "Shop.Order";
  EXPECT_EQ(queryTsv(tableOf({{"a", QueryKind::Text}, {"b", QueryKind::Bytes}, {"c\td", QueryKind::Text}},
                             {{QueryValue::ofText("x\ty\n"), QueryValue::ofNumber(1'048'576), order},
                              {QueryValue::ofNull(), QueryValue(), QueryValue::ofFlag(false)}})),
            "a\tb\tc\\td\n"
            "x\\ty\\n\t1048576\tShop.Order at 0x7f10\n"
            "null\t\tfalse\n");
}

TEST(QueryJson, ValuesKeepTheirKinds) {
  QueryValue member = QueryValue::ofNumber(3);
  member.text = "Shipped";
  QueryTable table = tableOf({{"text"}, {"flag"}, {"number"}, {"address"}, {"member"}, {"null"}, {"absent"}},
                             {{QueryValue::ofText("\"\x01"), QueryValue::ofFlag(true), QueryValue::ofNumber(UINT64_MAX),
                               QueryValue::ofAddress(0x7f), member, QueryValue::ofNull(), QueryValue::unreadable()}});
  table.totals = {{"objects", 1}};
  table.notes = {"one"};
  const nlohmann::json json = queryJson(table);
  const nlohmann::json& row = json.at("query").at(0);
  EXPECT_EQ(row.at("text"), "\"\x01");
  EXPECT_EQ(row.at("flag"), true);
  EXPECT_EQ(row.at("number").dump(), "18446744073709551615");
  EXPECT_EQ(row.at("address"), "0x7f");
  EXPECT_EQ(row.at("member"), "Shipped");
  EXPECT_TRUE(row.at("null").is_null());
  EXPECT_TRUE(row.at("absent").is_null());
  EXPECT_EQ(json.at("totals").at("objects"), 1);
  EXPECT_EQ(json.at("notes"), nlohmann::json({"one"}));
}

TEST(QueryJson, NumbersThatJsonDoesNotKnowAreNull) {
  const double infinity = std::numeric_limits<double>::infinity();
  const nlohmann::json json =
      queryJson(tableOf({{"f"}}, {{real(infinity)}, {real(-infinity)}, {real(NAN)}, {real(0.1)}}));
  for (std::size_t row = 0; row < 3; ++row) EXPECT_TRUE(json.at("query").at(row).at("f").is_null()) << row;
  EXPECT_EQ(json.at("query").at(3).at("f").dump(), "0.1") << "as short as it can be read back";
}

TEST(MarkedQuery, PointsAtTheWrongPlace) {
  const auto marked = [](std::string_view query, std::size_t position, std::size_t length) {
    return markedQuery(query, {position, length, "What.", {}});
  };
  EXPECT_EQ(marked("size > abc", 7, 3), "  size > abc\n         ^~~\n");
  EXPECT_EQ(marked("size >", 6, 0), "  size >\n        ^\n");
  EXPECT_EQ(marked("", 0, 0), "  \n  ^\n");
  EXPECT_EQ(marked("größe > x", 10, 1), "  größe > x\n          ^\n") << "by characters, not bytes";
  EXPECT_EQ(marked("\tx", 1, 1), "  \\tx\n    ^\n") << "as wide as it is shown";
  EXPECT_EQ(marked("x", 99, 99), "  x\n   ^\n") << "behind the end is the end";
}

TEST(MarkedQuery, ShowsOfALongQueryWhatIsAroundTheWrongPlace) {
  const std::string query = std::string(500, 'a') + "WRONG" + std::string(500, 'b');
  const std::string text = markedQuery(query, {500, 5, "What.", {}});
  const std::size_t end = text.find('\n');
  EXPECT_EQ(text.substr(0, end), "  …" + std::string(100, 'a') + "WRONG" + std::string(195, 'b') + "…");
  EXPECT_EQ(text.substr(end + 1), "  " + std::string(101, ' ') + "^~~~~\n");
  std::string letters;
  for (int i = 0; i < 300; ++i) letters += "名";
  const std::string cut = markedQuery(letters, {300, 3, "What.", {}});
  EXPECT_EQ(cut.find("\xef\xbf\xbd"), std::string::npos) << "no character is cut in two";
}

}  // namespace
}  // namespace heapscape::engine
