// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <sstream>

#include "cli_run.h"

namespace heapscape::cli::test {

namespace {

const std::string kStreamingDump = unpackedDump("shop-10");

}  // namespace

TEST(Streaming, aClosedPipeEndsItQuietly) {
  for (const std::string form : {"--tsv", "--json", "--timings"}) {
    const CliRun run = runCliAndClose({"objects", kStreamingDump, form}, 10);
    EXPECT_EQ(run.status, 0) << form;
    EXPECT_TRUE(run.errors.empty()) << run.errors;
  }
}

TEST(Streaming, anInterruptEndsItWithStatus130) {
  const CliRun run = runCliAndInterrupt({"objects", kStreamingDump, "--json"}, 10);
  // It may be through before the signal arrives.
  EXPECT_TRUE(run.status == 130 || run.status == 0) << run.status;
  EXPECT_TRUE(run.errors.empty()) << run.errors;
  if (run.status == 0) {
    EXPECT_NO_THROW(run.json());
  }
}

TEST(Streaming, allFormsHaveTheSameObjects) {
  const auto rows = runCli({"objects", kStreamingDump, "--json"}).json()["objects"];
  const auto tsv = linesOf(runCli({"objects", kStreamingDump, "--tsv"}).output);
  const auto text = linesOf(runCli({"objects", kStreamingDump}).output);
  ASSERT_EQ(tsv.size(), rows.size() + 1);
  ASSERT_EQ(text.size(), rows.size() + 1);
  for (std::size_t i = 0; i < rows.size(); i += 97) {
    const auto& row = rows[i];
    std::ostringstream expected;
    expected << row["address"].get<std::string>() << '\t' << row["size"] << '\t' << row["bytes"] << '\t'
             << row["methodTable"].get<std::string>() << '\t' << row["type"].get<std::string>() << '\t'
             << row["generation"].get<std::string>();
    EXPECT_EQ(tsv[i + 1], expected.str());
    EXPECT_TRUE(text[i + 1].starts_with(row["address"].get<std::string>()));
  }
}

TEST(Streaming, filtersOfObjects) {
  const auto all = runCli({"objects", kStreamingDump, "--json"}).json()["objects"];
  const auto pinned = runCli({"objects", kStreamingDump, "--json", "--generation", "pinned"}).json()["objects"];
  ASSERT_FALSE(pinned.empty());
  for (const auto& row : pinned) EXPECT_EQ(row["generation"], "pinned");

  const auto large = runCli({"objects", kStreamingDump, "--json", "--min", "85000"}).json()["objects"];
  ASSERT_FALSE(large.empty());
  for (const auto& row : large) EXPECT_GE(row["size"], 85000);

  const auto orders = runCli({"objects", kStreamingDump, "--json", "--type", "Catalog.Order"}).json()["objects"];
  ASSERT_FALSE(orders.empty());
  for (const auto& row : orders) EXPECT_NE(row["type"].get<std::string>().find("Catalog.Order"), std::string::npos);

  const std::string from = all[10]["address"];
  const std::string to = all[20]["address"];
  const auto between = runCli({"objects", kStreamingDump, "--json", "--address", from + "-" + to}).json()["objects"];
  ASSERT_EQ(between.size(), 10U);
  EXPECT_EQ(between.front(), all[10]);
}

TEST(Streaming, topGivesTheLargest) {
  const auto top = runCli({"objects", kStreamingDump, "--json", "--top", "5"}).json()["objects"];
  ASSERT_EQ(top.size(), 5U);
  for (std::size_t i = 1; i < top.size(); ++i) EXPECT_GE(top[i - 1]["size"], top[i]["size"]);
  EXPECT_TRUE(runCli({"objects", kStreamingDump, "--json", "--top", "0"}).json()["objects"].empty());

  const auto types = runCli({"types", kStreamingDump, "--json", "--top", "3"}).json()["types"];
  ASSERT_EQ(types.size(), 3U);
  EXPECT_GE(types[0]["bytes"], types[1]["bytes"]);
  EXPECT_EQ(linesOf(runCli({"types", kStreamingDump, "--tsv", "--top", "3"}).output).size(), 4U);
}

}  // namespace heapscape::cli::test
