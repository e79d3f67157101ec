// SPDX-License-Identifier: MIT
#include "layout/declared/finders/assembly_finders.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <system_error>
#include <tuple>
#include <utility>

#include "layout/declared/dump_types.h"
#include "memory/files/recorded_path.h"

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

namespace {

constexpr std::size_t kMaxFileName = 255;

}  // namespace

bool isFileName(std::string_view simpleName) {
  using namespace std::string_view_literals;
  return !simpleName.empty() && simpleName.size() <= kMaxFileName && simpleName != "." && simpleName != ".." &&
         simpleName.find_first_of("/\0"sv) == std::string_view::npos;
}

Result<AssemblySource> FolderFinder::find(std::string_view simpleName) {
  for (const std::filesystem::path& folder : m_folders) {
    if (!isFileName(simpleName)) break;
    for (const std::string_view ending : {".dll", ".exe"}) {
      const std::filesystem::path path = folder / fmt::format("{}{}", simpleName, ending);
      std::error_code error;
      if (std::filesystem::exists(path, error)) return openAssembly(path);
    }
  }
  return notFoundIn(simpleName, places());
}

std::vector<std::string> FolderFinder::places() const {
  std::vector<std::string> names;
  for (const std::filesystem::path& folder : m_folders) names.push_back(folder.string());
  return names;
}

tl::unexpected<Error> notFoundIn(std::string_view simpleName, const std::vector<std::string>& places) {
  if (places.empty()) return failure(ErrorCode::NotFound, fmt::format("The assembly {} is not at hand.", simpleName));
  return failure(ErrorCode::NotFound,
                 fmt::format("The assembly {} is not in {}.", simpleName, fmt::join(places, ", ")));
}

namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// Distributions put a link to the real dotnet there.
fs::path folderOfDotnetOnPath() {
  const std::string list = environment("PATH");
  std::string_view rest = list;
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
    std::error_code error;
    const fs::path program = fs::path(folder) / "dotnet";
    if (folder.empty() || !fs::is_regular_file(program, error)) continue;
    const fs::path real = fs::canonical(program, error);
    if (!error) return real.parent_path();
  }
  return {};
}

std::vector<fs::path> usualDotnets() {
  std::vector<fs::path> folders = {environment("DOTNET_ROOT"), folderOfDotnetOnPath()};
  if (const std::string home = environment("HOME"); !home.empty()) folders.push_back(fs::path(home) / ".dotnet");
  for (const char* folder : {"/usr/share/dotnet", "/usr/lib/dotnet", "/usr/lib64/dotnet", "/usr/local/share/dotnet"}) {
    folders.emplace_back(folder);
  }
  return folders;
}

}  // namespace

std::vector<fs::path> installedDotnets() {
  const auto instead = folderInsteadOfMachine();
  std::vector<fs::path> dotnets;
  for (const fs::path& candidate : instead ? std::vector{*instead} : usualDotnets()) {
    std::error_code error;
    const fs::path real = fs::canonical(candidate, error);
    if (error || !fs::is_directory(real / "shared", error)) continue;
    if (std::ranges::find(dotnets, real) == dotnets.end()) dotnets.push_back(real);
  }
  return dotnets;
}

fs::path installedPackages() {
  if (const auto instead = folderInsteadOfMachine()) return instead->empty() ? fs::path() : *instead / "packages";
  if (const std::string packages = environment("NUGET_PACKAGES"); !packages.empty()) return packages;
  const std::string home = environment("HOME");
  return home.empty() ? fs::path() : fs::path(home) / ".nuget" / "packages";
}

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

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::uintmax_t kMaxDependenciesBytes = 64 << 20;
constexpr std::uint32_t kNewestMajor = 1000;
constexpr std::size_t kMaxFrameworks = 1000;

std::string lowerCase(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return lower;
}

// Paths in a .deps.json are relative; one that leads out of the cache is not followed.
bool staysInside(const fs::path& path) {
  return path.is_relative() && std::ranges::find(path, fs::path("..")) == path.end();
}

Json readJson(const fs::path& file) {
  std::error_code error;
  const auto size = fs::is_regular_file(file, error) ? fs::file_size(file, error) : 0;
  if (error || size == 0 || size > kMaxDependenciesBytes) return {};
  std::ifstream stream(file);
  return Json::parse(stream, nullptr, false);
}

const Json& memberOf(const Json& object, const std::string& name) {
  static const Json kNone;
  const auto found = object.is_object() ? object.find(name) : object.end();
  return object.is_object() && found != object.end() ? *found : kNone;
}

// targets → framework → "Package/1.2.3" → runtime → "lib/net8.0/Package.dll"; libraries → "Package/1.2.3" → path.
std::map<std::string, fs::path, std::less<>> namedAssemblies(const Json& dependencies) {
  std::map<std::string, fs::path, std::less<>> named;
  for (const Json& framework : memberOf(dependencies, "targets")) {
    if (!framework.is_object()) continue;
    for (const auto& [package, parts] : framework.items()) {
      const Json& folder = memberOf(memberOf(memberOf(dependencies, "libraries"), package), "path");
      const Json& files = memberOf(parts, "runtime");
      if (!folder.is_string() || !files.is_object()) continue;
      for (const auto& [file, facts] : files.items()) {
        const fs::path path = fs::path(folder.get<std::string>()) / file;
        if (staysInside(path)) named.emplace(path.stem().string(), path);
      }
    }
  }
  return named;
}

// How well a lib folder's framework suits: "net8.0" of the newest below the limit, then netcoreapp, then netstandard.
std::uint32_t suitabilityOf(std::string_view framework, std::uint32_t majorVersion) {
  constexpr std::uint32_t kNet = 3000;
  constexpr std::uint32_t kNetCoreApp = 2000;
  constexpr std::uint32_t kNetStandard = 1000;
  const auto versionAfter = [&](std::string_view prefix) -> std::optional<VersionFolder> {
    return framework.starts_with(prefix) ? parseVersion(framework.substr(prefix.size())) : std::nullopt;
  };
  if (const auto version = versionAfter("netstandard"))
    return kNetStandard + version->major() * 10 + version->numbers[1];
  if (const auto version = versionAfter("netcoreapp")) return kNetCoreApp + version->major() * 10 + version->numbers[1];
  if (const auto version = versionAfter("net")) {
    return version->major() >= 5 && version->major() <= majorVersion ? kNet + version->major() : 0;
  }
  return 0;
}

std::optional<fs::path> bestIn(const fs::path& lib, const std::string& fileName, std::uint32_t majorVersion) {
  std::optional<fs::path> best;
  std::uint32_t bestSuitability = 0;
  std::error_code error;
  fs::directory_iterator entries(lib, error);
  for (std::size_t seen = 0; !error && entries != fs::directory_iterator() && seen < kMaxFrameworks; ++seen) {
    const std::uint32_t suitability = suitabilityOf(entries->path().filename().string(), majorVersion);
    if (suitability > bestSuitability && fs::exists(entries->path() / fileName, error)) {
      best = entries->path() / fileName;
      bestSuitability = suitability;
    }
    entries.increment(error);
  }
  return best;
}

}  // namespace

NuGetCacheFinder::NuGetCacheFinder(fs::path cache, const fs::path& dependencies,
                                   std::optional<std::uint32_t> majorVersion)
    : m_cache(std::move(cache)),
      m_majorVersion(majorVersion.value_or(kNewestMajor)),
      m_named(namedAssemblies(readJson(dependencies))) {}

Result<AssemblySource> NuGetCacheFinder::find(std::string_view simpleName) {
  if (m_cache.empty() || !isFileName(simpleName)) return notFoundIn(simpleName, places());
  std::error_code error;
  if (const auto named = m_named.find(simpleName); named != m_named.end() && fs::exists(m_cache / named->second, error))
    return openAssembly(m_cache / named->second);
  const std::string fileName = fmt::format("{}.dll", simpleName);
  for (const bool prerelease : {false, true}) {
    for (const VersionFolder& version : versionFolders(m_cache / lowerCase(simpleName))) {
      if (version.isPrerelease != prerelease) continue;
      if (const auto file = bestIn(version.path / "lib", fileName, m_majorVersion)) return openAssembly(*file);
    }
  }
  return notFoundIn(simpleName, places());
}

std::vector<std::string> NuGetCacheFinder::places() const {
  return {m_cache.empty() ? "the NuGet cache (there is none)" : m_cache.string()};
}

Result<AssemblySource> DumpFinder::find(std::string_view simpleName) {
  const Module* module = m_readers->modules.findAssembly(simpleName);
  if (!module) return notFoundIn(simpleName, places());
  AssemblySource source = assemblySourceOf(*m_readers, *module);
  source.path = m_dump;
  source.loadContext = 0;  // of the dump's process, which has nothing to do with the assemblies of files
  return source;
}

Result<AssemblySource> ChainFinder::find(std::string_view simpleName) {
  std::optional<Error> unreadable;
  for (const auto& finder : m_finders) {
    auto found = finder->find(simpleName);
    if (found) return found;
    if (found.error().code != ErrorCode::NotFound && !unreadable) unreadable = found.error();
  }
  if (unreadable) return tl::unexpected<Error>(*unreadable);
  return notFoundIn(simpleName, places());
}

std::vector<std::string> ChainFinder::places() const {
  std::vector<std::string> all;
  for (const auto& finder : m_finders) {
    std::vector<std::string> places = finder->places();
    all.insert(all.end(), std::make_move_iterator(places.begin()), std::make_move_iterator(places.end()));
  }
  return all;
}

}  // namespace heapscape::engine
