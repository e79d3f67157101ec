// SPDX-License-Identifier: MIT
#include "cli/shell/shell.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "base/ascii.h"
#include "base/command_words.h"
#include "cli/command_line.h"
#include "cli/shell/answer_target.h"
#include "cli/shell/line_editor.h"
#include "cli/verb.h"

namespace heapscape::cli {

using engine::Outcome;

namespace {

constexpr std::array<std::string_view, 3> kEnds{"exit", "quit", "q"};
constexpr std::size_t kAddressesKept = 10'000;
constexpr std::size_t kShortestAddress = 6;  // digits that make a word an address worth keeping

/// The verbs that a shell has: all but those that are shells themselves.
std::vector<std::unique_ptr<Verb>> shellVerbs() {
  auto verbs = makeVerbs();
  std::erase_if(verbs, [](const auto& verb) { return verb->isShell(); });
  return verbs;
}

bool isAddress(const std::string& word) {
  engine::Address address;
  return word.size() >= kShortestAddress && engine::tryParseAddress(word, address);
}

}  // namespace

Shell::Shell(Context& context, ShellNames names) : m_context(context), m_names(names), m_dump(context.options().input) {
  std::vector<ShellOffer> verbs;
  std::vector<ShellOffer> sos;
  for (const auto& verb : shellVerbs()) {
    m_verbNames.emplace_back(verb->name());
    verbs.push_back({verb->name(), verb->summary()});
  }
  for (const SosCommand& command : sosCommands())
    if (command.run) sos.push_back({std::string(nameOf(command)), command.summary});
  // Of a name that both have, what it means here comes first.
  m_commands = names == ShellNames::Sos ? sos : verbs;
  const std::vector<ShellOffer>& others = names == ShellNames::Sos ? verbs : sos;
  m_commands.insert(m_commands.end(), others.begin(), others.end());
  m_commands.push_back({"help", "All commands, or what one of them takes"});
  m_commands.push_back({"exit", "End"});
  std::ranges::stable_sort(m_commands, {}, &ShellOffer::word);
  const auto same = std::ranges::unique(m_commands, {}, &ShellOffer::word);
  m_commands.erase(same.begin(), same.end());
}

Outcome<void> Shell::open() {
  Context context("shell", m_context.options(), m_context.output(), m_context.interrupts(), &m_dump);
  HEAPSCAPE_TRY(const engine::Snapshot snapshot, context.open(engine::Stage::Layouts, {}, HeapUse::Any));
  for (const engine::TypeRow& type : snapshot.types()) m_typeNames.push_back(type.name);
  std::ranges::sort(m_typeNames);
  return {};
}

ExitStatus Shell::run(std::string_view line, LineOrigin origin) {
  auto command = splitCommand(line);
  if (!command) return complainOf(command.error());
  if (command->words.empty()) return kDone;
  if (std::ranges::find(kEnds, command->words.front()) != kEnds.end()) {
    m_hasEnded = true;
    return kDone;
  }
  if (command->words.size() == 3 && command->words[0] == "set" && command->words[1] == "pager") {
    m_isPaged = command->words[2] != "off";
    return kDone;
  }
  for (const std::string& word : command->words) {
    if (isAddress(word) && m_addresses.size() < kAddressesKept) m_addresses.insert(word);
  }
  if (!command->pipe.empty() && origin != LineOrigin::Terminal)
    return complain("Answers are piped only in lines that are typed at a terminal.");
  // What comes from the window may be stopped before it begins.
  if (origin != LineOrigin::Window) m_context.interrupts().next();
  return runWords(*command, origin);
}

ExitStatus Shell::runWords(const CommandWords& command, LineOrigin origin) {
  if (command.pipe.empty() && command.file.empty()) {
    engine::Output& output = m_context.output();
    const auto sink = [&output](std::string_view piece) {
      output.write(piece);
      output.flush();
      return !output.hasFailed();
    };
    auto paged = origin == LineOrigin::Terminal && m_isPaged ? PagedAnswer::make(sink) : std::nullopt;
    if (!paged) return runInto(command, sink, origin);
    const ExitStatus status = runInto(
        command, [&paged](std::string_view piece) { return paged->write(piece); }, origin);
    paged->end(m_context.interrupts());
    return status;
  }
  auto target = command.pipe.empty() ? AnswerTarget::file(command.file) : AnswerTarget::pipe(command.pipe);
  if (!target) return complainOf(target.error());
  const ExitStatus status = runInto(
      command, [&target](std::string_view piece) { return target->write(piece); }, LineOrigin::Script);
  target->end(m_context.interrupts());
  return target->problem().empty() ? status : complain(target->problem());
}

ExitStatus Shell::runInto(const CommandWords& command, engine::Output::Sink sink, LineOrigin origin) {
  std::vector<std::string> words = command.words;
  if (words.front() == "help" || words.front() == "soshelp") return help(words, sink);
  if (const SosCommand* sos = sosCommandFor(words))
    return runSos(*sos, {words.begin() + 1, words.end()}, std::move(sink), origin);
  return runVerbOf(words, std::move(sink));
}

/// The command of SOS that the words mean, null if they mean a verb or nothing. Takes away what only says that it is
/// one: "sos dumpheap", "!dumpheap".
const SosCommand* Shell::sosCommandFor(std::vector<std::string>& words) const {
  bool isSos = m_names == ShellNames::Sos;
  if (words.size() > 1 && (words.front() == "sos" || words.front() == "ext")) {
    words.erase(words.begin());
    isSos = true;
  }
  if (words.front().size() > 1 && words.front().front() == '!') {
    words.front().erase(0, 1);
    isSos = true;
  }
  if (!isSos && std::ranges::find(m_verbNames, words.front()) != m_verbNames.end()) return nullptr;
  return findSosCommand(words.front());
}

ExitStatus Shell::runVerbOf(const std::vector<std::string>& words, engine::Output::Sink sink) {
  const auto verbs = shellVerbs();
  const auto verb = std::ranges::find_if(verbs, [&](const auto& each) { return words.front() == each->name(); });
  if (verb == verbs.end()) return complain(fmt::format("There is no command '{}'. Try help.", words.front()));
  std::vector<std::string> arguments{"heapscape-cli"};
  arguments.insert(arguments.end(), words.begin(), words.end());
  if ((*verb)->takesInput()) arguments.insert(arguments.begin() + 2, m_context.options().input);
  const CommandLine line = parseCommandLine(arguments, verbs, m_context.options());
  if (line.verb) return runVerb(line, std::move(sink), m_context.interrupts(), &m_dump);
  if (line.status == kDone) {
    sink(line.text);
  } else {
    fmt::print(stderr, "{}", line.text);
  }
  return line.status;
}

ExitStatus Shell::runSos(const SosCommand& command, std::vector<std::string> words, engine::Output::Sink sink,
                         LineOrigin origin) {
  const Options& options = m_context.options();
  if (options.redact)
    return complain("Commands of SOS show what strings and fields hold: with --redact only verbs run.");
  engine::Output output(std::move(sink));
  Context context(nameOf(command), options, output, m_context.interrupts(), &m_dump);
  const auto done = runSosCommand(command, words, context, m_sos);
  if (!done) {
    output.flush();  // what was told before it failed
    return done.error().isCancelled() ? kInterrupted : complainOf(done.error().error());
  }
  if (const auto changed = context.changedInput()) return complain(changed->message());
  context.keepAnswers();
  const std::string_view more = command.more;
  const bool needsWord = more.find("{}") != std::string_view::npos;
  if (origin != LineOrigin::Script && !more.empty() && !(needsWord && words.empty())) {
    output.write(fmt::format("more: {}\n", fmt::format(fmt::runtime(more), words.empty() ? "" : words.front())));
    output.flush();
  }
  return kDone;
}

namespace {

void addHelpOf(const SosCommand& command, std::string& text) {
  text += fmt::format("{} {}\n{}\n", nameOf(command), command.arguments, command.summary);
  const std::string_view names = command.names;
  if (names.size() > nameOf(command).size())
    text += fmt::format("Also called: {}\n", names.substr(nameOf(command).size() + 1));
}

}  // namespace

ExitStatus Shell::help(const std::vector<std::string>& words, const engine::Output::Sink& sink) {
  std::string text;
  if (words.size() > 1) {
    std::vector<std::string> name{words[1]};
    if (const SosCommand* command = sosCommandFor(name)) {
      addHelpOf(*command, text);
      sink(text);
      return kDone;
    }
    return runVerbOf({name.front(), "--help"}, sink);
  }
  std::size_t width = 0;
  for (const SosCommand& command : sosCommands())
    if (command.run) width = std::max(width, std::string_view(command.names).size() + 2);
  text += "Verbs of heapscape-cli, without the dump:\n";
  for (const auto& verb : shellVerbs()) text += fmt::format("  {:<{}}{}\n", verb->name(), width, verb->summary());
  text += "Commands of SOS, with its columns:\n";
  for (const SosCommand& command : sosCommands()) {
    if (command.run) text += fmt::format("  {:<{}}{}\n", command.names, width, command.summary);
  }
  text += fmt::format(
      "help NAME tells its options, sos NAME is SOS's where both have one, exit ends.\n"
      "COMMAND > FILE writes to a file; COMMAND | PROGRAM pipes, where lines are typed.\n"
      "At a terminal $PAGER shows what is longer than the screen; set pager off ends that.\n");
  sink(text);
  return kDone;
}

namespace {

/// Words of a list that is parted by blanks.
std::vector<std::string> wordsOf(std::string_view list) {
  const auto split = splitCommand(list);
  return split ? split->words : std::vector<std::string>();
}

}  // namespace

std::vector<ShellOffer> Shell::offersFor(std::string_view lineUpToCursor) const {
  const std::string_view word = engine::lastWordOf(lineUpToCursor);
  const std::vector<std::string> before = wordsOf(lineUpToCursor.substr(0, lineUpToCursor.size() - word.size()));
  std::vector<ShellOffer> found;
  if (before.empty()) {
    for (const ShellOffer& command : m_commands)
      if (engine::startsIgnoringCase(command.word, word)) found.push_back(command);
    return found;
  }
  if (found = optionsFor(before, word); !found.empty() || word.empty() || word.front() == '-') return found;
  for (const std::string& address : m_addresses)
    if (engine::startsIgnoringCase(address, word)) found.push_back({address, "used before"});
  std::ranges::move(typesFor(word), std::back_inserter(found));
  return found;
}

/// Options where a word begins with one, and what there is to choose from behind one.
std::vector<ShellOffer> Shell::optionsFor(const std::vector<std::string>& before, std::string_view word) const {
  std::vector<ShellOffer> found;
  const auto add = [&](const std::string& text, std::string about) {
    std::ranges::replace(about, '\n', ' ');
    if (engine::startsIgnoringCase(text, word)) found.push_back({text, std::move(about)});
  };
  const bool isOption = word.starts_with('-');
  if (!isOption && !before.back().starts_with('-')) return found;
  std::vector<std::string> words = before;
  if (const SosCommand* command = sosCommandFor(words)) {
    if (!isOption) return found;
    for (const std::string& flag : wordsOf(command->flags)) add(flag, {});
    for (const std::string& option : wordsOf(command->values)) add(option, "takes a value");
  } else if (const auto verb = descriptionOfVerb(words.front())) {
    for (const ArgumentDescription& option : verb->options) {
      for (const std::string& name : option.names) {
        if (isOption) add(name, option.meaning);
        if (!isOption && name == before.back())
          for (const std::string& choice : option.choices) add(choice, {});
      }
    }
  }
  return found;
}

/// In quotation marks where one of them needs these, so that they begin alike.
std::vector<ShellOffer> Shell::typesFor(std::string_view word) const {
  const bool isQuoted = word.front() == '"' || word.front() == '\'';
  std::string quote = isQuoted ? std::string(1, word.front()) : std::string();
  if (isQuoted) word.remove_prefix(1);
  std::vector<ShellOffer> found;
  for (const std::string& type : m_typeNames) {
    if (!engine::startsIgnoringCase(type, word)) continue;
    found.push_back({type, {}});
    if (quote.empty() && type.find(' ') != std::string::npos) quote = "\"";
  }
  for (ShellOffer& offer : found) offer.word = quote + offer.word + quote;
  return found;
}

}  // namespace heapscape::cli
