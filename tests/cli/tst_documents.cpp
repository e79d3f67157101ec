// SPDX-License-Identifier: MIT
// What the command line says of itself as a whole: the manual page and completion.
#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>

#include "cli_run.h"

namespace heapscape::cli::test {

namespace {

/// The verbs that help shows.
std::vector<std::string> verbsOfHelp() {
  std::vector<std::string> verbs;
  bool areVerbs = false;
  for (const std::string& line : linesOf(runCli({"--help"}).output)) {
    if (!line.starts_with(' ')) areVerbs = line.ends_with("ubcommands:") || line.ends_with("Verbs:");
    if (areVerbs && line.starts_with("  ") && line.size() > 2 && line[2] != ' ')
      verbs.push_back(line.substr(2, line.find(' ', 2) - 2));
  }
  return verbs;
}

/// The long options that a verb's help shows, without dashes.
std::vector<std::string> optionsOfHelp(const std::string& verb) {
  static const std::regex option("^ +(-[a-z],\\s*)?--([a-z-]+)");
  std::vector<std::string> options;
  std::smatch match;
  for (const std::string& line : linesOf(runCli({"help", verb}).output)) {
    if (std::regex_search(line, match, option) && match[2] != "help") options.push_back(match[2]);
  }
  return options;
}

/// What the manual page says of a verb.
std::string sectionOf(const std::string& page, const std::string& verb) {
  const auto begin = page.find("\n.Ss " + verb + "\n");
  if (begin == std::string::npos) return {};
  return page.substr(begin, page.find("\n.S", begin + 4) - begin);
}

}  // namespace

TEST(Documents, theManualPageHasEachVerbWithItsOptions) {
  const CliRun run = runCli({"man"});
  ASSERT_EQ(run.status, 0) << run.errors;
  const std::vector<std::string> verbs = verbsOfHelp();
  ASSERT_GT(verbs.size(), 40U);
  for (const std::string& verb : verbs) {
    const std::string section = sectionOf(run.output, verb);
    ASSERT_NE(section, "") << verb;
    for (const std::string& option : optionsOfHelp(verb)) {
      const bool isThere =
          section.find("Fl \\-" + option) != std::string::npos || section.find("\\-\\-" + option) != std::string::npos;
      EXPECT_TRUE(isThere) << verb << " --" << option;
    }
  }
  EXPECT_EQ(run.output.find("\n.Ss man\n"), std::string::npos);
}

TEST(Documents, theManualPageHasTheDayOfTheRelease) {
  setenv("SOURCE_DATE_EPOCH", "1767312000", 1);
  const std::string page = runCli({"man"}).output;
  unsetenv("SOURCE_DATE_EPOCH");
  EXPECT_NE(page.find("\n.Dd January 2, 2026\n"), std::string::npos) << page.substr(0, 200);
}

TEST(Documents, completionKnowsEachVerbAndOption) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const CliRun run = runCli({"completion", shell});
    ASSERT_EQ(run.status, 0) << run.errors;
    for (const std::string& verb : verbsOfHelp()) {
      EXPECT_NE(run.output.find(verb), std::string::npos) << shell << " " << verb;
      for (const std::string& option : optionsOfHelp(verb))
        EXPECT_NE(run.output.find(option), std::string::npos) << shell << " " << verb << " " << option;
    }
  }
  EXPECT_EQ(runCli({"completion", "dash"}).status, 2);
  EXPECT_EQ(runCli({"completion"}).status, 2);
}

}  // namespace heapscape::cli::test
