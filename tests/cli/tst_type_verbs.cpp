// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>

#include "cli_run.h"

namespace heapscape::cli::test {

using nlohmann::json;

namespace {

const std::string kTypeVerbsDump = unpackedDump("shop-10");

json typeOf(const std::string& name) {
  const CliRun run = runCli({"type", kTypeVerbsDump, name, "--json"});
  EXPECT_EQ(run.status, 0) << run.errors;
  return run.json()["type"];
}

json named(const json& rows, const std::string& name) {
  const auto found = std::ranges::find_if(rows, [&](const json& row) { return row["name"] == name; });
  return found == rows.end() ? json() : *found;
}

}  // namespace

TEST(QueryVerb, CountsNoGapsAmongTypes) {
  const std::string dump = unpackedDump("storm-10-calm");
  const auto types = runCli({"types", dump, "--json"}).json();
  const auto asked = runCli({"query", dump, "--of", "types", "--json"}).json();
  EXPECT_EQ(asked["totals"]["types"], types["types"].size() - 1);  // all but the row Free
  for (const auto& row : asked["query"]) EXPECT_NE(row["type"], "Free");
}

TEST(TypeVerb, tellsEverythingOfAType) {
  const json type = typeOf("List<string>");
  EXPECT_EQ(type["name"], "System.Collections.Generic.List<System.String>");
  EXPECT_EQ(type["csharpName"], "List<string>");
  EXPECT_EQ(type["module"], "System.Private.CoreLib.dll");
  EXPECT_EQ(type["parent"], "System.Object");
  EXPECT_EQ(type["baseSize"], 32);
  EXPECT_EQ(type["componentSize"], 0);
  EXPECT_EQ(type["token"].get<std::uint32_t>() >> 24, 2u);
  EXPECT_EQ(type["containsPointers"], true);
  EXPECT_EQ(type["collectible"], false);
  EXPECT_NE(type["canonicalMethodTable"], type["methodTable"]);
  EXPECT_TRUE(type["eeClass"].is_string());
  EXPECT_EQ(type["interfaces"].size(), 8u);
  EXPECT_EQ(type["typeArguments"][0]["name"], "System.String");
  EXPECT_FALSE(type["sharedWith"].empty());
  EXPECT_TRUE(type["sharedWith"][0].is_string());

  const json items = named(type["fields"], "_items");
  EXPECT_EQ(items["type"], "System.String[]");
  EXPECT_EQ(items["declaredType"], "T[]");
  EXPECT_EQ(items["offset"], 0);
  EXPECT_EQ(items["size"], 8);
  EXPECT_EQ(items["static"], false);
  EXPECT_EQ(items["token"].get<std::uint32_t>() >> 24, 4u);

  const json add = named(type["methods"], "Add(System.String)");
  EXPECT_EQ(add["shared"], true);
  EXPECT_EQ(add["state"], "readyToRun");
  EXPECT_EQ(add["token"].get<std::uint32_t>() >> 24, 6u);
  EXPECT_LT(add["slot"], type["vtableSlots"]);
  EXPECT_TRUE(add["entry"].is_string());
  EXPECT_EQ(type["methods"].size(), type["methodCount"]);
}

TEST(TypeVerb, tellsJittedCodeAndStaticsWithValues) {
  const json type = typeOf("Shop.Statics");
  const json fill = named(type["methods"], "Fill()");
  EXPECT_EQ(fill["state"], "jitted");
  EXPECT_EQ(fill["tier"], "tier-0");
  EXPECT_GT(fill["codeBytes"], 0);
  const auto text = std::ranges::find_if(type["statics"], [](const json& row) { return row["field"] == "text"; });
  ASSERT_NE(text, type["statics"].end());
  EXPECT_NE(text->dump().find("static text"), std::string::npos);
  EXPECT_EQ(std::ranges::count_if(type["fields"], [](const json& field) { return field["threadStatic"] == true; }), 3);
}

TEST(TypeVerb, leavesOutWhatStringsHoldWhenRedacted) {
  for (const char* form : {"--json", "--timings"}) {
    const CliRun run = runCli({"type", kTypeVerbsDump, "Shop.Statics", "--redact", form});
    EXPECT_EQ(run.status, 0);
    EXPECT_EQ(run.output.find("static text"), std::string::npos) << form;
    EXPECT_EQ(run.output.find("thread static of"), std::string::npos) << form;
  }
}

TEST(TypeVerb, printsFieldsInTheColumnsOfSosWithTheValuesOfAnObject) {
  const std::string dump = unpackedDump("lookups-10");
  const json objects = runCli({"objects", dump, "--type", "Lookups.Counts", "--json"}).json()["objects"];
  ASSERT_EQ(objects.size(), 1u);
  const std::string address = objects[0]["address"];
  const CliRun text = runCli({"type", dump, "Lookups.Counts", "--object", address});
  EXPECT_EQ(text.status, 0) << text.errors;
  for (const char* part : {"MT of the type", "Token", "Offset", "VT", "threadStatic", "MT declaring it", "\"two\""})
    EXPECT_NE(text.output.find(part), std::string::npos) << part;
  const json type = runCli({"type", dump, "Lookups.Counts", "--object", address, "--json"}).json()["type"];
  const json object = runCli({"object", dump, address, "--json"}).json()["object"];
  const json two = named(type["fields"], "Two");
  EXPECT_EQ(two["objectOffset"], named(object["fields"], "Two")["offset"]);
  EXPECT_EQ(two["objectOffset"].get<int>(), two["offset"].get<int>() + 8);
  EXPECT_EQ(two["value"], "two");
  EXPECT_EQ(two["declaringMethodTable"], type["methodTable"]);
  EXPECT_EQ(two["valueType"], false);
  EXPECT_EQ(runCli({"type", dump, "Lookups.Counts", "--object", address, "--redact"}).output.find("two\""),
            std::string::npos);
  EXPECT_EQ(runCli({"type", dump, "Lookups.Pointers", "--object", address}).status, 1);
}

TEST(TypeVerb, givesPointersToMethodsAsAddressesWithTheMethodsBeside) {
  const std::string dump = unpackedDump("lookups-10");
  const json type = runCli({"type", dump, "Lookups.Pointers", "--json"}).json()["type"];
  const json number = named(type["fields"], "Number");
  EXPECT_TRUE(number["value"].get<std::string>().starts_with("0x"));
  EXPECT_EQ(number["method"], "Lookups.Pointers.Twice(System.Int32)");
  EXPECT_FALSE(named(type["fields"], "Odd").contains("method"));
  const auto typed = std::ranges::find_if(type["statics"], [](const json& row) { return row["field"] == "Typed"; });
  ASSERT_NE(typed, type["statics"].end());
  EXPECT_EQ((*typed)["value"].get<std::string>().find(' '), std::string::npos);
  EXPECT_EQ((*typed)["method"], "Lookups.Pointers.Twice(System.Int32)");
}

TEST(TypeVerb, tellsHowSharedCodeFindsItsTypeArgument) {
  const std::string dump = unpackedDump("lookups-10");
  const json rack = runCli({"type", dump, "Lookups.Rack<System.Version>", "--json"}).json()["type"];
  EXPECT_EQ(rack["lookups"]["paths"][0]["source"], "this");
  EXPECT_EQ(rack["lookups"]["paths"][0]["reads"], 4);
  EXPECT_EQ(rack["lookups"]["figures"]["beyond"], 1);
  EXPECT_EQ(rack["dictionary"][2]["wanted"], "Lookups.Box<T>");
  EXPECT_EQ(rack["dictionary"][2]["state"], "filled");
  const CliRun early = runCli({"type", dump, "Lookups.EarlyRack"});
  EXPECT_NE(early.output.find("Older than the parent's"), std::string::npos) << early.output;
  const CliRun picked = runCli({"type", dump, "Lookups.Maker", "--method", "MakeAll"});
  EXPECT_NE(picked.output.find("MakeAll<System.String>"), std::string::npos);
  EXPECT_EQ(picked.output.find("Make<System.String>"), std::string::npos);
}

TEST(TypeVerb, takesAnAddressAndPrintsForPeople) {
  const std::string address = typeOf("Shop.Statics")["methodTable"];
  const CliRun run = runCli({"type", kTypeVerbsDump, address});
  EXPECT_EQ(run.status, 0) << run.errors;
  for (const char* part : {"Shop.Statics\n", "private static readonly", "tier-0", "MethodDescChunk"})
    EXPECT_NE(run.output.find(part), std::string::npos) << part;
}

TEST(TypeVerb, saysWhatDoesNotFitOrFitsSeveral) {
  const CliRun none = runCli({"type", kTypeVerbsDump, "No.Such.Type"});
  EXPECT_NE(none.status, 0);
  EXPECT_NE(none.errors.find("No loaded type is named No.Such.Type"), std::string::npos) << none.errors;
  const CliRun several = runCli({"type", kTypeVerbsDump, "System.Collections.Generic.List`1"});
  EXPECT_NE(several.status, 0);
  EXPECT_NE(several.errors.find("loaded types fit"), std::string::npos) << several.errors;
}

TEST(GenericsVerb, ranksDefinitionsByTheirCode) {
  const CliRun run = runCli({"generics", kTypeVerbsDump, "--json"});
  ASSERT_EQ(run.status, 0) << run.errors;
  const json document = run.json();
  const json& rows = document["generics"];
  ASSERT_GT(rows.size(), 100u);
  EXPECT_TRUE(
      std::ranges::is_sorted(rows, [](const json& a, const json& b) { return a["codeBytes"] > b["codeBytes"]; }));
  const auto pair = std::ranges::find_if(rows, [](const json& row) { return row["definition"] == "Shop.Pair<T, U>"; });
  ASSERT_NE(pair, rows.end());
  EXPECT_EQ((*pair)["methodTables"], (*pair)["instantiations"].size());
  const json mixed = named((*pair)["instantiations"], "Shop.Pair<System.Int32, System.String>");
  EXPECT_EQ(mixed["sharesCode"], true);
  EXPECT_EQ(mixed["canonicalName"], "Shop.Pair<System.Int32, System.__Canon>");
}

TEST(GenericsVerb, showsInstantiationsOfWhatIsAskedFor) {
  const CliRun run = runCli({"generics", kTypeVerbsDump, "--type", "Shop.Pair"});
  EXPECT_EQ(run.status, 0);
  EXPECT_NE(run.output.find("Shop.Pair<System.Int32, System.Int32>"), std::string::npos);
  EXPECT_EQ(runCli({"generics", kTypeVerbsDump, "--top", "3", "--json"}).json()["generics"].size(), 3u);
}

}  // namespace heapscape::cli::test
