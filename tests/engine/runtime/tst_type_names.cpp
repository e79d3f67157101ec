// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "session/layouts/layout_query.h"
#include "session/snapshot/contents.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

std::vector<std::string> dumpsWithMetadata() {
  std::vector<std::string> names = heapDumps();
  std::erase_if(names, [](const std::string& name) { return name.ends_with("-gcore"); });
  return names;
}

class TypesOfEveryDump : public testing::TestWithParam<std::string> {
 protected:
  const Snapshot& m_snapshot = openedDump(GetParam());
  const Truth m_truth = Truth::of(GetParam());
};

TEST_P(TypesOfEveryDump, HaveTheNamesAndModulesOfTheTruth) {
  std::map<Address, const TypeRow*> rows;
  for (const TypeRow& row : m_snapshot.types()) rows[row.methodTable] = &row;
  std::size_t compared = 0;
  for (const TruthType& expected : m_truth.types) {
    const auto row = rows.find(expected.methodTable);
    if (row == rows.end()) continue;  // of a heap that is not whole
    if (!expected.module.empty()) {
      EXPECT_EQ(row->second->assembly, expected.module) << expected.name;
    }
    if (!expected.isNameReliable()) continue;
    EXPECT_EQ(row->second->name, expected.name);
    ++compared;
  }
  EXPECT_GT(compared, m_truth.types.size() * 9 / 10);
}

TEST(TypeNamesTogether, AreCutBeyondALimitAndSayIt) {
  const Snapshot& snapshot = openedDump("shop-10");
  const RuntimeReaders& readers = *snapshot.contents().readers;
  EXPECT_EQ(readers.names.cutNames(), 0u);
  constexpr std::size_t kMostBytes = 2000;
  const TypeNames names(readers.methodTables, readers.modules, kMostBytes);
  std::size_t wholeBytes = 0;
  std::size_t cut = 0;
  for (const TypeRow& row : snapshot.types()) {
    if (row.isFree) continue;
    const std::string name = names.nameOf(row.methodTable);
    if (name == row.name) {
      wholeBytes += name.size() > 60 ? name.size() : 0;
      continue;
    }
    ++cut;
    EXPECT_LT(name.size(), 110u);
    EXPECT_NE(name.find("… (cut, " + toString(row.methodTable) + ")"), std::string::npos) << name;
  }
  EXPECT_GT(cut, 10u);
  EXPECT_GE(names.cutNames(), cut);
  EXPECT_LE(wholeBytes, kMostBytes);
}

TEST_P(TypesOfEveryDump, AreAllNamed) {
  for (const TypeRow& row : m_snapshot.types()) {
    EXPECT_FALSE(row.name.empty()) << toString(row.methodTable);
    EXPECT_EQ(row.name.find("<unknown"), std::string::npos) << row.name;
    EXPECT_EQ(row.name.find("!0x"), std::string::npos) << row.name;
    EXPECT_EQ(row.name.find('`'), std::string::npos) << row.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Data, TypesOfEveryDump, testing::ValuesIn(dumpsWithMetadata()),
                         [](const auto& info) { return testName(info.param); });

TEST(TypeNames, TellGenericsNestedTypesArraysAndPointers) {
  for (const std::string& name : shopDumps()) {
    SCOPED_TRACE(name);
    const Snapshot& snapshot = openedDump(name);
    std::set<std::string> names;
    for (const TypeRow& row : snapshot.types()) names.insert(row.name);
    for (const char* expected : {"Free", "System.String", "Shop.Fourth", "System.Int32*[]", "System.Void**[]",
                                 "System.Collections.Generic.KeyValuePair<System.String, System.Int32>",
                                 "System.ValueTuple<System.Int32, System.String, System.Double>", "System.Int16[*]"}) {
      EXPECT_TRUE(names.contains(expected)) << expected;
    }
    const auto has = [&](auto predicate) { return std::ranges::any_of(names, predicate); };
    EXPECT_TRUE(has([](const std::string& n) { return n.ends_with("[,]"); }));
    EXPECT_TRUE(has([](const std::string& n) { return n.ends_with("[][]"); }));
    EXPECT_TRUE(has([](const std::string& n) { return n.find(">+") != std::string::npos; }));
    // An array of function pointers, which ClrMD has no name for.
    EXPECT_TRUE(has([](const std::string& n) { return n.ends_with(")[]"); }));
  }
}

TEST(TypeNames, WithoutMetadataTellModuleAndToken) {
  const Snapshot& snapshot = openedDump("shop-10-gcore");
  for (const TypeRow& row : snapshot.types()) EXPECT_FALSE(row.name.empty());
  if (hasFinding(snapshot, FindingKind::MetadataMissing)) {
    EXPECT_TRUE(std::ranges::any_of(
        snapshot.types(), [](const TypeRow& row) { return row.name.find(".dll!0x02") != std::string::npos; }));
  }
}

TEST(LoadedTypes, AreAllOfTheHeapAndMore) {
  const Snapshot& snapshot = openedDump("shop-9");
  const auto loaded = loadedTypes(snapshot, {});
  ASSERT_TRUE(loaded);
  std::set<Address> addresses;
  for (const LoadedType& type : *loaded) {
    EXPECT_FALSE(type.name.empty());
    EXPECT_TRUE(addresses.insert(type.methodTable).second) << type.name;
  }
  EXPECT_GT(addresses.size(), snapshot.types().size());
  for (const TypeRow& row : snapshot.types())
    EXPECT_TRUE(row.isFree || addresses.contains(row.methodTable)) << row.name;
  EXPECT_TRUE(
      std::ranges::is_sorted(*loaded, {}, [](const LoadedType& t) { return std::pair(t.name, t.methodTable); }));
  std::stop_source stopped;
  stopped.request_stop();
  const auto cancelled = loadedTypes(snapshot, stopped.get_token());
  ASSERT_FALSE(cancelled);
  EXPECT_TRUE(cancelled.error().isCancelled());
}

TEST(TypeNames, EndEvenIfATypeIsItsOwnArgument) {
  PatchedCore file("shop-10");
  const Snapshot before = openSnapshot(file.path());
  const RuntimeReaders& readers = *before.contents().readers;
  int patched = 0;
  for (const TypeRow& row : before.types()) {
    const auto type = row.isFree ? failure(ErrorCode::NotFound, {}) : readers.methodTables.read(row.methodTable);
    const auto arguments = type ? readers.methodTables.typeArguments(*type) : failure(ErrorCode::NotFound, {});
    if (!arguments || arguments->size() < 2) continue;
    const Address perInstance = *readers.runtime.pointerAt(row.methodTable, "MethodTable", "PerInstInfo");
    const auto dictionaries = *readers.runtime.memory().read<std::uint16_t>(perInstance - 4);
    const Address dictionary = *readers.runtime.memory().readPointer(perInstance + 8u * (dictionaries - 1u));
    for (std::size_t i = 0; i < arguments->size(); ++i)
      file.write<std::uint64_t>(dictionary + 8 * i, row.methodTable.value);
    if (++patched == 20) break;
  }
  ASSERT_GT(patched, 5);
  const Snapshot after = openSnapshot(file.path());
  EXPECT_EQ(after.totals().objects, before.totals().objects);
  for (const TypeRow& row : after.types()) EXPECT_LE(row.name.size(), 64u * 1024);
}

}  // namespace
}  // namespace heapscape::engine
