// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <stop_token>

#include "base/result.h"
#include "session/open/retained_stage.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

struct OpenOptions {
  Stage stopAfter = Stage::Layouts;
  /// Folders to look in for the runtime's library, which describes its own structures; used only if its build-id is the
  /// dump's.
  std::vector<std::filesystem::path> searchFolders = {};
  RetainedOptions retained = {};  // for the stages References and Retained
};

/// Opens a core dump and runs the stages in order. `listener` may be null. Cancel answers within 100 ms.
Outcome<Snapshot> openDump(const std::filesystem::path& path, const OpenOptions& options, OpenListener* listener,
                           std::stop_token stop);

}  // namespace heapscape::engine
