// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "described_tables.h"
#include "lists/lists.h"
#include "query/rows/table_query.h"
#include "support/opened_snapshot.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

Table read(const Snapshot& snapshot, const List& list) {
  return list.read(snapshot, {}, {}).value();
}

std::uint32_t matching(const Table& table, const std::string& text) {
  const auto query = makeQuery(text, schemaOf(*table.description));
  if (!query) {
    ADD_FAILURE() << text << ": " << query.error().message();
    return 0;
  }
  return static_cast<std::uint32_t>(selectRows(table, *query, std::nullopt, false, {}).value().size());
}

// What a list's cells of a kind may hold.
bool fits(ColumnKind kind, const Cell& cell) {
  switch (kind) {
    case ColumnKind::Text:
    case ColumnKind::TypeName:
    case ColumnKind::Choice:
      return cell.as<std::string>();
    case ColumnKind::Words:
      return cell.as<Cell::Words>() || cell.as<Cell::Numbers>();
    case ColumnKind::Flag:
      return cell.as<bool>();
    case ColumnKind::Share:
    case ColumnKind::Percent:
      return cell.as<double>();
    case ColumnKind::Address:
      return cell.as<Address>();
    case ColumnKind::Range:
      return cell.as<AddressRange>();
    case ColumnKind::SavedBytes:
    case ColumnKind::GrownBytes:
      return cell.as<std::int64_t>();
    case ColumnKind::Count:
    case ColumnKind::Id:
    case ColumnKind::Bytes:
      return cell.as<std::uint64_t>();
  }
  return false;
}

TEST(Lists, everyColumnIsDescribedForEverybody) {
  for (const DescribedTable& described : describedTables("lookups-10")) {
    std::set<std::string> names, titles;
    for (const ListColumn& column : described.table.description->columns) {
      const std::string where = fmt::format("{}.{}", described.name, column.name);
      EXPECT_TRUE(names.insert(column.name).second) << where;
      EXPECT_TRUE(titles.insert(column.title).second) << where << " is titled as another one: " << column.title;
      EXPECT_TRUE(!column.name.empty() && std::islower(static_cast<unsigned char>(column.name[0]))) << where;
      EXPECT_TRUE(column.meaning.ends_with('.')) << where;
      EXPECT_EQ(column.kind == ColumnKind::Choice, !column.choices.empty()) << where;
    }
  }
}

TEST(Lists, noNameIsNoColumn) {
  for (const List& list : allLists()) EXPECT_FALSE(list.description().find("")) << list.name;
}

TEST(Lists, listsAreCalledAsTheirRowsAre) {
  for (const List& list : allLists()) EXPECT_EQ(list.description().noun, list.name);
}

TEST(Lists, whatIsShownAndWrittenIsAColumn) {
  for (const DescribedTable& described : describedTables("lookups-10")) {
    const TableDescription& description = *described.table.description;
    EXPECT_EQ(description.indicesOf(description.shown).size(), description.shown.size()) << described.name;
    EXPECT_EQ(description.indicesOf(description.tsv).size(), description.tsv.size()) << described.name;
  }
}

TEST(Lists, everyCellIsOfItsColumnsKind) {
  std::set<std::string> listed, filled;
  for (const char* dump : {"shop-10", "stacks-8", "flaws-9", "lookups-10", "web-10"}) {
    for (const auto& [name, table] : describedTables(dump)) {
      listed.insert(name);
      if (table.rows > 0) filled.insert(name);
      for (std::size_t column = 0; column < table.description->columns.size(); ++column) {
        for (std::uint32_t row = 0; row < table.rows; ++row) {
          const Cell cell = table.cell(row, column);
          ASSERT_TRUE(!cell.isThere() || fits(table.description->columns[column].kind, cell))
              << dump << " " << name << "." << table.description->columns[column].name << ": " << toString(cell);
        }
      }
    }
  }
  for (const std::string& name : listed) EXPECT_TRUE(filled.contains(name)) << name << " has no row in any dump";
}

TEST(Lists, choicesAreAllThatTheirColumnsHold) {
  for (const char* dump : {"shop-10", "stacks-8", "lookups-10"}) {
    for (const auto& [name, table] : describedTables(dump)) {
      for (std::size_t i = 0; i < table.description->columns.size(); ++i) {
        const ListColumn& column = table.description->columns[i];
        if (column.kind != ColumnKind::Choice) continue;
        for (std::uint32_t row = 0; row < table.rows; ++row) {
          const Cell cell = table.cell(row, i);
          EXPECT_TRUE(!cell.isThere() || std::ranges::count(column.choices, toString(cell)) == 1)
              << name << "." << column.name << ": " << toString(cell);
        }
      }
    }
  }
}

TEST(Lists, contentsAreNotToldWhereTheyAreToBeLeftOut) {
  const Table strings = read(retainedDump("shop-10"), *findList("strings"));
  const std::size_t value = *strings.description->find("value");
  EXPECT_FALSE(toString(strings.cell(0, value)).empty());
  EXPECT_TRUE(strings.redacted(0, value).isUnknown());
  EXPECT_EQ(strings.redacted(0, value + 1), strings.cell(0, value + 1));
}

TEST(Lists, namesThatTheProgramGaveAreContentsWithinAText) {
  const Table memory = read(retainedDump("stacks-8"), *findList("memory"));
  const std::size_t name = *memory.description->find("name");
  std::uint32_t named = 0;
  for (std::uint32_t row = 0; row < memory.rows; ++row) {
    const std::string text = toString(memory.cell(row, name));
    const std::string without = toString(memory.redacted(row, name));
    EXPECT_EQ(without.find('"'), std::string::npos) << without;
    if (without == text) continue;
    EXPECT_TRUE(text.starts_with(without)) << text;
    ++named;
  }
  EXPECT_GT(named, 0u);
}

TEST(QueryLists, everyListAnswersQueries) {
  const std::map<std::string, std::string> queries{{"types", "count > 100"},
                                                   {"modules", "readyToRun = true"},
                                                   {"strings", "count > 5 and length > 3"},
                                                   {"roots", "kind = static and retained > 1 KB"},
                                                   {"handles", "kind = pinned"},
                                                   {"threads", "finalizer or managedId = 1"},
                                                   {"finalizers", "generation = gen2 and not suppressed"},
                                                   {"statics", "type ~ Shop and field = orders"},
                                                   {"generics", "codeBytes > 1 KB and codeSets > 1"},
                                                   {"segments", "kind = gen0 and coverage = 1"},
                                                   {"generations", "generation = large"},
                                                   {"memory", "owner = jitCode or category = native"},
                                                   {"gaps", "gapBytes > 100"},
                                                   {"pins", "holder ~ GCHandle"},
                                                   {"waste", "not framework and size > 8"}};
  for (const auto& [name, text] : queries) {
    const Table table = read(retainedDump("shop-10"), *findList(name));
    EXPECT_GT(matching(table, text), 0u) << text;
    EXPECT_LT(matching(table, text), table.rows) << text;
  }
  const Table locks = read(retainedDump("stacks-8"), *findList("locks"));
  EXPECT_EQ(matching(locks, "standing = contended"), matching(locks, "waiting > 0"));
  EXPECT_GT(matching(locks, "standing = contended"), 0u);
}

TEST(QueryLists, fieldsAreAskedForByTheirNamesInJsonAsWell) {
  const Table statics = read(retainedDump("shop-10"), *findList("statics"));
  EXPECT_EQ(matching(statics, "retainedBytes > 1 KB"), matching(statics, "retained > 1 KB"));
  const Table roots = read(retainedDump("shop-10"), *findList("roots"));
  EXPECT_EQ(matching(roots, "retainedBytes > 1 KB"), matching(roots, "alone > 1 KB"));
  EXPECT_EQ(matching(roots, "objectRetainedBytes > 1 KB"), matching(roots, "retained > 1 KB"));
}

}  // namespace
}  // namespace heapscape::engine
