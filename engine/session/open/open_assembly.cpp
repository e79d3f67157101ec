// SPDX-License-Identifier: MIT
#include "session/open/open_assembly.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>

#include "layout/declared/finders/assembly_finders.h"
#include "session/layouts/declared_layouts_parts.h"
#include "session/open/open_dump.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {

namespace {

constexpr std::string_view kCoreLibrary = "System.Private.CoreLib";

/// One assembly that was named itself.
class FileFinder : public AssemblyFinder {
 public:
  explicit FileFinder(AssemblySource source) : m_source(std::move(source)) {}

  Result<AssemblySource> find(std::string_view simpleName) override {
    if (simpleName == m_source.name) return m_source;
    return notFoundIn(simpleName, places());
  }
  std::vector<std::string> places() const override { return {m_source.path.string()}; }

 private:
  AssemblySource m_source;
};

/// The major version of .NET that an assembly was compiled for, as its reference to the framework says.
std::optional<std::uint32_t> compiledFor(const Metadata& metadata) {
  for (std::uint32_t row = 1; row <= metadata.rowCount(TableId::AssemblyRef); ++row) {
    const auto reference = metadata.assemblyRef(row);
    if (reference && (reference->name == "System.Runtime" || reference->name == kCoreLibrary))
      return reference->version[0];
  }
  return std::nullopt;
}

/// "8.0.29", as the framework's own build noted it; the assembly's version where it did not.
std::string releaseNotedBy(const AssemblySource& coreLibrary) {
  const auto noted =
      coreLibrary.metadata->assemblyAttributeText("System.Reflection.AssemblyInformationalVersionAttribute");
  if (noted && !noted->empty()) return noted->substr(0, noted->find('+'));
  return fmt::format("{}", fmt::join(coreLibrary.version, "."));
}

/// A folder of assemblies, or one that .NET is installed in.
std::shared_ptr<AssemblyFinder> folderFinder(const std::filesystem::path& folder,
                                             std::optional<std::uint32_t> majorVersion) {
  std::error_code error;
  if (std::filesystem::is_directory(folder / "shared", error))
    return std::make_shared<InstalledFrameworkFinder>(std::vector{folder}, majorVersion);
  return std::make_shared<FolderFinder>(std::vector{folder});
}

Outcome<std::shared_ptr<AssemblyFinder>> finderFor(const std::filesystem::path& place,
                                                   std::optional<std::uint32_t> majorVersion,
                                                   const std::stop_token& stop) {
  std::error_code error;
  if (std::filesystem::is_directory(place, error)) return folderFinder(place, majorVersion);
  if (!std::filesystem::exists(place, error)) {
    return tl::unexpected(Unfinished(Error{ErrorCode::FileUnreadable,
                                           fmt::format("There is no '{}' to look for assemblies in.", place.string()),
                                           "Name a folder, an assembly or a core dump."}));
  }
  if (looksLikeAssembly(place)) {
    HEAPSCAPE_TRY(AssemblySource source, openAssembly(place));
    return std::make_shared<FileFinder>(std::move(source));
  }
  OpenOptions options;
  options.stopAfter = Stage::Summary;
  HEAPSCAPE_TRY(const Snapshot dump, openDump(place, options, nullptr, stop));
  return std::make_shared<DumpFinder>(dump.contents().readers, place);
}

/// The places of the options, the assembly's own folder, an installed framework, the NuGet cache.
Outcome<std::shared_ptr<AssemblyFinder>> finderOfAll(const std::filesystem::path& assembly,
                                                     const AssemblyOptions& options,
                                                     std::optional<std::uint32_t> majorVersion,
                                                     const std::stop_token& stop) {
  std::vector<std::shared_ptr<AssemblyFinder>> finders;
  for (const std::filesystem::path& place : options.search) {
    HEAPSCAPE_TRY(std::shared_ptr<AssemblyFinder> finder, finderFor(place, majorVersion, stop));
    finders.push_back(std::move(finder));
  }
  const std::filesystem::path folder = assembly.has_parent_path() ? assembly.parent_path() : ".";
  auto own = std::make_shared<FolderFinder>(std::vector{folder});
  auto framework = std::make_shared<InstalledFrameworkFinder>(installedDotnets(), majorVersion, installedPackages());
  // A program that brings its own framework is asked about another one.
  const auto broughtAlong = options.runtimeMajor ? own->find(kCoreLibrary) : notFoundIn(kCoreLibrary, {});
  const bool isFrameworkFirst = broughtAlong && broughtAlong->version[0] != *options.runtimeMajor &&
                                framework->majorVersion() == options.runtimeMajor;
  if (isFrameworkFirst) finders.push_back(framework);
  finders.push_back(std::move(own));
  if (!isFrameworkFirst) finders.push_back(std::move(framework));
  std::filesystem::path dependencies = assembly;
  dependencies.replace_extension(".deps.json");
  finders.push_back(std::make_shared<NuGetCacheFinder>(installedPackages(), dependencies, majorVersion));
  return std::make_shared<ChainFinder>(std::move(finders));
}

}  // namespace

Outcome<DeclaredLayouts> openAssemblyFile(const std::filesystem::path& path, const AssemblyOptions& options,
                                          std::stop_token stop) {
  HEAPSCAPE_TRY(AssemblySource source, openAssembly(path));
  const auto wanted = options.runtimeMajor ? options.runtimeMajor : compiledFor(*source.metadata);
  HEAPSCAPE_TRY(std::shared_ptr<AssemblyFinder> finder, finderOfAll(path, options, wanted, stop));
  auto parts = std::make_shared<DeclaredLayouts::Parts>(std::move(finder));
  parts->home = parts->types.add(std::move(source));
  if (const auto core = parts->types.findAssembly(kCoreLibrary)) {
    const AssemblySource& read = parts->types.assembly(*core);
    parts->framework = FrameworkRead{.path = read.path.parent_path().string(),
                                     .version = releaseNotedBy(read),
                                     .majorVersion = read.version[0],
                                     .isAnother = options.runtimeMajor && read.version[0] != *options.runtimeMajor};
    parts->runtime.majorVersion = read.version[0];
  }
  if (options.runtimeMajor) parts->runtime.majorVersion = *options.runtimeMajor;
  return DeclaredLayouts(std::move(parts));
}

bool looksLikeAssembly(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  char beginning[2] = {};
  return file.read(beginning, sizeof(beginning)) && beginning[0] == 'M' && beginning[1] == 'Z';
}

}  // namespace heapscape::engine
