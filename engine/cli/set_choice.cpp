// SPDX-License-Identifier: MIT
#include "cli/set_choice.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>

#include "cli/address_file.h"
#include "cli/number_option.h"
#include "session/roots/roots_query.h"
#include "session/threads/threads_query.h"
#include "session/types/type_details.h"
#include "session/types/type_query.h"

namespace heapscape::cli {

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
                      "heapscape-cli types INPUT lists types with their namespaces.");
  }
  return set;
}

Outcome<engine::RetainedSet> SetChoice::measureThread(const Snapshot& snapshot, std::stop_token stop) const {
  HEAPSCAPE_TRY(const engine::ThreadList list, engine::listThreads(snapshot, std::move(stop)));
  const auto row = std::ranges::find(list.threads, *m_thread, &engine::ThreadRow::managedId);
  if (row == list.threads.end())
    return notFound(fmt::format("There is no thread {}.", *m_thread), "heapscape-cli threads INPUT lists them.");
  return engine::RetainedSet{heldBy(snapshot, row->address),
                             engine::retainedByThread(snapshot, row->address).value_or(engine::Retained{})};
}

}  // namespace heapscape::cli
