// SPDX-License-Identifier: MIT
#include "layout/declared/assembly_list.h"

#include <fmt/format.h>
#include <algorithm>

#include "base/limits.h"
#include "metadata/image/assembly_file.h"

namespace heapscape::engine {

Result<AssemblySource> openAssembly(const std::filesystem::path& path) {
  HEAPSCAPE_TRY(AssemblyFile file, readAssemblyFile(path));
  const auto identity = file.metadata->assembly();
  if (!identity) {
    return failure(ErrorCode::NotFound, fmt::format("{} is a module without an assembly.", path.string()),
                   "Name the assembly that it belongs to.");
  }
  if (file.metadata->hasAssemblyAttribute("System.Runtime.CompilerServices.ReferenceAssemblyAttribute")) {
    return failure(
        ErrorCode::NotFound, fmt::format("{} is a reference assembly, which has no private fields.", path.string()),
        "Name the assembly that a program runs with; they are in the folder \"lib\" or \"bin\", not \"ref\".");
  }
  return AssemblySource{.name = std::string(identity->name),
                        .path = path,
                        .version = identity->version,
                        .metadata = std::move(file.metadata),
                        .isReadyToRun = file.readyToRun.isReadyToRun,
                        .versionBubble = std::move(file.readyToRun.manifestAssemblies),
                        .compositeImage = std::move(file.readyToRun.compositeImage)};
}

namespace {

// The runtime compares simple names without regard to case.
std::string keyOf(std::string_view simpleName) {
  std::string key(simpleName);
  std::ranges::transform(key, key.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return key;
}

}  // namespace

AssemblyId AssemblyList::add(AssemblySource assembly) {
  const AssemblyId id{static_cast<std::uint32_t>(m_assemblies.size())};
  const std::string key = keyOf(assembly.name);
  m_byName[key].push_back(id);
  m_failed.erase(key);
  m_assemblies.push_back(std::move(assembly));
  return id;
}

Result<AssemblyId> AssemblyList::find(std::string_view simpleName) {
  const std::string key = keyOf(simpleName);
  if (const auto known = m_byName.find(key); known != m_byName.end()) return known->second.front();
  if (const auto failed = m_failed.find(key); failed != m_failed.end()) return tl::unexpected<Error>(failed->second);
  auto found = look(simpleName);
  if (!found) m_failed.emplace(key, found.error());
  return found;
}

Result<AssemblyId> AssemblyList::look(std::string_view simpleName) {
  if (!m_finder) {
    return failure(ErrorCode::NotFound, fmt::format("The assembly {} is not there.", simpleName),
                   "Name a folder or a dump that has it.");
  }
  if (m_assemblies.size() + m_failed.size() >= kLimits.referencedAssemblies) {
    return failure(ErrorCode::Damaged, "More assemblies are referenced than any program has.");
  }
  HEAPSCAPE_TRY(AssemblySource source, m_finder->find(simpleName));
  if (!source.metadata || keyOf(source.name) != keyOf(simpleName)) {
    return failure(ErrorCode::NotFound, fmt::format("The assembly {} is not there: {} holds the assembly {}.",
                                                    simpleName, source.path.string(), source.name));
  }
  return add(std::move(source));
}

Result<AssemblyId> AssemblyList::findFrom(AssemblyId from, std::string_view simpleName) {
  const auto known = m_byName.find(keyOf(simpleName));
  if (known == m_byName.end()) return find(simpleName);
  const auto& candidates = known->second;
  const auto sameContext = std::ranges::find_if(
      candidates, [&](AssemblyId candidate) { return at(candidate).loadContext == at(from).loadContext; });
  return sameContext != candidates.end() ? *sameContext : candidates.front();
}

Result<AssemblyId> AssemblyList::coreLibrary() {
  return find(kCoreLibrary);
}

tl::unexpected<Error> AssemblyList::reportMissing(std::string_view simpleName, const Error& why) {
  std::string neededBy = m_neededBy();
  if (!neededBy.empty() && m_reported.insert(keyOf(simpleName)).second) {
    m_missing.push_back({std::string(simpleName), why, std::move(neededBy)});
  }
  return tl::unexpected<Error>(why);
}

}  // namespace heapscape::engine
