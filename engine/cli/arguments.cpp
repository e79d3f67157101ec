// SPDX-License-Identifier: MIT
#include "cli/arguments.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <fstream>
#include <functional>
#include <set>
#include <utility>

#include "session/objects/object_query.h"
#include "session/roots/roots_query.h"
#include "session/threads/threads_query.h"
#include "session/types/type_details.h"
#include "session/types/type_query.h"

namespace heapscape::cli {
namespace {

constexpr const char* kArgument = "ADDRESS";

CLI::Option* addAddress(CLI::App& app, const std::string& name, const std::string& description,
                        const std::function<void(engine::Address)>& take) {
  const auto parse = [take](const std::string& text) {
    engine::Address address;
    if (engine::tryParseAddress(text, address)) return take(address);
    throw CLI::ValidationError("'" + text + "' is no address, it needs hexadecimal digits as in 0x7f0000000000",
                               CLI::ExitCodes::ValidationError);
  };
  return app.add_option_function<std::string>(name, parse, description);
}

}  // namespace

void nameChoices(CLI::Option& option, const std::vector<std::string>& words) {
  const auto takeAll = [](const std::string&) { return std::string(); };
  option.check(takeAll, "", fmt::format("{{{}}}", fmt::join(words, ",")));  // as CLI::IsMember describes itself
}

std::vector<std::string> choicesOf(CLI::Option& option) {
  for (int i = 0;; ++i) {
    std::string listed;
    try {
      const CLI::Validator& validator = *option.get_validator(i);
      listed = validator.get_description() + validator.get_name();
    } catch (const CLI::OptionNotFound&) {
      return {};
    }
    if (listed.size() > 2 && listed.front() == '{' && listed.back() == '}')
      return CLI::detail::split(listed.substr(1, listed.size() - 2), ',');
  }
}

void addAddressArgument(CLI::App& app, engine::Address& address, const std::string& description) {
  addAddress(app, kArgument, description, [&address](engine::Address given) { address = given; })->required();
}

void addOptionalAddressArgument(CLI::App& app, std::optional<engine::Address>& address,
                                const std::string& description) {
  addAddress(app, kArgument, description, [&address](engine::Address given) { address = given; });
}

void addAddressOption(CLI::App& app, const std::string& name, engine::Address& address,
                      const std::string& description) {
  addAddress(app, name, description, [&address](engine::Address given) { address = given; })->type_name("ADDRESS");
}

engine::Error noObjectAt(engine::Address address) {
  return {engine::ErrorCode::NotFound, fmt::format("There is no object at {}.", toString(address)),
          "The list of objects has their addresses."};
}

engine::Result<std::vector<engine::Address>> readAddressFile(const std::string& path, const std::string& what) {
  const auto unusable = [&](const std::string& why) {
    return engine::failure(engine::ErrorCode::FileUnreadable, fmt::format("The {} {} {}.", what, path, why));
  };
  std::ifstream file(path);
  if (!file) return unusable("cannot be read");
  std::vector<engine::Address> addresses;
  for (std::string line; std::getline(file, line);) {
    engine::Address address;
    if (line.empty()) continue;
    if (!engine::tryParseAddress(line, address)) return unusable("holds '" + line + "', which is no address");
    addresses.push_back(address);
  }
  return addresses;
}

void RootChoice::addOptions(CLI::App& app) {
  auto* file = app.add_option("--roots", m_file, "Only the objects in FILE as roots, an address a line");
  file->type_name("FILE");
  app.add_flag("!--no-stacks", m_options.includeStacks, "Without stacks as roots")->excludes(file);
}

engine::Result<engine::RootOptions> RootChoice::read() const {
  if (m_file.empty()) return m_options;
  engine::RootOptions options = m_options;
  HEAPSCAPE_TRY(options.only, readAddressFile(m_file, "file of roots"));
  return options;
}

CLI::Option* CutChoice::addOptions(CLI::App& app, const std::string& description) {
  const auto complaint = [](const std::string& text) {
    const auto checked = engine::checkCut(text);
    return checked ? std::string() : checked.error().message();
  };
  return app.add_option("--without", m_cuts, description)
      ->type_name("CUT")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false)
      ->check(complaint, "");
}

engine::Outcome<engine::WhatIf> CutChoice::read(const engine::Snapshot& snapshot, std::stop_token stop) const {
  const auto objectsIn = [&](std::string_view file) -> engine::Outcome<std::vector<std::uint32_t>> {
    engine::ObjectSet set;
    HEAPSCAPE_TRY(set.objects, readAddressFile(std::string(file), "file of objects"));
    return engine::idsOfSet(snapshot, set, stop);
  };
  std::vector<engine::Cut> cuts;
  for (const std::string& text : m_cuts) {
    HEAPSCAPE_TRY(engine::Cut cut, engine::readCut(snapshot, text, stop, objectsIn));
    cuts.push_back(std::move(cut));
  }
  return engine::WhatIf::ask(snapshot, std::move(cuts), nullptr, std::move(stop));
}

using engine::Address;
using engine::Outcome;
using engine::Snapshot;

namespace {

tl::unexpected<engine::Unfinished> notFound(std::string what, std::string help) {
  return tl::unexpected(
      engine::Unfinished(engine::Error{engine::ErrorCode::NotFound, std::move(what), std::move(help)}));
}

bool isWithin(std::string_view nameSpace, std::string_view around) {
  return nameSpace.starts_with(around) && (nameSpace.size() == around.size() || nameSpace[around.size()] == '.');
}

/// The objects that a thread's roots refer to.
engine::Retained heldBy(const Snapshot& snapshot, Address thread) {
  const engine::RootList& list = snapshot.roots();
  const auto isOfThread = [&](std::uint32_t group) {
    while (group != engine::RootGroup::kNone && list.groups[group].owner != thread) group = list.groups[group].parent;
    return group != engine::RootGroup::kNone;
  };
  std::set<Address> objects;
  for (const engine::RootRow& root : list.roots) {
    if (isOfThread(root.group)) objects.insert(root.object);
  }
  engine::Retained held;
  for (const Address object : objects) {
    const auto row = engine::retainedOf(snapshot, object);
    if (!row) continue;
    ++held.objects;
    held.bytes += row->bytes;
  }
  return held;
}

}  // namespace

void SetChoice::addOptions(CLI::App& app, CLI::Option& other) {
  auto* type = app.add_option("--set", m_types, "What all objects of a type retain together; several are one set");
  type->type_name("TYPE")->expected(1);
  auto* nameSpace = app.add_option("--namespace", m_namespaces, "The same of all types of a namespace and below it");
  nameSpace->type_name("NAME")->expected(1);
  auto* file = app.add_option("--objects", m_objectFile, "The same of the objects in FILE, an address a line");
  file->type_name("FILE");
  auto* thread = addNumber(app, "--thread", m_thread, "The same of what the stack and statics of a thread refer to");
  thread->type_name("ID")->excludes(type)->excludes(nameSpace)->excludes(file);
  for (CLI::Option* option : {type, nameSpace, file, thread}) other.excludes(option);
}

Outcome<engine::RetainedSet> SetChoice::measure(const Snapshot& snapshot, std::stop_token stop) const {
  if (m_thread) return measureThread(snapshot, std::move(stop));
  HEAPSCAPE_TRY(const engine::ObjectSet set, read(snapshot, stop));
  return engine::retainedOfSet(snapshot, set, nullptr, std::move(stop));
}

Outcome<engine::ObjectSet> SetChoice::read(const Snapshot& snapshot, std::stop_token stop) const {
  engine::ObjectSet set;
  if (!m_objectFile.empty()) {
    HEAPSCAPE_TRY(set.objects, readAddressFile(m_objectFile, "file of objects"));
  }
  std::set<Address> named;
  for (const std::string& type : m_types) {
    HEAPSCAPE_TRY(const Address methodTable, engine::findType(snapshot, type, stop));
    named.insert(methodTable);
  }
  std::vector<bool> isFound(m_namespaces.size());
  for (std::uint32_t i = 0; i < snapshot.types().size(); ++i) {
    const engine::TypeRow& row = snapshot.types()[i];
    if (row.isFree) continue;
    bool isWanted = named.contains(row.methodTable);
    for (std::size_t n = 0; n < m_namespaces.size(); ++n) {
      if (!isWithin(engine::namespaceOf(row.name), m_namespaces[n])) continue;
      isFound[n] = true;
      isWanted = true;
    }
    if (isWanted) set.types.push_back({i});
  }
  for (std::size_t n = 0; n < m_namespaces.size(); ++n) {
    if (!isFound[n])
      return notFound(fmt::format("There is no object of the namespace {}.", m_namespaces[n]),
                      "The list of types has them with their namespaces.");
  }
  return set;
}

Outcome<engine::RetainedSet> SetChoice::measureThread(const Snapshot& snapshot, std::stop_token stop) const {
  HEAPSCAPE_TRY(const engine::ThreadList list, engine::listThreads(snapshot, std::move(stop)));
  const auto row = std::ranges::find(list.threads, *m_thread, &engine::ThreadRow::managedId);
  if (row == list.threads.end())
    return notFound(fmt::format("There is no thread {}.", *m_thread), "The list of threads has them.");
  return engine::RetainedSet{heldBy(snapshot, row->address),
                             engine::retainedByThread(snapshot, row->address).value_or(engine::Retained{})};
}

}  // namespace heapscape::cli
