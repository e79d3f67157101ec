// SPDX-License-Identifier: MIT
#include "cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>

#include "cli/arguments.h"
#include "cli/completion.h"
#include "cli/description.h"
#include "cli/manual_page.h"
#include "output/text.h"
#include "query/lexer.h"

namespace heapscape::cli {
namespace {

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
void addOptionsWithoutInput(CLI::App& app, Options& options, bool usesCache) {
  app.add_flag("--json", options.asJson, "Write one JSON document, figures exact");
  if (usesCache) addCacheFolder(app, options);
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

void addAllOptions(Verb& verb, CLI::App& app, Options& options) {
  verb.takesInput() ? addCommonOptions(app, options, verb.hasTsv())
                    : addOptionsWithoutInput(app, options, verb.usesCache());
  verb.addOptions(app);
}

/// The parser explains itself in several lines at times; standard error gets one.
std::string oneLine(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '.')) text.pop_back();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

CommandLine wrongUsage(const std::string& what, const std::string& verb) {
  const std::string help = verb.empty() ? "heapscape-cli --help" : "heapscape-cli help " + verb;
  const std::string problem = oneLine(what) + ".";
  return {.text = fmt::format("heapscape-cli: {} Try {}.\n", problem, help), .problem = problem, .status = kWrongUsage};
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
bool isNamed(const Verb& verb, const std::vector<std::string>& arguments) {
  if (arguments.size() > 1 && (arguments[1] == kManual || arguments[1] == kCompletion)) return true;
  return std::ranges::find(arguments, verb.name()) != arguments.end();
}

}  // namespace

CommandLine parseCommandLine(const std::vector<std::string>& arguments, const std::vector<std::unique_ptr<Verb>>& verbs,
                             const Options& options) {
  CommandLine line{.options = options};
  CLI::App app(kDescription, kProgram);
  app.get_formatter()->label("SUBCOMMAND", "VERB");
  app.get_formatter()->label("Subcommands", "Verbs");
  for (const char* label : {"REQUIRED", "TEXT"}) app.get_formatter()->label(label, "");
  app.footer(kFooter);
  app.set_version_flag("--version", "heapscape-cli " HEAPSCAPE_VERSION "\n");
  app.require_subcommand(1);
  for (const auto& verb : verbs) {
    CLI::App* sub = app.add_subcommand(verb->name(), verb->summary());
    if (isNamed(*verb, arguments)) {
      addAllOptions(*verb, *sub, line.options);
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
    // The parser takes them from the last to the first, without the program's name.
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend() - 1));
  } catch (const CLI::CallForHelp&) {
    const auto chosen = app.get_subcommands();
    return {.text = chosen.empty() ? app.help() : chosen.front()->help(kProgram)};
  } catch (const CLI::CallForVersion&) {
    return {.text = app.version()};
  } catch (const CLI::ParseError& error) {
    const auto chosen = app.get_subcommands();
    if (!chosen.empty()) return wrongUsage(error.what(), chosen.front()->get_name());
    const std::string first = arguments.size() > 1 ? arguments[1] : "";
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

std::optional<VerbDescription> descriptionOfVerb(std::string_view name) {
  for (const auto& verb : makeVerbs()) {
    if (name != verb->name()) continue;
    Options options;
    CLI::App app;
    CLI::App* sub = app.add_subcommand(verb->name(), verb->summary());
    addAllOptions(*verb, *sub, options);
    return describeVerbs(app).front();
  }
  return std::nullopt;
}

ExitStatus complain(std::string what) {
  std::replace(what.begin(), what.end(), '\n', ' ');
  fmt::print(stderr, "heapscape-cli: {}\n", engine::printable(what));
  return kInputUnusable;
}

ExitStatus complainOf(const engine::Error& error) {
  // In lines of its own it may show a wrong place, see engine::withMark.
  std::string message = error.message();
  std::istringstream lines(message);
  std::getline(lines, message);
  for (std::string line; std::getline(lines, line);) fmt::print(stderr, "{}\n", engine::printable(line));
  const bool isAboutMemory = error.code == engine::ErrorCode::NotEnoughMemory;
  return complain(message + (isAboutMemory ? " To try it all the same, allow more with --memory SIZE." : ""));
}

engine::Outcome<void> runQuietly(const CommandLine& line, engine::Output::Sink sink, Interrupts& interrupts,
                                 OpenDump* dump) {
  engine::Output output(std::move(sink));
  Context context(line.verb->name(), line.options, output, interrupts, dump);
  HEAPSCAPE_CHECK(line.verb->run(context));
  // Rows may have been read while they were written.
  if (auto changed = context.changedInput()) return tl::unexpected(engine::Unfinished(std::move(*changed)));
  context.keepAnswers();
  return {};
}

engine::Outcome<std::string> jsonAnswer(std::vector<std::string> words, const std::vector<std::string>& files,
                                        const Options& options, Interrupts& interrupts, OpenDump& dump) {
  const auto wrong = [](std::string what) {
    return tl::unexpected(engine::Unfinished(engine::Error{engine::ErrorCode::BadQuery, std::move(what)}));
  };
  if (words.empty()) return wrong("No verb was given.");
  const auto verbs = makeVerbs();
  words.insert(words.begin(), kProgram);
  words.insert(words.begin() + 2, "--json");
  // Files come first among what is no option.
  const auto arguments = std::ranges::find(words, "--");
  const bool hasArguments = arguments != words.end();
  std::vector<std::string> paths = files;
  if (!hasArguments) paths.insert(paths.begin(), "--");
  words.insert(hasArguments ? arguments + 1 : words.end(), paths.begin(), paths.end());
  const CommandLine line = parseCommandLine(words, verbs, options);
  if (!line.verb) {
    std::string problem = line.problem.empty() ? "There is no answer to this." : line.problem;
    if (const auto ours = problem.find(" -- "); ours != std::string::npos) problem.erase(ours, 3);
    return wrong(std::move(problem));
  }
  std::string text;
  HEAPSCAPE_CHECK(runQuietly(line, engine::appendTo(text), interrupts, &dump));
  if (!text.starts_with('{') || !nlohmann::json::accept(text)) return wrong("There is no answer to this.");
  return text;
}

ExitStatus runVerb(const CommandLine& line, engine::Output::Sink sink, Interrupts& interrupts, OpenDump* dump) {
  const auto done = runQuietly(line, std::move(sink), interrupts, dump);
  if (done) return line.verb->successStatus();
  if (done.error().isCancelled()) return kInterrupted;
  complainOf(done.error().error());
  return line.verb->failureStatus();
}

}  // namespace heapscape::cli
