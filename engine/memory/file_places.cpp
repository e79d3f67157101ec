// SPDX-License-Identifier: MIT
#include "memory/file_places.h"

#include <string_view>

namespace heapscape::engine {

std::vector<std::filesystem::path> FilePlaces::candidatesFor(const std::string& recordedPath) const {
  // A deleted or replaced file keeps its name with a suffix.
  constexpr std::string_view kDeletedMark = " (deleted)";
  constexpr std::string_view kShared = "/shared/";
  std::string_view path = recordedPath;
  if (path.ends_with(kDeletedMark)) path.remove_suffix(kDeletedMark.size());
  if (!path.starts_with('/')) return {};
  const std::string_view name = path.substr(path.rfind('/') + 1);
  std::vector<std::filesystem::path> candidates;
  if (hasRecordedPaths) candidates.emplace_back(path);
  for (const auto& folder : folders) candidates.push_back(folder / name);
  if (const std::size_t shared = path.rfind(kShared); shared != std::string_view::npos) {
    for (const auto& dotnet : dotnets) candidates.push_back(dotnet / path.substr(shared + 1));
  }
  return candidates;
}

}  // namespace heapscape::engine
