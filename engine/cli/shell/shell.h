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

/// Where a line comes from. Of the window's, whoever reads them tells earlier stops from later ones. A person, at a
/// terminal or in the window, learns of our own verb for more; at a terminal answers can be piped to other programs.
enum class LineOrigin : std::uint8_t { Script, Window, Terminal };

/// A word that the last one of a line may become.
struct ShellOffer {
  std::string word;
  std::string about;  // what it does, in one line; empty where the word says so itself
};

/// Runs commands on one dump that stays open: verbs of the command line, which get the dump as their input, and those
/// of SOS.
class Shell {
 public:
  /// Answers go to the context's output, which outlives this. `names`: see there.
  Shell(Context& context, ShellNames names);

  /// Opens the dump, so that a command does not have to.
  engine::Outcome<void> open();
  /// Runs one line, and says on standard error what went wrong.
  ExitStatus run(std::string_view line, LineOrigin origin);
  /// The person or the script has had enough.
  bool hasEnded() const { return m_hasEnded; }
  /// What the last word of a line may become: a command, one of its options or of what these choose from, a type of the
  /// heap, or an address used before.
  std::vector<ShellOffer> offersFor(std::string_view lineUpToCursor) const;

 private:
  ExitStatus runWords(const CommandWords& command, LineOrigin origin);
  ExitStatus runInto(const CommandWords& command, engine::Output::Sink sink, LineOrigin origin);
  ExitStatus runVerbOf(const std::vector<std::string>& words, engine::Output::Sink sink);
  ExitStatus runSos(const SosCommand& command, std::vector<std::string> words, engine::Output::Sink sink,
                    LineOrigin origin);
  ExitStatus help(const std::vector<std::string>& words, const engine::Output::Sink& sink);
  const SosCommand* sosCommandFor(std::vector<std::string>& words) const;
  std::vector<ShellOffer> optionsFor(const std::vector<std::string>& before, std::string_view word) const;
  std::vector<ShellOffer> typesFor(std::string_view word) const;

  Context& m_context;
  ShellNames m_names;
  OpenDump m_dump;
  SosState m_sos;
  std::vector<std::string> m_verbNames;
  std::vector<ShellOffer> m_commands;    // sorted by name
  std::vector<std::string> m_typeNames;  // sorted
  std::set<std::string> m_addresses;     // that were typed
  bool m_isPaged = true;                 // where a person sits at a terminal
  bool m_hasEnded = false;
};

}  // namespace heapscape::cli
