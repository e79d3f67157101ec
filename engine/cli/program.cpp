// SPDX-License-Identifier: MIT
#include "cli/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <exception>
#include <new>

#include "base/large_blocks.h"
#include "cli/command_line.h"
#include "cli/context.h"
#include "cli/interrupt.h"
#include "cli/standard_output.h"
#include "output/text.h"

namespace heapscape::cli {

namespace {

ExitStatus complain(std::string what) {
  std::replace(what.begin(), what.end(), '\n', ' ');
  fmt::print(stderr, "heapscape-cli: {}\n", engine::printable(what));
  return kInputUnusable;
}

std::string withWayOut(const engine::Error& error) {
  const bool isAboutMemory = error.code == engine::ErrorCode::NotEnoughMemory;
  return error.message() + (isAboutMemory ? " To try it all the same, allow more with --memory SIZE." : "");
}

ExitStatus finish(const StandardOutput& standardOutput) {
  if (standardOutput.errorNumber() == 0 || standardOutput.isClosed()) return kDone;
  return complain(fmt::format("Standard output cannot be written: {}.", std::strerror(standardOutput.errorNumber())));
}

ExitStatus runVerb(const CommandLine& line) {
  StandardOutput standardOutput;
  engine::Output output([&standardOutput](std::string_view piece) { return standardOutput.write(piece); });
  Context context(line.verb->name(), line.options, output, stopOnInterrupt());
  const auto done = line.verb->run(context);
  if (done) {
    // Rows may have been read while they were written.
    if (const auto changed = context.changedInput()) return complain(changed->message());
    const ExitStatus written = finish(standardOutput);
    if (written == kDone) context.keepAnswers();
    return written == kDone ? line.verb->successStatus() : written;
  }
  if (done.error().isCancelled()) return kInterrupted;
  complain(withWayOut(done.error().error()));
  return line.verb->failureStatus();
}

}  // namespace

int runProgram(int argc, char** argv) {
  engine::giveBackLargeBlocks();
  // A closed pipe shall be an error of write(), not the end of the process.
  std::signal(SIGPIPE, SIG_IGN);
  // So shall a limit on file sizes while a dump is decompressed.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    const auto verbs = makeVerbs();
    const CommandLine line = parseCommandLine(argc, argv, verbs);
    if (line.verb) return runVerb(line);
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

}  // namespace heapscape::cli
