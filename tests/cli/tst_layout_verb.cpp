// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "cli_run.h"

namespace heapscape::cli::test {

using nlohmann::json;

namespace {

const std::string kLayoutVerbDump = unpackedDump("shop-10");

json layouts(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"layout", kLayoutVerbDump, "--json"});
  const CliRun run = runCli(arguments);
  EXPECT_EQ(run.status, 0) << run.errors;
  return run.json();
}

}  // namespace

TEST(LayoutVerb, fieldsAreWhereClrMdHasThem) {
  std::map<std::string, json> actual;
  const json document = layouts({});
  for (const json& layout : document["layouts"]) actual[layout["methodTable"]] = layout;
  const json truth = truthOf("shop-10");
  for (const json& type : truth["types"]) {
    if (!type.contains("fields") || type["componentSize"] != 0) continue;
    const auto found = actual.find(type["methodTable"]);
    ASSERT_NE(found, actual.end()) << type["name"];
    EXPECT_EQ(found->second["baseSize"], type["baseSize"]);
    std::multimap<std::uint64_t, std::string> expected;
    for (const json& field : type["fields"]) expected.emplace(field["offset"], field["name"]);
    std::multimap<std::uint64_t, std::string> fields;
    // Offsets of the truth count from the object's address.
    for (const json& field : found->second["fields"]) {
      fields.emplace(field["offset"].get<std::uint64_t>() + 8, field["name"]);
    }
    EXPECT_EQ(fields, expected) << type["name"];
  }
}

TEST(LayoutVerb, fieldsAndPaddingsFillTheValue) {
  const json document = layouts({"--all"});
  for (const json& layout : document["layouts"]) {
    if (layout["kind"] == "array" || layout["componentSize"] != 0 || layout["effective"] == "explicit") continue;
    std::uint64_t bytes = layout["ownPaddingBytes"].get<std::uint64_t>();
    for (const json& field : layout["fields"]) bytes += field["size"].get<std::uint64_t>() * field.value("repeat", 1U);
    EXPECT_EQ(bytes, layout["fieldsBytes"]) << layout["type"];
    EXPECT_EQ(layout["paddingBytes"],
              layout["ownPaddingBytes"].get<std::uint64_t>() + layout["nestedPaddingBytes"].get<std::uint64_t>());
  }
}

TEST(LayoutVerb, bothFormsOfANameMeanTheSameType) {
  const json ours = layouts({"System.Collections.Generic.Dictionary<System.String, System.Object>"})["layouts"];
  const json metadata = layouts({"System.Collections.Generic.Dictionary`2<System.String,System.Object>"})["layouts"];
  ASSERT_FALSE(ours.empty());
  EXPECT_EQ(ours, metadata);
  EXPECT_EQ(ours[0]["type"], "System.Collections.Generic.Dictionary`2<System.String,System.Object>");
  EXPECT_EQ(layouts({ours[0]["methodTable"].get<std::string>()})["layouts"][0], ours[0]);
}

TEST(LayoutVerb, aListOfNamesGivesThoseAndTellsWhatIsMissing) {
  const auto path = std::filesystem::temp_directory_path() / ("heapscape-names-" + std::to_string(getpid()));
  std::ofstream(path) << "# names\n\nSystem.Version\r\nNo.Such.Type\nSystem.Guid\n";
  const json document = layouts({"--types", path.string()});
  std::filesystem::remove(path);
  ASSERT_EQ(document["layouts"].size(), 2U);
  EXPECT_EQ(document["layouts"][0]["type"], "System.Version");
  EXPECT_EQ(document["layouts"][1]["valueSize"], 16);
  EXPECT_EQ(document["notFound"], json::array({"No.Such.Type"}));
}

TEST(LayoutVerb, anUnknownTypeIsOneLine) {
  const CliRun run = runCli({"layout", kLayoutVerbDump, "catalog.orderl"});
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.output, "");
  EXPECT_EQ(run.errorLines(), 1U);
  EXPECT_NE(run.errors.find("Catalog.OrderLine"), std::string::npos) << "a suggestion: " << run.errors;
}

TEST(LayoutVerb, textDrawsBoxes) {
  const CliRun run = runCli({"layout", kLayoutVerbDump, "System.Version"});
  EXPECT_EQ(run.output,
            "Type layout for 'System.Version' (class, declared auto)\n"
            "Size: 32 bytes (16 of fields). Paddings: 0 bytes (%0 of empty space in the fields, %0 of the object)\n"
            "|==================================|\n"
            "| Object header (8 bytes)          |\n"
            "|----------------------------------|\n"
            "| Method table pointer (8 bytes)   |\n"
            "|==================================|\n"
            "|   0-3: Int32 _Major (4 bytes)    |\n"
            "|----------------------------------|\n"
            "|   4-7: Int32 _Minor (4 bytes)    |\n"
            "|----------------------------------|\n"
            "|  8-11: Int32 _Build (4 bytes)    |\n"
            "|----------------------------------|\n"
            "| 12-15: Int32 _Revision (4 bytes) |\n"
            "|==================================|\n");
}

}  // namespace heapscape::cli::test
