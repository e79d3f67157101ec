// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace heapscape::cli {

/// What every verb understands.
struct Options {
  std::string input;
  bool asJson = false;
  bool asTsv = false;
  bool redact = false;  // leave out contents: what strings and fields hold, names of threads
  bool exact = false;   // leave out words of stacks that may be no references
  bool timings = false;
  bool noCache = false;
  std::filesystem::path cacheFolder;         // to keep what was found in, however soon it was; empty for the user's own
  std::optional<std::size_t> top;            // at most so many rows
  std::optional<std::uint64_t> memoryBytes;  // that retained sizes may take
  std::vector<std::filesystem::path> searchFolders;

  std::size_t rowLimit() const { return top.value_or(SIZE_MAX); }
};

}  // namespace heapscape::cli
