// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace heapscape::engine {

/// Where on this machine files that the dumped process had mapped may be found. By default nowhere.
struct FilePlaces {
  bool hasRecordedPaths = false;               // at the paths that the dump names
  std::vector<std::filesystem::path> folders;  // that hold such files themselves
  std::vector<std::filesystem::path> dotnets;  // that .NET is installed in: files of its "shared" folder

  /// Files that may be the one of a path in the dump, the likeliest first; they need not exist.
  std::vector<std::filesystem::path> candidatesFor(const std::string& recordedPath) const;
};

}  // namespace heapscape::engine
