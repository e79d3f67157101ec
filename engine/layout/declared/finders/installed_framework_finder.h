// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "layout/declared/finders/folder_finder.h"

namespace heapscape::engine {

/// Finds the framework's assemblies where .NET is installed, or in the runtime packs that programs are published with:
/// Microsoft.NETCore.App and Microsoft.AspNetCore.App of one major version. Nothing of it is run.
class InstalledFrameworkFinder : public AssemblyFinder {
 public:
  /// `roots`: folders that have a "shared" in them, see installedDotnets(). Takes the newest release of the major
  /// version, of one that is installed before that of a runtime pack in `packages` (NuGet's cache) or in a root's
  /// "packs"; if there is none, the next higher major version, as the runtime would roll forward, or else the newest.
  /// Without one the newest release that is installed. Reference packs are not looked at: they have no private fields.
  InstalledFrameworkFinder(const std::vector<std::filesystem::path>& roots, std::optional<std::uint32_t> majorVersion,
                           const std::filesystem::path& packages = {});

  Result<AssemblySource> find(std::string_view simpleName) override;
  std::vector<std::string> places() const override;
  /// Of the framework that was chosen; nothing if none is installed.
  std::optional<std::uint32_t> majorVersion() const { return m_majorVersion; }

 private:
  std::optional<std::uint32_t> m_majorVersion;
  FolderFinder m_folders;
};

}  // namespace heapscape::engine
