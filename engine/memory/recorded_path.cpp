// SPDX-License-Identifier: MIT
#include "memory/recorded_path.h"

#include <cstdlib>

namespace heapscape::engine {

std::filesystem::path recordedPath(const std::string& path) {
  if (std::getenv("HEAPSCAPE_INSTALLED") != nullptr) return {};
  const std::filesystem::path recorded(path);
  return recorded.is_absolute() ? recorded : std::filesystem::path();
}

}  // namespace heapscape::engine
