// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "cli_run.h"
#include "support/temporary_folder.h"

namespace heapscape::cli::test {

namespace {

using heapscape::test::TemporaryFolder;

std::string dumpToRedact() {
  return unpackedDump("shop-10");
}

std::size_t filesBeside(const std::filesystem::path& file) {
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(file.parent_path())) ++files;
  return files;
}

}  // namespace

TEST(RedactVerb, WritesACopyAndTellsWhatIsLeft) {
  const TemporaryFolder folder;
  const std::string copy = folder / "copy.core";
  const auto redact = answerOf({"redact", dumpToRedact(), copy, "--json"}).at("redact");
  EXPECT_EQ(redact.at("file"), copy);
  EXPECT_EQ(redact.at("copyBytes"), std::filesystem::file_size(copy));
  EXPECT_EQ(redact.at("fileBytes"), redact.at("copyBytes"));
  EXPECT_EQ(redact.at("dumpBytes"), std::filesystem::file_size(dumpToRedact()));
  EXPECT_EQ(redact.at("choices"),
            nlohmann::json({"lengths of strings and arrays", "names of types, methods and fields"}));
  ASSERT_FALSE(redact.at("kept").empty());
  for (const auto& kept : redact.at("kept")) {
    EXPECT_GT(kept.at("bytes").get<std::uint64_t>(), 0u);
    EXPECT_FALSE(kept.at("what").get<std::string>().empty());
    EXPECT_FALSE(kept.at("why").get<std::string>().empty());
  }
  EXPECT_GT(redact.at("removed").at("native").get<std::uint64_t>(), 1u << 20);
  EXPECT_GT(redact.at("removed").at("gcUsed").get<std::uint64_t>(), 1u << 20);
}

TEST(RedactVerb, ChecksACopy) {
  const TemporaryFolder folder;
  const std::string copy = folder / "copy.core.zst";
  ASSERT_EQ(runCli({"redact", dumpToRedact(), copy}).status, 0);
  const CliRun clean = runCli({"redact", "--check", copy, "--json"});
  EXPECT_EQ(clean.status, 0) << clean.errors;
  const auto redact = clean.json().at("redact");
  EXPECT_EQ(redact.at("clean"), true);
  EXPECT_TRUE(redact.at("suspicious").empty());
  EXPECT_FALSE(redact.at("kept").empty());
  EXPECT_NE(redact.at("redaction").get<std::string>().find("\"contents\":\"removed\""), std::string::npos);
  EXPECT_NE(runCli({"redact", "--check", copy}).output.find("\nNothing else.\n"), std::string::npos);
}

TEST(RedactVerb, FindsThatADumpIsNoCopy) {
  const CliRun run = runCli({"redact", "--check", dumpToRedact(), "--json"});
  EXPECT_EQ(run.status, 3);
  const auto redact = run.json().at("redact");
  EXPECT_EQ(redact.at("clean"), false);
  EXPECT_EQ(redact.at("redaction"), "");
  EXPECT_FALSE(redact.at("suspicious").empty());
  const CliRun text = runCli({"redact", "--check", dumpToRedact()});
  EXPECT_EQ(text.status, 3);
  EXPECT_NE(text.output.find("does not say that it was redacted"), std::string::npos) << text.output;
  EXPECT_NE(text.output.find("Left though nothing needs it:"), std::string::npos) << text.output;
}

TEST(RedactVerb, MakesCopiesThatAnswerAsTheDump) {
  const TemporaryFolder folder;
  const std::string copy = folder / "copy.core";
  ASSERT_EQ(runCli({"redact", dumpToRedact(), copy}).status, 0);
  for (const std::vector<std::string>& verb : {std::vector<std::string>{"types"}, {"retained"}, {"handles"}}) {
    auto of = [&](const std::string& file) {
      std::vector<std::string> arguments = verb;
      arguments.insert(arguments.end(), {file, "--redact", "--tsv"});
      return runCli(arguments).output;
    };
    EXPECT_EQ(of(copy), of(dumpToRedact())) << verb.front();
  }
  const auto info = answerOf({"info", copy, "--json"}).at("info");
  EXPECT_NE(info.at("missing").dump().find("redacted"), std::string::npos) << info.at("missing");
  EXPECT_EQ(info.at("dump").at("kind"), "heap");
}

TEST(RedactVerb, MakesCopiesThatDoNotTakeForZeroWhatIsGone) {
  const TemporaryFolder folder;
  const std::string copy = folder / "copy.core";
  ASSERT_EQ(runCli({"redact", dumpToRedact(), copy}).status, 0);
  const auto rowsOf = [](const std::string& file, const std::string& query) {
    return answerOf({"query", file, query, "--columns", "count,value", "--json"}).at("query");
  };
  const auto lists = rowsOf(dumpToRedact(), R"(type ~ "Generic.List<" and count > 0)");
  ASSERT_FALSE(lists.empty());
  std::size_t looked = 0;
  for (const auto& row : rowsOf(copy, R"(type ~ "Generic.List<")")) {
    const bool isFilled =
        std::ranges::any_of(lists, [&](const nlohmann::json& list) { return list.at("address") == row.at("address"); });
    if (!isFilled || row.at("type").get<std::string>().ends_with("[]")) continue;
    ++looked;
    EXPECT_EQ(row.at("count"), nullptr) << row;
    EXPECT_EQ(row.at("value"), nullptr) << row;
  }
  EXPECT_GT(looked, 0u);
  const auto numbers = rowsOf(copy, R"(type = "System.Int32[]" and count > 3)");
  ASSERT_FALSE(numbers.empty());
  for (const auto& row : numbers)
    EXPECT_NE(row.at("value").get<std::string>().find("items: ?, ?, ?"), std::string::npos) << row;
}

TEST(RedactVerb, SaysWhatWasKeptByChoice) {
  const TemporaryFolder folder;
  const auto redact = answerOf({"redact", dumpToRedact(), folder / "copy.core", "--json", "--round-lengths",
                                "--hash-strings", "--keep-enums", "--keep-booleans", "--keep-counts"})
                          .at("redact");
  EXPECT_EQ(redact.at("choices"), nlohmann::json({"values of enums", "booleans", "counts of collections",
                                                  "hashes of strings", "names of types, methods and fields"}));
  EXPECT_EQ(runCli({"redact", "--check", folder / "copy.core"}).status, 0);
}

TEST(RedactVerb, NeverWritesOverTheDump) {
  const TemporaryFolder folder;
  std::filesystem::copy_file(testData("shop-10.core.zst"), folder / "dump.core.zst");
  const auto bytes = std::filesystem::file_size(folder / "dump.core.zst");
  const CliRun run = runCli({"redact", folder / "dump.core.zst", folder / "dump.core.zst"});
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.output, "");
  EXPECT_NE(run.errors.find("The copy would take the place of the dump itself. Name another file."), std::string::npos)
      << run.errors;
  EXPECT_EQ(std::filesystem::file_size(folder / "dump.core.zst"), bytes);
  EXPECT_EQ(filesBeside(folder / "dump.core.zst"), 1u);
}

TEST(RedactVerb, SaysWhereItCannotWrite) {
  const CliRun run = runCli({"redact", dumpToRedact(), "/no such folder/copy.core"});
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.errorLines(), 1u);
  EXPECT_NE(run.errors.find("/no such folder/copy.core cannot be written"), std::string::npos) << run.errors;
}

TEST(RedactVerb, NeedsExactlyOneOfCopyAndCheck) {
  const TemporaryFolder folder;
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"redact", dumpToRedact()},
                                                    {"redact", "--check", dumpToRedact(), folder / "copy.core"}}) {
    const CliRun run = runCli(arguments);
    EXPECT_EQ(run.status, 2) << testing::PrintToString(arguments);
    EXPECT_EQ(run.errorLines(), 1u) << run.errors;
  }
  EXPECT_EQ(filesBeside(folder / "copy.core"), 0u);
}

}  // namespace heapscape::cli::test
