// SPDX-License-Identifier: MIT
#include "layout/code_owners.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "layout/framework_assembly.h"

namespace heapscape::engine {
namespace {

std::string_view simpleName(std::string_view assembly) {
  if (assembly.ends_with(".dll") || assembly.ends_with(".exe")) assembly.remove_suffix(4);
  return assembly;
}

std::string_view firstPart(std::string_view name) {
  return name.substr(0, name.find('.'));
}

constexpr std::string_view kInteractiveFSharp = "fsi";        // dotnet fsi
constexpr std::string_view kScriptOfFSharp = "FSI-ASSEMBLY";  // what it makes of what it is given

bool beginsWithOneOf(std::string_view name, const std::vector<std::string>& beginnings) {
  return std::ranges::any_of(beginnings, [name](const std::string& beginning) { return name.starts_with(beginning); });
}

std::mutex namedMutex;
NamedCode namedByReader;

}  // namespace

NamedCode namedCode() {
  const std::lock_guard lock(namedMutex);
  return namedByReader;
}

void nameCode(NamedCode named) {
  const std::lock_guard lock(namedMutex);
  namedByReader = std::move(named);
}

CodeOwners::CodeOwners(std::span<const AssemblyOrigin> assemblies, NamedCode named) : m_named(std::move(named)) {
  // The host loads the program's own assembly before any other but CoreLib (.NET 8 to 11).
  const auto entry = std::ranges::find_if(assemblies, [](const AssemblyOrigin& assembly) {
    return !assembly.name.empty() && !isFrameworkAssembly(simpleName(assembly.name));
  });
  if (entry == assemblies.end()) return;
  m_entry = simpleName(entry->name);
  m_company = entry->company;
  for (const AssemblyOrigin& assembly : assemblies)
    m_owners.emplace(simpleName(assembly.name), ofOrigin(assembly));  // of several of one name the first
}

CodeOwner CodeOwners::ofOrigin(const AssemblyOrigin& origin) const {
  const std::string_view name = simpleName(origin.name);
  if (isFrameworkAssembly(name)) return CodeOwner::Framework;
  if (beginsWithOneOf(name, m_named.own)) return CodeOwner::Own;
  if (beginsWithOneOf(name, m_named.packages)) return CodeOwner::Package;
  // What runs in the interactive F# is the reader's; that itself and what came with it are not.
  if (name.starts_with(kScriptOfFSharp)) return CodeOwner::Own;
  if (m_entry == kInteractiveFSharp) return CodeOwner::Package;
  const bool isOurs = m_entry.empty() || firstPart(name) == firstPart(m_entry) ||
                      (!origin.company.empty() && (origin.company == m_company || origin.company == name));
  return isOurs ? CodeOwner::Own : CodeOwner::Package;
}

CodeOwner CodeOwners::of(std::string_view assembly, std::string_view member) const {
  if (assembly.empty()) return isFrameworkMember(member) ? CodeOwner::Framework : CodeOwner::Own;
  const auto known = m_owners.find(simpleName(assembly));
  return known != m_owners.end() ? known->second : ofOrigin({std::string(assembly), {}});
}

}  // namespace heapscape::engine
