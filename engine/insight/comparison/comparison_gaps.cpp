// SPDX-License-Identifier: MIT
#include "insight/comparison/comparison_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "base/count_text.h"

namespace heapscape::engine {
namespace {

std::set<std::string> modulesWithoutNames(const Snapshot& snapshot) {
  std::set<std::string> modules;
  for (const ModuleRow& module : snapshot.modules())
    if (module.metadata == MetadataSource::Missing) modules.insert(module.name);
  return modules;
}

// Modules whose types have names in `named`, but not in `unnamed`.
void addGap(const Snapshot& unnamed, const Snapshot& named, std::string_view which, FindingList& findings) {
  std::set<std::string> modules = modulesWithoutNames(unnamed);
  for (const std::string& module : modulesWithoutNames(named)) modules.erase(module);
  std::erase_if(modules, [&](const std::string& name) {
    return std::ranges::none_of(named.modules(), [&](const ModuleRow& module) { return module.name == name; });
  });
  if (modules.empty()) return;
  findings.add(FindingKind::MetadataMissing, {},
               fmt::format("The {} dump has no names for the types of {}, {} among them: they cannot be told to be the "
                           "same as in the other dump, and count as gone and new.",
                           which, countOf(modules.size(), "module"), *modules.begin()));
}

}  // namespace

FindingList findComparisonGaps(const Snapshot& before, const Snapshot& after) {
  FindingList findings;
  addGap(before, after, "earlier", findings);
  addGap(after, before, "later", findings);
  return findings;
}

}  // namespace heapscape::engine
