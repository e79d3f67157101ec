// SPDX-License-Identifier: MIT
#include "layout/declared/finders/installed_framework_finder.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>

#include "layout/declared/finders/version_folder.h"

namespace heapscape::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kCoreFramework = "Microsoft.NETCore.App";
constexpr std::string_view kWebFramework = "Microsoft.AspNetCore.App";

/// One release of a framework.
struct Framework {
  VersionFolder version;
  std::vector<fs::path> folders;  // that have its assemblies
  bool isPack = false;
};

std::vector<Framework> installedIn(const std::vector<fs::path>& roots, std::string_view framework) {
  std::vector<Framework> all;
  for (const fs::path& root : roots) {
    for (VersionFolder& version : versionFolders(root / "shared" / framework)) {
      const fs::path folder = version.path;
      all.push_back({std::move(version), {folder}});
    }
  }
  return all;
}

/// NAME.runtime.RID/VERSION/runtimes/RID has `lib/netN.0`, and CoreLib among the native libraries. Of other systems and
/// processors CoreLib is another one.
void addPacks(const fs::path& packages, std::string_view framework, std::vector<Framework>& all) {
  if (packages.empty()) return;
  for (const std::string_view system : {"linux-x64", "linux-musl-x64"}) {
    const std::string name = fmt::format("{}.Runtime.{}", framework, system);
    std::string lower = name;
    std::ranges::transform(lower, lower.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    for (const std::string& folder : {lower, name}) {
      for (VersionFolder& version : versionFolders(packages / folder)) {
        const fs::path parts = version.path / "runtimes" / system;
        const fs::path library = parts / "lib" / fmt::format("net{}.0", version.major());
        std::error_code error;
        if (fs::is_directory(library, error)) all.push_back({std::move(version), {library, parts / "native"}, true});
      }
    }
  }
}

std::vector<Framework> frameworksIn(const std::vector<fs::path>& roots, const fs::path& packages,
                                    std::string_view framework) {
  std::vector<Framework> all = installedIn(roots, framework);
  addPacks(packages, framework, all);
  for (const fs::path& root : roots) addPacks(root / "packs", framework, all);
  return all;
}

// The newest of a major version, what is installed before packs and a release before a preview; of two alike the first.
const Framework* newestOf(const std::vector<Framework>& frameworks, std::uint32_t major) {
  const Framework* best = nullptr;
  for (const Framework& framework : frameworks) {
    if (framework.version.major() != major) continue;
    const auto rank = [](const Framework& one) {
      return std::tuple(!one.isPack, !one.version.isPrerelease, one.version.numbers);
    };
    if (!best || rank(framework) > rank(*best)) best = &framework;
  }
  return best;
}

std::optional<std::uint32_t> chooseMajor(const std::vector<Framework>& frameworks,
                                         std::optional<std::uint32_t> wanted) {
  std::optional<std::uint32_t> higher;
  std::optional<std::uint32_t> newest;
  std::optional<std::uint32_t> newestRelease;
  const bool isAnyInstalled = std::ranges::any_of(frameworks, [](const Framework& one) { return !one.isPack; });
  for (const Framework& framework : frameworks) {
    const std::uint32_t major = framework.version.major();
    if (wanted && major >= *wanted) higher = std::min(higher.value_or(major), major);
    if (framework.isPack && isAnyInstalled) continue;
    newest = std::max(newest.value_or(major), major);
    if (!framework.version.isPrerelease) newestRelease = std::max(newestRelease.value_or(major), major);
  }
  if (higher) return higher;
  return newestRelease ? newestRelease : newest;
}

std::vector<fs::path> chosenFolders(const std::vector<fs::path>& roots, const fs::path& packages,
                                    std::optional<std::uint32_t>& major) {
  const auto core = frameworksIn(roots, packages, kCoreFramework);
  major = chooseMajor(core, major);
  std::vector<fs::path> folders;
  if (!major) return folders;
  folders = newestOf(core, *major)->folders;
  const auto web = frameworksIn(roots, packages, kWebFramework);
  if (const Framework* found = newestOf(web, *major))
    folders.insert(folders.end(), found->folders.begin(), found->folders.end());
  return folders;
}

}  // namespace

InstalledFrameworkFinder::InstalledFrameworkFinder(const std::vector<fs::path>& roots,
                                                   std::optional<std::uint32_t> majorVersion, const fs::path& packages)
    : m_majorVersion(majorVersion), m_folders(chosenFolders(roots, packages, m_majorVersion)) {}

Result<AssemblySource> InstalledFrameworkFinder::find(std::string_view simpleName) {
  if (!m_majorVersion) return notFoundIn(simpleName, places());
  return m_folders.find(simpleName);
}

std::vector<std::string> InstalledFrameworkFinder::places() const {
  if (!m_majorVersion) return {"an installed .NET (there is none)"};
  return m_folders.places();
}

}  // namespace heapscape::engine
