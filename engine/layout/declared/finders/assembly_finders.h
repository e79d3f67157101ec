// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "layout/declared/assembly_list.h"
#include "runtime/runtime_readers.h"

namespace heapscape::engine {

/// A folder that is named after a version, as those of installed frameworks and of the NuGet cache are.
struct VersionFolder {
  std::filesystem::path path;
  std::array<std::uint32_t, 4> numbers{};
  bool isPrerelease = false;  // "10.0.0-rc.1.25451.107"

  std::uint32_t major() const { return numbers[0]; }
};

/// "10.0.12" or "13.0.3-beta1"; nullopt if the text is no version.
std::optional<VersionFolder> parseVersion(std::string_view text);
/// The folders in a folder that are named after versions, newest first; releases before what came before them.
std::vector<VersionFolder> versionFolders(const std::filesystem::path& folder);

/// Finds NAME.dll or NAME.exe in folders, in their order.
class FolderFinder : public AssemblyFinder {
 public:
  explicit FolderFinder(std::vector<std::filesystem::path> folders) : m_folders(std::move(folders)) {}

  Result<AssemblySource> find(std::string_view simpleName) override;
  std::vector<std::string> places() const override;

 private:
  std::vector<std::filesystem::path> m_folders;
};

/// Whether a simple name can be a file's: metadata may hold anything.
bool isFileName(std::string_view simpleName);
/// Error that an assembly is in none of these places.
tl::unexpected<Error> notFoundIn(std::string_view simpleName, const std::vector<std::string>& places);

/// The only answer to where this machine keeps .NET and its packages. Where a folder stands
/// for the machine (memory/recorded_path), `shared` in it is the framework's, `packages` NuGet's cache.

/// Folders that have a "shared" in them, most particular first: $DOTNET_ROOT, the folder of the `dotnet` on $PATH,
/// ~/.dotnet, the distributions' folders. Those that are not there are left out.
std::vector<std::filesystem::path> installedDotnets();

/// $NUGET_PACKAGES or ~/.nuget/packages, which need not exist; empty if neither is set.
std::filesystem::path installedPackages();

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
  /// The version of the framework that was chosen; nullopt if none is installed.
  std::optional<std::uint32_t> majorVersion() const { return m_majorVersion; }

 private:
  std::optional<std::uint32_t> m_majorVersion;
  FolderFinder m_folders;
};

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

/// Finds assemblies among the modules of a dump, whose metadata serves as well as a file's.
class DumpFinder : public AssemblyFinder {
 public:
  DumpFinder(std::shared_ptr<const RuntimeReaders> readers, std::filesystem::path dump)
      : m_readers(std::move(readers)), m_dump(std::move(dump)) {}

  Result<AssemblySource> find(std::string_view simpleName) override;
  std::vector<std::string> places() const override { return {m_dump.string()}; }

 private:
  std::shared_ptr<const RuntimeReaders> m_readers;
  std::filesystem::path m_dump;
};

/// Asks one finder after the other. A file that cannot be read does not keep the next ones from being asked; it is
/// named if none of them has the assembly.
class ChainFinder : public AssemblyFinder {
 public:
  explicit ChainFinder(std::vector<std::shared_ptr<AssemblyFinder>> finders) : m_finders(std::move(finders)) {}

  Result<AssemblySource> find(std::string_view simpleName) override;
  std::vector<std::string> places() const override;

 private:
  std::vector<std::shared_ptr<AssemblyFinder>> m_finders;
};

}  // namespace heapscape::engine
