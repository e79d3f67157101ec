// SPDX-License-Identifier: MIT
// What lists whose rows are about objects are asked of these objects.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>

#include "lists/lists.h"
#include "query/completion.h"
#include "query/objects/object_search.h"
#include "query/rows/table_query.h"
#include "support/opened_snapshot.h"
#include "tables/retained_tables.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

const Snapshot& listedShop() {
  return retainedDump("shop-10");
}

Table rowsOf(const std::string& list) {
  return findList(list)->read(listedShop(), {}, {}).value();
}

Address objectAt(const Table& table, std::uint32_t row) {
  const Cell cell = table.cell(row, *table.description->find(table.description->object));
  return cell.as<Address>() ? *cell.as<Address>() : Address{};
}

QueryFieldReference field(const Table& table, const std::string& text) {
  return parseQueryField(text, schemaOf(*table.description)).value();
}

TableRows withFields(const Table& table, const std::vector<QueryFieldReference>& fields) {
  return TableRows::read(listedShop(), table, fields, nullptr, {}).value();
}

std::vector<std::uint32_t> asked(const Table& table, const std::string& text, const std::string& sortBy = {},
                                 bool descending = false) {
  const auto query = makeQuery(text, schemaOf(*table.description));
  if (!query) throw std::runtime_error(query.error().message());
  std::vector<QueryFieldReference> fields = fieldsOf(*query);
  std::optional<QueryFieldReference> order;
  if (!sortBy.empty()) fields.push_back(order.emplace(field(table, sortBy)));
  return selectRows(withFields(table, fields), *query, order, descending, {}).value();
}

/// What the list of objects tells of the object at an address; nothing if none begins there.
std::optional<QueryValue> toldOf(Address object, const QueryFieldReference& field) {
  const auto id = idOfObject(listedShop(), object);
  if (!id) return std::nullopt;
  return ObjectDescriber(listedShop(), {field}).describe(std::span(&*id, 1), {}).value().front().columns.front();
}

std::string valueName(const Table& table) {
  return std::ranges::find_if(table.description->columns, &ListColumn::isOfObject)->name;
}

TEST(TableRows, listsThatNameAnObjectTellWhatItHolds) {
  std::set<std::string> about;
  for (const List& list : allLists())
    if (list.description().isAboutObjects()) about.insert(list.name);
  EXPECT_EQ(about, (std::set<std::string>{"chains", "exceptions", "finalizers", "handles", "http", "locals", "locks",
                                          "roots", "statics", "threads", "timers"}));
  for (const std::string& name : about) {
    const TableDescription& list = findList(name)->description();
    ASSERT_TRUE(list.find(list.object)) << name;
    EXPECT_EQ(list.columns[*list.find(list.object)].kind, ColumnKind::Address) << name;
    EXPECT_EQ(std::ranges::count_if(list.columns, &ListColumn::isOfObject), 1) << name;
    EXPECT_TRUE(schemaOf(list).hasObjectFields) << name;
  }
}

TEST(TableRows, aRowHoldsWhatTheListOfObjectsTellsOfItsObject) {
  for (const List& list : allLists()) {
    if (!list.description().isAboutObjects()) continue;
    const Table table = rowsOf(list.name);
    const QueryFieldReference value = field(table, valueName(table));
    const TableRows rows = withFields(table, {value});
    std::uint32_t told = 0;
    for (std::uint32_t row = 0; row < table.rows; ++row) {
      const auto expected = toldOf(objectAt(table, row), referenceTo(ObjectField::Value));
      ASSERT_EQ(rows.value(row, value), expected.value_or(QueryValue())) << list.name << " " << row;
      told += rows.value(row, value).isThere();
    }
    EXPECT_TRUE(told > 0 || table.rows == 0) << list.name;
  }
}

TEST(TableRows, aFieldThatIsTypedIsReadOfTheObjects) {
  const Table roots = rowsOf("roots");
  const QueryFieldReference count = field(roots, "field(\"Count\")");
  const TableRows rows = withFields(roots, {count});
  std::vector<std::uint32_t> expected;
  for (std::uint32_t row = 0; row < roots.rows; ++row) {
    const QueryValue told = toldOf(objectAt(roots, row), count).value_or(QueryValue());
    ASSERT_EQ(rows.value(row, count), told) << row;
    if (told.number && *told.number > 3) expected.push_back(row);
  }
  EXPECT_FALSE(expected.empty());
  EXPECT_EQ(asked(roots, "field(\"Count\") > 3"), expected);
  const auto few = asked(roots, "kind = static and field(\"Count\") > 3");
  EXPECT_FALSE(few.empty());
  EXPECT_TRUE(std::ranges::includes(expected, few));
}

TEST(TableRows, rowsAreFilteredByWhatTheirObjectsHold) {
  const Table handles = rowsOf("handles");
  const QueryFieldReference value = field(handles, "value");
  const TableRows rows = withFields(handles, {value});
  std::string word;
  for (std::uint32_t row = 0; word.empty() && row < handles.rows; ++row)
    if (rows.value(row, value).text && rows.value(row, value).text->size() > 8)
      word = rows.value(row, value).text->substr(2, 5);
  std::vector<std::uint32_t> expected;
  for (std::uint32_t row = 0; row < handles.rows; ++row) {
    const auto& text = rows.value(row, value).text;
    if (text && text->find(word) != std::string::npos) expected.push_back(row);
  }
  const auto found = asked(handles, "value ~ " + quotedForQuery(word));
  EXPECT_TRUE(std::ranges::includes(found, expected));
  EXPECT_LT(found.size(), handles.rows);
}

TEST(TableRows, rowsAreSortedByWhatTheirObjectsHoldAndThoseWithoutComeLast) {
  const Table handles = rowsOf("handles");
  const QueryFieldReference value = field(handles, "value");
  const TableRows rows = withFields(handles, {value});
  for (const bool descending : {false, true}) {
    const auto order = asked(handles, "", "value", descending);
    ASSERT_EQ(order.size(), handles.rows);
    for (std::size_t i = 1; i < order.size(); ++i) {
      const QueryValue before = rows.value(order[i - 1], value), after = rows.value(order[i], value);
      ASSERT_TRUE(before.isThere() || !after.isThere());
      if (before.isThere() && after.isThere()) {
        ASSERT_FALSE(descending ? isBefore(before, after) : isBefore(after, before));
      }
    }
  }
}

TEST(TableRows, groupsAreRowsWhoseObjectsHoldTheSame) {
  const Table roots = rowsOf("roots");
  const QueryFieldReference value = field(roots, "value");
  const TableRows rows = withFields(roots, {value});
  std::map<std::string, std::uint64_t> expected;
  for (std::uint32_t row = 0; row < roots.rows; ++row)
    ++expected[std::to_string(static_cast<int>(rows.value(row, value).state)) + toString(rows.value(row, value))];
  const std::vector<std::uint32_t> all = asked(roots, "");
  const auto grouped = groupRows(all, [&](std::size_t place) { return rows.value(all[place], value); }, {});
  ASSERT_TRUE(grouped.has_value());
  const std::vector<TableGroup>& groups = *grouped;
  EXPECT_EQ(groups.size(), expected.size());
  EXPECT_LT(groups.size(), roots.rows);
  for (const TableGroup& group : groups)
    EXPECT_EQ(group.rows.size(),
              (expected[std::to_string(static_cast<int>(group.value.state)) + toString(group.value)]));
  EXPECT_TRUE(
      std::ranges::is_sorted(groups, std::greater(), [](const TableGroup& group) { return group.rows.size(); }));
}

TEST(TableRows, whatWouldBeFreedTellsWhatItHoldsAsWell) {
  const RetainedList retained = largestRetained(listedShop(), 200);
  const Table table = retainedTable().with(listRetained(listedShop(), retained));
  const QueryFieldReference value = field(table, "value");
  const TableRows rows = withFields(table, {value});
  ASSERT_EQ(table.rows, 200u);
  for (std::uint32_t row = 0; row < table.rows; ++row)
    EXPECT_EQ(rows.value(row, value), toldOf(objectAt(table, row), referenceTo(ObjectField::Value)));
}

TEST(TableRows, aRowWithoutAnObjectHasNothingToTell) {
  const TableOf<Address> table = TableOf<Address>{
      "rows", {addressColumn<Address>("object", "Object", "It.", [](Address address) {
        return address;
      })}}.about("object");
  const Address object = objectAt(rowsOf("roots"), 0);
  const Table rows = table.with({Address{}, object, object + 4, Address{0x1234}, object});
  const QueryFieldReference value = field(rows, "value");
  const TableRows read = withFields(rows, {value});
  EXPECT_TRUE(read.value(1, value).isThere());
  EXPECT_EQ(read.value(4, value), read.value(1, value));
  for (const std::uint32_t row : {0u, 2u, 3u}) EXPECT_EQ(read.value(row, value), QueryValue()) << row;
}

TEST(TableRows, readingCanBeStoppedAndTellsHowFarItIs) {
  const Table roots = rowsOf("roots");
  const std::vector<QueryFieldReference> fields{field(roots, "value")};
  std::stop_source stopped;
  stopped.request_stop();
  const auto read = TableRows::read(listedShop(), roots, fields, nullptr, stopped.get_token());
  ASSERT_FALSE(read);
  EXPECT_TRUE(read.error().isCancelled());
  struct Sink : ProgressSink {
    double last = 0;
    void progressed(const Progress& progress) override { last = progress.fraction; }
  } sink;
  ASSERT_TRUE(TableRows::read(listedShop(), roots, fields, &sink, {}));
  EXPECT_EQ(sink.last, 1);
}

TEST(TableRows, whatTheObjectsHoldIsContents) {
  for (const List& list : allLists()) {
    const auto& columns = list.description().columns;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (!columns[i].isOfObject) continue;
      EXPECT_TRUE(columns[i].holdsContents) << list.name;
      EXPECT_FALSE(columns[i].isInJson) << list.name;
    }
  }
}

TEST(TableRows, fieldsAreOfferedWhereRowsAreAboutObjects) {
  const auto offered = [](const std::string& list, const std::string& text) {
    const QuerySchema schema = schemaOf(findList(list)->description());
    const SnapshotCompletion source(listedShop(), schema);
    std::set<std::string> offers;
    for (const Completion& each : completeQuery(text, text.size(), schema, &source).items) offers.insert(each.text);
    return offers;
  };
  EXPECT_TRUE(offered("roots", "").contains("value"));
  EXPECT_TRUE(offered("roots", "").contains("field(\""));
  EXPECT_TRUE(offered("statics", "").contains("objectValue"));
  EXPECT_FALSE(offered("segments", "").contains("field(\""));
  EXPECT_TRUE(offered("handles", "type = \"System.Threading.Thread\" and field(\"").contains("\"_name\")"));
  EXPECT_TRUE(offered("statics", "objectType = \"System.Threading.Thread\" and field(\"").contains("\"_name\")"));
  EXPECT_FALSE(makeQuery("field(\"Name\") = 1", schemaOf(findList("segments")->description())));
}

}  // namespace
}  // namespace heapscape::engine
