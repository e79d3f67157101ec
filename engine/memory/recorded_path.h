// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace heapscape::engine {

/// Where a file that a dump names by its path may be looked for on this machine: at the same path, or nowhere (an empty
/// path) if $HEAPSCAPE_INSTALLED says that the machine's own files are not to be seen.
std::filesystem::path recordedPath(const std::string& path);

/// What stands behind the last slash of a path of the dumped process.
std::string fileNameOf(std::string_view path);

}  // namespace heapscape::engine
