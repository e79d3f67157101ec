// SPDX-License-Identifier: MIT
#include "memory/files/recorded_path.h"

#include <cstdlib>

namespace heapscape::engine {

std::optional<std::filesystem::path> folderInsteadOfMachine() {
  const char* folder = std::getenv("HEAPSCAPE_INSTALLED");
  return folder ? std::optional<std::filesystem::path>(folder) : std::nullopt;
}

bool areRecordedPathsSeen() {
  return !folderInsteadOfMachine();
}

std::filesystem::path recordedPath(const std::string& path) {
  if (!areRecordedPathsSeen()) return {};
  const std::filesystem::path recorded(path);
  return recorded.is_absolute() ? recorded : std::filesystem::path();
}

std::string fileNameOf(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));
}

}  // namespace heapscape::engine
