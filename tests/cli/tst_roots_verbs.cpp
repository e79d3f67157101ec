// SPDX-License-Identifier: MIT
// handles, threads, locks, finalizers and statics, in every form.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

#include "cli_run.h"

namespace heapscape::cli::test {
namespace {

using nlohmann::json;

const std::string kRootsVerbsDump = unpackedDump("shop-9");

json wholeAnswerOf(const std::vector<std::string>& arguments) {
  const CliRun run = runCli(arguments);
  EXPECT_EQ(run.status, 0) << run.errors;
  const json document = run.json();
  EXPECT_EQ(document["complete"], true);
  return document;
}

TEST(HandlesVerb, WritesTheSameRowsInEveryForm) {
  const json handles = wholeAnswerOf({"handles", kRootsVerbsDump, "--json"})["handles"];
  const auto rows = linesOf(runCli({"handles", kRootsVerbsDump, "--tsv"}).output);
  ASSERT_EQ(rows.size(), handles.size() + 1);
  EXPECT_EQ(rows.front(), "address\tkind\tobject\ttype\tdependent\theap\tretainedBytes");
  for (std::size_t i = 0; i < handles.size(); ++i) {
    const json& handle = handles[i];
    EXPECT_TRUE(rows[i + 1].starts_with(handle["address"].get<std::string>() + '\t' +
                                        handle["kind"].get<std::string>() + '\t' + handle["object"].get<std::string>() +
                                        '\t' + handle["type"].get<std::string>()))
        << rows[i + 1];
    EXPECT_EQ(handle.contains("dependent"), handle["kind"] == "dependent");
  }
  EXPECT_EQ(linesOf(runCli({"handles", kRootsVerbsDump}).output).size(), rows.size());
}

TEST(HandlesVerb, TakesAKindANumberAndTheEmptyOnes) {
  const json pinned = wholeAnswerOf({"handles", kRootsVerbsDump, "--kind", "pinned", "--json"})["handles"];
  ASSERT_FALSE(pinned.empty());
  for (const json& handle : pinned) EXPECT_EQ(handle["kind"], "pinned");
  EXPECT_EQ(wholeAnswerOf({"handles", kRootsVerbsDump, "--top", "3", "--json"})["handles"].size(), 3u);
  EXPECT_GT(wholeAnswerOf({"handles", kRootsVerbsDump, "--all", "--json"})["handles"].size(),
            wholeAnswerOf({"handles", kRootsVerbsDump, "--json"})["handles"].size());
  EXPECT_EQ(runCli({"handles", kRootsVerbsDump, "--kind", "loose"}).status, 2);
}

TEST(QueryOfLists, TellsWhatTheObjectsHoldWhereThatIsAskedFor) {
  const std::vector<std::string> all{"query", kRootsVerbsDump, "--of", "handles", "--json"};
  const json plain = wholeAnswerOf(all)["query"];
  ASSERT_FALSE(plain.empty());
  EXPECT_FALSE(plain[0].contains("value"));
  std::vector<std::string> asked = all;
  asked.insert(asked.end(), {"--columns", "value,field(\"_name\")"});
  const json handles = wholeAnswerOf(asked)["query"];
  ASSERT_EQ(handles.size(), plain.size());
  std::size_t texts = 0;
  for (std::size_t i = 0; i < handles.size(); ++i) {
    EXPECT_EQ(handles[i]["address"], plain[i]["address"]);
    ASSERT_TRUE(handles[i].contains("value") && handles[i].contains("_name"));
    texts += handles[i]["value"].is_string();
  }
  EXPECT_GT(texts, 0u);
  // The same is told of the object itself.
  for (std::size_t i = 0; i < handles.size(); i += 10) {
    const json objects =
        wholeAnswerOf({"query", kRootsVerbsDump, "address = " + handles[i]["object"].get<std::string>(), "--columns",
                       "value", "--json"})["query"];
    ASSERT_EQ(objects.size(), 1u);
    EXPECT_EQ(objects[0]["value"], handles[i]["value"]);
  }
  const auto rows =
      linesOf(runCli({"query", kRootsVerbsDump, "--of", "handles", "--tsv", "--columns", "value"}).output);
  EXPECT_TRUE(rows.front().ends_with("\tretained\tvalue")) << rows.front();
}

TEST(QueryOfLists, FiltersSortsAndGroupsByWhatTheObjectsHold) {
  const auto ask = [](const std::vector<std::string>& more) {
    std::vector<std::string> all{"query", kRootsVerbsDump, "--of", "roots", "--json", "--top", "100000"};
    all.insert(all.end(), more.begin(), more.end());
    return wholeAnswerOf(all);
  };
  const json roots =
      ask({"field(\"Count\") > 0", "--columns", "field(\"Count\")", "--sort", "field(\"Count\")-"})["query"];
  ASSERT_GT(roots.size(), 1u);
  for (std::size_t i = 1; i < roots.size(); ++i) EXPECT_LE(roots[i]["Count"], roots[i - 1]["Count"]);
  const json groups = ask({"--group-by", "value"});
  std::uint64_t rows = 0;
  for (const json& group : groups["query"]) rows += group["roots"].get<std::uint64_t>();
  EXPECT_EQ(rows, groups["totals"]["roots"]);
  EXPECT_LT(groups["query"].size(), rows);
  const json kinds = ask({"--group-by", "kind"});
  EXPECT_GT(kinds["query"].size(), 1u);
  EXPECT_EQ(runCli({"query", kRootsVerbsDump, "--of", "segments", "field(\"Count\") > 0"}).status, 2);
}

TEST(QueryOfLists, LeavesOutWhatTheObjectsHold) {
  const json handles = wholeAnswerOf({"query", kRootsVerbsDump, "--of", "handles", "--columns",
                                      "value,field(\"_name\")", "--redact", "--json"})["query"];
  ASSERT_FALSE(handles.empty());
  for (const json& handle : handles) EXPECT_FALSE(handle.contains("value") || handle.contains("_name"));
  for (const char* field : {"value", "field(\"_name\")"}) {
    const CliRun run = runCli({"query", kRootsVerbsDump, "--of", "handles", "--redact", "--group-by", field});
    EXPECT_EQ(run.status, 2);
    EXPECT_TRUE(run.output.empty());
  }
}

TEST(ThreadsVerb, TellsNameStateAndException) {
  const json threads = wholeAnswerOf({"threads", kRootsVerbsDump, "--json"})["threads"];
  std::set<std::string> names;
  for (const json& thread : threads) {
    names.insert(thread["name"].get<std::string>());
    for (const char* member : {"managedId", "osId", "state", "alive", "background", "finalizer", "gc",
                               "allocationContext", "exception", "locks"}) {
      EXPECT_TRUE(thread.contains(member)) << member;
    }
    EXPECT_EQ(thread.value("exceptionType", ""), thread["name"] == "handler" ? "System.InvalidOperationException" : "");
    EXPECT_EQ(thread["locks"] == 4, thread["name"] == "holder");
  }
  for (const char* name : {"worker 1", "handler", "holder", "waiter", "left first", "right first", "ended"})
    EXPECT_TRUE(names.contains(name)) << name;
  const std::string text = runCli({"threads", kRootsVerbsDump}).output;
  EXPECT_NE(text.find("\"right first\""), text.find("right first"));
  EXPECT_NE(text.find("finalizer"), std::string::npos);
  EXPECT_NE(text.find("foreground"), std::string::npos);
}

TEST(LocksVerb, NamesTheDeadlock) {
  const json answer = wholeAnswerOf({"locks", kRootsVerbsDump, "--json"});
  ASSERT_EQ(answer["cycles"].size(), 1u);
  const json cycle = answer["cycles"][0];
  ASSERT_EQ(cycle.size(), 2u);
  std::size_t thin = 0;
  for (const json& lock : answer["locks"]) {
    thin += lock["kind"] == "thin";
    EXPECT_EQ(lock.contains("syncBlockIndex"), lock["kind"] == "syncBlock");
  }
  EXPECT_EQ(thin, 2u);
  const std::string text = runCli({"locks", kRootsVerbsDump}).output;
  EXPECT_NE(text.find("Deadlock: thread " + cycle[0].dump() + " waits for thread " + cycle[1].dump() +
                      ", which waits for thread " + cycle[0].dump() + "."),
            std::string::npos)
      << text;
}

TEST(FinalizersVerb, PutsTheReadyOnesFirst) {
  const json objects = wholeAnswerOf({"finalizers", kRootsVerbsDump, "--json"})["finalizers"];
  ASSERT_FALSE(objects.empty());
  EXPECT_EQ(objects.front()["queue"], "ready");
  EXPECT_EQ(objects.back()["queue"], "registered");
  std::size_t suppressed = 0;
  for (const json& object : objects)
    suppressed += object["suppressed"] == true && object["type"] == "Shop.Lifetimes+Resource";
  EXPECT_EQ(suppressed, 1u);
  EXPECT_EQ(linesOf(runCli({"finalizers", kRootsVerbsDump}).output).size(), objects.size() + 1);
}

TEST(StaticsVerb, WritesTheSameRowsInEveryForm) {
  const std::vector<std::string> question{"statics", kRootsVerbsDump, "--type", "Shop.Statics"};
  const auto with = [&](const char* form) {
    auto arguments = question;
    arguments.emplace_back(form);
    return arguments;
  };
  const json statics = wholeAnswerOf(with("--json"))["statics"];
  const auto rows = linesOf(runCli(with("--tsv")).output);
  ASSERT_EQ(rows.size(), statics.size() + 1);
  EXPECT_EQ(rows.front(), "type\tfield\tkind\tfieldType\tthreadId\taddress\tvalue\tobject\tinitialised\tretainedBytes");
  std::map<std::string, json> byField;
  for (const json& row : statics) {
    if (row["type"] == "Shop.Statics") byField[row["field"]] = row;
    EXPECT_EQ(row.contains("threadId"), row["kind"] == "thread");
  }
  EXPECT_EQ(byField["big"]["value"], "1234605616436508552");
  EXPECT_EQ(byField["text"]["value"], "static text");
  EXPECT_EQ(byField["none"]["value"], nullptr);
  EXPECT_EQ(byField["big"]["fieldType"], "System.Int64");
  EXPECT_NE(byField["text"]["object"], "0x0");
}

TEST(StaticsVerb, LeavesOutWhatIsNotInUse) {
  const std::size_t all = wholeAnswerOf({"statics", kRootsVerbsDump, "--json"})["statics"].size();
  const json used = wholeAnswerOf({"statics", kRootsVerbsDump, "--initialised", "--json"})["statics"];
  EXPECT_LT(used.size(), all);
  for (const json& row : used) EXPECT_EQ(row["initialised"], true);
}

TEST(RootsVerbs, LeaveOutStringsWhenRedacted) {
  for (const char* verb : {"statics", "threads", "locks", "handles", "finalizers"}) {
    for (const char* form : {"--json", "--tsv", ""}) {
      std::vector<std::string> arguments{verb, kRootsVerbsDump, "--redact"};
      if (*form) arguments.emplace_back(form);
      const CliRun run = runCli(arguments);
      if (std::string(form) == "--tsv" && run.status == 2) continue;  // not every verb has it
      ASSERT_EQ(run.status, 0) << run.errors;
      for (const char* content :
           {"static text", "inside a static struct", "thread static of", "worker 1", "nine", "right first"}) {
        EXPECT_EQ(run.output.find(content), std::string::npos) << verb << form << content;
      }
    }
  }
}

}  // namespace
}  // namespace heapscape::cli::test
