// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "query/objects/object_schema.h"
#include "query/query.h"
#include "query/rows/table_query.h"

namespace heapscape::engine {
namespace {

QuerySchema people() {
  return {.noun = "people",
          .fields = {{.name = "name", .kind = QueryKind::Text, .aliases = {"called"}, .isPlain = true},
                     {.name = "age", .kind = QueryKind::Number},
                     {.name = "bytes", .kind = QueryKind::Bytes},
                     {.name = "address", .kind = QueryKind::Address},
                     {.name = "alive", .kind = QueryKind::Flag},
                     {.name = "gen", .kind = QueryKind::Choice, .choices = {"gen0", "gen1", "large"}}},
          .hasObjectFields = true};
}

using Person = std::map<std::string, QueryValue>;

Person ada() {
  return {{"name", QueryValue::ofText("Ada Lovelace")}, {"age", QueryValue::ofNumber(36)},
          {"bytes", QueryValue::ofNumber(65536)},       {"address", QueryValue::ofAddress(0x7f4c59812340)},
          {"alive", QueryValue::ofFlag(false)},         {"gen", QueryValue::ofText("gen1")},
          {"Boss.Name", QueryValue::ofNull()}};
}

bool isAccepted(const std::string& text, const Person& person = ada()) {
  const QuerySchema schema = people();
  const auto query = makeQuery(text, schema);
  if (!query) throw std::runtime_error(query.error().message());
  return matches(query->root, [&](const QueryFieldReference& field) {
    const bool isPath = field.field == QueryFieldReference::kObjectField;
    const auto found = person.find(isPath ? field.path : schema.fields[field.field].name);
    return found == person.end() ? QueryValue() : found->second;
  });
}

QueryError errorOf(const std::string& text) {
  const auto query = makeQuery(text, people());
  return query ? QueryError{0, 0, "no error"} : query.error();
}

TEST(QueryLanguage, textWithoutOperatorsIsAPartOfTheName) {
  for (const char* text : {"ada", "  LOVE ", "", "Ada Lovelace"}) EXPECT_TRUE(isAccepted(text)) << text;
  for (const char* text : {"bob", "age", "List<Order>", "name", "Size=24", "(x", "\\", "/"})
    EXPECT_FALSE(isAccepted(text)) << text;
}

TEST(QueryLanguage, comparesByTheKindOfTheField) {
  for (const char* text : {"name = \"Ada Lovelace\"",
                           "name ~ LOVE",
                           "name !~ bob",
                           "name ~ /^ada\\b/",
                           "called != Bob",
                           "age = 36",
                           "AGE >= 36",
                           "age<37",
                           "age > -1",
                           "age != 35",
                           "bytes = 64 KB",
                           "bytes = 64kb",
                           "bytes > 0.06MB",
                           "address = 0x7f4c59812340",
                           "address ~ 7F4C",
                           "not alive",
                           "alive = false",
                           "gen = 1",
                           "gen = gen1",
                           "gen in (0, 1)",
                           "gen not in (0, large)",
                           "age in (1, 36)",
                           "name == 'Ada Lovelace'",
                           "age = 3.6e1"}) {
    EXPECT_TRUE(isAccepted(text)) << text;
  }
  for (const char* text :
       {"name = ada", "name ~ /LACE ?x/", "age = 35", "age > 36", "bytes = 64", "bytes > 64 KB",
        "address = 0x7f4c59812341", "alive and age > 3", "gen = large", "gen != 1", "age in (1, 2)"}) {
    EXPECT_FALSE(isAccepted(text)) << text;
  }
}

TEST(QueryLanguage, andBindsTighterThanOrAndNotTighterStill) {
  EXPECT_TRUE(isAccepted("age = 36 or age = 1 and age = 2"));
  EXPECT_FALSE(isAccepted("(age = 36 or age = 1) and age = 2"));
  EXPECT_TRUE(isAccepted("not age = 1 and age = 36"));
  EXPECT_FALSE(isAccepted("not (age = 1 or age = 36)"));
  EXPECT_TRUE(isAccepted("not not age = 36"));
  EXPECT_TRUE(isAccepted("NOT alive AND (gen = 1 OR alive)"));
}

TEST(QueryLanguage, whatIsNotThereFitsNoComparison) {
  for (const char* text : {"field(\"Nothing\") = 1", "field(\"Nothing\") != 1", "field(\"Nothing\") = null"})
    EXPECT_FALSE(isAccepted(text)) << text;
  EXPECT_TRUE(isAccepted("not field(\"Nothing\") = 1"));
  EXPECT_TRUE(isAccepted("field(\"Boss.Name\") = null"));
  EXPECT_FALSE(isAccepted("field(Boss.Name) != null"));
  EXPECT_TRUE(isAccepted("field(Boss.Name) != \"Ada\""));
  EXPECT_FALSE(isAccepted("field(Boss.Name) ~ null"));
  EXPECT_FALSE(isAccepted("name = null"));
  EXPECT_TRUE(isAccepted("name != null"));
}

TEST(QueryLanguage, numbersAreExactInAllTheirBits) {
  Person person = ada();
  person["age"] = QueryValue::ofNumber(18446744073709551615ull);
  EXPECT_TRUE(isAccepted("age = 18446744073709551615", person));
  EXPECT_FALSE(isAccepted("age = 18446744073709551614", person));
  EXPECT_FALSE(isAccepted("age > 18446744073709551615", person));
  person["Share"] = {.state = QueryValue::State::There, .number = 0.1, .width = QueryValue::Width::Double};
  EXPECT_TRUE(isAccepted("field(Share) = 0.1", person));
  person["Share"] = {
      .state = QueryValue::State::There, .number = static_cast<long double>(0.1f), .width = QueryValue::Width::Float};
  EXPECT_TRUE(isAccepted("field(Share) = 0.1 and field(Share) <= 0.1", person));
}

TEST(QueryLanguage, quotationMarksAndEscapesAreRead) {
  Person person = ada();
  person["name"] = QueryValue::ofText("a \"b\" \\ c'd\n");
  EXPECT_TRUE(isAccepted("name = \"a \\\"b\\\" \\\\ c'd\\n\"", person));
  EXPECT_TRUE(isAccepted("name ~ 'c\\'d'", person));
  person["name"] = QueryValue::ofText("/a/b");
  EXPECT_TRUE(isAccepted("name ~ /^\\/a\\/b$/", person));
}

struct Wrong {
  const char* text;
  std::size_t position, length;
  const char* what;
};

TEST(QueryLanguage, namesOfGenericTypesAndArraysNeedNoQuotationMarks) {
  Person person = ada();
  for (const char* name : {"Dictionary<System.Int32, List<Order>>", "System.Int32[,,]", "<>c__DisplayClass5_0",
                           "Shop.Program+<Main>d__5[]", "Pair<A,B>[,]+Entry"}) {
    person["name"] = QueryValue::ofText(name);
    EXPECT_TRUE(isAccepted(std::string("name = ") + name + " and age = 36", person)) << name;
    EXPECT_TRUE(isAccepted(std::string("name in (other, ") + name + ", third)", person)) << name;
  }
  EXPECT_TRUE(isAccepted("age<40 and age>30"));
  EXPECT_NE(errorOf("name = List<Order and age > 3").what, "no error") << "an argument list that does not end";
}

TEST(QueryLanguage, errorsTellTheirPlaceAndWhatWasExpected) {
  for (const Wrong& wrong : {
           Wrong{"nmae = \"x\"", 0, 4, "Did you mean name?"},
           Wrong{"age > 3 and agee > 4", 12, 4, "Did you mean age?"},
           Wrong{"age >", 5, 0, "A value is missing"},
           Wrong{"age > 3 and", 11, 0, "A field is missing"},
           Wrong{"age > abc", 6, 3, "age is a number"},
           Wrong{"age ~ 3", 4, 1, "age cannot be compared with ~. Expected =, !=, <"},
           Wrong{"name < x", 5, 1, "name cannot be compared with <"},
           Wrong{"age and alive", 0, 3, "age is compared with nothing"},
           Wrong{"(age = 1", 0, 1, "not closed"},
           Wrong{"age = 1)", 7, 1, "closes nothing"},
           Wrong{"age = 1 age = 2", 8, 3, "Expected “and” or “or”"},
           Wrong{"gen = 7", 6, 1, "Expected gen0, gen1, large"},
           Wrong{"alive = 3", 8, 1, "true or false"},
           Wrong{"name ~ /[/", 7, 3, "no regular expression"},
           Wrong{"name = /a", 7, 1, "A value is missing"},
           Wrong{"name ~ \"a", 7, 2, "not closed"},
           Wrong{"age in 3", 7, 1, "A list is missing"},
           Wrong{"age in (3", 9, 0, "The list does not end"},
           Wrong{"age < null", 6, 4, "null is neither less nor greater"},
           Wrong{"field() = 3", 6, 1, "The name of a field is missing"},
           Wrong{"field(\"Boss..Name\") = 3", 6, 12, "names no field"},
           Wrong{"age = 3 and ox = 1", 12, 2, "as in field(\"ox\")"},
           Wrong{"age > bytes", 6, 5, "not with another field"},
           Wrong{"name = a;b", 8, 1, "stands in quotation marks"},
           Wrong{"age > 1,000", 7, 1, "as in 1000"},
       }) {
    const QueryError error = errorOf(wrong.text);
    EXPECT_EQ(error.position, wrong.position) << wrong.text << ": " << error.message();
    EXPECT_EQ(error.length, wrong.length) << wrong.text << ": " << error.message();
    EXPECT_NE(error.message().find(wrong.what), std::string::npos) << wrong.text << ": " << error.message();
  }
}

TEST(QueryLanguage, aComparisonThatIsNotWholeIsNoName) {
  for (const Wrong& wrong : {
           Wrong{"foo =", 5, 0, "A value is missing: the query ends here."},
           Wrong{"foo = ", 6, 0, "A value is missing"},
           Wrong{"not foo >=", 10, 0, "A value is missing"},
           Wrong{"foo in (1", 9, 0, "The list does not end"},
           Wrong{"foo not in", 10, 0, "A list is missing"},
           Wrong{"= 3", 0, 1, "A field is missing: found “=”"},
           Wrong{"order and age > 3", 0, 5, "There is no field “order”"},
           Wrong{"order or not foo = 3", 0, 5, "There is no field “order”"},
       }) {
    const QueryError error = errorOf(wrong.text);
    EXPECT_EQ(error.position, wrong.position) << wrong.text << ": " << error.message();
    EXPECT_EQ(error.length, wrong.length) << wrong.text << ": " << error.message();
    EXPECT_NE(error.message().find(wrong.what), std::string::npos) << wrong.text << ": " << error.message();
  }
  for (const char* text :
       {"foo=", "=", "<", "<Main>d__5", "<>c", "List<", "rock and roll", "and", "in", "foo in", "not"})
    EXPECT_EQ(errorOf(text).what, "no error") << text;
}

TEST(QueryLanguage, hostileTextsAreRefusedQuickly) {
  const std::string deep(100'000, '(');
  EXPECT_NE(errorOf(deep + "age = 1").what, "no error");
  EXPECT_NE(errorOf(std::string(60, '(') + std::string(60, '(') + "age = 1").what, "no error");
  std::string nots;
  for (int i = 0; i < 10'000; ++i) nots += "not ";
  EXPECT_EQ(errorOf(nots + "age = 1").what, "The query is nested too deeply.");
  std::string list = "age in (0";
  for (int i = 1; i < 5000; ++i) list += "," + std::to_string(i);
  EXPECT_EQ(errorOf(list + ")").what, "The query compares too many values.");
  EXPECT_EQ(errorOf("name = \"" + std::string(100'000, 'x') + "\"").what, "The query is too long.");
  EXPECT_NE(errorOf("name ~ /((a{1000}){1000}){1000}/").what.find("no regular expression"), std::string::npos);
  EXPECT_NE(errorOf("name ~ \"\xff\xfe\"").what.find("no regular expression"), std::string::npos);
  EXPECT_FALSE(isAccepted("\xff\xfe"));
  EXPECT_FALSE(isAccepted("age = 1e999999"));
  EXPECT_TRUE(isAccepted("age > -0x10"));
  EXPECT_NE(errorOf("name = a" + std::string(60'000, '<')).what, "no error");
}

TEST(QueryLanguage, columnsAreNamedByTheirTitles) {
  EXPECT_EQ(queryNameOf("Retained"), "retained");
  EXPECT_EQ(queryNameOf("Managed id"), "managedId");
  EXPECT_EQ(queryNameOf("OS id"), "osId");
  EXPECT_EQ(queryNameOf("What it is"), "whatItIs");
  EXPECT_EQ(queryNameOf("%"), "");
}

TEST(QueryLanguage, fieldsOfColumnsAreReadAndWrittenAlike) {
  for (const std::string text : {"retained", "field(\"Customer.Name\")"}) {
    const auto field = parseQueryField(text, objectSchema());
    ASSERT_TRUE(field) << text;
    EXPECT_EQ(toString(*field, objectSchema()), text);
  }
  const auto wrong = parseQueryField("retaned", objectSchema());
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().help, "Did you mean retained?");
}

TEST(QueryLanguage, rowsOfAListAreFilteredAndSorted) {
  using Row = std::pair<std::string, std::optional<std::uint64_t>>;
  const TableOf<Row> described("rows", {textColumn<Row>("name", "Name", "", &Row::first).searched(),
                                        countColumn<Row>("size", "Size", "", &Row::second)});
  const Table table = described.with({{"b", 2}, {"a", 1}, {"none", std::nullopt}, {"c", 3}});
  const auto rowsOf = [&](const std::string& text, bool descending) {
    const auto query = makeQuery(text, schemaOf(described.description()));
    return selectRows(table, *query, QueryFieldReference{1, {}}, descending, {}).value();
  };
  EXPECT_EQ(rowsOf("", true), (std::vector<std::uint32_t>{3, 0, 1, 2}));
  EXPECT_EQ(rowsOf("", false), (std::vector<std::uint32_t>{1, 0, 3, 2}));
  EXPECT_EQ(rowsOf("size > 1", false), (std::vector<std::uint32_t>{0, 3}));
  EXPECT_EQ(rowsOf("not size > 1", false), (std::vector<std::uint32_t>{1, 2}));
}

}  // namespace
}  // namespace heapscape::engine
