// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/address.h"
#include "base/result.h"
#include "cli/context.h"

namespace heapscape::cli {

struct SosCommand;

/// Words behind a command's name, sorted by what the command understands. Options are told apart without regard to
/// case, and stand anywhere.
class SosArguments {
 public:
  /// Fails with BadQuery for an option that the command does not have, one without its value, and too many or too few
  /// arguments.
  static engine::Result<SosArguments> parse(const SosCommand& command, const std::vector<std::string>& words);

  bool has(std::string_view option) const { return valueOf(option).has_value(); }
  /// The value of an option, which is empty for one that has none; nothing if it was not given.
  std::optional<std::string> valueOf(std::string_view option) const;
  const std::vector<std::string>& words() const { return m_words; }
  /// Argument `index`, hexadecimal with or without 0x. Fails with BadQuery.
  engine::Result<engine::Address> address(std::size_t index) const;
  /// The value of an option as a number, decimal or with 0x hexadecimal; `otherwise` if it was not given. Fails with
  /// BadQuery.
  engine::Result<std::uint64_t> number(std::string_view option, std::uint64_t otherwise) const;

 private:
  struct Option {
    std::string name;
    std::string value;
  };
  std::vector<Option> m_options;
  std::vector<std::string> m_words;
};

/// What lasts from one command to the next.
struct SosState {
  std::uint32_t thread = 0;  // the current one, by its number in the dump
};

/// One run of a command.
class SosRun {
 public:
  SosRun(Context& context, SosState& state, SosArguments arguments)
      : m_context(context), m_state(state), m_arguments(std::move(arguments)) {}

  const SosArguments& arguments() const { return m_arguments; }
  SosState& state() { return m_state; }
  const SosState& state() const { return m_state; }
  std::stop_token stop() const { return m_context.stop(); }
  /// The dump, with its heap if it has one.
  engine::Outcome<engine::Snapshot> dump() { return m_context.open(engine::Stage::Layouts, {}, HeapUse::Optional); }
  /// The dump with its heap. Fails with NoHeap.
  engine::Outcome<engine::Snapshot> heap() { return m_context.open(engine::Stage::Layouts); }
  /// The heap with what holds what.
  engine::Outcome<engine::Snapshot> retained() { return m_context.openRetained(); }

  template <class... Values>
  void print(fmt::format_string<Values...> format, Values&&... values) {
    m_context.output().write(fmt::format(format, std::forward<Values>(values)...));
  }
  /// Whether to write on: not once the reader has gone or the command was cancelled.
  bool goesOn() const { return !m_context.output().hasFailed() && !m_context.stop().stop_requested(); }

 private:
  Context& m_context;
  SosState& m_state;
  SosArguments m_arguments;
};

/// A command of SOS or dotnet-dump.
struct SosCommand {
  const char* names = "";      // "dumpobj do": its own, then others that it answers to
  const char* arguments = "";  // as help shows them: "ADDRESS [-nofields]"
  const char* summary = "";
  const char* flags = "";   // options without a value: "-nofields -refs"
  const char* values = "";  // options with one: "-mt -type"
  std::size_t leastArguments = 0, mostArguments = 0;
  const char* lacking = "";  // what SOS says where there are fewer; empty for the usual words
  /// Is about what a program compiled ahead of time has not: assemblies and IL, methods and fields, what fields hold,
  /// and structures of CoreCLR.
  bool needsMetadata = false;
  engine::Outcome<void> (*run)(SosRun&) = nullptr;  // null where there is nothing to tell
  /// Verb that tells more, "object {}" with the first argument; of a command that cannot run, what to use in its place.
  const char* more = "";
};

/// Adds a command that is as `like` but for these.
void addLike(std::vector<SosCommand>& commands, SosCommand like, const char* names, const char* arguments,
             const char* summary, engine::Outcome<void> (*run)(SosRun&));

/// In the order that help shows them.
const std::vector<SosCommand>& sosCommands();
/// By any of its names, without regard to case; null if there is none.
const SosCommand* findSosCommand(std::string_view name);
/// The command's own name.
std::string_view nameOf(const SosCommand& command);

/// Runs a command with these words. Fails with BadQuery for wrong usage, NotFound for one that cannot run on a dump.
engine::Outcome<void> runSosCommand(const SosCommand& command, const std::vector<std::string>& words, Context& context,
                                    SosState& state);

// Each adds the commands of its subject.
void addSosStackCommands(std::vector<SosCommand>& commands);
void addSosExceptionCommands(std::vector<SosCommand>& commands);
void addSosThreadCommands(std::vector<SosCommand>& commands);
void addSosHeapCommands(std::vector<SosCommand>& commands);
void addSosObjectCommands(std::vector<SosCommand>& commands);
void addSosRootCommands(std::vector<SosCommand>& commands);
void addSosTraverseHeapCommands(std::vector<SosCommand>& commands);
void addSosGcRootCommands(std::vector<SosCommand>& commands);
void addSosGcCommands(std::vector<SosCommand>& commands);
void addSosTypeCommands(std::vector<SosCommand>& commands);
void addSosGcDataCommands(std::vector<SosCommand>& commands);
void addSosMethodCommands(std::vector<SosCommand>& commands);
void addSosIlCommands(std::vector<SosCommand>& commands);
void addSosCodeCommands(std::vector<SosCommand>& commands);
void addSosDisassemblyCommands(std::vector<SosCommand>& commands);
void addSosStressLogCommands(std::vector<SosCommand>& commands);
void addSosGcHistoryCommands(std::vector<SosCommand>& commands);
void addSosModuleCommands(std::vector<SosCommand>& commands);
void addSosTaskCommands(std::vector<SosCommand>& commands);
void addSosMemoryCommands(std::vector<SosCommand>& commands);
void addSosPointerCommands(std::vector<SosCommand>& commands);
void addSosDebuggerCommands(std::vector<SosCommand>& commands);

}  // namespace heapscape::cli
