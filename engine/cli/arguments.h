// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/address.h"
#include "base/result.h"
#include "query/lexer.h"
#include "session/objects/retained_query.h"
#include "session/references/what_if.h"
#include "session/roots/roots_query.h"

namespace heapscape::cli {

/// Which numbers an option takes, both ends included.
template <std::unsigned_integral Number>
struct NumberRange {
  Number least = 0;
  Number most = std::numeric_limits<Number>::max();
};

/// A whole number in decimal digits; anything else is refused as the parser of options does, in one short line.
template <std::unsigned_integral Number>
Number readNumber(const std::string& option, const std::string& text, NumberRange<Number> range) {
  const auto number = engine::numberFrom<Number>(text);
  if (number && *number >= range.least && *number <= range.most) return *number;
  const bool hasEnd = range.most != std::numeric_limits<Number>::max();
  const bool isTooLarge = !hasEnd && !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  throw CLI::ValidationError(
      option, isTooLarge && !number ? fmt::format("'{}' is too large", text)
              : hasEnd ? fmt::format("'{}' is no whole number from {} to {}", text, range.least, range.most)
                       : fmt::format("'{}' is no whole number from {} on", text, range.least));
}

/// Adds an option that takes a whole number.
template <std::unsigned_integral Number>
CLI::Option* addNumber(CLI::App& app, const std::string& name, std::optional<Number>& target,
                       const std::string& description, NumberRange<Number> range = {}) {
  const auto take = [&target, range, name](const std::string& text) { target = readNumber(name, text, range); };
  return app.add_option_function<std::string>(name, take, description)->type_name("N");
}

/// Adds an option that takes a whole number, where `target` already holds what goes without it.
template <std::unsigned_integral Number>
CLI::Option* addNumber(CLI::App& app, const std::string& name, Number& target, const std::string& description,
                       NumberRange<Number> range = {}) {
  const auto take = [&target, range, name](const std::string& text) { target = readNumber(name, text, range); };
  return app.add_option_function<std::string>(name, take, description)
      ->type_name("N")
      ->default_str(std::to_string(target));
}

/// Tells manual page and completion which words an option takes; whoever adds it checks them.
void nameChoices(CLI::Option& option, const std::vector<std::string>& words);
/// The words that an option takes, whether named so or checked by CLI::IsMember; none if it takes others.
std::vector<std::string> choicesOf(CLI::Option& option);

/// Adds an option that takes one of these values by the name that the engine's toString gives it.
template <class T, std::size_t N>
void addChoice(CLI::App& app, const std::string& name, std::optional<T>& target, const std::array<T, N>& values,
               const std::string& description) {
  std::vector<std::string> words;
  for (const T value : values) words.emplace_back(toString(value));
  const std::string names = fmt::format("{}", fmt::join(words, ", "));
  const auto take = [&target, values, names, name](const std::string& text) {
    for (const T value : values) {
      if (text == toString(value)) target = value;
    }
    if (!target) throw CLI::ValidationError(name, "'" + text + "' is none of " + names);
  };
  nameChoices(*app.add_option_function<std::string>(name, take, description + ": " + names)->type_name("NAME"), words);
}

/// Adds a required argument ADDRESS behind INPUT: hexadecimal, with or without 0x.
void addAddressArgument(CLI::App& app, engine::Address& address, const std::string& description);
/// Adds an address that may be left out.
void addOptionalAddressArgument(CLI::App& app, std::optional<engine::Address>& address, const std::string& description);

/// Adds an option NAME ADDRESS that may be left out.
void addAddressOption(CLI::App& app, const std::string& name, engine::Address& address, const std::string& description);

/// Returns what a verb answers where no object holds the address.
engine::Error noObjectAt(engine::Address address);

/// The addresses in a file, one a line, hexadecimal with or without 0x; empty lines are passed over. `what` names the
/// file in messages: "file of roots". Fails with FileUnreadable if it is missing or holds something else.
engine::Result<std::vector<engine::Address>> readAddressFile(const std::string& path, const std::string& what);

/// From which roots a verb sees the heap: --roots FILE, --no-stacks.
class RootChoice {
 public:
  void addOptions(CLI::App& app);
  /// Fails with FileUnreadable if the file of roots is missing or holds something else than addresses.
  engine::Result<engine::RootOptions> read() const;

 private:
  std::string m_file;
  engine::RootOptions m_options;
};

/// Assumed removals of a verb: --without CUT, as often as wanted.
class CutChoice {
 public:
  CLI::Option* addOptions(CLI::App& app, const std::string& description);
  bool isAsked() const { return !m_cuts.empty(); }
  /// Fails with BadQuery for what is no cut, with NotFound for one of what there is not.
  engine::Outcome<engine::WhatIf> read(const engine::Snapshot& snapshot, std::stop_token stop) const;

 private:
  std::vector<std::string> m_cuts;
};

/// Objects of which a verb is to tell what they retain together: --set TYPE, --namespace NAME, --objects FILE, which
/// may be combined, or --thread ID.
class SetChoice {
 public:
  /// `other`: an option that asks for something else.
  void addOptions(CLI::App& app, CLI::Option& other);
  bool isAsked() const { return m_thread || !m_types.empty() || !m_namespaces.empty() || !m_objectFile.empty(); }
  /// Fails with NotFound for a type, namespace or thread that is not there.
  engine::Outcome<engine::RetainedSet> measure(const engine::Snapshot& snapshot, std::stop_token stop) const;

 private:
  engine::Outcome<engine::ObjectSet> read(const engine::Snapshot& snapshot, std::stop_token stop) const;
  engine::Outcome<engine::RetainedSet> measureThread(const engine::Snapshot& snapshot, std::stop_token stop) const;

  std::vector<std::string> m_types;
  std::vector<std::string> m_namespaces;
  std::string m_objectFile;
  std::optional<std::uint32_t> m_thread;  // managed id
};

}  // namespace heapscape::cli
