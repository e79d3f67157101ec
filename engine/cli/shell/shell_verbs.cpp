// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "cli/shell/line_editor.h"
#include "cli/shell/shell.h"
#include "cli/verb.h"

namespace heapscape::cli {
namespace {

constexpr const char* kExitRule =
    "Exit status: 0 if the dump could be opened and no command of -c or of standard input failed,\n"
    "1 if any did (all others run all the same), 130 if one was interrupted, which ends the rest.\n"
    "At a terminal it is 0, whatever commands did.";

constexpr std::size_t kMostOffers = 500;

/// Folder of files that programs keep between runs; empty if there is none.
std::filesystem::path stateFolder() {
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  std::filesystem::path folder;
  if (state && *state == '/')
    folder = state;
  else if (home && *home == '/')
    folder = std::filesystem::path(home) / ".local/state";
  if (folder.empty()) return {};
  folder /= "heapscape";
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  return error ? std::filesystem::path() : folder;
}

class ShellVerb : public Verb {
 public:
  explicit ShellVerb(ShellNames names) : m_names(names) {}

  const char* name() const override { return m_names == ShellNames::Sos ? "sos" : "shell"; }
  const char* summary() const override {
    return m_names == ShellNames::Sos ? "SOS's commands with SOS's columns, in place of dotnet-dump analyze"
                                      : "All verbs and SOS's commands, on one dump that stays open";
  }
  bool isShell() const override { return true; }

  void addOptions(CLI::App& app) override {
    app.add_option("-c,--command", m_commands,
                   "Run this command, and nothing that is typed; may be given several times")
        ->type_name("COMMAND")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->allow_extra_args(false);
    app.add_option(
           "--marker", m_marker,
           "For programs that write to standard input: a line of this word and an exit status follows once the\n"
           "dump is open and after each command, and an interrupted command does not end the rest")
        ->type_name("WORD")
        ->group("");
    app.footer(kExitRule);
  }

  engine::Outcome<void> run(Context& context) override {
    Shell shell(context, m_names);
    HEAPSCAPE_CHECK(shell.open());
    if (!m_commands.empty()) {
      for (auto command = m_commands.begin(); command != m_commands.end() && goesOn(shell); ++command)
        note(shell.run(*command, LineOrigin::Script));
    } else if (!m_marker.empty()) {
      serve(shell, context);
    } else if (isatty(STDIN_FILENO) == 1) {
      talk(shell);
    } else {
      std::string line;
      while (goesOn(shell) && std::getline(std::cin, line)) note(shell.run(line, LineOrigin::Script));
    }
    return {};
  }

  ExitStatus successStatus() const override { return m_status; }

 private:
  bool goesOn(const Shell& shell) const { return !shell.hasEnded() && m_status != kInterrupted; }

  void note(ExitStatus status) {
    if (status == kInterrupted)
      m_status = kInterrupted;
    else if (status != kDone)
      m_status = kInputUnusable;
  }

  void talk(Shell& shell) {
    std::filesystem::path history = stateFolder();
    if (!history.empty()) history /= "shell_history";
    LineEditor editor("> ", history, [&shell](std::string_view line) {
      std::vector<std::string> words;
      for (ShellOffer& offer : shell.offersFor(line)) words.push_back(std::move(offer.word));
      return words;
    });
    while (!shell.hasEnded()) {
      const auto line = editor.read();
      if (!line) break;
      shell.run(*line, LineOrigin::Terminal);
    }
  }

  /// The window's console: see --marker. A line that begins with a tab asks what the rest of it may become.
  void serve(Shell& shell, Context& context) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // whatever runs ends with who asked for it
    engine::Output& output = context.output();
    const auto mark = [&](ExitStatus status) {
      output.write(fmt::format("{} {}\n", m_marker, static_cast<int>(status)));
      output.flush();
    };
    mark(kDone);
    std::string line;
    while (!shell.hasEnded() && !output.hasFailed() && std::getline(std::cin, line)) {
      if (line.starts_with('\t')) {
        offer(shell, line.substr(1), output);
        mark(kDone);
        continue;
      }
      const ExitStatus status = shell.run(line, LineOrigin::Window);
      if (!shell.hasEnded()) mark(status);
    }
  }

  static void offer(const Shell& shell, const std::string& line, engine::Output& output) {
    const std::vector<ShellOffer> offers = shell.offersFor(line);
    for (std::size_t i = 0; i < std::min(offers.size(), kMostOffers); ++i)
      output.write(fmt::format("{}\t{}\n", offers[i].word, offers[i].about));
  }

  ShellNames m_names;
  std::string m_marker;
  std::vector<std::string> m_commands;
  ExitStatus m_status = kDone;
};

}  // namespace

std::unique_ptr<Verb> makeShellVerb() {
  return std::make_unique<ShellVerb>(ShellNames::Verbs);
}

std::unique_ptr<Verb> makeSosVerb() {
  return std::make_unique<ShellVerb>(ShellNames::Sos);
}

}  // namespace heapscape::cli
