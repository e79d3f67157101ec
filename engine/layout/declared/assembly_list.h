// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "layout/declared/closed_type.h"
#include "layout/declared/metadata_types.h"

namespace heapscape::engine {

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

  /// That a type cannot do without one that was not found; gives the failure back.
  tl::unexpected<Error> reportMissing(std::string_view simpleName, const Error& why);
  const std::vector<MetadataTypes::MissingAssembly>& missing() const { return m_missing; }

  static constexpr std::string_view kCoreLibrary = "System.Private.CoreLib";

 private:
  Result<AssemblyId> look(std::string_view simpleName);

  std::shared_ptr<AssemblyFinder> m_finder;
  std::function<std::string()> m_neededBy;
  std::deque<AssemblySource> m_assemblies;                               // references to them stay valid
  std::map<std::string, std::vector<AssemblyId>, std::less<>> m_byName;  // in lower case
  std::map<std::string, Error, std::less<>> m_failed;                    // the same
  std::set<std::string, std::less<>> m_reported;                         // of those, in m_missing
  std::vector<MetadataTypes::MissingAssembly> m_missing;
};

}  // namespace heapscape::engine
