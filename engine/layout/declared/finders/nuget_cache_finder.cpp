// SPDX-License-Identifier: MIT
#include "layout/declared/finders/nuget_cache_finder.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>
#include <vector>

#include "layout/declared/finders/folder_finder.h"
#include "layout/declared/finders/version_folder.h"

namespace heapscape::engine {
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

}  // namespace heapscape::engine
