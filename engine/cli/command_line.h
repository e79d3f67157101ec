// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/exit_status.h"
#include "cli/options.h"
#include "cli/verb.h"

namespace heapscape::cli {

/// What the arguments ask for: a verb to run, or a text to show and a status to end with.
struct CommandLine {
  Options options = {};
  Verb* verb = nullptr;   // one of the verbs given; null if there is only a text
  std::string text = {};  // help, the version, or what is wrong with the usage
  ExitStatus status = kDone;
};

/// Reads the arguments; the verbs keep the options of their own.
CommandLine parseCommandLine(int argc, char** argv, const std::vector<std::unique_ptr<Verb>>& verbs);

}  // namespace heapscape::cli
