// SPDX-License-Identifier: MIT
#include "layout/declared/finders/installed_framework_finder.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "layout/declared/finders/version_folder.h"

namespace heapscape::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kCoreFramework = "Microsoft.NETCore.App";
constexpr std::string_view kWebFramework = "Microsoft.AspNetCore.App";

std::vector<VersionFolder> frameworksIn(const std::vector<fs::path>& roots, std::string_view framework) {
  std::vector<VersionFolder> all;
  for (const fs::path& root : roots) {
    for (VersionFolder& version : versionFolders(root / "shared" / framework)) all.push_back(std::move(version));
  }
  return all;
}

// The newest of a major version, a release rather than a preview; of two alike the first root's.
const VersionFolder* newestOf(const std::vector<VersionFolder>& versions, std::uint32_t major) {
  const VersionFolder* best = nullptr;
  for (const VersionFolder& version : versions) {
    if (version.major() != major) continue;
    const auto rank = [](const VersionFolder& one) { return std::pair(!one.isPrerelease, one.numbers); };
    if (!best || rank(version) > rank(*best)) best = &version;
  }
  return best;
}

std::optional<std::uint32_t> chooseMajor(const std::vector<VersionFolder>& versions,
                                         std::optional<std::uint32_t> wanted) {
  std::optional<std::uint32_t> higher;
  std::optional<std::uint32_t> newest;
  std::optional<std::uint32_t> newestRelease;
  for (const VersionFolder& version : versions) {
    const std::uint32_t major = version.major();
    if (wanted && major >= *wanted) higher = std::min(higher.value_or(major), major);
    newest = std::max(newest.value_or(major), major);
    if (!version.isPrerelease) newestRelease = std::max(newestRelease.value_or(major), major);
  }
  if (higher) return higher;
  return newestRelease ? newestRelease : newest;
}

std::vector<fs::path> chosenFolders(const std::vector<fs::path>& roots, std::optional<std::uint32_t>& major) {
  const auto core = frameworksIn(roots, kCoreFramework);
  major = chooseMajor(core, major);
  std::vector<fs::path> folders;
  if (!major) return folders;
  folders.push_back(newestOf(core, *major)->path);
  const auto web = frameworksIn(roots, kWebFramework);
  if (const VersionFolder* version = newestOf(web, *major)) folders.push_back(version->path);
  return folders;
}

}  // namespace

InstalledFrameworkFinder::InstalledFrameworkFinder(const std::vector<fs::path>& roots,
                                                   std::optional<std::uint32_t> majorVersion)
    : m_majorVersion(majorVersion), m_folders(chosenFolders(roots, m_majorVersion)) {}

Result<AssemblySource> InstalledFrameworkFinder::find(std::string_view simpleName) {
  if (!m_majorVersion) return notFoundIn(simpleName, places());
  return m_folders.find(simpleName);
}

std::vector<std::string> InstalledFrameworkFinder::places() const {
  if (!m_majorVersion) return {"an installed .NET (there is none)"};
  return m_folders.places();
}

}  // namespace heapscape::engine
