// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heapscape::engine {

/// A folder that is named after a version, as those of installed frameworks and of the NuGet cache are.
struct VersionFolder {
  std::filesystem::path path;
  std::array<std::uint32_t, 4> numbers{};
  bool isPrerelease = false;  // "10.0.0-rc.1.25451.107"

  std::uint32_t major() const { return numbers[0]; }
};

/// "10.0.12" or "13.0.3-beta1"; nothing if the text is no version.
std::optional<VersionFolder> parseVersion(std::string_view text);
/// The folders in a folder that are named after versions, newest first; releases before what came before them.
std::vector<VersionFolder> versionFolders(const std::filesystem::path& folder);

}  // namespace heapscape::engine
