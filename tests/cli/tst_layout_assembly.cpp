// SPDX-License-Identifier: MIT
// The verb layout on assembly files, and with other rules than what a dump's runtime did.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "cli_run.h"
#include "support/test_assembly.h"

namespace heapscape::cli::test {

using heapscape::test::TemporaryFolder;
using heapscape::test::TestAssembly;
using nlohmann::json;

namespace {

const std::string kLayoutAssemblyDump = unpackedDump("shop-10");

const std::string& zoo() {
  static const TestAssembly assembly("LayoutZoo1");
  static const std::string path = assembly.path().string();
  return path;
}

json answer(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "layout");
  arguments.push_back("--json");
  const CliRun run = runCli(arguments);
  EXPECT_EQ(run.status, 0) << run.errors;
  return run.status == 0 ? run.json() : json();
}

json zooAnswer(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {zoo(), "--search", unpackedDump("library-10")});
  return answer(arguments);
}

}  // namespace

TEST(LayoutAssembly, AllTypesAreLaidOutWithADumpsFramework) {
  const json document = zooAnswer({"--all"});
  EXPECT_EQ(document["complete"], true) << document["findings"];
  EXPECT_GT(document["layouts"].size(), 1000U);
  for (const json& failure : document["failed"]) EXPECT_FALSE(failure["why"].get<std::string>().empty());
  for (const json& layout : document["layouts"]) {
    EXPECT_EQ(layout["rules"], "declared");
    EXPECT_EQ(layout["runtime"], 10);
  }
}

TEST(LayoutAssembly, BothFormsOfANameMeanTheSameType) {
  const json metadata = zooAnswer({"System.Collections.Generic.KeyValuePair`2<Zoo1.Enm2,System.Int64>"});
  const json spaced = zooAnswer({"System.Collections.Generic.KeyValuePair<Zoo1.Enm2, System.Int64>"});
  ASSERT_EQ(metadata["layouts"].size(), 1U);
  EXPECT_EQ(metadata["layouts"], spaced["layouts"]);
  EXPECT_EQ(metadata["layouts"][0]["valueSize"], 16);
  EXPECT_EQ(metadata["layouts"][0]["alignment"], 8);
}

TEST(LayoutAssembly, MissingAssembliesAreNamedAndTheRestIsComputed) {
  const json document = answer({zoo(), "--runtime", "10"});
  EXPECT_GT(document["layouts"].size() + document["failed"].size(), 500U);
  EXPECT_EQ(document["complete"], false);
  EXPECT_TRUE(std::ranges::any_of(document["findings"], [](const json& finding) {
    return finding["kind"] == "metadataMissing" &&
           finding["message"].get<std::string>().find("System.Runtime") != std::string::npos;
  }));
}

TEST(LayoutAssembly, AListOfNamesTellsWhatIsNoTypeAndWhatIsRefused) {
  const TemporaryFolder folder;
  std::ofstream(folder / "names") << "Zoo1.Str5\nNo.Such.Type\nZoo1.Bad78\n";
  const json document = zooAnswer({"--types", (folder / "names").string()});
  ASSERT_EQ(document["layouts"].size(), 1U);
  EXPECT_EQ(document["layouts"][0]["type"], "Zoo1.Str5");
  EXPECT_EQ(document["notFound"], json::array({"No.Such.Type"}));
  ASSERT_EQ(document["failed"].size(), 1U);
  EXPECT_EQ(document["failed"][0]["type"], "Zoo1.Bad78");
}

TEST(LayoutAssembly, ASingleTypeThatIsNotThereIsOneLine) {
  const CliRun run = runCli({"layout", zoo(), "str55", "--search", unpackedDump("library-10")});
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.output, "");
  EXPECT_EQ(run.errorLines(), 1U);
}

TEST(LayoutAssembly, WrongFilesAreOneLineThatSaysWhy) {
  const TemporaryFolder folder;
  std::ifstream whole(zoo(), std::ios::binary);
  std::string bytes(3000, '\0');
  whole.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  std::ofstream(folder / "Cut.dll", std::ios::binary) << bytes;
  std::ofstream(folder / "Stub.dll", std::ios::binary) << "MZ";
  for (const char* name : {"Cut.dll", "Stub.dll", "Missing.dll"}) {
    const CliRun run = runCli({"layout", (folder / name).string()});
    EXPECT_EQ(run.status, 1) << name;
    EXPECT_EQ(run.errorLines(), 1U) << run.errors;
    EXPECT_EQ(run.output, "");
  }
  const CliRun check = runCli({"layout", zoo(), "--check"});
  EXPECT_EQ(check.status, 1);
  EXPECT_EQ(check.errorLines(), 1U);
}

TEST(LayoutRules, SideBySideInJsonIsOneElementForEach) {
  const json layouts =
      answer({kLayoutAssemblyDump, "Shop.SequentialStruct", "--side-by-side", "actual,auto,best"})["layouts"];
  ASSERT_EQ(layouts.size(), 3U);
  EXPECT_EQ(layouts[0]["rules"], "actual");
  EXPECT_EQ(layouts[0]["valueSize"], 24);
  EXPECT_EQ(layouts[1]["rules"], "auto");
  EXPECT_EQ(layouts[1]["valueSize"], 16);
  EXPECT_EQ(layouts[2]["valueSize"], 16);
}

TEST(LayoutRules, SideBySideMarksWhatMoved) {
  const CliRun run = runCli({"layout", kLayoutAssemblyDump, "Shop.SequentialStruct", "--rules", "actual,auto"});
  EXPECT_EQ(run.output,
            "Type layout for 'Shop.SequentialStruct' (struct, declared sequential)\n"
            "actual                          auto\n"
            "24 bytes                        16 bytes, 8 fewer than 24\n"
            "padding 12, 50% of the value    padding 4, 25% of the value\n"
            "|===========================|   |======================================|\n"
            "|     0: Byte B (1 byte)    |   |   0-7: Double D (8 bytes) ↕ was 8-15 |\n"
            "|---------------------------|   |--------------------------------------|\n"
            "|   1-7: padding (7 bytes)  |   |   8-9: Int16 E (2 bytes) ↕ was 18-19 |\n"
            "|---------------------------|   |--------------------------------------|\n"
            "|  8-15: Double D (8 bytes) |   |    10: Byte B (1 byte) ↕ was 0       |\n"
            "|---------------------------|   |--------------------------------------|\n"
            "|    16: Byte C (1 byte)    |   |    11: Byte C (1 byte) ↕ was 16      |\n"
            "|---------------------------|   |--------------------------------------|\n"
            "|    17: padding (1 byte)   |   | 12-15: padding (4 bytes)             |\n"
            "|---------------------------|   |======================================|\n"
            "| 18-19: Int16 E (2 bytes)  |\n"
            "|---------------------------|\n"
            "| 20-23: padding (4 bytes)  |\n"
            "|===========================|\n");
}

TEST(LayoutRules, CacheLinesAndFieldsInTwoOfThemAreMarked) {
  const CliRun run = runCli({"layout", kLayoutAssemblyDump, "Shop.WideNumbers", "--side-by-side", "declared,best"});
  EXPECT_NE(run.output.find("56 ── cache line"), std::string::npos) << run.output;
}

TEST(LayoutRules, FieldsOfAUnionOverlap) {
  const json layout = answer({kLayoutAssemblyDump, "Shop.Union"})["layouts"][0];
  for (const json& field : layout["fields"]) EXPECT_EQ(field["overlaps"], true) << field["name"];
  const json other = answer({kLayoutAssemblyDump, "Shop.SequentialStruct"})["layouts"][0];
  for (const json& field : other["fields"]) EXPECT_FALSE(field.contains("overlaps"));
}

TEST(LayoutRules, BestAndWhyAreToldInJson) {
  const json layout =
      answer({kLayoutAssemblyDump, "Shop.SequentialStruct", "--best", "--why", "--rules", "declared"})["layouts"][0];
  EXPECT_EQ(layout["best"]["size"], 24);
  EXPECT_EQ(layout["best"]["bestSize"], 16);
  EXPECT_EQ(layout["best"]["order"].size(), 4U);
  EXPECT_EQ(layout["reasons"].size(), layout["fields"].size());
  const json asks = answer({kLayoutAssemblyDump, "Shop.AsksSequential", "--why"})["layouts"][0];
  EXPECT_NE(asks["whyNotAsDeclared"].get<std::string>().find("s (System.String)"), std::string::npos);
}

TEST(LayoutRules, ATypeThatIsNotLoadedFallsBackToTheRules) {
  const json layout = answer({kLayoutAssemblyDump, "System.Collections.Generic.List<System.Byte[,]>"})["layouts"][0];
  EXPECT_EQ(layout["rules"], "declared");
  EXPECT_EQ(layout["remark"], "not loaded in this dump");
}

TEST(LayoutRules, CheckFindsNothingOnASoundDump) {
  const json check = answer({kLayoutAssemblyDump, "--check", "--all"})["check"];
  EXPECT_EQ(check["equal"], check["compared"]);
  EXPECT_TRUE(check["different"].empty());
  const CliRun verify = runCli({"verify", kLayoutAssemblyDump});
  EXPECT_NE(verify.output.find(" types as the rules give them.\n"), std::string::npos) << verify.output;
}

TEST(LayoutRules, ComparesWithAnotherDumpAndAnotherRuntime) {
  const json dumps = answer({unpackedDump("shop-8"), "--against", kLayoutAssemblyDump})["comparison"];
  EXPECT_GT(dumps["changedTypes"], 0);
  EXPECT_GT(dumps["same"], 500);
  const json runtimes = answer({kLayoutAssemblyDump, "--against-runtime", "8"})["comparison"];
  EXPECT_EQ(runtimes["addedTypes"], 0);
  EXPECT_TRUE(runtimes["failures"].empty());
}

}  // namespace heapscape::cli::test
