// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <iostream>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

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
constexpr std::string_view kStopLine = "\x03";

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

/// Lines of standard input, read ahead so that one of them, ^C alone, can stop the command of the line before. A signal
/// could come late, and stop the next one.
class LinesAhead {
 public:
  struct Line {
    std::string text;
    bool isStopped = false;  // before it has begun
  };

  explicit LinesAhead(Interrupts& interrupts) : m_state(std::make_shared<State>(interrupts)) {
    // Nothing ends its read, so that it is left alone when there is nothing more to be asked.
    std::thread([state = m_state] { state->read(); }).detach();
  }

  /// Waits for one, which earlier stops are not about any more; nothing at the end of the input.
  std::optional<Line> next() {
    std::unique_lock lock(m_state->mutex);
    m_state->wake.wait(lock, [this] { return !m_state->lines.empty() || m_state->isAtEnd; });
    if (m_state->lines.empty()) return std::nullopt;
    Line line = std::move(m_state->lines.front());
    m_state->lines.pop_front();
    m_state->interrupts.next();
    return line;
  }

 private:
  struct State {
    explicit State(Interrupts given) : interrupts(std::move(given)) {}

    void read() {
      std::string rest;
      std::array<char, 4096> bytes;
      for (ssize_t count = 1; count > 0;) {
        count = ::read(STDIN_FILENO, bytes.data(), bytes.size());
        if (count > 0) rest.append(bytes.data(), static_cast<std::size_t>(count));
        if (count < 0 && errno == EINTR) count = 1;
        for (std::size_t end = rest.find('\n'); end != std::string::npos; end = rest.find('\n')) {
          add(rest.substr(0, end));
          rest.erase(0, end + 1);
        }
      }
      const std::lock_guard lock(mutex);
      isAtEnd = true;
      wake.notify_one();
    }

    void add(std::string text) {
      const std::lock_guard lock(mutex);
      if (text != kStopLine) {
        lines.push_back({std::move(text)});
      } else if (lines.empty()) {
        interrupts.interrupt();
      } else {
        lines.back().isStopped = true;
      }
      wake.notify_one();
    }

    Interrupts interrupts;
    std::mutex mutex;
    std::condition_variable wake;
    std::deque<Line> lines;
    bool isAtEnd = false;
  };

  std::shared_ptr<State> m_state;
};

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
           "dump is open and after each command; a line of ^C stops what runs and not the rest")
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
    LinesAhead lines(context.interrupts());
    mark(kDone);
    while (!shell.hasEnded() && !output.hasFailed()) {
      const auto line = lines.next();
      if (!line) return;
      ExitStatus status = kDone;
      if (line->isStopped)
        status = kInterrupted;
      else if (line->text.starts_with('\t'))
        offer(shell, line->text.substr(1), output);
      else
        status = shell.run(line->text, LineOrigin::Window);
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
