// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/large_array.h"
#include "cli/arguments.h"
#include "cli/completion.h"
#include "cli/context.h"
#include "cli/description.h"
#include "cli/manual_page.h"
#include "cli/verb.h"
#include "output/text.h"
#include "query/lexer.h"

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

/// From now on SIGINT requests a stop, and a second one ends the process. To be called before any thread is started,
/// since threads inherit what is blocked.
std::stop_token stopOnInterrupt() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  // A signal handler may not request a stop, a thread that waits for the signal may.
  std::stop_source source;
  std::thread([signals, source]() mutable {
    int signal = 0;
    if (sigwait(&signals, &signal) == 0) source.request_stop();
    if (sigwait(&signals, &signal) == 0) _exit(kInterrupted);
  }).detach();
  return source.get_token();
}

/// Request of the arguments: a verb to run, or a text to show and a status to end with.
struct CommandLine {
  Options options = {};
  Verb* verb = nullptr;   // one of the verbs given; null if there is only a text
  std::string text = {};  // help, the version, or what is wrong with the usage
  ExitStatus status = kDone;
};

constexpr const char* kProgram = "heapscape-cli";
constexpr const char* kDescription =
    "Shows a .NET program's memory from its core dump, without .NET.\n"
    "Text for people by default, one JSON document with --json. Addresses are 0x..., sizes are bytes.";
constexpr const char* kFooter =
    "Exit status: 0 done, 1 the input cannot be used, 2 wrong usage,\n"
    "3 a budget of check is exceeded, 130 interrupted.\n"
    "heapscape-cli help VERB shows the options of a verb.";

std::uint64_t readSize(const std::string& option, const std::string& text) {
  const auto size = engine::quantityOf(text);
  if (size && size->unit != "%") return static_cast<std::uint64_t>(size->value);
  throw CLI::ValidationError(option, "'" + text + "' is no size such as 40GB");
}

CLI::Option* addCacheFolder(CLI::App& app, Options& options) {
  return app
      .add_option("--cache", options.cacheFolder,
                  "Keep what was computed in this folder, however soon it was, not in the user's own cache")
      ->type_name("FOLDER");
}

/// Adds the options of a verb that is about no file.
void addOptionsWithoutInput(CLI::App& app, Options& options) {
  app.add_flag("--json", options.asJson, "Write one JSON document, figures exact");
  addCacheFolder(app, options);
}

void addBeginnings(CLI::App& app, const char* option, std::vector<std::string> engine::NamedCode::*list,
                   const char* what) {
  const auto take = [list](const std::string& beginning) {
    engine::NamedCode named = engine::namedCode();
    (named.*list).push_back(beginning);
    engine::nameCode(std::move(named));
  };
  app.add_option_function<std::vector<std::string>>(
         option,
         [take](const std::vector<std::string>& beginnings) {
           for (const std::string& beginning : beginnings) take(beginning);
         },
         what)
      ->type_name("BEGINNING")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
}

void addCommonOptions(CLI::App& app, Options& options, bool hasTsv) {
  app.add_option("INPUT", options.input, "Core dump of a .NET process, plain or in .zst, .gz, .xz, .lz4 or .tar")
      ->required();
  CLI::Option* json = app.add_flag("--json", options.asJson, "Write one JSON document, figures exact");
  if (hasTsv) app.add_flag("--tsv", options.asTsv, "Write tab-separated rows with a line of titles")->excludes(json);
  addNumber(app, "--top", options.top, "Write at most N rows, the largest where size decides");
  app.add_option_function<std::string>(
         "--memory", [&options](const std::string& text) { options.memoryBytes = readSize("--memory", text); },
         "Let retained sizes and insights take so much memory, as 40GB, not just what is free")
      ->type_name("SIZE");
  app.add_flag("--redact", options.redact,
               "Leave out what strings and fields hold, and names that the program gave threads");
  app.add_flag("--exact", options.exact, "Leave out words of stacks that stand in for references that are not known");
  app.add_flag("--timings", options.timings, "Add seconds by stage and the memory used");
  app.add_flag("--no-cache", options.noCache, "Write no cache, and use none")->excludes(addCacheFolder(app, options));
  app.add_option("--search", options.searchFolders,
                 "Look here and below for files that the dump lacks parts of, as its assemblies")
      ->type_name("FOLDER")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);  // what follows the folder is the next argument
  addBeginnings(app, "--own-code", &engine::NamedCode::own, "Assemblies whose names begin so are your code");
  addBeginnings(app, "--package", &engine::NamedCode::packages, "Assemblies whose names begin so are packages");
}

/// The parser explains itself in several lines at times; standard error gets one.
std::string oneLine(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '.')) text.pop_back();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

CommandLine wrongUsage(const std::string& what, const std::string& verb) {
  const std::string help = verb.empty() ? "heapscape-cli --help" : "heapscape-cli help " + verb;
  return {.text = "heapscape-cli: " + oneLine(what) + ". Try " + help + ".\n", .status = kWrongUsage};
}

CommandLine helpFor(CLI::App& app, const std::string& verb) {
  if (verb.empty()) return {.text = app.help()};
  const auto found = app.get_subcommands([&verb](const CLI::App* sub) { return sub->get_name() == verb; });
  return found.empty() ? wrongUsage("There is no verb '" + verb + "'", "")
                       : CommandLine{.text = found.front()->help(kProgram)};
}

/// Words that are about all verbs at once.
constexpr const char* kManual = "man";
constexpr const char* kCompletion = "completion";

/// Making the options of all verbs would take half the time of a start.
bool isNamed(const Verb& verb, int argc, char** argv) {
  if (argc > 1 && (std::string_view(argv[1]) == kManual || std::string_view(argv[1]) == kCompletion)) return true;
  return std::any_of(argv, argv + argc, [&verb](std::string_view argument) { return argument == verb.name(); });
}

/// Reads the arguments; the verbs keep the options of their own.
CommandLine parseCommandLine(int argc, char** argv, const std::vector<std::unique_ptr<Verb>>& verbs) {
  CommandLine line;
  CLI::App app(kDescription, kProgram);
  app.get_formatter()->label("SUBCOMMAND", "VERB");
  app.get_formatter()->label("Subcommands", "Verbs");
  for (const char* label : {"REQUIRED", "TEXT"}) app.get_formatter()->label(label, "");
  app.footer(kFooter);
  app.set_version_flag("--version", "heapscape-cli " HEAPSCAPE_VERSION "\n");
  app.require_subcommand(1);
  for (const auto& verb : verbs) {
    CLI::App* sub = app.add_subcommand(verb->name(), verb->summary());
    if (isNamed(*verb, argc, argv)) {
      verb->takesInput() ? addCommonOptions(*sub, line.options, verb->hasTsv())
                         : addOptionsWithoutInput(*sub, line.options);
      verb->addOptions(*sub);
    }
    sub->callback([&line, &verb] { line.verb = verb.get(); });
  }
  std::string topic;
  CLI::App* help = app.add_subcommand("help", "Show the options of a verb");
  CLI::Option* verbName = help->add_option("VERB", topic, "One of the verbs");
  std::string shell;
  CLI::App* completion = app.add_subcommand(kCompletion, "What a shell needs to complete verbs, options and files");
  completion->add_option("SHELL", shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  const CLI::App* manual = app.add_subcommand(kManual, "The manual page, for man -l")->group("");

  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    const auto chosen = app.get_subcommands();
    return {.text = chosen.empty() ? app.help() : chosen.front()->help(kProgram)};
  } catch (const CLI::CallForVersion&) {
    return {.text = app.version()};
  } catch (const CLI::ParseError& error) {
    const auto chosen = app.get_subcommands();
    if (!chosen.empty()) return wrongUsage(error.what(), chosen.front()->get_name());
    const std::string first = argc > 1 ? argv[1] : "";
    if (first.empty() || first.starts_with('-'))
      return wrongUsage(first.empty() ? "No verb was given" : error.what(), "");
    return wrongUsage("There is no verb '" + first + "'", "");
  }
  if (help->parsed()) return helpFor(app, topic);
  if (!manual->parsed() && !completion->parsed()) return line;
  std::vector<std::string> names;
  for (const auto& verb : verbs) names.emplace_back(verb->name());
  nameChoices(*verbName, names);
  const std::vector<VerbDescription> described = describeVerbs(app);
  if (manual->parsed()) return {.text = manualPage(described, kDescription)};
  return {.text = shell == "bash"  ? bashCompletion(described)
                  : shell == "zsh" ? zshCompletion(described)
                                   : fishCompletion(described)};
}

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

/// The whole program; gives its exit status.
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

}  // namespace
}  // namespace heapscape::cli

int main(int argc, char** argv) {
  return heapscape::cli::runProgram(argc, argv);
}
