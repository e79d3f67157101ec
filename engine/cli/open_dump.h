// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "base/result.h"
#include "session/open/open_dump.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::cli {

/// A dump that stays open between commands: it is opened once, and what a command has added to it is there for the
/// next ones.
class OpenDump {
 public:
  /// `path`: of the one dump that stays open; all others are opened anew each time.
  explicit OpenDump(std::string path) : m_path(std::move(path)) {}

  /// What engine::openDump() does. A snapshot of the dump that is kept may have more than was asked for.
  engine::Outcome<engine::Snapshot> open(const std::string& path, const engine::OpenOptions& options,
                                         engine::OpenListener* listener, std::stop_token stop);

 private:
  bool hasRetained(const engine::RetainedOptions& options) const;

  std::string m_path;
  std::vector<std::filesystem::path> m_searchFolders;  // that it was opened with
  std::optional<engine::Snapshot> m_objects;           // up to Layouts
  std::optional<engine::Snapshot> m_retained;          // for the roots that were asked for last
};

}  // namespace heapscape::cli
