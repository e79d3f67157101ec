// SPDX-License-Identifier: MIT
// edges, size, verify and address, on a dump whose objects are known.
#include <gtest/gtest.h>

#include <cstdint>
#include <sstream>
#include <string>

#include "address_file.h"
#include "cli_run.h"
#include "support/patched_core.h"

namespace heapscape::cli::test {
namespace {

using nlohmann::json;

const std::string kReferenceVerbsDump = unpackedDump("shop-10");

std::string addressOfFirst(const std::string& type) {
  const json rows = answerOf({"objects", kReferenceVerbsDump, "--type", type, "--top", "1", "--json"})["objects"];
  return rows.empty() ? std::string() : rows[0]["address"].get<std::string>();
}

TEST(EdgesVerb, WritesTheSameRowsInEveryForm) {
  const json edges = answerOf({"edges", kReferenceVerbsDump, "--top", "50", "--json"})["edges"];
  ASSERT_EQ(edges.size(), 50u);
  std::istringstream rows(runCli({"edges", kReferenceVerbsDump, "--top", "50", "--tsv"}).output);
  std::string line;
  std::getline(rows, line);
  EXPECT_EQ(line, "from\tto\tkind\toffset");
  for (const json& edge : edges) {
    ASSERT_TRUE(std::getline(rows, line));
    EXPECT_EQ(line, edge["from"].get<std::string>() + '\t' + edge["to"].get<std::string>() + '\t' +
                        edge["kind"].get<std::string>() + '\t' + std::to_string(edge["offset"].get<int>()));
  }
}

TEST(EdgesVerb, WritesNoneIfNoneAreWanted) {
  EXPECT_TRUE(answerOf({"edges", kReferenceVerbsDump, "--top", "0", "--json"})["edges"].empty());
}

TEST(EdgesVerb, TellsOfAReferenceThatLeadsNowhere) {
  const json list = answerOf({"retained", kReferenceVerbsDump, "--top", "1", "--json"})["retained"][0];
  ASSERT_EQ(list["type"], "System.Object[]");
  heapscape::test::PatchedCore core("shop-10");
  engine::Address slot{std::stoull(list["object"].get<std::string>(), nullptr, 16) + 16};  // the first element
  while (core.read<std::uint64_t>(slot) == 0) slot = slot + 8;
  const auto target = core.read<std::uint64_t>(slot);
  const auto findings = [&] { return answerOf({"edges", core.path().string(), "--top", "1", "--json"})["findings"]; };
  EXPECT_TRUE(findings().empty());
  core.write(slot, target ^ (std::uint64_t{1} << 40));
  ASSERT_EQ(findings().size(), 1u);
  EXPECT_EQ(findings()[0]["kind"], "referenceDamaged");
}

TEST(SizeVerb, CountsAnObjectWithoutReferencesAlone) {
  const std::string address = addressOfFirst("System.String");
  const json size = answerOf({"size", kReferenceVerbsDump, address, "--json"})["size"];
  EXPECT_EQ(size["address"], address);
  EXPECT_EQ(size["objects"], 1);
}

TEST(SizeVerb, CountsWhatAListHolds) {
  const json list = answerOf(
      {"size", kReferenceVerbsDump, addressOfFirst("System.Collections.Generic.List<System.Object>"), "--json"});
  EXPECT_GT(list["size"]["objects"].get<int>(), 2);
}

/// The addresses of these rows, one a line.
std::string addressesOf(const json& rows) {
  std::string lines;
  for (const json& row : rows) lines += row["address"].get<std::string>() + '\n';
  return lines;
}

TEST(QueryVerb, KnowsSetsOfObjectsByTheirAddresses) {
  const json strings = answerOf({"objects", kReferenceVerbsDump, "--type", "System.String", "--top", "30", "--json"});
  const json orders = answerOf({"objects", kReferenceVerbsDump, "--type", "Catalog.Order", "--top", "20", "--json"});
  const AddressFile first(addressesOf(strings["objects"])), second(addressesOf(orders["objects"]));
  const std::string some = "some=" + first.path();
  const std::string others = "the others=" + second.path();
  const auto found = [&](const std::string& query) {
    return answerOf({"query", kReferenceVerbsDump, query, "--objects", some, "--objects", others, "--columns", "set",
                     "--json"})["query"];
  };
  const json all = found("set = some");
  ASSERT_EQ(all.size(), 30u);
  for (const json& row : all) EXPECT_EQ(row["set"], "some");
  EXPECT_EQ(found("set in (some, \"the others\")").size(), 50u);
  EXPECT_TRUE(found("set = some and set = \"the others\"").empty());
  const CliRun nameless = runCli({"query", kReferenceVerbsDump, "set = some", "--objects", first.path()});
  EXPECT_NE(nameless.status, 0);
  EXPECT_NE(nameless.errors.find("does not name a set"), std::string::npos) << nameless.errors;
}

TEST(RetainedVerb, CutsAllObjectsOfATypeOrOfAFile) {
  const json orders = answerOf({"objects", kReferenceVerbsDump, "--type", "Catalog.Order", "--json"})["objects"];
  json ofType = json::array();
  for (const json& order : orders) {
    if (order["type"] == "Catalog.Order") ofType.push_back(order);
  }
  ASSERT_GT(ofType.size(), 1u);
  const AddressFile file(addressesOf(ofType));
  const auto totals = [](const json& answer) { return answer["freed"]; };
  const json type = answerOf({"retained", kReferenceVerbsDump, "--without", "type:Catalog.Order", "--json"});
  const json set = answerOf({"retained", kReferenceVerbsDump, "--without", "set:" + file.path(), "--json"});
  const json whole = answerOf({"retained", kReferenceVerbsDump, "--set", "Catalog.Order", "--json"});
  EXPECT_EQ(type["without"][0]["kind"], "objects");
  EXPECT_EQ(type["without"][0]["places"], ofType.size());
  EXPECT_EQ(totals(type), totals(set)) << type << set;
  EXPECT_NE(whole.dump().find(std::to_string(type["without"][0]["bytes"].get<std::uint64_t>())), std::string::npos);
  EXPECT_NE(runCli({"retained", kReferenceVerbsDump, "--without", "type:No.Such.Type"}).status, 0);
  EXPECT_NE(runCli({"retained", kReferenceVerbsDump, "--without", "set:/no/such/file"}).status, 0);
}

TEST(SizeVerb, SaysThatThereIsNoObject) {
  const CliRun run = runCli({"size", kReferenceVerbsDump, "0x1000"});
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.errorLines(), 1u);
  EXPECT_NE(run.errors.find("There is no object at 0x1000"), std::string::npos) << run.errors;
}

TEST(SizeVerb, WantsAnAddress) {
  EXPECT_EQ(runCli({"size", kReferenceVerbsDump}).status, 2);
  EXPECT_EQ(runCli({"size", kReferenceVerbsDump, "here"}).status, 2);
}

TEST(VerifyVerb, FindsNothingInHealthyDumps) {
  for (const std::string& dump : calmDumps()) {
    const json answer = answerOf({"verify", unpackedDump(dump), "--json"});
    EXPECT_TRUE(answer["verify"]["healthy"].get<bool>()) << dump << answer["findings"];
    EXPECT_GT(answer["verify"]["references"].get<int>(), 10'000) << dump;
    EXPECT_GT(answer["verify"]["handles"].get<int>(), 20) << dump;
  }
}

TEST(AddressVerb, TellsObjectsFromTheirParts) {
  const std::string address = addressOfFirst("System.String");
  const auto number = std::stoull(address, nullptr, 16);
  const auto kindAt = [&](std::uint64_t at) {
    std::ostringstream text;
    text << "0x" << std::hex << at;
    return answerOf({"address", kReferenceVerbsDump, text.str(), "--json"})["meanings"][0]["kind"].get<std::string>();
  };
  EXPECT_EQ(kindAt(number), "object");
  EXPECT_EQ(kindAt(number - 4), "objectHeader");
  EXPECT_EQ(kindAt(number + 12), "objectInterior");
  EXPECT_EQ(kindAt(0x10), "unmapped");
}

TEST(AddressVerb, TellsHandlesMethodTablesAndModules) {
  const json handle = answerOf({"handles", kReferenceVerbsDump, "--json"})["handles"][0];
  const json slot = answerOf({"address", kReferenceVerbsDump, handle["address"], "--json"})["meanings"][0];
  EXPECT_EQ(slot["kind"], "handle");
  EXPECT_EQ(slot["object"], handle["object"]);

  const json type = answerOf({"types", kReferenceVerbsDump, "--top", "1", "--json"})["types"][0];
  const json table = answerOf({"address", kReferenceVerbsDump, type["methodTable"], "--json"})["meanings"][0];
  EXPECT_EQ(table["kind"], "methodTable");
  EXPECT_NE(table["text"].get<std::string>().find(type["name"].get<std::string>()), std::string::npos);

  const json module = answerOf({"modules", kReferenceVerbsDump, "--json"})["modules"][0];
  EXPECT_EQ(answerOf({"address", kReferenceVerbsDump, module["imageBase"], "--json"})["meanings"][0]["kind"], "module");
}

}  // namespace
}  // namespace heapscape::cli::test
