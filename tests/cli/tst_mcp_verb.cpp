// SPDX-License-Identifier: MIT
// The server for assistants: messages of the Model Context Protocol on standard input, answers on standard output.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "cli/cli_run.h"
#include "support/temporary_folder.h"

namespace heapscape::cli::test {
namespace {

using nlohmann::json;

json request(int id, const std::string& method, json parameters = json::object()) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(parameters)}};
}

json callOf(int id, const std::string& tool, json arguments = json::object()) {
  return request(id, "tools/call", {{"name", tool}, {"arguments", std::move(arguments)}});
}

/// The answers of a server, one a line, in their order.
std::vector<json> talk(const std::vector<std::string>& arguments, const std::vector<json>& messages) {
  std::string input;
  for (const json& message : messages)
    input += (message.is_string() ? message.get<std::string>() : message.dump()) + "\n";
  std::vector<std::string> words{"mcp"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const CliRun run = runCliWith(words, input);
  EXPECT_EQ(run.status, 0) << run.errors;
  std::vector<json> answers;
  for (const std::string& line : linesOf(run.output)) answers.push_back(json::parse(line));
  return answers;
}

/// The answer to one call of a tool on a dump.
json answerOfTool(const std::string& tool, json arguments, const std::vector<std::string>& options = {}) {
  std::vector<std::string> words = options;
  words.push_back(unpackedDump("shop-10"));
  const auto answers = talk(words, {callOf(1, tool, std::move(arguments))});
  return answers.size() == 1 ? answers.front().value("result", json()) : json();
}

TEST(McpServer, AgreesOnARevisionOfTheProtocol) {
  const auto answers = talk({}, {request(1, "initialize", {{"protocolVersion", "2024-11-05"}}),
                                 request(2, "initialize", {{"protocolVersion", "1999-01-01"}}), request(3, "ping")});
  ASSERT_EQ(answers.size(), 3u);
  EXPECT_EQ(answers[0]["result"]["protocolVersion"], "2024-11-05");
  EXPECT_EQ(answers[1]["result"]["protocolVersion"], "2025-06-18");
  EXPECT_TRUE(answers[0]["result"]["capabilities"].contains("tools"));
  EXPECT_TRUE(answers[0]["result"]["capabilities"].contains("resources"));
  EXPECT_EQ(answers[2]["result"], json::object());
}

TEST(McpServer, ListsToolsWithSchemas) {
  const auto answers = talk({}, {request(1, "tools/list")});
  ASSERT_EQ(answers.size(), 1u);
  std::set<std::string> names;
  for (const json& tool : answers[0]["result"]["tools"]) {
    names.insert(tool["name"].get<std::string>());
    EXPECT_EQ(tool["inputSchema"]["type"], "object") << tool["name"];
    EXPECT_FALSE(tool["description"].get<std::string>().empty());
    for (const auto& [name, property] : tool["inputSchema"]["properties"].items())
      EXPECT_TRUE(property.contains("type") && property.contains("description")) << tool["name"] << " " << name;
  }
  for (const char* name : {"open", "overview", "types", "object", "why_alive", "retained", "stacks", "async",
                           "insights", "compare", "query"})
    EXPECT_TRUE(names.contains(name)) << name;
}

TEST(McpServer, AnswersAsTheVerbsDo) {
  const std::string dump = unpackedDump("shop-10");
  const json byVerb = answerOf({"query", dump, "name ~ Order", "--of", "types", "--sort", "bytes-", "--json"});
  const json byTool = answerOfTool("types", {{"query", "name ~ Order"}, {"sort", "bytes"}});
  ASSERT_TRUE(byTool.contains("structuredContent"));
  EXPECT_EQ(byTool["structuredContent"]["totals"], byVerb["totals"]);
  const json& rows = byTool["structuredContent"]["query"];
  ASSERT_FALSE(rows.empty());
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(rows[i], byVerb["query"][i]);
  // The text is the same as JSON, for clients that know no structured answers.
  EXPECT_EQ(json::parse(byTool["content"][0]["text"].get<std::string>()), byTool["structuredContent"]);
}

TEST(McpServer, BeginsWithAnOverview) {
  const json answer = answerOfTool("overview", json::object())["structuredContent"];
  for (const char* member : {"info", "crash", "generations", "insights", "plan"})
    EXPECT_TRUE(answer.contains(member)) << member;
  EXPECT_EQ(answer["info"]["objects"], answerOf({"info", unpackedDump("shop-10"), "--json"})["info"]["objects"]);
}

TEST(McpServer, GivesRowsInPages) {
  std::vector<json> rows;
  std::size_t offset = 0;
  for (int pages = 0; pages < 10; ++pages) {
    const json answer = answerOfTool("retained", {{"limit", 7}, {"offset", offset}})["structuredContent"];
    EXPECT_EQ(answer["retained"].size(), 7u);
    for (const json& row : answer["retained"]) rows.push_back(row);
    ASSERT_TRUE(answer.contains("next_offset"));
    offset = answer["next_offset"];
    if (rows.size() == 21) break;
  }
  const json whole = answerOf({"retained", unpackedDump("shop-10"), "--top", "21", "--json"})["retained"];
  EXPECT_EQ(json(rows), whole);
}

TEST(McpServer, BoundsItsAnswers) {
  for (const char* tool : {"stacks", "retained", "insights", "async"}) {
    const json answer = answerOfTool(tool, {{"limit", 1000}});
    EXPECT_LE(answer["content"][0]["text"].get<std::string>().size(), 60'000u) << tool;
    EXPECT_TRUE(answer["structuredContent"].is_object());
  }
  // The bytes of a large array leave room for its elements.
  const std::string array = answerOf(
      {"query", unpackedDump("shop-10"), "type = System.Byte[] and length = 200001", "--json"})["query"][0]["address"];
  const json object = answerOfTool("object", {{"address", array}, {"first_element", 1000}}, {"--contents"});
  EXPECT_EQ(object["structuredContent"]["object"]["array"]["elements"].size(), 50u);
  EXPECT_EQ(object["structuredContent"]["object"]["raw"].get<std::string>().size(), 512u);
  const json many = answerOfTool("query", {{"limit", 1000}})["structuredContent"];
  EXPECT_TRUE(many.contains("next_offset"));
  EXPECT_EQ(many["next_offset"], many["query"].size());
}

TEST(McpServer, LeavesOutContentsUnlessTheyAreAllowed) {
  const std::string text = answerOf({"query", unpackedDump("shop-10"), "type = System.String and length > 10",
                                     "--columns", "value", "--top", "1", "--json"})["query"][0]["address"];
  const auto told = [&](const std::vector<std::string>& options) {
    return answerOfTool("object", {{"address", text}}, options)["structuredContent"]["object"].dump();
  };
  EXPECT_NE(told({}), told({"--contents"}));
  // Nor is anything told by what is found.
  for (const json& arguments :
       {json{{"query", "value ~ a"}}, json{{"group_by", "value"}}, json{{"sort", "value"}},
        json{{"query", "field(\"Name\") = x"}}, json{{"of", "strings"}, {"query", "value ~ a"}}}) {
    const json refused = answerOfTool("query", arguments);
    EXPECT_EQ(refused["isError"], true) << arguments;
    EXPECT_NE(refused["content"][0]["text"].get<std::string>().find("--contents"), std::string::npos) << arguments;
    EXPECT_EQ(answerOfTool("query", arguments, {"--contents"})["isError"], false) << arguments;
  }
}

TEST(McpServer, SaysWhatIsWrongInItsOwnWords) {
  const auto textOf = [](const json& refused) { return refused["content"][0]["text"].get<std::string>(); };
  // The place in the query stands in the answer, not on standard error.
  for (const std::vector<std::string>& options : {std::vector<std::string>{}, {"--contents"}}) {
    const std::string wrong = textOf(answerOfTool("query", {{"query", "sise > 3"}}, options));
    EXPECT_NE(wrong.find("sise > 3\n"), std::string::npos) << wrong;
    EXPECT_NE(wrong.find(" ^~~~\n"), std::string::npos) << wrong;
  }
  const std::string dump = unpackedDump("shop-10");
  const auto answers =
      talk({dump}, {callOf(1, "object", {{"address", "zz"}}), callOf(2, "why_alive", {{"address", "1"}}),
                    callOf(3, "layout", {{"type", "No.Such"}}), callOf(4, "object", {{"adress", "12"}})});
  ASSERT_EQ(answers.size(), 4u);
  EXPECT_EQ(answers[0]["error"]["message"], "address has to be hexadecimal, such as 0x7f12, which \"zz\" is not.");
  EXPECT_EQ(textOf(answers[1]["result"]), "There is no object at 0x1. The list of objects has their addresses.");
  for (const json& answer : answers) EXPECT_EQ(answer.dump().find("heapscape-cli"), std::string::npos) << answer;
}

TEST(McpServer, HasSeveralDumpsOpen) {
  const std::string first = unpackedDump("growth/before-10");
  const std::string second = unpackedDump("growth/after-10");
  const auto answers = talk({first}, {callOf(1, "open", {{"path", second}}), callOf(2, "dumps"), callOf(3, "types"),
                                      callOf(4, "types", {{"dump", "after-10"}}),
                                      callOf(5, "compare", {{"before", "before-10"}, {"after", "after-10"}}),
                                      callOf(6, "close", {{"dump", "before-10"}}), callOf(7, "types")});
  ASSERT_EQ(answers.size(), 7u);
  EXPECT_EQ(answers[0]["result"]["structuredContent"]["dump"], "after-10");
  EXPECT_EQ(answers[1]["result"]["structuredContent"]["dumps"].size(), 2u);
  EXPECT_EQ(answers[2]["result"]["isError"], true);  // which one?
  EXPECT_EQ(answers[3]["result"]["isError"], false);
  const json compared = answerOf({"compare", first, second, "--json"});
  EXPECT_EQ(answers[4]["result"]["structuredContent"]["types"][0], compared["types"][0]);
  EXPECT_EQ(answers[5]["result"]["structuredContent"]["dumps"].size(), 1u);
  EXPECT_EQ(answers[6]["result"]["structuredContent"]["totals"], answers[3]["result"]["structuredContent"]["totals"]);
}

TEST(McpServer, HasTheManualAsResources) {
  const auto answers =
      talk({}, {request(1, "resources/list"), request(2, "resources/read", {{"uri", "heapscape://manual/queries"}}),
                request(3, "resources/read", {{"uri", "heapscape://manual/none"}})});
  ASSERT_EQ(answers.size(), 3u);
  EXPECT_GT(answers[0]["result"]["resources"].size(), 8u);
  EXPECT_TRUE(answers[1]["result"]["contents"][0]["text"].get<std::string>().starts_with("# "));
  EXPECT_EQ(answers[2]["error"]["code"], -32002);
}

TEST(McpServer, SaysWhatIsWrongWithARequest) {
  const auto answers =
      talk({}, {json("not JSON"), json("[]"), json("5"), request(1, "no/such"), callOf(2, "no such"), callOf(3, "open"),
                callOf(4, "open", {{"path", 5}}), callOf(5, "open", {{"path", "/no/such.core"}}), callOf(6, "types"),
                callOf(7, "retained", {{"limit", 0}}), callOf(8, "retained", {{"limit", 18446744073709551615u}}),
                callOf(9, "object", {{"address", "0x1"}})});
  ASSERT_EQ(answers.size(), 12u);
  EXPECT_EQ(answers[0]["error"]["code"], -32700);
  EXPECT_EQ(answers[1]["error"]["code"], -32600);
  EXPECT_EQ(answers[2]["error"]["code"], -32600);
  EXPECT_EQ(answers[3]["error"]["code"], -32601);
  for (const int i : {4, 5, 6, 9, 10}) EXPECT_EQ(answers[i]["error"]["code"], -32602) << i;
  for (const int i : {7, 8, 11}) EXPECT_EQ(answers[i]["result"]["isError"], true) << i;
}

TEST(McpServer, TakesWordsThatLookLikeOptionsForWhatTheyAre) {
  // A text that is no comparison is looked for in names of types.
  const json text = answerOfTool("query", {{"query", "--objects=x=/etc/passwd"}})["structuredContent"];
  EXPECT_EQ(text["totals"]["objects"], 0);
  EXPECT_NE(text["notes"].dump().find("--objects=x=/etc/passwd"), std::string::npos);
  const json missing = answerOfTool("layout", {{"type", "--check"}});
  EXPECT_EQ(missing["isError"], true);
}

TEST(McpServer, AnswersNoNotifications) {
  const auto answers =
      talk({}, {json{{"jsonrpc", "2.0"}, {"method", "notifications/initialized"}},
                json{{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", 99}}}},
                json{{"jsonrpc", "2.0"}, {"id", 3}, {"result", json::object()}}, request(4, "ping")});
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0]["id"], 4);
}

TEST(McpServer, GoesOnAfterADamagedDump) {
  const heapscape::test::TemporaryFolder folder;
  std::ofstream(folder / "cut.core", std::ios::binary) << "\x7f"
                                                          "ELF and nothing else";
  const auto answers = talk({}, {callOf(1, "open", {{"path", folder / "cut.core"}}), request(2, "ping")});
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_EQ(answers[0]["result"]["isError"], true);
  EXPECT_EQ(answers[1]["result"], json::object());
}

}  // namespace
}  // namespace heapscape::cli::test
