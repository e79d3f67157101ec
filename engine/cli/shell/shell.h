// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/context.h"
#include "cli/open_dump.h"
#include "cli/shell/command_words.h"
#include "cli/sos/sos_command.h"
#include "output/output.h"

namespace heapscape::cli {

/// Which commands a name that both have means; all others are there either way.
enum class ShellNames : std::uint8_t { Verbs, Sos };

/// Runs commands on one dump that stays open: verbs of the command line, which get the dump as their input, and those
/// of SOS.
class Shell {
 public:
  /// Answers go to the context's output, which outlives this. `names`: see there.
  Shell(Context& context, ShellNames names);

  /// Opens the dump, so that a command does not have to.
  engine::Outcome<void> open();
  /// Runs one line, and says on standard error what went wrong. Piping is for lines that a person has typed:
  /// `isTyped`, who also learns of our own verb for more.
  ExitStatus run(std::string_view line, bool isTyped);
  /// The person or the script has had enough.
  bool hasEnded() const { return m_hasEnded; }
  /// What the last word of a line may become: a command, a type of the heap, or an address used before.
  std::vector<std::string> completionsOf(std::string_view lineUpToCursor) const;

 private:
  ExitStatus runWords(const CommandWords& command, bool isTyped);
  ExitStatus runInto(const CommandWords& command, engine::Output::Sink sink, bool isTyped);
  ExitStatus runVerbOf(const std::vector<std::string>& words, engine::Output::Sink sink);
  ExitStatus runSos(const SosCommand& command, std::vector<std::string> words, engine::Output::Sink sink, bool isTyped);
  ExitStatus help(const std::vector<std::string>& words, const engine::Output::Sink& sink);
  const SosCommand* sosCommandFor(std::vector<std::string>& words) const;

  Context& m_context;
  ShellNames m_names;
  OpenDump m_dump;
  SosState m_sos;
  std::vector<std::string> m_verbNames;
  std::vector<std::string> m_commandNames;  // sorted
  std::vector<std::string> m_typeNames;     // sorted
  std::set<std::string> m_addresses;        // that were typed
  bool m_hasEnded = false;
};

}  // namespace heapscape::cli
