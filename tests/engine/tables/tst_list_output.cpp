// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "lists/lists.h"
#include "output/table_output.h"
#include "query/objects/object_schema.h"
#include "query/rows/table_query.h"
#include "support/opened_snapshot.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

template <class Write>
std::string written(const Write& write) {
  std::string text;
  Output output(appendTo(text));
  write(output);
  output.flush();
  return text;
}

nlohmann::json jsonOf(const Table& table, const RowSelection& selection = {}) {
  return nlohmann::json::parse(written([&](Output& output) {
    JsonWriter json(output);
    json.beginObject();
    writeTable(json, table, selection);
    json.endObject();
  }));
}

std::string tsvOf(const Table& table) {
  return written([&](Output& output) { writeTableTsv(output, table, {}); });
}

std::string textOf(const Table& table, const RowSelection& selection = {}) {
  return written([&](Output& output) { writeTableText(output, table, selection); });
}

Table sample() {
  struct Row {
    std::string name;
    std::optional<std::uint64_t> bytes;
    Address address;
    std::uint64_t young, old;
  };
  const TableOf<Row> described(
      "rows",
      {textColumn<Row>("name", "Name", "A name.", &Row::name).contents(),
       bytesColumn<Row>("retained", "Retained", "Bytes.", &Row::bytes).inJsonAs("retainedBytes"),
       addressColumn<Row>("address", "Address", "Where.", &Row::address),
       bytesColumn<Row>("gen0", "Young", "Young.", &Row::young).inGroup("generations").hidingZero(),
       bytesColumn<Row>("gen2", "Old", "Old.", &Row::old).inGroup("generations").hidingZero(),
       textColumn<Row>("nothing", "Nothing", "No row has one.", [](const Row&) { return Cell(); })},
      {"retained", "name", "nothing"}, {"name", "retained"});
  return described.with({{"a", 2048, {0x10}, 0, 8}, {"b", std::nullopt, {}, 16, 0}});
}

TEST(ListOutput, jsonHasWhatIsKnownAndLeavesOutWhatARowHasNot) {
  EXPECT_EQ(jsonOf(sample()), nlohmann::json::parse(R"({"rows": [
      {"name": "a", "retainedBytes": 2048, "address": "0x10", "generations": {"gen2": 8}},
      {"name": "b", "retainedBytes": null, "address": "0x0", "generations": {"gen0": 16}}]})"));
}

TEST(ListOutput, contentsAreLeftOut) {
  EXPECT_TRUE(jsonOf(sample(), {.isRedacted = true})["rows"][0]["name"].is_null());
  EXPECT_EQ(textOf(sample(), {.isRedacted = true}).find(" a"), std::string::npos);
  EXPECT_NE(textOf(sample(), {.isRedacted = true}).find("(left out)"), std::string::npos);
}

TEST(ListOutput, aRowsOwnListsAreMembersOfIt) {
  const TableOf<int> numbers("numbers",
                             {textColumn<int>("n", "N", "N.", [](int n) { return static_cast<std::uint64_t>(n); })});
  Table table = numbers.having([&](int n) { return std::vector{numbers.onOneLine().with({n, n + 1})}; }).with({7});
  EXPECT_EQ(jsonOf(table), nlohmann::json::parse(R"({"numbers": [{"n": 7, "numbers": [{"n": 7}, {"n": 8}]}]})"));
  EXPECT_EQ(textOf(table), "N\n7\n");
  table.showsInner = true;
  EXPECT_EQ(textOf(table), "N\n7\n\nN\n7\n8\n\n");
}

TEST(ListOutput, peopleSeeTheSumBelowAllRowsOnly) {
  const TableOf<std::string> names(
      "names", {textColumn<std::string>("name", "Name", "It.", [](const std::string& name) { return name; })}, {},
      {"name"});
  Table table = names.with({"a", "b", "all"});
  --table.rows;
  table.hasSum = true;
  EXPECT_EQ(textOf(table), "Name\na\nb\nall\n");
  EXPECT_EQ(textOf(table, {.limit = 1}), "Name\na\n");
  EXPECT_EQ(tsvOf(table), "name\na\nb\n");
  EXPECT_EQ(jsonOf(table)["names"].size(), 2u);
}

TEST(ListOutput, figuresReadAsTheirKindSays) {
  struct Row {
    std::uint64_t token;
    double share;
    Cell::Words words;
  };
  const TableOf<Row> described(
      "rows",
      {idColumn<Row>("token", "T", "T.", &Row::token).hex(), shareColumn<Row>("share", "S", "S.", &Row::share),
       wordsColumn<Row>("words", "W", "W.", &Row::words).between(",")},
      {}, {"token", "words"});
  const Table table = described.with({{255, 0.99999, {"a", "b"}}});
  EXPECT_EQ(textOf(table), "   T       S  W\n0xff  99.99%  a,b\n");
  EXPECT_EQ(tsvOf(table), "token\twords\n255\ta,b\n");
}

TEST(ListOutput, totalsAreCalledInWordsWherePeopleReadThem) {
  Table table = sample();
  table.totals = {{"retainedBytes", 2048, true}, {"neverSeen", 3}};
  const std::string text = textOf(table);
  EXPECT_NE(text.find("\nRetained "), std::string::npos) << text;
  EXPECT_NE(text.find("\nNever seen "), std::string::npos) << text;
  EXPECT_EQ(jsonOf(table)["totals"], nlohmann::json::parse(R"({"retainedBytes": 2048, "neverSeen": 3})"));
}

TEST(ListOutput, tsvHasALineOfNamesAndExactFigures) {
  EXPECT_EQ(tsvOf(sample()), "name\tretainedBytes\na\t2048\nb\t\n");
}

TEST(ListOutput, peopleSeeTitlesAndNoColumnThatSaysNothing) {
  EXPECT_EQ(textOf(sample()), "Retained  Name\n 2.00 KB  a\n          b\n");
  EXPECT_EQ(textOf(sample(), {.limit = 1}), "Retained  Name\n 2.00 KB  a\n");
}

TEST(ListOutput, everyListIsOneJsonRowForEachOfItsRows) {
  const Snapshot& snapshot = retainedDump("stacks-8");
  for (const List& list : allLists()) {
    const Table table = list.read(snapshot, {}, {}).value();
    EXPECT_EQ(jsonOf(table)[list.name].size(), table.rows) << list.name;
  }
}

// Written anew with HEAPSCAPE_WRITE_MANUAL in the environment.
// Rows of these tell the same bytes of several, a size of one, or a place; a sum of them is of nothing.
TEST(Lists, whatIsAddedUpIsCountedOnceInARow) {
  std::size_t additive = 0;
  for (const List& list : allLists()) {
    for (const ListColumn& column : list.description().columns) {
      const std::string name = std::string(list.name) + "." + column.name;
      if (!column.isAdditive) continue;
      ++additive;
      EXPECT_TRUE(column.kind == ColumnKind::Bytes || column.kind == ColumnKind::Count) << name;
      EXPECT_FALSE(column.name.starts_with("retained") || column.name.ends_with("Offset") || column.name == "average" ||
                   column.name == "alone" || column.name == "bestSize" || column.name == "calls")
          << name;
    }
  }
  EXPECT_GT(additive, 20U);
}

void addHeading(std::string& page, std::string_view name, std::string_view summary) {
  page += fmt::format("\n## {}\n{}.\n\n| field | kind | holds |\n|---|---|---|\n", name, summary);
}

// What else can be asked of rows that are about an object.
std::string aboutObjects(const TableDescription& list) {
  return fmt::format("; besides these fields each row has those of its `{}`, as in `field(\"Name\")`", list.object);
}

void addField(std::string& page, const QueryField& field) {
  std::string meaning = field.help;
  if (!field.choices.empty()) meaning += fmt::format(" One of `{}`.", fmt::join(field.choices, "`, `"));
  if (!field.aliases.empty()) meaning += fmt::format(" Also `{}`.", fmt::join(field.aliases, "`, `"));
  if (field.holdsContents) meaning += " Left out with `--redact`.";
  page += fmt::format("| `{}` | {} | {} |\n", field.name, toString(field.kind), meaning);
}

// The manual's page of all fields of all lists, in Markdown.
std::string fieldsPage() {
  std::string page =
      "# Fields\n"
      "All that queries can ask for, by list; `heapscape-cli query --of LIST` and the window's filter lines know the "
      "same. Where a field is called otherwise in JSON, queries know that name, too.\n";
  addHeading(page, "objects",
             "Every object on the heap; besides these fields each has its own, as in `field(\"Name\")`");
  for (const QueryField& field : objectSchema().fields) addField(page, field);
  for (const List& list : allLists()) {
    const QuerySchema schema = schemaOf(list.description());
    addHeading(page, list.name,
               schema.hasObjectFields ? list.summary + aboutObjects(list.description()) : list.summary);
    for (const QueryField& field : schema.fields) addField(page, field);
  }
  return page;
}

TEST(Manual, fieldsAreThoseThatThereAre) {
  const std::string path = HEAPSCAPE_TEST_DATA "/../../resources/manual/fields.md";
  if (std::getenv("HEAPSCAPE_WRITE_MANUAL")) std::ofstream(path) << fieldsPage();
  std::stringstream page;
  page << std::ifstream(path).rdbuf();
  EXPECT_EQ(page.str(), fieldsPage()) << "Run this test with HEAPSCAPE_WRITE_MANUAL=1 to write the page.";
}

}  // namespace
}  // namespace heapscape::engine
