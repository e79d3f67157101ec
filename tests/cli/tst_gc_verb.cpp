// SPDX-License-Identifier: MIT
// gc, in text and JSON.
#include <gtest/gtest.h>

#include "cli_run.h"

namespace heapscape::cli::test {
namespace {

using nlohmann::json;

TEST(GcVerb, TellsSettingsCollectionsAndGenerations) {
  const CliRun run = runCli({"gc", unpackedDump("shop-10-server"), "--json"});
  ASSERT_EQ(run.status, 0) << run.errors;
  const json gc = run.json().at("gc");
  EXPECT_EQ(gc.at("settings").at("gc"), "server");
  EXPECT_EQ(gc.at("settings").at("heaps"), 4);
  EXPECT_EQ(gc.at("settings").at("dynamicAdaptation"), "off");
  EXPECT_EQ(gc.at("settings").at("latencyMode"), "interactive");
  EXPECT_EQ(gc.at("settings").at("asked").at(2).at("key"), "DOTNET_gcServer");
  EXPECT_EQ(gc.at("collections"), json::parse(R"([{"generation":0,"count":4},{"generation":1,"count":3},
                                                  {"generation":2,"count":3}])"));
  EXPECT_EQ(gc.at("collectionsHow"), "shape");
  EXPECT_EQ(gc.at("last").at("begun").at("reason"), "induced");
  EXPECT_EQ(gc.at("last").at("recorded").at(0).at("index"), 4);
  EXPECT_TRUE(gc.at("outOfMemory").empty());
  std::size_t withBudget = 0;
  for (const json& generation : gc.at("generations")) {
    EXPECT_TRUE(generation.contains("fragmentation"));
    if (!generation.at("budget").is_null()) ++withBudget;
  }
  EXPECT_EQ(withBudget, 20u);
}

TEST(GcVerb, LeavesOutWhatIsNoNumberIfContentsAreHidden) {
  const std::string dump = unpackedDump("shop-10-segments");
  EXPECT_NE(runCli({"gc", dump}).output.find("Workstation GC of libclrgc.so"), std::string::npos);
  const json shown = runCli({"gc", dump, "--json"}).json().at("gc").at("settings").at("asked");
  EXPECT_EQ(shown.at(0).at("value"), "libclrgc.so");
  const json hidden = runCli({"gc", dump, "--redact", "--json"}).json().at("gc").at("settings").at("asked");
  EXPECT_TRUE(hidden.at(0).at("value").is_null());
  EXPECT_NE(runCli({"gc", dump, "--redact"}).output.find("(left out)"), std::string::npos);
}

TEST(GcVerb, SaysInTextWhatACollectionWasDoing) {
  const CliRun run = runCli({"gc", unpackedDump("storm-8-collecting")});
  EXPECT_NE(run.output.find("Collection 1013, of gen0, was marking, moving or sweeping objects."), std::string::npos)
      << run.output;
  EXPECT_NE(run.output.find("could be read as objects"), std::string::npos);
}

}  // namespace
}  // namespace heapscape::cli::test
