// SPDX-License-Identifier: MIT
// path, and retained sizes of sets.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "address_file.h"
#include "cli_run.h"

namespace heapscape::cli::test {
namespace {

using nlohmann::json;

const std::string kPathVerbDump = unpackedDump("shop-10");
const std::string kExhibits = unpackedDump("exhibits-10");

/// The object that a static of the exhibits refers to.
std::string staticOf(const std::string& name) {
  const json roots = answerOf({"roots", kExhibits, "--no-stacks", "--json"})["roots"];
  for (const json& root : roots) {
    if (root["name"] == "static " + name) return root["object"];
  }
  return "none";
}

TEST(PathVerb, WritesRootStepsAndExpression) {
  const std::string dictionary = staticOf("Museum.Collections.dictionaryOfObjects");
  const json edges = answerOf({"edges", kExhibits, "--json"})["edges"];
  std::string entries;
  for (const json& edge : edges) {
    if (edge["from"] == dictionary && edge["offset"] == 16) entries = edge["to"];
  }
  const json answer = answerOf({"path", kExhibits, entries, "--no-stacks", "--json"});
  EXPECT_EQ(answer["object"], entries);
  EXPECT_EQ(answer["reachable"], true);
  EXPECT_EQ(answer["exhausted"], true);
  ASSERT_FALSE(answer["paths"].empty());
  const json& path = answer["paths"].front();
  EXPECT_EQ(path["root"]["kind"], "static");
  EXPECT_EQ(path["root"]["exact"], true);
  EXPECT_EQ(path["root"]["name"], "static Museum.Collections.dictionaryOfObjects");
  EXPECT_EQ(path["length"], 2);
  EXPECT_EQ(path["expression"], "Museum.Collections.dictionaryOfObjects._entries");
  ASSERT_EQ(path["steps"].size(), 2u);
  EXPECT_EQ(path["steps"][0]["object"], dictionary);
  EXPECT_EQ(path["steps"][1]["via"], "_entries");
  EXPECT_GT(path["steps"][0]["retainedBytes"], path["steps"][1]["retainedBytes"]);
  const std::string text = runCli({"path", kExhibits, entries, "--no-stacks"}).output;
  EXPECT_NE(text.find("1. Museum.Collections.dictionaryOfObjects._entries"), std::string::npos) << text;
}

TEST(PathVerb, TakesSeveralObjectsAndTimesThem) {
  const std::string list = staticOf("Museum.Collections.list");
  const std::string queue = staticOf("Museum.Collections.queue");
  const AddressFile file(list + "\n" + queue + "\n");
  const json answer = answerOf({"path", kExhibits, "--addresses", file.path(), "--json", "--timings"});
  ASSERT_EQ(answer["objects"].size(), 2u);
  EXPECT_EQ(answer["objects"][0]["object"], list);
  EXPECT_EQ(answer["objects"][1]["object"], queue);
  for (const json& object : answer["objects"]) {
    EXPECT_GT(object["seconds"].get<double>(), 0);
    EXPECT_FALSE(object["paths"].empty());
  }
  std::set<std::string> stages;
  for (const auto& [stage, seconds] : answer["timings"].items()) stages.insert(stage);
  EXPECT_TRUE(stages.contains("reverse") && stages.contains("distances") && stages.contains("path"));
}

TEST(PathVerb, GoesFromOneObjectToAnother) {
  const std::string list = staticOf("Museum.Collections.readOnlyOfList");
  const std::string inner = staticOf("Museum.Collections.list");
  const json there = answerOf({"path", kExhibits, list, "--to", inner, "--json"})["path"];
  EXPECT_EQ(there["length"], 2);
  EXPECT_EQ(there["steps"][1]["via"], "list");
  EXPECT_TRUE(answerOf({"path", kExhibits, inner, "--to", list, "--json"})["path"].is_null());
}

TEST(PathVerb, LaysThePathsOfATypeTogether) {
  const json merged = answerOf({"path", kExhibits, "--type", "Museum.Painting", "--json"})["merged"];
  EXPECT_EQ(merged["type"], "Museum.Painting");
  const json& nodes = merged["nodes"];
  ASSERT_GT(nodes.size(), 3u);
  EXPECT_EQ(nodes[0]["objects"], merged["objects"]);
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    EXPECT_LT(nodes[i]["parent"].get<std::size_t>(), i);
    EXPECT_EQ(nodes[i].contains("via"), !nodes[i].contains("root"));
  }
  EXPECT_EQ(
      answerOf({"path", kExhibits, "--type", "Museum.Painting", "--top", "2", "--json"})["merged"]["nodes"].size(), 2u);
  EXPECT_NE(runCli({"path", kExhibits, "--type", "Museum.Painting"}).output.find("static Museum."), std::string::npos);
}

TEST(PathVerb, RedactionLeavesOutKeysAndNamesOfThreads) {
  std::string all;
  std::size_t number = 0;
  const json objects = answerOf({"objects", kExhibits, "--json"})["objects"];
  for (const json& object : objects) {
    if (++number % 5 == 0 && object["type"] != "Free") all += object["address"].get<std::string>() + "\n";
  }
  const AddressFile file(all);
  const auto textOf = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"path", kExhibits, "--addresses", file.path()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return runCli(arguments).output;
  };
  EXPECT_NE(textOf({}).find("[\""), std::string::npos);
  for (const auto& form : {std::vector<std::string>{"--redact"}, {"--redact", "--json"}}) {
    const std::string text = textOf(form);
    EXPECT_EQ(text.find("guide "), std::string::npos);
    std::size_t keys = 0;
    for (const char* quote : {"[\"", "[\\\""}) {
      for (std::size_t at = text.find(quote); at != std::string::npos; at = text.find(quote, at + 1)) {
        ++keys;
        EXPECT_EQ(text.find("…", at), at + std::string(quote).size()) << text.substr(at, 40);
      }
    }
    EXPECT_GT(keys, 0u);
  }
}

TEST(PathVerb, RefusesWhatIsNoQuestion) {
  EXPECT_EQ(runCli({"path", kExhibits}).status, 2);
  EXPECT_EQ(runCli({"path", kExhibits, "0x10", "--type", "X"}).status, 2);
  EXPECT_NE(runCli({"path", kExhibits, "0x10"}).status, 0);
  EXPECT_NE(runCli({"path", kExhibits, "--type", "No.Such"}).status, 0);
  EXPECT_NE(runCli({"path", kExhibits, "--addresses", "/no/such/file"}).status, 0);
}

TEST(RetainedVerb, TellsWhatASetRetains) {
  const json types = answerOf({"retained", kPathVerbDump, "--by-type", "--json"});
  std::string object;
  std::uint64_t retained = 0;
  for (const json& row : types["retained"]) {
    if (row["type"] != "System.Object[]") continue;
    object = row["object"];
    retained = row["retainedBytes"];
    break;
  }
  const AddressFile file(object + "\n");
  const json one = answerOf({"retained", kPathVerbDump, "--objects", file.path(), "--json"});
  EXPECT_EQ(one["set"]["objects"], 1);
  EXPECT_EQ(one["set"]["retainedBytes"], retained);
  EXPECT_EQ(one["reachableBytes"], types["reachableBytes"]);
  for (const json& type : types["types"]) {
    if (type["name"] != "Catalog.Product" && type["name"] != "System.String") continue;
    const json set = answerOf({"retained", kPathVerbDump, "--set", type["name"], "--json"})["set"];
    EXPECT_EQ(set["objects"], type["count"]);
    EXPECT_EQ(set["bytes"], type["bytes"]);
    EXPECT_GE(set["retainedBytes"].get<std::uint64_t>(), type["retainedBytes"].get<std::uint64_t>());
  }
  const json below = answerOf({"retained", kPathVerbDump, "--namespace", "System.Collections", "--json"})["set"];
  const json above = answerOf({"retained", kPathVerbDump, "--namespace", "System", "--json"})["set"];
  EXPECT_GT(below["objects"], 0);
  EXPECT_GT(above["objects"].get<std::uint64_t>(), below["objects"].get<std::uint64_t>());
  EXPECT_NE(runCli({"retained", kPathVerbDump, "--namespace", "Sys"}).status, 0);
  EXPECT_NE(runCli({"retained", kPathVerbDump, "--set", "No.Such"}).status, 0);
}

TEST(RetainedVerb, TellsWhatAThreadRetains) {
  const json threads = answerOf({"threads", kPathVerbDump, "--json"})["threads"];
  for (const json& thread : threads) {
    if (thread["name"] != "worker 1") continue;
    const std::string id = std::to_string(thread["managedId"].get<int>());
    const json set = answerOf({"retained", kPathVerbDump, "--thread", id, "--json"})["set"];
    EXPECT_GT(set["objects"], 0);
    EXPECT_EQ(set["retainedBytes"], thread["retainedBytes"]);
    EXPECT_NE(runCli({"retained", kPathVerbDump, "--thread", id}).output.find("retain"), std::string::npos);
  }
  EXPECT_NE(runCli({"retained", kPathVerbDump, "--thread", "99999"}).status, 0);
}

TEST(SizeVerb, AnswersForSeveralAsForEach) {
  const std::string list = staticOf("Museum.Collections.listOfObjects");
  const std::string queue = staticOf("Museum.Collections.queue");
  const AddressFile file(list + "\n" + queue + "\n");
  const json sizes = answerOf({"size", kExhibits, "--addresses", file.path(), "--json"})["sizes"];
  ASSERT_EQ(sizes.size(), 2u);
  EXPECT_EQ(sizes[0], answerOf({"size", kExhibits, list, "--json"})["size"]);
  EXPECT_EQ(sizes[1], answerOf({"size", kExhibits, queue, "--json"})["size"]);
  EXPECT_EQ(runCli({"size", kExhibits}).status, 2);
}

}  // namespace
}  // namespace heapscape::cli::test
