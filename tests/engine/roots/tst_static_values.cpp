// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "session/roots/statics_query.h"
#include "session/snapshot/contents.h"
#include "session/threads/threads_query.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

/// What tests/targets/shop stores in Statics.cs, Generics.cs and Emitted.cs.
class StaticValues : public testing::TestWithParam<std::string> {
 protected:
  const Snapshot& snapshot() const { return openedDump(GetParam()); }

  std::vector<StaticRow> rowsOf(const std::string& type, const std::string& field) const {
    const auto list = listStatics(snapshot(), {.typeText = type}, {});
    EXPECT_TRUE(list);
    std::vector<StaticRow> rows;
    for (const StaticRow& row : list->statics) {
      if (row.typeName == type && row.field == field) rows.push_back(row);
    }
    return rows;
  }

  std::string textOf(const std::string& type, const std::string& field) const {
    const auto rows = rowsOf(type, field);
    return rows.size() == 1 ? rows.front().value.value.text : std::to_string(rows.size()) + " rows";
  }
};

INSTANTIATE_TEST_SUITE_P(OfShop, StaticValues, testing::ValuesIn(shopDumps()),
                         [](const auto& dump) { return testName(dump.param); });

TEST_P(StaticValues, OfEveryKindAreThoseOfTheProgram) {
  const std::map<std::string, std::string> expected{{"flag", "true"},
                                                    {"small", "165"},
                                                    {"letter", "'Q'"},
                                                    {"negative", "-1234"},
                                                    {"big", "1234605616436508552"},
                                                    {"single", "1.5"},
                                                    {"real", "-2.25"},
                                                    {"money", "19.99"},
                                                    {"date", "2024-12-24 00:00:00"},
                                                    {"guid", "00112233-4455-6677-8899-aabbccddeeff"},
                                                    {"day", "Thursday"},
                                                    {"maybe", "77"},
                                                    {"none", "null"},
                                                    {"text", "\"static text\""},
                                                    {"boxed", "12345"}};
  const auto list = listStatics(snapshot(), {.typeText = "Shop.Statics"}, {});
  ASSERT_TRUE(list);
  EXPECT_TRUE(list->findings.items().empty());
  std::map<std::string, std::string> actual;
  for (const StaticRow& row : list->statics) {
    if (row.typeName != "Shop.Statics" || row.kind == StaticKind::Thread) continue;
    EXPECT_TRUE(row.isInitialised) << row.field;
    EXPECT_TRUE(row.address) << row.field;
    EXPECT_NE(row.value.value.kind, ValueKind::Damaged) << row.field << row.value.value.damage;
    if (expected.contains(row.field)) actual[row.field] = row.value.value.text;
  }
  EXPECT_EQ(actual, expected);
  EXPECT_TRUE(rowsOf("Shop.Statics", "Constant").empty()) << "a constant has no storage";

  const auto rows = rowsOf("Shop.Statics", "structure");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_TRUE(rows.front().isBoxed);
  EXPECT_NE(rows.front().value.address, rows.front().address);
  std::map<std::string, std::string> fields;
  for (const FieldValue& field : rows.front().value.nested) fields[field.name] = field.value.text;
  EXPECT_EQ(fields["B"], "3");
  EXPECT_EQ(fields["D"], "4.5");
  EXPECT_EQ(fields["E"], "6");
}

TEST_P(StaticValues, OfGenericTypesAreOfEachInstantiation) {
  EXPECT_EQ(textOf("Shop.Box<System.Int32>", "Default"), "101");
  EXPECT_EQ(textOf("Shop.Box<System.String>", "Default"), "\"static of Box<string>\"");
  EXPECT_EQ(textOf("Shop.Box<Catalog.Order>", "Default"), "null");
  EXPECT_EQ(textOf("Shop.Box<System.Int32>", "Made"), "5");  // the length of "Int32"
  EXPECT_EQ(textOf("Shop.Box<System.String>", "Made"), "6");
  const auto list = listStatics(snapshot(), {.typeText = "Shop.Box<"}, {});
  ASSERT_TRUE(list);
  for (const StaticRow& row : list->statics) EXPECT_EQ(row.typeName.find("__Canon"), std::string::npos) << row.typeName;
}

TEST_P(StaticValues, OfEmittedTypesAreThereToo) {
  const auto rows = rowsOf("Emitted.Label", "Shared");
  ASSERT_EQ(rows.size(), 2u);  // one of a module that stays, one of a collectible one
  for (const StaticRow& row : rows) {
    EXPECT_EQ(row.value.value.text, "\"emitted static\"") << row.assembly;
    EXPECT_TRUE(row.isInitialised);
  }
  EXPECT_NE(rows[0].methodTable, rows[1].methodTable);
}

TEST_P(StaticValues, OfThreadsAreOfEachThatHasUsedThem) {
  const auto threads = listThreads(snapshot(), {});
  ASSERT_TRUE(threads);
  std::map<std::uint32_t, std::string> names;
  for (const ThreadRow& thread : threads->threads)
    names[thread.managedId] = thread.managedId == 1 ? "main" : thread.name;

  std::map<std::string, std::string> texts;
  for (const StaticRow& row : rowsOf("Shop.Statics", "perThreadText")) {
    EXPECT_EQ(row.kind, StaticKind::Thread);
    if (!row.isInitialised) continue;  // on .NET 8 the place may be there before it is used
    texts[names[row.threadId]] = row.value.value.text;
  }
  EXPECT_EQ(texts, (std::map<std::string, std::string>{{"main", "\"thread static of main\""},
                                                       {"worker 1", "\"thread static of worker 1\""},
                                                       {"worker 2", "\"thread static of worker 2\""}}));
  for (const auto& [type, field] :
       {std::pair{"Shop.Statics", "perThread"}, std::pair{"Shop.Statics+GenericPerThread<System.Int32>", "Value"}}) {
    std::map<std::string, std::string> lengths;
    for (const StaticRow& row : rowsOf(type, field)) {
      // Small generic ones have their place in every thread, and are zero where they were never used.
      if (row.value.value.text != "0") lengths[names[row.threadId]] = row.value.value.text;
    }
    EXPECT_EQ(lengths, (std::map<std::string, std::string>{{"main", "4"}, {"worker 1", "8"}, {"worker 2", "8"}}))
        << type;
  }
  std::set<std::string> generic;
  for (const StaticRow& row : rowsOf("Shop.Statics+GenericPerThread<System.String>", "Value")) {
    if (row.isInitialised) generic.insert(row.value.value.text);
  }
  EXPECT_EQ(generic, (std::set<std::string>{"\"main\"", "\"worker 1\"", "\"worker 2\""}));
  for (const StaticRow& row : rowsOf("Shop.Statics", "perThreadMoney")) {
    if (!row.isInitialised) continue;
    ASSERT_EQ(row.value.nested.size(), 2u);
    EXPECT_EQ(row.value.nested[1].value.text, "Dollar");
  }
}

TEST_P(StaticValues, InTheImageAreTheBytesOfTheProgram) {
  const auto list = listStatics(snapshot(), {.typeText = "<PrivateImplementationDetails>"}, {});
  ASSERT_TRUE(list);
  bool hasPrimes = false;
  for (const StaticRow& row : list->statics) {
    if (row.kind != StaticKind::Rva || row.assembly != "shop.dll") continue;
    hasPrimes |= row.value.value.text == "02 00 00 00 03 00 00 00 05 00 00 00 07 00 00 00 0b 00 00 00 0d 00 00 00";
  }
  EXPECT_TRUE(hasPrimes);
}

TEST_P(StaticValues, ThatDoNotExistYetAreSaidToBeSo) {
  const auto all = listStatics(snapshot(), {}, {});
  const auto used = listStatics(snapshot(), {.includeUninitialised = false}, {});
  ASSERT_TRUE(all && used);
  EXPECT_GT(all->statics.size(), used->statics.size());
  std::size_t unused = 0;
  for (const StaticRow& row : all->statics) {
    if (row.address) continue;
    ++unused;
    EXPECT_FALSE(row.isInitialised) << row.typeName;
    EXPECT_EQ(row.value.value.kind, ValueKind::Null) << row.typeName;
    EXPECT_FALSE(row.fieldType.empty()) << row.typeName << "." << row.field;
  }
  EXPECT_GT(unused, 0u);
  EXPECT_TRUE(std::ranges::all_of(used->statics, &StaticRow::isInitialised));
  EXPECT_TRUE(std::ranges::is_sorted(all->statics, {}, [](const StaticRow& row) {
    return std::pair(row.typeName.starts_with('<'), std::string_view(row.typeName));
  }));
}

TEST(Statics, OfOneTypeAreAskedForByItsMethodTable) {
  const Snapshot& snapshot = openedDump("shop-9");
  const auto all = listStatics(snapshot, {.typeText = "Shop.Statics"}, {});
  ASSERT_TRUE(all);
  const auto wanted = std::ranges::find(all->statics, "Shop.Statics", &StaticRow::typeName);
  ASSERT_NE(wanted, all->statics.end());
  const auto list = listStatics(snapshot, {.methodTable = wanted->methodTable}, {});
  ASSERT_TRUE(list);
  ASSERT_FALSE(list->statics.empty());
  for (const StaticRow& row : list->statics) EXPECT_EQ(row.typeName, "Shop.Statics");
  const auto none = listStatics(snapshot, {.methodTable = Address{0x1234}}, {});
  ASSERT_TRUE(none);
  EXPECT_TRUE(none->statics.empty());
}

// Threads of a pool have used different statics, so that their tables are of different lengths.
TEST(Statics, OfThreadsThatHaveNotUsedThemAreNotThere) {
  for (const char* dump : {"exhibits-8", "exhibits-9", "exhibits-10"}) {
    const auto list = listStatics(openedDump(dump), {}, {});
    ASSERT_TRUE(list);
    EXPECT_TRUE(list->findings.items().empty());
    std::size_t references = 0;
    for (const StaticRow& row : list->statics) {
      if (row.kind != StaticKind::Thread) continue;
      references += row.value.value.kind == ValueKind::Reference;
      EXPECT_NE(row.value.value.kind, ValueKind::Damaged) << dump << row.typeName << "." << row.field;
    }
    EXPECT_GT(references, 10u) << dump;
  }
}

TEST(Statics, CanBeStopped) {
  std::stop_source source;
  source.request_stop();
  EXPECT_FALSE(listStatics(openedDump("shop-9"), {}, source.get_token()));
}

TEST(Statics, WithoutMetadataKeepTheirPlaces) {
  const auto list = listStatics(openedDump("shop-10-gcore"), {}, {});
  ASSERT_TRUE(list);
  EXPECT_GT(list->statics.size(), 1000u);
  EXPECT_TRUE(std::ranges::any_of(list->statics, [](const StaticRow& row) {
    return row.field.starts_with("field#") && row.value.value.kind == ValueKind::Reference;
  }));
}

}  // namespace
}  // namespace heapscape::engine
