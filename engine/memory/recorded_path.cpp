// SPDX-License-Identifier: MIT
#include "memory/recorded_path.h"

#include <cstdlib>

namespace heapscape::engine {

std::filesystem::path recordedPath(const std::string& path) {
  if (std::getenv("HEAPSCAPE_INSTALLED") != nullptr) return {};
  const std::filesystem::path recorded(path);
  return recorded.is_absolute() ? recorded : std::filesystem::path();
}

std::string fileNameOf(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));
}

}  // namespace heapscape::engine
