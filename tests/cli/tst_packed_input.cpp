// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <filesystem>

#include "cli_run.h"
#include "support/opened_core.h"
#include "support/packed.h"
#include "support/temporary_folder.h"

namespace heapscape::cli::test {

namespace {

using namespace heapscape::test;

FileBytes plainCore() {
  const auto file = openDump(unpackedDump("shop-10"));
  return FileBytes(file->bytes().begin(), file->bytes().end());
}

TEST(PackedInput, SaysWhichCoreOfAnArchiveItIs) {
  const TemporaryFolder folder;
  const FileBytes core = plainCore();
  const FileBytes small(core.begin(), core.begin() + 100'000);
  writeFile(folder / "dumps.tgz", gzipped(tarred({{"old/core", small}, {"new/core", core}})));
  const CliRun json = runCli({"info", folder / "dumps.tgz", "--json"});
  ASSERT_EQ(json.status, 0) << json.errors;
  const auto dump = json.json().at("info").at("dump");
  EXPECT_EQ(dump.at("compressed"), true);
  EXPECT_EQ(dump.at("nameInArchive"), "new/core");
  EXPECT_EQ(dump.at("coresInArchive"), 2);
  const CliRun text = runCli({"info", folder / "dumps.tgz"});
  EXPECT_NE(text.output.find("new/core, the largest of 2 core dumps in it"), std::string::npos) << text.output;
}

TEST(PackedInput, SaysWhatAnArchiveHoldsInstead) {
  const TemporaryFolder folder;
  writeFile(folder / "logs.tar", tarred({{"a.log", pattern(100)}}));
  const CliRun run = runCli({"info", folder / "logs.tar"});
  EXPECT_EQ(run.status, 1);
  EXPECT_NE(run.errors.find("is a tar archive without a core dump: it holds a.log."), std::string::npos) << run.errors;
}

TEST(ShortenedInput, EndsWithAnErrorAfterWhatWasWritten) {
  const TemporaryFolder folder;
  writeFile(folder / "core", plainCore());
  const auto shorten = [&] { std::filesystem::resize_file(folder / "core", 5000); };
  const CliRun run = runCliAndAct({"objects", folder / "core", "--tsv"}, 10'000, shorten);
  EXPECT_EQ(run.status, 1);
  EXPECT_NE(run.errors.find("core was shortened"), std::string::npos) << run.errors;
}

TEST(ResidentMemory, IsToldByBothForms) {
  const CliRun json = runCli({"memory", unpackedDump("growth/after-10"), "--json"});
  ASSERT_EQ(json.status, 0) << json.errors;
  const auto totals = json.json().at("totals");
  const auto resident = totals.at("resident");
  EXPECT_GT(resident.at("atLeastBytes").get<std::uint64_t>(), 1u << 20);
  EXPECT_LT(resident.at("atLeastBytes").get<std::uint64_t>(), totals.at("mappedBytes").get<std::uint64_t>());
  EXPECT_EQ(resident.contains("atMostBytes"), totals.at("whole").get<bool>());
  const CliRun text = runCli({"memory", unpackedDump("growth/after-10")});
  EXPECT_NE(text.output.find("In memory or swapped out: at least "), std::string::npos) << text.output;
}

}  // namespace

}  // namespace heapscape::cli::test
