// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/context.h"
#include "cli/description.h"
#include "cli/verb.h"
#include "output/output.h"

namespace heapscape::cli {

/// Request of the arguments: a verb to run, or a text to show and a status to end with.
struct CommandLine {
  Options options = {};
  Verb* verb = nullptr;      // one of the verbs given; null if there is only a text
  std::string text = {};     // help, the version, or what is wrong with the usage
  std::string problem = {};  // the latter in a sentence; empty for none
  ExitStatus status = kDone;
};

/// Reads the arguments, the program's name first; the verbs keep the options of their own. `options`: what goes where
/// the arguments do not say otherwise.
CommandLine parseCommandLine(const std::vector<std::string>& arguments, const std::vector<std::unique_ptr<Verb>>& verbs,
                             const Options& options = {});

/// What a verb takes, as its help describes it; nothing for a name that no verb has.
std::optional<VerbDescription> descriptionOfVerb(std::string_view name);

/// Runs the verb. `dump`, and the sink: as for runVerb().
engine::Outcome<void> runQuietly(const CommandLine& line, engine::Output::Sink sink, Interrupts& interrupts,
                                 OpenDump* dump = nullptr);

/// Runs a verb about a dump that stays open, and gives the text of the JSON document that it answers with. `words`: the
/// verb, then its options and arguments but for files; `files`: the dump, and others that the verb takes. Fails with
/// BadQuery where that is no command, or one that answers nothing in JSON.
engine::Outcome<std::string> jsonAnswer(std::vector<std::string> words, const std::vector<std::string>& files,
                                        const Options& options, Interrupts& interrupts, OpenDump& dump);

/// Runs the verb and says on standard error what went wrong. `dump`: as for Context. The answer goes to the sink piece
/// by piece; whether all of it could be written, who owns the sink knows.
ExitStatus runVerb(const CommandLine& line, engine::Output::Sink sink, Interrupts& interrupts,
                   OpenDump* dump = nullptr);

/// Says on standard error in one line what went wrong.
ExitStatus complain(std::string what);
/// Says so of an error, with what would help.
ExitStatus complainOf(const engine::Error& error);

}  // namespace heapscape::cli
