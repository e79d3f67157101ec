// SPDX-License-Identifier: MIT
// A .gcdump file on the command line: what it tells, and what is refused.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli_run.h"

namespace heapscape::cli::test {

namespace {

using nlohmann::json;

const std::string& gcDump() {
  static const std::string path = testData("gcdump/growth-10.gcdump.zst");
  return path;
}

/// The address of an object of this type.
std::string someObject(const std::string& type) {
  const json rows = answerOf({"query", gcDump(), "type = \"" + type + "\"", "--top", "1", "--json"}).at("query");
  return rows.at(0).at("address").get<std::string>();
}

}  // namespace

TEST(GcDumpInput, TellsOfItself) {
  const json info = answerOf({"info", gcDump(), "--json"}).at("info");
  EXPECT_EQ(info.at("dump").at("kind"), "gcdump");
  EXPECT_EQ(info.at("dump").at("tool"), "dotnet-gcdump");
  EXPECT_EQ(info.at("dump").at("pid"), nullptr);
  EXPECT_EQ(info.at("objects"), 2320);
  for (const char* unknown : {"runtime", "crash", "freeObjects", "coverage"})
    EXPECT_FALSE(info.contains(unknown)) << unknown;
  EXPECT_EQ(info.at("missing").size(), 1u);
  const CliRun text = runCli({"info", gcDump()});
  EXPECT_NE(text.output.find("graph of the heap (.gcdump)"), std::string::npos) << text.output;
  EXPECT_EQ(text.output.find("Runtime"), std::string::npos) << text.output;
}

// Unknown is neither 0 nor an address.
TEST(GcDumpInput, ListsTypesWithoutWhatItDoesNotTell) {
  const json types = answerOf({"types", gcDump(), "--retained", "--json"}).at("types");
  EXPECT_EQ(types.at(0).at("name"), "System.Collections.Generic.List<Growth.Session>");
  EXPECT_EQ(types.at(0).at("retainedBytes"), 366'200);
  for (const json& type : types) {
    for (const char* unknown : {"methodTable", "paddingBytes", "baseSize"})
      EXPECT_TRUE(!type.contains(unknown) || type.at(unknown).is_null()) << type;
    EXPECT_TRUE(!type.contains("generations") || type.at("generations").empty()) << type;
  }
  const json object = answerOf({"objects", gcDump(), "--type", "Growth.Session[]", "--json"}).at("objects").at(0);
  EXPECT_EQ(object.at("size"), 262'168);
  EXPECT_EQ(object.at("methodTable"), nullptr);
  EXPECT_EQ(object.at("generation"), nullptr);
  for (const json& edge : answerOf({"edges", gcDump(), "--top", "5", "--json"}).at("edges")) {
    EXPECT_EQ(edge.at("kind"), "recorded");
    EXPECT_EQ(edge.at("offset"), nullptr);
  }
}

TEST(GcDumpInput, SaysWhatHoldsAnObject) {
  const std::string session = someObject("Growth.Session");
  const json paths = answerOf({"path", gcDump(), session, "--json"}).at("paths");
  EXPECT_EQ(paths.at(0).at("root").at("kind"), "static");
  EXPECT_EQ(paths.at(0).at("steps").size(), 3u);
  EXPECT_EQ(runCli({"path", gcDump(), "--type", "Growth.Session"}).status, 0);
  EXPECT_EQ(runCli({"path", gcDump(), "--type", "System.Collections.Generic.List<Growth.Session>"}).status, 0);
  const CliRun dominators = runCli({"dominators", gcDump(), "--depth", "2"});
  EXPECT_NE(dominators.output.find("Growth.Session[]"), std::string::npos) << dominators.output;
  EXPECT_EQ(dominators.output.find("reference-counted"), std::string::npos) << dominators.output;
  EXPECT_EQ(runCli({"retained", gcDump(), "--without", "type:Growth.Session[]"}).status, 0);
  EXPECT_EQ(answerOf({"query", gcDump(), "--of", "roots", "kind = static", "--json"}).at("complete"), true);
}

TEST(GcDumpInput, IsComparedReportedAndFollowed) {
  const std::string other = testData("gcdump/growth-8.gcdump.zst");
  const CliRun compared = runCli({"compare", gcDump(), other});
  EXPECT_EQ(compared.status, 0) << compared.errors;
  EXPECT_EQ(compared.output.find("Runtime:"), std::string::npos) << compared.output;
  EXPECT_EQ(runCli({"compare", gcDump(), unpackedDump("growth/after-10")}).status, 0);
  EXPECT_EQ(runCli({"compare", unpackedDump("growth/after-10"), gcDump(), "--json"}).status, 0);
  EXPECT_EQ(runCli({"trend", other, gcDump(), unpackedDump("growth/after-10")}).status, 0);
  EXPECT_EQ(runCli({"insights", gcDump(), "--json"}).status, 0);
}

TEST(GcDumpInput, RefusesWhatOnlyADumpTells) {
  const std::string session = someObject("Growth.Session");
  for (const std::vector<std::string>& rest : {std::vector<std::string>{"threads"},
                                               {"stacks"},
                                               {"segments"},
                                               {"generations"},
                                               {"gc"},
                                               {"strings"},
                                               {"statics"},
                                               {"handles"},
                                               {"modules"},
                                               {"memory"},
                                               {"waste"},
                                               {"verify"},
                                               {"crash"},
                                               {"locks"},
                                               {"async"},
                                               {"generics"},
                                               {"exceptions"},
                                               {"finalizers"},
                                               {"locals"},
                                               {"http"},
                                               {"object", session},
                                               {"address", session},
                                               {"bytes", session},
                                               {"type", "Growth.Session"},
                                               {"layout", "Growth.Session"}}) {
    std::vector<std::string> arguments{rest.front(), gcDump()};
    arguments.insert(arguments.end(), rest.begin() + 1, rest.end());
    const CliRun run = runCli(arguments);
    EXPECT_EQ(run.status, 1) << rest.front();
    EXPECT_EQ(run.output, "") << rest.front();
    EXPECT_NE(run.errors.find("A .gcdump file does not tell"), std::string::npos) << rest.front() << run.errors;
    EXPECT_EQ(run.errorLines(), 1u) << run.errors;
  }
  const CliRun query = runCli({"query", gcDump(), "gen = gen2"});
  EXPECT_NE(query.errors.find("A .gcdump file does not tell gen of objects"), std::string::npos) << query.errors;
  const CliRun list = runCli({"query", gcDump(), "--of", "threads"});
  EXPECT_NE(list.errors.find("A .gcdump file does not tell"), std::string::npos) << list.errors;
  const CliRun sos = runCliWith({"shell", gcDump()}, "dumpheap -stat\ntypes --top 1\n");
  EXPECT_NE(sos.errors.find("A .gcdump file does not tell"), std::string::npos) << sos.errors;
  EXPECT_NE(sos.output.find("Growth.Session[]"), std::string::npos) << sos.output;
}

}  // namespace heapscape::cli::test
