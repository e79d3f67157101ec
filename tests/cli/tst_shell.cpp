// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "cli_run.h"

namespace heapscape::cli::test {

namespace {

const std::string kShellDump = unpackedDump("shop-10");

CliRun shell(const std::string& input, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"shell", kShellDump};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return runCliWith(arguments, input);
}

/// A person at a terminal with this many lines.
class Terminal {
 public:
  Terminal(unsigned short rows, const char* pager, std::vector<std::string> arguments) {
    winsize size{rows, 200, 0, 0};
    arguments.insert(arguments.begin(), HEAPSCAPE_CLI);
    std::vector<char*> words;
    for (std::string& word : arguments) words.push_back(word.data());
    words.push_back(nullptr);
    m_child = forkpty(&m_descriptor, nullptr, nullptr, &size);
    if (m_child != 0) return;
    setenv("PAGER", pager, 1);
    setenv("TERM", "dumb", 1);
    setenv("XDG_STATE_HOME", "/nonexistent", 1);
    execv(words[0], words.data());
    _exit(127);
  }
  Terminal(const Terminal&) = delete;
  ~Terminal() {
    close(m_descriptor);
    kill(m_child, SIGKILL);
    waitpid(m_child, nullptr, 0);
  }

  /// What is written up to this text at its end; all there is if it does not come.
  std::string waitFor(const std::string& end) {
    constexpr int kPatienceMs = 60'000;
    std::string text;
    std::array<char, 4096> bytes;
    for (pollfd ready{m_descriptor, POLLIN, 0}; !text.ends_with(end) && poll(&ready, 1, kPatienceMs) == 1;) {
      const ssize_t count = read(m_descriptor, bytes.data(), bytes.size());
      if (count <= 0) break;
      text.append(bytes.data(), static_cast<std::size_t>(count));
    }
    EXPECT_TRUE(text.ends_with(end)) << text;
    return text;
  }
  /// The answer to a line, with its echo and the next prompt.
  std::string type(const std::string& line) {
    const std::string typed = line + "\n";
    EXPECT_EQ(write(m_descriptor, typed.data(), typed.size()), static_cast<ssize_t>(typed.size()));
    return waitFor("\n> ");
  }

 private:
  int m_descriptor = -1;
  pid_t m_child = 0;
};

bool hasLine(const std::string& output, const std::string& part) {
  return std::ranges::any_of(linesOf(output), [&](const std::string& line) { return line.find(part) != line.npos; });
}

}  // namespace

TEST(Shell, runsVerbsAndCommandsOfSosFromStandardInput) {
  const CliRun run =
      shell("info\n# a comment\n\nobjects --type Catalog.OrderLine --top 1\ndumpheap -stat -type Catalog.OrderLine\n");
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_TRUE(hasLine(run.output, "10.0.12"));
  EXPECT_TRUE(hasLine(run.output, "Catalog.OrderLine"));
  EXPECT_TRUE(hasLine(run.output, "Statistics:"));
}

TEST(Shell, givesTheAnswersOfTheVerbsThemselves) {
  for (const char* verb : {"info", "segments", "threads", "retained --top 5", "insights", "gc"}) {
    std::vector<std::string> words{""};
    for (const char* c = verb; *c; ++c) {
      if (*c == ' ')
        words.emplace_back();
      else
        words.back() += *c;
    }
    std::vector<std::string> alone = words;
    alone.insert(alone.begin() + 1, kShellDump);
    const CliRun inShell = shell(std::string(verb) + " --json\n");
    alone.emplace_back("--json");
    EXPECT_EQ(inShell.output, runCli(alone).output) << verb;
  }
}

TEST(Shell, keepsGoingAfterACommandThatFails) {
  const CliRun run = shell("object 0x1234\nnonsense\ndumpobj 1234\nsegments\n");
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.errorLines(), 3u) << run.errors;
  EXPECT_TRUE(hasLine(run.output, "gen0"));
}

TEST(Shell, doesNotTakeItsCommandsForADump) {
  const CliRun run = shell("trend " + kShellDump + " -\ntypes --top 1\n");
  EXPECT_NE(run.output.find("no other one is read from standard input"), std::string::npos) << run.output;
  EXPECT_NE(run.output.find("Objects   Bytes"), std::string::npos) << run.output;
}

TEST(Shell, tellsAProgramThatAsksWhereEachAnswerEnds) {
  const CliRun run =
      shell("segments\nnonsense\n\tdumph\n\tdumpheap -type Catalog.OrderLine\neeversion\n", {"--marker", "(end)"});
  EXPECT_EQ(run.status, 0) << run.errors;
  const std::vector<std::string> lines = linesOf(run.output);
  std::vector<std::string> marks;
  for (const std::string& line : lines) {
    if (line.starts_with("(end)")) marks.push_back(line);
  }
  EXPECT_EQ(marks, (std::vector<std::string>{"(end) 0", "(end) 0", "(end) 1", "(end) 0", "(end) 0", "(end) 0"}));
  EXPECT_EQ(lines.front(), "(end) 0");  // the dump is open
  EXPECT_TRUE(hasLine(run.output, "dumpheap\t"));
  EXPECT_TRUE(hasLine(run.output, "Catalog.OrderLine\t"));
  EXPECT_TRUE(hasLine(run.output, "more: "));  // a person reads it
}

TEST(Shell, stopsTheCommandBeforeALineThatSaysSoAndNoOther) {
  // Before the command has begun, since all of it is read at once; where none runs there is nothing to stop.
  const CliRun run = shell("segments\n\x03\neeversion\n", {"--marker", "(end)"});
  EXPECT_EQ(run.status, 0) << run.errors;
  std::vector<std::string> marks;
  for (const std::string& line : linesOf(run.output)) {
    if (line.starts_with("(end)")) marks.push_back(line);
  }
  ASSERT_EQ(marks.size(), 3u) << run.output;
  EXPECT_EQ(marks[2], "(end) 0");
  EXPECT_TRUE(hasLine(run.output, "10.0.12"));
}

TEST(Shell, endsWhereItIsTold) {
  for (const char* word : {"exit", "quit", "q"}) {
    const CliRun run = shell(std::string(word) + "\nsegments\n");
    EXPECT_EQ(run.status, 0);
    EXPECT_EQ(run.output, "");
  }
}

TEST(Shell, takesCommandsAsOptions) {
  const CliRun run = runCli({"shell", kShellDump, "-c", "segments", "-c", "object 12", "-c", "generations"});
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.errorLines(), 1u) << run.errors;
  EXPECT_TRUE(hasLine(run.output, "gen2"));
}

TEST(Shell, opensNothingThatIsNoDump) {
  EXPECT_EQ(runCli({"shell", "/dev/null", "-c", "segments"}).status, 1);
  EXPECT_EQ(runCli({"sos", "/no/such/file", "-c", "eeversion"}).status, 1);
}

TEST(Shell, writesAnswersToFilesAndPipesOnlyWhatIsTyped) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "heapscape-shell-answer.txt";
  const CliRun run = shell("segments > " + file.string() + "\n");
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_EQ(run.output, "");
  std::ifstream stream(file);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_EQ(text, runCli({"segments", kShellDump}).output);
  std::filesystem::remove(file);
  const CliRun piped = shell("segments | cat\n");
  EXPECT_EQ(piped.status, 1);
  EXPECT_EQ(piped.output, "");
}

TEST(Shell, readsQuotesAndGenericNamesAsWords) {
  const CliRun run =
      shell("objects --type \"List<Catalog.Order>\" --json\nobjects --type List<Catalog.Order> --json\n");
  EXPECT_EQ(run.status, 0) << run.errors;
  const auto lines = linesOf(run.output);
  ASSERT_EQ(lines.size() % 2, 0u);
  EXPECT_TRUE(std::equal(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(lines.size() / 2),
                         lines.begin() + static_cast<std::ptrdiff_t>(lines.size() / 2)));
  EXPECT_EQ(shell("objects --type \"List<\n").status, 1);
}

TEST(Shell, helps) {
  const CliRun run = shell("help\nhelp dumpheap\nhelp types\n");
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_TRUE(hasLine(run.output, "clrstack"));
  EXPECT_TRUE(hasLine(run.output, "dumpheap [-stat]"));
  EXPECT_TRUE(hasLine(run.output, "--retained"));
  EXPECT_TRUE(hasLine(run.output, "dumpconcurrentdictionary dcd  Keys"));
  EXPECT_TRUE(hasLine(runCli({"help", "sos"}).output, "no command of -c or of standard input failed"));
}

namespace {

/// What the shell offers for the last word of a line, with what it says of each.
std::vector<std::string> offersFor(const std::string& line) {
  std::vector<std::string> offers = linesOf(shell("\t" + line + "\n", {"--marker", "(end)"}).output);
  std::erase_if(offers, [](const std::string& offer) { return offer.starts_with("(end)"); });
  return offers;
}

bool isOffered(const std::string& line, const std::string& word) {
  return std::ranges::any_of(offersFor(line), [&](const std::string& offer) { return offer.starts_with(word + "\t"); });
}

}  // namespace

TEST(Shell, offersOptionsOfVerbsAndWhatTheyChooseFrom) {
  EXPECT_TRUE(isOffered("types --ret", "--retained"));
  EXPECT_GT(offersFor("types -").size(), 5u);
  EXPECT_TRUE(hasLine(offersFor("query --gr").front(), "Add up objects"));
  EXPECT_TRUE(isOffered("query --of fin", "finalizers"));
  EXPECT_TRUE(isOffered("query --of ", "objects"));
  EXPECT_TRUE(isOffered("dumpheap -s", "-stat"));
  EXPECT_TRUE(offersFor("nonsense -").empty());
  // What answers nothing is not offered.
  EXPECT_TRUE(isOffered("dumpgc", "dumpgcdata"));
  EXPECT_FALSE(isOffered("dumpgc", "dumpgclog"));
}

TEST(Shell, offersNamesWithBlanksInQuotationMarks) {
  const std::string name = "\"System.Collections.Generic.Dictionary<System.Int32, ";
  for (const std::string& typed :
       {std::string("dumpheap -type System.Collections.Generic.Dictionary<System.Int3"), "type " + name}) {
    const auto offers = offersFor(typed);
    ASSERT_FALSE(offers.empty()) << typed;
    for (const std::string& offer : offers) EXPECT_TRUE(offer.starts_with(name) && offer.ends_with("\"\t")) << offer;
  }
  // As it was begun, and without where there is no need.
  EXPECT_TRUE(isOffered("type 'Catalog.OrderL", "'Catalog.OrderLine'"));
  EXPECT_TRUE(isOffered("type Catalog.OrderL", "Catalog.OrderLine"));
}

TEST(Shell, pagesWhatIsLongerThanTheScreen) {
  Terminal terminal(10, "sed s/^/paged:/", {"shell", kShellDump, "--no-cache"});
  terminal.waitFor("> ");
  EXPECT_NE(terminal.type("types").find("paged:"), std::string::npos);
  EXPECT_EQ(terminal.type("types --top 2").find("paged:"), std::string::npos);
  EXPECT_EQ(terminal.type("types | head -40").find("paged:"), std::string::npos);
  EXPECT_EQ(terminal.type("set pager off").find("paged:"), std::string::npos);
  EXPECT_EQ(terminal.type("types").find("paged:"), std::string::npos);
  EXPECT_EQ(terminal.type("set pager on").find("paged:"), std::string::npos);
  EXPECT_NE(terminal.type("help").find("paged:"), std::string::npos);
}

TEST(Shell, showsNoContentsWithRedact) {
  const CliRun run = shell("types --top 1\ndumpheap -strings\n", {"--redact"});
  EXPECT_EQ(run.status, 1);
  EXPECT_FALSE(hasLine(run.output, "Statistics:"));
}

// Of words that are no command, options that are not there, addresses that lead nowhere: none may end the program.
TEST(Shell, livesThroughRandomCommands) {
  std::mt19937 random(47);
  const std::vector<std::string> commands = {
      "clrstack",    "clrthreads", "pe",        "dumpheap",  "dumpobj",    "dumparray", "dumpvc",    "gcroot",
      "pathto",      "objsize",    "dso",       "eeheap",    "syncblk",    "fq",        "gchandles", "gcheapstat",
      "gcwhere",     "dumpasync",  "dumpmt",    "dumpclass", "dumpmd",     "ip2md",     "name2ee",   "token2ee",
      "dumpmodule",  "verifyobj",  "lno",       "tks",       "threadpool", "timerinfo", "dumpgen",   "db",
      "dq",          "du",         "setthread", "r",         "modules",    "dcd",       "dcq",       "dumpdelegate",
      "threadstate", "u",          "dumpil",    "nonsense",  "types",      "object",    "address",   "bytes"};
  const std::vector<std::string> words = {"-stat",
                                          "-short",
                                          "-all",
                                          "-a",
                                          "-c",
                                          "3",
                                          "-type",
                                          "Order",
                                          "-mt",
                                          "-gc",
                                          "-md",
                                          "gen0",
                                          "-v",
                                          "shop.dll",
                                          "*!Shop.Locks",
                                          "02000003",
                                          "-min",
                                          "40",
                                          "0",
                                          "ffffffffffffffff",
                                          "7fda5d809c98",
                                          "7fda5d9d7830",
                                          "7fe638693510",
                                          "00007fe638549888",
                                          "7fda5d008150",
                                          "00007FE6384BAA95"};
  std::string input;
  const auto pick = [&](const std::vector<std::string>& from) { return from[random() % from.size()]; };
  for (int i = 0; i < 300; ++i) {
    input += pick(commands);
    for (std::size_t n = random() % 4; n > 0; --n) input += ' ' + pick(words);
    input += '\n';
  }
  const CliRun run = runCliWith({"sos", kShellDump}, input);
  EXPECT_TRUE(run.status == 0 || run.status == 1) << run.status << run.errors;
}

}  // namespace heapscape::cli::test
