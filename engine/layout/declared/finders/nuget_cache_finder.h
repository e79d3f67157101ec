// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "layout/declared/assembly_source.h"

namespace heapscape::engine {

/// Finds assemblies of packages in a NuGet cache (PACKAGE/VERSION/lib/FRAMEWORK/NAME.dll). What the .deps.json beside a
/// program names is taken as named, which is what the program runs with; of everything else the newest release, for
/// the newest framework that the major version can use.
class NuGetCacheFinder : public AssemblyFinder {
 public:
  /// `dependencies`: a .deps.json, which need not exist.
  NuGetCacheFinder(std::filesystem::path cache, const std::filesystem::path& dependencies,
                   std::optional<std::uint32_t> majorVersion);

  Result<AssemblySource> find(std::string_view simpleName) override;
  std::vector<std::string> places() const override;

 private:
  std::filesystem::path m_cache;
  std::uint32_t m_majorVersion;
  std::map<std::string, std::filesystem::path, std::less<>> m_named;  // by simple name, relative to the cache
};

}  // namespace heapscape::engine
