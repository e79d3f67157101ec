// SPDX-License-Identifier: MIT
// What parameters and locals hold, held against what the program says of itself; registers; raw memory.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "cli_run.h"
#include "support/truth.h"

namespace heapscape::cli::test {
namespace {

using nlohmann::json;

constexpr const char* kVariablesDump = "variables-10";

json stacksOf(const std::string& dump, const std::string& option) {
  const CliRun run = runCli({"stacks", unpackedDump(dump), option, "--json", "--search", testData("")});
  EXPECT_EQ(run.status, 0) << run.errors;
  return run.status == 0 ? run.json() : json::object();
}

/// "Variables.Program.Primitives(…)" → "Primitives", whatever the type arguments.
std::string bareName(const json& frame) {
  if (!frame.at("method").is_string()) return {};
  const std::string written = frame.at("method");
  std::string name;
  int depth = 0;
  for (const char letter : written.substr(0, written.find('('))) {
    if (letter == '<') ++depth;
    if (depth == 0) name += letter;
    if (letter == '>') --depth;
  }
  return name.substr(name.rfind('.') + 1);
}

/// The first variable of that name in a frame of that method, from the outermost frame on.
json variableOf(const json& answer, const std::string& method, const std::string& name) {
  for (const json& thread : answer.at("threads")) {
    for (auto frame = thread.at("frames").rbegin(); frame != thread.at("frames").rend(); ++frame) {
      if (!frame->contains("variables") || bareName(*frame) != method) continue;
      for (const json& variable : frame->at("variables")) {
        if (variable.at("name") == name) return variable;
      }
    }
  }
  return {};
}

std::string textOf(const json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

class Variables : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(OfDumps, Variables,
                         testing::Values("variables-8", "variables-10", "variables-11", "variables-debug-10"),
                         [](const auto& dump) { return heapscape::test::testName(dump.param); });

TEST_P(Variables, HoldWhatTheProgramSays) {
  const bool isDebug = GetParam().find("debug") != std::string::npos;
  const json answer = stacksOf(GetParam(), "--locals");
  std::ifstream printed(testData("variables.printed.jsonl"));
  std::size_t told = 0;
  std::size_t all = 0;
  for (std::string line; std::getline(printed, line);) {
    const json expected = json::parse(line);
    const std::string what = expected.at("method").get<std::string>() + "." + expected.at("name").get<std::string>();
    // Its frame is seen twice: in the handler, which has the variable, and where the exception was thrown.
    if (what == "Handle.caught") continue;
    const json variable = variableOf(answer, expected.at("method"), expected.at("name"));
    ++all;
    if (variable.is_null()) {
      EXPECT_FALSE(isDebug) << what << " is missing";
      continue;
    }
    if (variable.contains("problem")) {
      // Optimised code keeps a variable as long as it needs it, in whatever place.
      EXPECT_FALSE(isDebug) << what << ": " << variable.at("problem");
      EXPECT_TRUE(variable.at("value").is_null()) << what;
      continue;
    }
    EXPECT_EQ(textOf(variable.at("value")), expected.at("value").get<std::string>()) << what;
    ++told;
  }
  EXPECT_GT(all, 50U);
  EXPECT_GE(told, isDebug ? all : all / 2);
}

TEST(VariablesVerb, TellsPlacesTypesAndKinds) {
  const json answer = stacksOf("variables-debug-10", "--locals");
  const json counted = variableOf(answer, "References", "counted");
  EXPECT_EQ(counted.at("type"), "System.Int32&");
  EXPECT_EQ(counted.at("kind"), "parameter");
  EXPECT_EQ(counted.at("value"), 8);
  EXPECT_TRUE(counted.contains("target"));
  EXPECT_EQ(variableOf(answer, "References", "numbers").at("value"), "System.Int32[4] { 0, 11, 0, 0 }");
  const json mixed = variableOf(answer, "Structures", "mixed");
  ASSERT_EQ(mixed.at("nested").size(), 3U);
  EXPECT_EQ(mixed.at("nested").at(1).at("value"), 6);
  // Shared code is told by its context what it runs for.
  EXPECT_EQ(variableOf(answer, "Generic", "name").at("type"), "System.String");
  EXPECT_EQ(variableOf(answer, "Many", "second").at("type"), "System.Int64");
  EXPECT_EQ(variableOf(answer, "Many", "second").at("kind"), "parameter");
  // Declared behind the loop that the frame is in.
  EXPECT_TRUE(variableOf(answer, "Advance", "behind").is_null());
  EXPECT_EQ(variableOf(answer, "Advance", "round").at("kind"), "local");
}

TEST(VariablesVerb, WritesThemBelowEachFrame) {
  const std::string dump = unpackedDump("variables-debug-10");
  const CliRun run = runCli({"stacks", dump, "--locals", "--search", testData("")});
  ASSERT_EQ(run.status, 0) << run.errors;
  const std::size_t frame = run.output.find("Variables.Program.Reals(");
  ASSERT_NE(frame, std::string::npos);
  const std::size_t parameters = run.output.find("PARAMETERS:", frame);
  const std::size_t locals = run.output.find("LOCALS:", parameters);
  const std::size_t half = run.output.find("half (0x", locals);
  ASSERT_NE(half, std::string::npos);
  EXPECT_TRUE(run.output.substr(half, 80).find("System.Double = 0.75") != std::string::npos);
  const CliRun redacted = runCli({"stacks", dump, "--locals", "--redact", "--search", testData("")});
  EXPECT_EQ(redacted.output.find("0.75"), std::string::npos);
}

TEST(RegistersVerb, TellsThoseOfAThreadAndWhatIsKnownOfThemInFrames) {
  const json answer = stacksOf(kVariablesDump, "--registers");
  const json& thread = answer.at("threads").at(0);
  for (const char* name : {"rip", "rsp", "rax", "r15", "rflags", "cs", "fs_base"})
    EXPECT_TRUE(thread.at("registers").contains(name)) << name;
  std::size_t calling = 0;
  for (const json& frame : thread.at("frames")) {
    if (frame.at("kind") != "managed") continue;
    const json& registers = frame.at("registers");
    EXPECT_EQ(registers.at("rip"), frame.at("ip"));
    EXPECT_EQ(registers.at("rsp"), frame.at("sp"));
    // All of these frames are in calls, which keep nothing else.
    EXPECT_FALSE(registers.contains("rax"));
    calling += registers.contains("rbx") ? 1 : 0;
  }
  EXPECT_GT(calling, 5U);
}

TEST(BytesVerb, ReadsTheSameMemoryInEveryForm) {
  const std::string dump = unpackedDump(kVariablesDump);
  const json text = variableOf(stacksOf(kVariablesDump, "--locals"), "Handle", "given");
  ASSERT_TRUE(text.contains("address"));
  const std::string address = text.at("address");
  const json words = answerOf({"bytes", dump, address, "--bytes", "12", "--as", "words", "--json"});
  ASSERT_EQ(words.at("bytes").at("words").size(), 2U);
  EXPECT_EQ(words.at("bytes").at("words").at(0).at("value").get<std::string>().back(), '2');
  const json bytes = answerOf({"bytes", dump, address, "--bytes", "4", "--json"});
  EXPECT_EQ(bytes.at("bytes").at("parts").at(0).at("hex"), "02000000");
  const std::uint64_t aligned = std::stoull(address, nullptr, 16) / 8 * 8;
  const json owners =
      answerOf({"bytes", dump, fmt::format("{:#x}", aligned), "--bytes", "64", "--as", "owners", "--json"});
  EXPECT_NE(owners.at("bytes").at("owners").at(0).at("text").get<std::string>().find("in the frame of Variables."),
            std::string::npos);
  const json& list = owners.at("bytes").at("words");
  EXPECT_TRUE(std::ranges::any_of(
      list, [](const json& word) { return word.contains("kind") && word.at("kind") == "methodCode"; }));
}

TEST(BytesVerb, SaysWhatIsMissing) {
  const std::string dump = unpackedDump(kVariablesDump);
  const json nowhere = answerOf({"bytes", dump, "0x1003", "--bytes", "100000", "--json"});
  ASSERT_EQ(nowhere.at("bytes").at("parts").size(), 1U);
  EXPECT_EQ(nowhere.at("bytes").at("parts").at(0).at("missing"), true);
  EXPECT_EQ(nowhere.at("bytes").at("parts").at(0).at("size"), 100000);
  // Not beyond the last address there is.
  const json last = answerOf({"bytes", dump, "0xfffffffffffffff0", "--bytes", "18446744073709551615", "--json"});
  EXPECT_EQ(last.at("bytes").at("size"), 15);
  const CliRun words = runCli({"bytes", dump, "0x1003", "--as", "words"});
  EXPECT_NE(words.output.find("256 bytes up to 0x1103 are not in the dump"), std::string::npos) << words.output;
}

TEST(LoadContexts, TellTypesOfOneNameApart) {
  const json answer = answerOf({"types", unpackedDump("shop-10"), "--json"});
  bool isInDefault = false;
  bool isInPlugins = false;
  for (const json& type : answer.at("types")) {
    if (type.at("name") != "Plugin.Rule") continue;
    const std::string context = type.at("loadContext");
    isInDefault = isInDefault || context == "default";
    isInPlugins = isInPlugins || context.starts_with("plugins 0x");
  }
  EXPECT_TRUE(isInDefault);
  EXPECT_TRUE(isInPlugins) << "the collectible one, with its address";
}

}  // namespace
}  // namespace heapscape::cli::test
