// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <filesystem>
#include <stop_token>

#include "base/progress.h"
#include "base/result.h"
#include "session/open/open_dump.h"

namespace heapscape::engine {

/// Opens two dumps up to stage Retained, at the same time where there is memory for both. Of
/// options.retained.memoryBytes each may take a share by its objects, so that both together keep to it. `progress` may
/// be null, and is told from several threads, one at a time.
std::array<Outcome<Snapshot>, 2> openBoth(const std::array<std::filesystem::path, 2>& paths, const OpenOptions& options,
                                          ProgressSink* progress, const std::stop_token& stop);

}  // namespace heapscape::engine
