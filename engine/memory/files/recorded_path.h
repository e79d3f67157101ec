// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace heapscape::engine {

/// $HEAPSCAPE_INSTALLED: a folder that stands for all that this machine has installed; nullopt if none does. An empty
/// path stands for a machine that has nothing.
std::optional<std::filesystem::path> folderInsteadOfMachine();

/// Whether paths that a dump names mean anything here: not where a folder stands for the machine.
bool areRecordedPathsSeen();

/// Where a file that a dump names by its path may be looked for on this machine: at the same path, or nowhere (an empty
/// path) if such paths are not seen.
std::filesystem::path recordedPath(const std::string& path);

/// Text behind the last slash of a path of the dumped process.
std::string fileNameOf(std::string_view path);

}  // namespace heapscape::engine
