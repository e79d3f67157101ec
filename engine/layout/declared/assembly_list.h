// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "layout/declared/declared_types.h"
#include "metadata/metadata.h"

namespace heapscape::engine {

/// One assembly's metadata and what of its image matters for layouts.
struct AssemblySource {
  std::string name;            // simple name, "System.Private.CoreLib"
  std::filesystem::path path;  // of its file; of the dump if it came out of one
  std::array<std::uint16_t, 4> version{};
  std::shared_ptr<const Metadata> metadata;
  bool isReadyToRun = false;
  std::vector<std::string> versionBubble =
      {};                           // names of assemblies that its native manifest says it was compiled with
  std::string compositeImage = {};  // of a ReadyToRun composite: file name of the image that has all their code
  std::uint64_t loadContext = 0;    // assemblies of one context mean each other where a name is there twice
};

/// Reads an assembly from its file. Fails as readAssemblyFile does, and with NotFound for a reference assembly, which
/// has no private fields.
Result<AssemblySource> openAssembly(const std::filesystem::path& path);

/// Finds assemblies that others reference.
class AssemblyFinder {
 public:
  virtual ~AssemblyFinder() = default;
  /// Fails with NotFound (where it was looked for), or with what is wrong with the file that was found.
  virtual Result<AssemblySource> find(std::string_view simpleName) = 0;
  /// Where it looks, for people.
  virtual std::vector<std::string> places() const { return {}; }
};

/// The assemblies of a MetadataTypes: those at hand, and those that are found when they are needed.
class AssemblyList {
 public:
  /// `neededBy` names the type that is being read, if one is.
  AssemblyList(std::shared_ptr<AssemblyFinder> finder, std::function<std::string()> neededBy)
      : m_finder(std::move(finder)), m_neededBy(std::move(neededBy)) {}

  AssemblyId add(AssemblySource assembly);
  const AssemblySource& at(AssemblyId id) const { return m_assemblies[id.value]; }
  const Metadata& metadata(AssemblyId id) const { return *at(id).metadata; }
  std::size_t size() const { return m_assemblies.size(); }
  bool has(AssemblyId id) const { return id.value < m_assemblies.size(); }

  /// The first of that name, looked for once.
  Result<AssemblyId> find(std::string_view simpleName);
  /// The one that an assembly means by that name.
  Result<AssemblyId> findFrom(AssemblyId from, std::string_view simpleName);
  /// System.Private.CoreLib.
  Result<AssemblyId> coreLibrary();
  bool isCoreLibrary(AssemblyId id) const { return at(id).name == kCoreLibrary; }

  /// Notes that a type cannot do without one that was not found; gives the failure back.
  tl::unexpected<Error> reportMissing(std::string_view simpleName, const Error& why);
  struct Missing {
    std::string name;
    Error why;
    std::string neededBy;  // a type
  };
  const std::vector<Missing>& missing() const { return m_missing; }

  static constexpr std::string_view kCoreLibrary = "System.Private.CoreLib";

 private:
  Result<AssemblyId> look(std::string_view simpleName);

  std::shared_ptr<AssemblyFinder> m_finder;
  std::function<std::string()> m_neededBy;
  std::deque<AssemblySource> m_assemblies;                               // references to them stay valid
  std::map<std::string, std::vector<AssemblyId>, std::less<>> m_byName;  // in lower case
  std::map<std::string, Error, std::less<>> m_failed;                    // the same
  std::set<std::string, std::less<>> m_reported;                         // of those, in m_missing
  std::vector<Missing> m_missing;
};

}  // namespace heapscape::engine
