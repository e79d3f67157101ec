// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "cli_run.h"

namespace heapscape::cli::test {

using nlohmann::json;

namespace {

const std::string kObjectVerbDump = unpackedDump("shop-10");

std::string addressOf(const std::string& type, std::size_t number = 0) {
  const CliRun run = runCli({"objects", kObjectVerbDump, "--json", "--type", type});
  const json document = run.json();
  std::size_t seen = 0;
  for (const json& row : document["objects"]) {
    if (row["type"] == type && seen++ == number) return row["address"];
  }
  throw std::runtime_error("not on the heap: " + type);
}

json objectAt(const std::string& address, std::vector<std::string> more = {}) {
  more.insert(more.begin(), {"object", kObjectVerbDump, address, "--json"});
  const CliRun run = runCli(more);
  EXPECT_EQ(run.status, 0) << run.errors;
  return run.json()["object"];
}

json fieldOf(const json& object, const std::string& name) {
  for (const json& field : object["fields"]) {
    if (field["name"] == name) return field;
  }
  throw std::runtime_error("no field " + name);
}

}  // namespace

TEST(ObjectVerb, tellsHeaderFieldsAndBytes) {
  const json door = objectAt(addressOf("Shop.Locks+Door"));
  EXPECT_EQ(door["type"], "Shop.Locks+Door");
  EXPECT_EQ(door["size"], 24);
  EXPECT_EQ(door["header"]["kind"], "thinLock");
  EXPECT_EQ(door["header"]["thread"], "thread " + door["header"]["threadId"].dump() + " \"holder\"");
  EXPECT_EQ(door["lock"]["kind"], "thin");
  const json name = fieldOf(door, "name");
  EXPECT_EQ(name["offset"], 8);
  EXPECT_EQ(name["value"], "thin");
  EXPECT_EQ(name["objectType"], "System.String");
  EXPECT_EQ(door["raw"].get<std::string>().size(), 2 * 24u);
  EXPECT_EQ(door["runs"].size(), 4u);
}

TEST(ObjectVerb, nestsValueTypesAndKeepsNumbersNumbers) {
  const json nullables = objectAt(addressOf("Shop.Nullables"));
  EXPECT_TRUE(fieldOf(nullables, "c")["value"].is_null());
  EXPECT_EQ(fieldOf(nullables, "Day")["value"], "Friday");
  EXPECT_EQ(fieldOf(nullables, "Day")["nested"].size(), 2u);
  const json buffer = objectAt(addressOf("Shop.Buffer"));
  EXPECT_EQ(fieldOf(buffer, "Length")["value"], 4);
  EXPECT_EQ(fieldOf(buffer, "numbers")["nested"].size(), 8u);
}

TEST(ObjectVerb, CountsNoItemsWhereThereIsAStateAndNoPartsOfNothing) {
  const std::string dump = unpackedDump("exhibits-10");
  std::size_t tasks = 0, lazies = 0;
  const json document = runCli({"objects", dump, "--json"}).json();
  for (const json& row : document["objects"]) {
    const std::string type = row["type"];
    const bool isTask = type.starts_with("System.Threading.Tasks.Task<") && type.find('+') == std::string::npos;
    const bool isLazy = type.starts_with("System.Lazy<");
    std::size_t& seen = isTask ? tasks : lazies;
    if ((!isTask && !isLazy) || seen == 4) continue;
    ++seen;
    const std::string text = runCli({"object", dump, row["address"]}).output;
    EXPECT_NE(text.find("state"), std::string::npos) << text;
    EXPECT_EQ(text.find("items"), std::string::npos) << text;
    EXPECT_EQ(text.find("the first 0 of 1"), std::string::npos) << text;
  }
  EXPECT_GT(tasks, 2u);
  EXPECT_GT(lazies, 2u);
}

TEST(ObjectVerb, pagesElements) {
  const std::string cube = addressOf("System.Int32[,,]");
  const json part = objectAt(cube, {"--elements", "5:3"})["array"];
  EXPECT_EQ(part["lengths"], json::parse("[2, 3, 4]"));
  ASSERT_EQ(part["elements"].size(), 3u);
  EXPECT_EQ(part["elements"][0]["name"], "[0, 1, 1]");
  EXPECT_EQ(part["elements"][0]["value"], 0);
}

TEST(ObjectVerb, showsBoxesStringsAndExceptions) {
  EXPECT_EQ(objectAt(addressOf("System.Guid"))["boxed"]["offset"], 8);
  const json exception = objectAt(addressOf("Shop.Code+OrderException"))["exception"];
  EXPECT_EQ(exception["message"], "out of stock");
  EXPECT_EQ(exception["stack"][0]["method"], "Shop.Code.Thrown()");
  const json text = objectAt(fieldOf(objectAt(addressOf("Shop.Locks+Door")), "name")["object"]);
  EXPECT_EQ(text["string"], "thin");
  EXPECT_EQ(text["stringLayout"]["length"], 4);
}

TEST(ObjectVerb, leavesOutTextWhenRedacting) {
  const std::string door = addressOf("Shop.Locks+Door", 1);
  const json name = fieldOf(objectAt(door), "name");
  ASSERT_EQ(name["value"], "nested");
  const std::string exception = addressOf("Shop.Code+OrderException");
  for (const auto& [address, secret] :
       {std::pair{door, "nested"}, {name["object"].get<std::string>(), "nested"}, {exception, "out of stock"}}) {
    for (const bool asJson : {false, true}) {
      std::vector<std::string> arguments{"object", kObjectVerbDump, address, "--redact", "--bytes", "0:4096"};
      if (asJson) arguments.push_back("--json");
      const CliRun run = runCli(arguments);
      EXPECT_EQ(run.status, 0) << run.errors;
      EXPECT_EQ(run.output.find(secret), std::string::npos) << run.output;
      EXPECT_EQ(run.output.find("holder"), std::string::npos) << "the name of the thread that holds the lock";
      EXPECT_EQ(run.output.find("6e00650073"), std::string::npos) << "the same in hexadecimal digits";
      EXPECT_EQ(run.output.find("6e 00 65 00 73"), std::string::npos) << "the same in hexadecimal digits";
    }
  }
}

TEST(ObjectVerb, leavesOutValuesOfFieldsAndBytesWhenRedacting) {
  const std::string product = addressOf("Catalog.Product");
  const std::string created = "<Created>k__BackingField";
  const json shown = fieldOf(objectAt(product), created);
  for (const json& secret : {shown["value"], shown["nested"][0]["value"]}) {
    const std::string text = secret.is_string() ? secret.get<std::string>() : secret.dump();
    ASSERT_GE(text.size(), 10u) << text;
    for (const char* form : {"--json", "--timings"})
      EXPECT_EQ(runCli({"object", kObjectVerbDump, product, "--redact", form}).output.find(text), std::string::npos)
          << text;
  }
  const json hidden = objectAt(product, {"--redact"});
  EXPECT_EQ(fieldOf(hidden, created)["redacted"], true);
  EXPECT_FALSE(hidden.contains("raw"));
}

TEST(ObjectVerb, leavesOutKeysOfDictionariesWhenRedacting) {
  const std::string map = addressOf(
      "System.Collections.Generic.Dictionary<System.String, Catalog.Cache<System.String, Catalog.Rendered>+Entry>");
  const json item = objectAt(map)["collection"]["items"][0];
  const std::string key = item["label"];
  ASSERT_GT(key.size(), 6u) << key;
  for (const char* form : {"--json", "--timings"})
    EXPECT_EQ(runCli({"object", kObjectVerbDump, map, "--redact", form}).output.find(key.substr(2, key.size() - 4)),
              std::string::npos)
        << key;
}

TEST(ObjectVerb, writesTablesForPeople) {
  const CliRun run = runCli({"object", kObjectVerbDump, addressOf("Shop.Buffer"), "--bytes", "0:4096"});
  EXPECT_EQ(run.status, 0);
  for (const std::string part : {"Shop.Buffer", "method table", "Fields", "numbers", "[7]", "Bytes", "alignment"})
    EXPECT_NE(run.output.find(part), std::string::npos) << part;
}

TEST(ObjectVerb, refusesWhatItCannotShow) {
  EXPECT_EQ(runCli({"object", kObjectVerbDump, "0x10"}).status, 1);
  EXPECT_EQ(runCli({"object", kObjectVerbDump}).status, 2);
  EXPECT_EQ(runCli({"object", kObjectVerbDump, "zebra"}).status, 2);
  EXPECT_EQ(runCli({"object", kObjectVerbDump, "0x10", "--elements", "3"}).status, 2);
  EXPECT_EQ(runCli({"object", kObjectVerbDump, "0x10", "--elements", "-3:4"}).status, 2);
}

}  // namespace heapscape::cli::test
