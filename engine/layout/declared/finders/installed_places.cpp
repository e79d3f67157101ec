// SPDX-License-Identifier: MIT
#include "layout/declared/finders/installed_places.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>

#include "memory/files/recorded_path.h"

namespace heapscape::engine {
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

}  // namespace heapscape::engine
