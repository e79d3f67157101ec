// SPDX-License-Identifier: MIT
// Every figure of --json against what ClrMD says of the same dump (tests/targets/README.md has the schema).
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <sstream>

#include "cli_run.h"

namespace heapscape::cli::test {

using nlohmann::json;

namespace {

/// The truth counts free blocks apart, the command line among the objects too.
json totalsOf(const json& truth) {
  return {{"objects", truth["objects"].get<std::uint64_t>() + truth["freeObjects"].get<std::uint64_t>()},
          {"bytes", truth["bytes"].get<std::uint64_t>() + truth["freeBytes"].get<std::uint64_t>()},
          {"freeObjects", truth["freeObjects"]},
          {"freeBytes", truth["freeBytes"]}};
}

json pick(const json& row, std::initializer_list<const char*> keys) {
  json picked;
  for (const char* key : keys) picked[key] = row.at(key);
  return picked;
}

/// Names that ClrMD itself gets wrong or does not have are no expectation.
bool isKnownName(const std::string& name) {
  return !name.empty() && name.find("((null))") == std::string::npos && name.find("<T1") == std::string::npos &&
         name.find(" T1") == std::string::npos;
}

std::string correctedName(std::string name) {
  const std::size_t star = name.find("<*>");
  return star == std::string::npos ? name : name.replace(star, 3, "[*]");
}

/// FNV-1a with 64 bits over little-endian words.
class Checksum {
 public:
  void add(std::uint64_t word) {
    for (int shift = 0; shift < 64; shift += 8) m_value = (m_value ^ ((word >> shift) & 0xff)) * 0x100000001b3;
  }
  std::uint64_t value() const { return m_value; }

 private:
  std::uint64_t m_value = 0xcbf29ce484222325;
};

std::uint64_t number(std::string_view text) {
  const bool isHexadecimal = text.starts_with("0x");
  std::uint64_t value = 0;
  std::from_chars(text.data() + (isHexadecimal ? 2 : 0), text.data() + text.size(), value, isHexadecimal ? 16 : 10);
  return value;
}

std::vector<std::string_view> cellsOf(std::string_view line) {
  std::vector<std::string_view> cells;
  for (std::size_t tab = line.find('\t'); tab != std::string_view::npos; tab = line.find('\t')) {
    cells.push_back(line.substr(0, tab));
    line.remove_prefix(tab + 1);
  }
  cells.push_back(line);
  return cells;
}

}  // namespace

class DumpFigures : public testing::TestWithParam<std::string> {
 protected:
  json answer(const std::string& verb, std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments{verb, dump(), "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const CliRun run = runCli(arguments);
    EXPECT_EQ(run.status, 0) << run.errors;
    const json document = run.json();
    EXPECT_EQ(document["schema"], "heapscape/1");
    EXPECT_EQ(document["verb"], verb);
    return document;
  }
  std::string dump() const { return unpackedDump(GetParam()); }

  const json m_truth = truthOf(GetParam());
};

TEST_P(DumpFigures, infoNamesRuntimeAndTotals) {
  const json info = answer("info")["info"];
  EXPECT_EQ(info["runtime"]["version"], m_truth["runtime"]);
  EXPECT_EQ(pick(info["runtime"], {"gc", "heaps", "regions"}), pick(m_truth, {"gc", "heaps", "regions"}));
  EXPECT_EQ(info["runtime"]["gcInProgress"], false);
  std::uint64_t objects = 0;
  for (const json& segment : m_truth["segments"]) objects += totalsOf(segment)["objects"].get<std::uint64_t>();
  EXPECT_EQ(info["objects"], objects);
}

TEST_P(DumpFigures, textCountsObjectsWithoutTheGapsBetweenThem) {
  const json info = answer("info")["info"];
  const std::uint64_t gaps = info["freeObjects"];
  const auto fact = [](const std::string& text, const std::string& label) {
    const std::size_t line = text.find("\n" + label);
    std::string digits;
    for (std::size_t i = line + 1 + label.size();
         i < text.size() && (text[i] == ' ' || text[i] == ',' || isdigit(text[i])); ++i) {
      if (isdigit(text[i])) digits += text[i];
      if (text[i] == ',' && text[i + 1] == ' ') break;
    }
    return digits;
  };
  const std::string text = runCli({"info", dump()}).output;
  EXPECT_EQ(fact(text, "Objects"), std::to_string(info["objects"].get<std::uint64_t>() - gaps));
  EXPECT_EQ(fact(text, "Free"), std::to_string(gaps));
}

TEST_P(DumpFigures, segmentsAreThose) {
  json expected = json::array();
  for (const json& segment : m_truth["segments"]) {
    json row = pick(segment, {"kind", "heap", "start", "end", "committedEnd", "reservedEnd"});
    row.update(totalsOf(segment));
    expected.push_back(row);
  }
  json actual = json::array();
  const json document = answer("segments");
  for (const json& segment : document["segments"]) {
    actual.push_back(pick(segment, {"kind", "heap", "start", "end", "committedEnd", "reservedEnd", "objects", "bytes",
                                    "freeObjects", "freeBytes"}));
  }
  EXPECT_EQ(actual, expected);
}

TEST_P(DumpFigures, generationsAreThose) {
  std::map<std::string, json> expected;
  for (const json& row : m_truth["generations"]) {
    expected[row["heap"].dump() + row["generation"].get<std::string>()] = totalsOf(row);
  }
  std::map<std::string, json> actual;
  const json document = answer("generations");
  for (const json& row : document["generations"]) {
    if (row["objects"] == 0) continue;
    actual[row["heap"].dump() + row["generation"].get<std::string>()] =
        pick(row, {"objects", "bytes", "freeObjects", "freeBytes"});
  }
  EXPECT_EQ(actual, expected);
}

TEST_P(DumpFigures, typesAreThose) {
  const json document = answer("types");
  std::map<std::string, json> actual;
  for (const json& row : document["types"]) actual[row["methodTable"]] = row;
  EXPECT_EQ(actual.size(), m_truth["types"].size());
  for (const json& type : m_truth["types"]) {
    const auto found = actual.find(type["methodTable"]);
    ASSERT_NE(found, actual.end()) << type["name"];
    EXPECT_EQ(pick(found->second, {"count", "bytes", "generations", "componentSize"}),
              pick(type, {"count", "bytes", "generations", "componentSize"}))
        << type["name"];
    // ClrMD leaves the terminating zero out of String's.
    if (type["name"] != "System.String") {
      EXPECT_EQ(found->second["baseSize"], type["baseSize"]) << type["name"];
    }
    const std::string name = type["name"];
    // Without the modules' metadata, as in gcore's dumps, there are no names.
    if (document["complete"] == true && isKnownName(name)) {
      EXPECT_EQ(found->second["name"], correctedName(name));
    }
  }
}

TEST_P(DumpFigures, modulesAreThose) {
  const json document = answer("modules");
  std::map<std::string, json> actual;
  for (const json& row : document["modules"])
    actual[row["imageBase"].get<std::string>() + row["path"].get<std::string>()] = row;
  EXPECT_EQ(document["modules"].size(), m_truth["modules"].size());
  for (const json& module : m_truth["modules"]) {
    if (module["dynamic"] == true) continue;  // ClrMD knows neither name nor place of those
    const auto found = actual.find(module["imageBase"].get<std::string>() + module["path"].get<std::string>());
    ASSERT_NE(found, actual.end()) << module;
    EXPECT_EQ(pick(found->second, {"name", "size", "dynamic"}), pick(module, {"name", "size", "dynamic"}));
    if (document["complete"] == true) {
      EXPECT_EQ(found->second["mvid"], module["mvid"]);
    }
  }
}

TEST_P(DumpFigures, everyObjectIsWhereItShouldBe) {
  const CliRun run = runCli({"objects", dump(), "--tsv"});
  ASSERT_EQ(run.status, 0) << run.errors;
  std::istringstream lines(run.output);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "address\tsize\tbytes\tmethodTable\ttype\tgeneration");
  std::getline(lines, line);
  for (const json& segment : m_truth["segments"]) {
    Checksum checksum;
    const std::uint64_t end = number(segment["end"].get<std::string>());
    for (; lines; std::getline(lines, line)) {
      const auto cells = cellsOf(line);
      ASSERT_EQ(cells.size(), 6U) << line;
      if (number(cells[0]) >= end) break;
      for (const std::size_t column : {0, 1, 3}) checksum.add(number(cells[column]));
    }
    EXPECT_EQ(checksum.value(), number(segment["checksum"].get<std::string>())) << segment["start"];
  }
  EXPECT_FALSE(lines) << "objects behind the last segment";
}

TEST_P(DumpFigures, answersAreTheSameTwice) {
  for (const std::string verb : {"info", "types", "modules"}) {
    EXPECT_EQ(runCli({verb, dump(), "--json"}).output, runCli({verb, dump(), "--json"}).output) << verb;
  }
}

INSTANTIATE_TEST_SUITE_P(Dumps, DumpFigures, testing::ValuesIn(calmDumps()), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(CollectingDump, isShownAsFarAsItGoes) {
  const CliRun run = runCli({"info", unpackedDump("storm-8-collecting"), "--json"});
  ASSERT_EQ(run.status, 0) << run.errors;
  const json document = run.json();
  EXPECT_EQ(document["complete"], false);
  EXPECT_EQ(document["info"]["runtime"]["gcInProgress"], true);
  EXPECT_FALSE(document["findings"].empty());
  EXPECT_GT(document["info"]["coverage"], 0.5);
}

}  // namespace heapscape::cli::test
