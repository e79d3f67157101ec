// SPDX-License-Identifier: MIT
// What a field holds of a thing: in words, in order, and against what a comparison asks for.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "query/query.h"
#include "query/query_value.h"
#include "query/value_test.h"

namespace heapscape::engine {
namespace {

QueryValue numberOf(long double number, QueryValue::Width width = QueryValue::Width::Exact) {
  return {.state = QueryValue::State::There, .number = number, .width = width};
}

/// What `field OPERATOR VALUE` makes of its right side; the field may be compared with anything.
ValueTest testOf(const std::string& comparison) {
  const auto query = makeQuery("field(F) " + comparison, {.noun = "things", .fields = {}, .hasObjectFields = true});
  if (!query) throw std::runtime_error(query.error().message());
  return query->root.comparison.at(0).test;
}

bool fits(const std::string& comparison, const QueryValue& value) {
  return testOf(comparison).accepts(value);
}

TEST(QueryValue, NumbersAreExactInTheirOwnWidth) {
  EXPECT_EQ(toString(QueryValue::ofNumber(UINT64_MAX)), "18446744073709551615");
  EXPECT_EQ(toString(numberOf(static_cast<long double>(INT64_MIN))), "-9223372036854775808");
  EXPECT_EQ(toString(numberOf(-1)), "-1");
  EXPECT_EQ(toString(numberOf(0.1, QueryValue::Width::Double)), "0.1");
  EXPECT_EQ(toString(numberOf(0.1f, QueryValue::Width::Float)), "0.1");
  EXPECT_EQ(toString(QueryValue::ofAddress(0x7f10)), "0x7f10");
  EXPECT_EQ(toString(numberOf(0x1p70L)).find('-'), std::string::npos) << "what no integer holds is not wrapped";
}

TEST(QueryValue, WordsTellWhatIsThere) {
  EXPECT_EQ(toString(QueryValue()), "");
  EXPECT_EQ(toString(QueryValue::unreadable()), "");
  EXPECT_EQ(toString(QueryValue::ofNull()), "null");
  EXPECT_EQ(toString(QueryValue::ofFlag(false)), "false");
  QueryValue member = QueryValue::ofNumber(2);
  member.text = "Shipped";
  EXPECT_EQ(toString(member), "Shipped");
}

TEST(ValueTest, WholeNumbersAreAcceptedAsFloatingOnesAre) {
  const std::vector<std::uint64_t> numbers{
      0, 1, 2, 3, 4, 41, 42, 43, 1023, 1024, 1025, 1ull << 53, (1ull << 53) + 1, UINT64_MAX - 1, UINT64_MAX};
  for (const char* comparison : {"= 42",
                                 "!= 42",
                                 "< 42",
                                 "<= 42",
                                 "> 42",
                                 ">= 42",
                                 "< 0",
                                 "<= 0",
                                 "> 0",
                                 ">= 0",
                                 "= 0",
                                 "> 2.5",
                                 "< 2.5",
                                 "= 2.5",
                                 "!= 2.5",
                                 ">= 2.5",
                                 "<= 2.5",
                                 "> -1",
                                 "< -1",
                                 "= -1",
                                 ">= -3.5",
                                 "in (1, 3, 42)",
                                 "not in (1, 3, 42)",
                                 "= 1KB",
                                 "> 18446744073709551614",
                                 ">= 18446744073709551615",
                                 "> 18446744073709551615",
                                 "< 18446744073709551615",
                                 "< 18446744073709551616",
                                 ">= 18446744073709551616",
                                 "= 18446744073709551616",
                                 "> 1e30",
                                 "< 1e30",
                                 "= 9007199254740993",
                                 "= null",
                                 "!= null",
                                 "= true",
                                 "!= true",
                                 "~ \"4\"",
                                 "= \"x\"",
                                 "!= \"x\"",
                                 "in (null, 4)"}) {
    const ValueTest test = testOf(comparison);
    const WholeNumbers accepted = test.acceptedWholeNumbers();
    for (const std::uint64_t number : numbers)
      EXPECT_EQ(accepted.contain(number), test.acceptsNumber(static_cast<long double>(number)))
          << number << ' ' << comparison;
  }
}

TEST(QueryValue, OrderIsStrictOverAllKinds) {
  const long double infinity = std::numeric_limits<long double>::infinity();
  const std::vector<QueryValue> ordered{QueryValue(),
                                        QueryValue::ofNull(),
                                        QueryValue::ofFlag(false),
                                        QueryValue::ofFlag(true),
                                        numberOf(NAN),
                                        numberOf(-infinity),
                                        numberOf(-1),
                                        numberOf(0),
                                        numberOf(0.5),
                                        QueryValue::ofNumber(UINT64_MAX - 1),
                                        QueryValue::ofNumber(UINT64_MAX),
                                        numberOf(infinity),
                                        QueryValue::ofText(""),
                                        QueryValue::ofText("B"),
                                        QueryValue::ofText("a")};
  for (std::size_t left = 0; left < ordered.size(); ++left) {
    for (std::size_t right = 0; right < ordered.size(); ++right)
      EXPECT_EQ(isBefore(ordered[left], ordered[right]), left < right) << left << " " << right;
  }
}

TEST(ValueTest, NothingFitsWhatIsNotThere) {
  for (const char* comparison : {"= 1", "!= 1", "= null", "!= null", "~ a", "!~ a", "in (1)", "not in (1)", "< 1"})
    EXPECT_FALSE(fits(comparison, QueryValue())) << comparison;
}

TEST(ValueTest, NullIsEqualToNullAlone) {
  const QueryValue null = QueryValue::ofNull();
  for (const char* comparison : {"= null", "!= 1", "in (1, null)", "not in (1, 2)"})
    EXPECT_TRUE(fits(comparison, null)) << comparison;
  for (const char* comparison : {"= 0", "= \"null\"", "!= null", "not in (null, 1)", "< 1", ">= 0", "~ null", "!~ x"})
    EXPECT_FALSE(fits(comparison, null)) << comparison;
}

TEST(ValueTest, NotANumberFitsOnlyWhatItIsNot) {
  const QueryValue nan = numberOf(NAN, QueryValue::Width::Double);
  for (const char* comparison : {"= 0", "< 0", "> 0", "<= 0", ">= 0", "in (0, 1)"})
    EXPECT_FALSE(fits(comparison, nan)) << comparison;
  for (const char* comparison : {"!= 0", "not in (0, 1)"}) EXPECT_TRUE(fits(comparison, nan)) << comparison;
}

TEST(ValueTest, NumbersAreComparedInTheWidthOfTheField) {
  const QueryValue single = numberOf(0.1f, QueryValue::Width::Float);
  EXPECT_TRUE(fits("= 0.1", single));
  EXPECT_FALSE(fits("> 0.1", single));
  EXPECT_TRUE(fits("= 0.1", numberOf(0.1, QueryValue::Width::Double)));
  EXPECT_FALSE(fits("= 0.1", numberOf(0.1f, QueryValue::Width::Double))) << "a double that holds less";
  EXPECT_TRUE(fits("< 18446744073709551615", QueryValue::ofNumber(UINT64_MAX - 1)));
  EXPECT_TRUE(fits("= -9223372036854775808", numberOf(static_cast<long double>(INT64_MIN))));
}

TEST(ValueTest, TheLiteralTellsAsWhatAnEnumIsMeant) {
  QueryValue member = QueryValue::ofNumber(2);
  member.text = "Shipped";
  for (const char* comparison : {"= 2", "= Shipped", "= \"Shipped\"", "> 1", "~ ship", "in (Lost, 2)"})
    EXPECT_TRUE(fits(comparison, member)) << comparison;
  for (const char* comparison : {"= 3", "= shipped", "!= 2", "!= Shipped", "~ 2"})
    EXPECT_FALSE(fits(comparison, member)) << comparison;
}

TEST(ValueTest, TextIsOrderedByItsBytesAndEqualInItsCase) {
  const QueryValue text = QueryValue::ofText("Ada");
  for (const char* comparison : {"= Ada", "> Aca", "<= Ada", "!= ada", "~ DA", "~ /^A.a$/", "!~ /b/"})
    EXPECT_TRUE(fits(comparison, text)) << comparison;
  for (const char* comparison : {"= ada", "< Ada", "~ /^d/", "!~ da", "= 3"})
    EXPECT_FALSE(fits(comparison, text)) << comparison;
  EXPECT_TRUE(fits("~ \"a.b\"", QueryValue::ofText("xA.By"))) << "no regular expression without slashes";
  EXPECT_FALSE(fits("~ \"a.b\"", QueryValue::ofText("axb")));
}

// Characters of a dump are looked through without making UTF-8 of them; that has to find the same.
TEST(ValueTest, CharactersOfADumpFitAsTheirTextDoes) {
  const std::vector<std::pair<std::u16string, std::string>> texts{{u"", ""},
                                                                  {u"a", "a"},
                                                                  {u"order", "order"},
                                                                  {u"ORDERS", "ORDERS"},
                                                                  {u"oorder", "oorder"},
                                                                  {u"orde", "orde"},
                                                                  {u"bordeR!", "bordeR!"},
                                                                  {u"\u00e9order", "\u00e9order"},
                                                                  {u"or\u0000der", std::string("or\0der", 6)},
                                                                  {u"\u212aelvin", "\u212aelvin"},
                                                                  {u"kelvin", "kelvin"},
                                                                  {u"\U0001f4be", "\U0001f4be"}};
  for (const char* comparison : {"~ order", "!~ order", "~ \"O\"", "~ kelvin", "!~ \"\u00e9\"", "~ /r.e/", "= order"}) {
    const ValueTest test = testOf(comparison);
    std::string room;
    for (const auto& [utf16, utf8] : texts)
      EXPECT_EQ(test.acceptsCharacters(std::as_bytes(std::span(utf16)), room), test.acceptsText(utf8))
          << comparison << " on " << utf8;
  }
  std::string room;
  EXPECT_TRUE(testOf("~ order").acceptsCharacters(std::as_bytes(std::span(u"my ORDER", 8)), room));
  EXPECT_FALSE(testOf("~ order").acceptsCharacters(std::as_bytes(std::span(u"my ORDE", 7)), room));
}

TEST(QuerySchema, ANameIsFoundInAnyCaseAndByItsOthers) {
  const QuerySchema schema{.noun = "rows", .fields = {{.name = "Bytes"}, {.name = "type", .aliases = {"name"}}}};
  EXPECT_EQ(schema.find("bytes"), 0u);
  EXPECT_EQ(schema.find("NAME"), 1u);
  EXPECT_EQ(schema.find(""), std::nullopt);
}

TEST(QuerySchema, NearIsWhatFewLettersPart) {
  const QuerySchema schema{.noun = "rows",
                           .fields = {{.name = "retained"}, {.name = "gen", .aliases = {"generation"}}}};
  EXPECT_EQ(schema.nearest("retaned"), "retained");
  EXPECT_EQ(schema.nearest("RETIANED"), "retained");
  EXPECT_EQ(schema.nearest("genertion"), "generation");
  EXPECT_EQ(schema.nearest("gn"), "gen");
  EXPECT_EQ(schema.nearest("bytes"), "");
  EXPECT_EQ(schema.nearest("abc"), "") << "of a short name hardly any letter is left";
  EXPECT_EQ(schema.nearest(std::string(41, 'r')), "") << "nobody misspells so long a name";
  const QueryError error = schema.unknownField("gem", 5, 3);
  EXPECT_EQ(error.message(), "There is no field “gem” of rows. Did you mean gen?");
  EXPECT_EQ(error.position, 5u);
}

TEST(QuerySchema, NamesAreMadeOfTitles) {
  EXPECT_EQ(queryNameOf("gen0 bytes"), "gen0Bytes");
  EXPECT_EQ(queryNameOf("2nd try"), "_2ndTry");
  EXPECT_EQ(queryNameOf("  Code-size (KB) "), "codeSizeKb");
  EXPECT_EQ(queryNameOf("Größe"), "größe");
  EXPECT_EQ(queryNameOf(""), "");
}

TEST(QueryValue, ExpressionsTellTheWordThatTheyCannotDoWithout) {
  const std::vector<std::pair<std::string, std::string>> words{{"Order [0-9]+", "order"},
                                                               {"value 1[0-9]*x", "value"},
                                                               {"(?i)NAME", "name"},
                                                               {"colou?r", "colo"},
                                                               {"abc.*defg", "defg"},
                                                               {"(ab|cd)+efg", "efg"},
                                                               {"^x12y$", "x12y"},
                                                               {"a{3}", "aaa"},
                                                               {"1[0-9]+2", ""},
                                                               {"abc|def", ""},
                                                               {"(abc)?", ""},
                                                               {".*", ""},
                                                               {"a", ""},
                                                               {"\\x{e9}t\\x{e9}", ""},
                                                               {"été ouvert", "ouvert"}};
  for (const auto& [expression, word] : words)
    EXPECT_EQ(testOf("~ /" + expression + "/").searchedWord(), word) << expression;
}

}  // namespace
}  // namespace heapscape::engine
