// SPDX-License-Identifier: MIT
#include "cli/sos/sos_command.h"
#include "base/ascii.h"

#include <algorithm>
#include <charconv>

#include "session/snapshot/heap_presence.h"

namespace heapscape::cli {

using engine::ErrorCode;
using engine::failure;
using engine::Outcome;
using engine::Result;

namespace {

/// Whether a word is one of those in a list that blanks part.
bool isAmong(std::string_view word, std::string_view list) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    if (engine::equalsIgnoringCase(word, list.substr(0, end))) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

}  // namespace

std::string_view nameOf(const SosCommand& command) {
  const std::string_view names = command.names;
  return names.substr(0, names.find(' '));
}

namespace {

engine::Error wrongUse(const SosCommand& command, std::string what) {
  return {ErrorCode::BadQuery, std::move(what), fmt::format("Usage: {} {}", nameOf(command), command.arguments)};
}

}  // namespace

Result<SosArguments> SosArguments::parse(const SosCommand& command, const std::vector<std::string>& words) {
  SosArguments arguments;
  for (auto word = words.begin(); word != words.end(); ++word) {
    if (isAmong(*word, command.flags)) {
      arguments.m_options.push_back({*word, {}});
    } else if (isAmong(*word, command.values)) {
      const std::string& name = *word;
      if (++word == words.end())
        return tl::unexpected(wrongUse(command, fmt::format("Required argument missing for option: '{}'.", name)));
      arguments.m_options.push_back({name, *word});
    } else if (word->size() > 1 && word->front() == '-') {
      return tl::unexpected(wrongUse(command, fmt::format("There is no option {}.", *word)));
    } else {
      arguments.m_words.push_back(*word);
    }
  }
  if (arguments.m_words.size() > command.mostArguments)
    return tl::unexpected(
        wrongUse(command, fmt::format("'{}' is one argument too many.", arguments.m_words[command.mostArguments])));
  if (arguments.m_words.size() < command.leastArguments)
    return tl::unexpected(wrongUse(
        command, *command.lacking ? command.lacking : fmt::format("{} needs more arguments.", nameOf(command))));
  return arguments;
}

std::optional<std::string> SosArguments::valueOf(std::string_view option) const {
  const auto found = std::ranges::find_if(
      m_options, [&](const Option& given) { return engine::equalsIgnoringCase(given.name, option); });
  return found == m_options.end() ? std::nullopt : std::optional(found->value);
}

Result<engine::Address> SosArguments::address(std::size_t index) const {
  engine::Address address;
  std::string text = index < m_words.size() ? m_words[index] : std::string();
  std::erase(text, '`');  // as WinDbg parts the halves of an address
  if (!engine::tryParseAddress(text, address))
    return failure(ErrorCode::BadQuery, fmt::format("Hexadecimal address expected, which '{}' is not.", text));
  return address;
}

Result<std::uint64_t> SosArguments::number(std::string_view option, std::uint64_t otherwise) const {
  const std::optional<std::string> text = valueOf(option);
  if (!text) return otherwise;
  const bool isHex = text->starts_with("0x");
  std::uint64_t number = 0;
  const char* end = text->data() + text->size();
  const auto read = std::from_chars(text->data() + (isHex ? 2 : 0), end, number, isHex ? 16 : 10);
  if (read.ec != std::errc() || read.ptr != end)
    return failure(ErrorCode::BadQuery, fmt::format("{}: '{}' is no number.", option, *text));
  return number;
}

void addLike(std::vector<SosCommand>& commands, SosCommand like, const char* names, const char* arguments,
             const char* summary, Outcome<void> (*run)(SosRun&)) {
  like.names = names;
  like.arguments = arguments;
  like.summary = summary;
  like.run = run;
  commands.push_back(like);
}

const std::vector<SosCommand>& sosCommands() {
  static const std::vector<SosCommand> commands = [] {
    std::vector<SosCommand> all;
    addSosStackCommands(all);
    addSosExceptionCommands(all);
    addSosThreadCommands(all);
    addSosHeapCommands(all);
    addSosObjectCommands(all);
    addSosGcRootCommands(all);
    addSosRootCommands(all);
    addSosGcCommands(all);
    addSosTraverseHeapCommands(all);
    addSosTypeCommands(all);
    addSosGcDataCommands(all);
    addSosMethodCommands(all);
    addSosIlCommands(all);
    addSosCodeCommands(all);
    addSosDisassemblyCommands(all);
    addSosModuleCommands(all);
    addSosTaskCommands(all);
    addSosMemoryCommands(all);
    addSosPointerCommands(all);
    addSosStressLogCommands(all);
    addSosGcHistoryCommands(all);
    addSosDebuggerCommands(all);
    return all;
  }();
  return commands;
}

const SosCommand* findSosCommand(std::string_view name) {
  const auto& all = sosCommands();
  const auto found = std::ranges::find_if(all, [&](const SosCommand& each) { return isAmong(name, each.names); });
  return found == all.end() ? nullptr : &*found;
}

Outcome<void> runSosCommand(const SosCommand& command, const std::vector<std::string>& words, Context& context,
                            SosState& state) {
  if (!command.run)
    return tl::unexpected(engine::Unfinished(
        engine::Error{ErrorCode::NotFound, fmt::format("{} is not available here.", nameOf(command)), command.more}));
  HEAPSCAPE_TRY(SosArguments arguments, SosArguments::parse(command, words));
  SosRun run(context, state, std::move(arguments));
  if (command.needsMetadata) {
    HEAPSCAPE_TRY(const engine::Snapshot dump, run.dump());
    if (!dump.isRecorded() && !dump.hasAssemblies())
      return tl::unexpected(engine::Unfinished(engine::lackOfAssemblies()));
  }
  HEAPSCAPE_CHECK(command.run(run));
  if (context.stop().stop_requested()) return tl::unexpected(engine::Unfinished::cancelled());
  context.output().flush();
  return {};
}

}  // namespace heapscape::cli
