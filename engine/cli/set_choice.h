// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "session/objects/retained_query.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace heapscape::cli {

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
