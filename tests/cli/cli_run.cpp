// SPDX-License-Identifier: MIT
#include "cli_run.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <sstream>

#include "support/dump_path.h"
#include "support/zstandard.h"

namespace heapscape::cli::test {

namespace {

struct Pipe {
  std::array<int, 2> ends{-1, -1};

  Pipe() {
    if (pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
  }
};

constexpr int kOwnInput = -1;

/// `input`: the descriptor that it reads its standard input from.
pid_t start(const std::vector<std::string>& arguments, int input, Pipe& output, Pipe& errors) {
  std::vector<std::string> words{HEAPSCAPE_CLI};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    if (input != kOwnInput) dup2(input, STDIN_FILENO);
    dup2(output.ends[1], STDOUT_FILENO);
    dup2(errors.ends[1], STDERR_FILENO);
    for (const int end : {output.ends[0], output.ends[1], errors.ends[0], errors.ends[1]}) close(end);
    execv(argv[0], argv.data());
    _exit(127);
  }
  close(output.ends[1]);
  close(errors.ends[1]);
  return child;
}

/// Reads both pipes until they end, or until `enough` bytes of output are there.
void readBoth(CliRun& run, int output, int errors, std::size_t enough) {
  std::array<pollfd, 2> waiting{{{output, POLLIN, 0}, {errors, POLLIN, 0}}};
  std::array<std::string*, 2> texts{&run.output, &run.errors};
  std::vector<char> buffer(65536);
  while ((waiting[0].fd >= 0 || waiting[1].fd >= 0) && run.output.size() < enough) {
    poll(waiting.data(), waiting.size(), -1);
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      if (waiting[i].fd < 0 || waiting[i].revents == 0) continue;
      const ssize_t count = read(waiting[i].fd, buffer.data(), buffer.size());
      if (count > 0) texts[i]->append(buffer.data(), static_cast<std::size_t>(count));
      if (count <= 0) waiting[i].fd = -1;
    }
  }
}

enum class Midway { Nothing, Close, Interrupt, Act };

CliRun runWith(const std::vector<std::string>& arguments, std::size_t bytes, Midway midway,
               const std::function<void()>& action = {}, int input = kOwnInput) {
  Pipe output;
  Pipe errors;
  CliRun run;
  const pid_t child = start(arguments, input, output, errors);
  readBoth(run, output.ends[0], errors.ends[0], bytes);
  if (midway == Midway::Close) close(output.ends[0]);
  if (midway == Midway::Interrupt) kill(child, SIGINT);
  if (midway == Midway::Act) action();
  if (midway != Midway::Nothing) {
    readBoth(run, midway == Midway::Close ? -1 : output.ends[0], errors.ends[0], SIZE_MAX);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status)) run.status = WEXITSTATUS(status);
  if (midway != Midway::Close) close(output.ends[0]);
  close(errors.ends[0]);
  return run;
}

}  // namespace

std::size_t CliRun::errorLines() const {
  return static_cast<std::size_t>(std::count(errors.begin(), errors.end(), '\n'));
}

CliRun runCli(const std::vector<std::string>& arguments) {
  return runWith(arguments, SIZE_MAX, Midway::Nothing);
}

CliRun runCliWith(const std::vector<std::string>& arguments, const std::string& input) {
  std::FILE* file = std::tmpfile();
  if (!file) throw std::runtime_error("no temporary file");
  std::fwrite(input.data(), 1, input.size(), file);
  std::rewind(file);
  CliRun run = runWith(arguments, SIZE_MAX, Midway::Nothing, {}, fileno(file));
  std::fclose(file);
  return run;
}

CliRun runCliAndClose(const std::vector<std::string>& arguments, std::size_t bytes) {
  return runWith(arguments, bytes, Midway::Close);
}

CliRun runCliAndInterrupt(const std::vector<std::string>& arguments, std::size_t bytes) {
  return runWith(arguments, bytes, Midway::Interrupt);
}

CliRun runCliAndAct(const std::vector<std::string>& arguments, std::size_t bytes, const std::function<void()>& action) {
  return runWith(arguments, bytes, Midway::Act, action);
}

std::string unpackedDump(const std::string& dump) {
  return heapscape::test::dumpPath(dump).string();
}

std::string testData(const std::string& name) {
  return std::string(HEAPSCAPE_TEST_DATA) + "/" + name;
}

std::vector<std::string> calmDumps() {
  static constexpr std::string_view kEnding = ".truth.json.zst";
  std::vector<std::string> dumps;
  for (const auto& entry : std::filesystem::directory_iterator(HEAPSCAPE_TEST_DATA)) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(kEnding)) continue;
    const std::string dump = name.substr(0, name.size() - kEnding.size());
    const bool hasHeap = !dump.ends_with("-normal") && !dump.ends_with("-triage");
    if (hasHeap && !dump.ends_with("-collecting")) dumps.push_back(dump);
  }
  std::sort(dumps.begin(), dumps.end());
  return dumps;
}

nlohmann::json truthOf(const std::string& dump) {
  return nlohmann::json::parse(heapscape::test::unpackedFile(testData(dump + ".truth.json.zst")));
}

nlohmann::json answerOf(const std::vector<std::string>& arguments) {
  const CliRun run = runCli(arguments);
  EXPECT_EQ(run.status, 0) << run.errors;
  return run.json();
}

std::vector<std::string> linesOf(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace heapscape::cli::test
