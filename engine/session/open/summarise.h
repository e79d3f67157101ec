// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace heapscape::engine {

struct Contents;

/// What the stage Summary says once modules and the GC's state are read: the dump at `path`, its runtime, modules, what
/// is missing, and as findings what makes figures doubtful.
void summarise(Contents& contents, const std::filesystem::path& path);

}  // namespace heapscape::engine
