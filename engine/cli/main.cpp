// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "base/large_array.h"
#include "cli/command_line.h"
#include "cli/interrupts.h"
#include "cli/verb.h"

namespace heapscape::cli {
namespace {

/// Writes to the standard output's descriptor and keeps why that failed.
class StandardOutput {
 public:
  /// False once something could not be written.
  bool write(std::string_view text);
  /// The reader has gone, as `head` does: no reason to complain.
  bool isClosed() const;
  /// The error number of the first failure, 0 if there was none.
  int errorNumber() const { return m_error; }

 private:
  int m_error = 0;
};

bool StandardOutput::write(std::string_view text) {
  while (!text.empty() && m_error == 0) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written > 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      m_error = errno ? errno : EIO;
    }
  }
  return m_error == 0;
}

bool StandardOutput::isClosed() const {
  return m_error == EPIPE;
}

ExitStatus finish(const StandardOutput& standardOutput) {
  if (standardOutput.errorNumber() == 0 || standardOutput.isClosed()) return kDone;
  return complain(fmt::format("Standard output cannot be written: {}.", std::strerror(standardOutput.errorNumber())));
}

ExitStatus runAlone(const CommandLine& line) {
  StandardOutput standardOutput;
  Interrupts interrupts;
  const auto sink = [&standardOutput](std::string_view piece) { return standardOutput.write(piece); };
  const ExitStatus status = runVerb(line, sink, interrupts);
  if (status != line.verb->successStatus()) return status;
  const ExitStatus written = finish(standardOutput);
  return written == kDone ? status : written;
}

/// The whole program; gives its exit status.
int runProgram(int argc, char** argv) {
  engine::giveBackLargeBlocks();
  // A closed pipe shall be an error of write(), not the end of the process.
  std::signal(SIGPIPE, SIG_IGN);
  // So shall a limit on file sizes while a dump is decompressed.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    const auto verbs = makeVerbs();
    const CommandLine line = parseCommandLine(std::vector<std::string>(argv, argv + argc), verbs);
    if (line.verb) return runAlone(line);
    if (line.status != kDone) {
      fmt::print(stderr, "{}", line.text);
      return line.status;
    }
    StandardOutput standardOutput;
    standardOutput.write(line.text);
    return finish(standardOutput);
  } catch (const std::bad_alloc&) {
    return complain("There is not enough memory for this.");
  } catch (const std::exception& error) {
    return complain(fmt::format("Something unforeseen went wrong: {}.", error.what()));
  }
}

}  // namespace
}  // namespace heapscape::cli

int main(int argc, char** argv) {
  return heapscape::cli::runProgram(argc, argv);
}
