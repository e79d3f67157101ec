// SPDX-License-Identifier: MIT
#include "layout/declared/finders/version_folder.h"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <tuple>

namespace heapscape::engine {
namespace {

constexpr std::size_t kMaxFolders = 10'000;

}  // namespace

std::optional<VersionFolder> parseVersion(std::string_view text) {
  VersionFolder version;
  const std::string_view release = text.substr(0, text.find('-'));
  version.isPrerelease = release.size() != text.size();
  const char* place = release.data();
  const char* const end = place + release.size();
  for (std::size_t part = 0; part < version.numbers.size(); ++part) {
    const auto [next, error] = std::from_chars(place, end, version.numbers[part]);
    if (error != std::errc{}) return std::nullopt;
    if (next == end) return part > 0 ? std::optional(version) : std::nullopt;
    if (*next != '.') return std::nullopt;
    place = next + 1;
  }
  return std::nullopt;
}

std::vector<VersionFolder> versionFolders(const std::filesystem::path& folder) {
  std::vector<VersionFolder> found;
  std::error_code error;
  std::filesystem::directory_iterator entries(folder, error);
  while (!error && entries != std::filesystem::directory_iterator() && found.size() < kMaxFolders) {
    auto version = parseVersion(entries->path().filename().string());
    if (version && entries->is_directory(error)) {
      version->path = entries->path();
      found.push_back(std::move(*version));
    }
    entries.increment(error);
  }
  std::ranges::sort(found, std::greater<>{}, [](const VersionFolder& version) {
    return std::tuple(version.numbers, !version.isPrerelease, version.path.string());
  });
  return found;
}

}  // namespace heapscape::engine
