// SPDX-License-Identifier: MIT
#include "insight/comparison/comparison_parts.h"

#include <fmt/format.h>

#include <set>
#include <string>
#include <string_view>

#include "base/figures.h"
#include "insight/comparison/named_modules.h"

namespace heapscape::engine {
namespace {

// Modules whose types have names in `named`, but not in `unnamed`.
void addGap(const NamedModules& unnamed, const NamedModules& named, std::string_view which, FindingList& findings) {
  const std::set<std::string> modules = modulesNamedElsewhere(unnamed, named);
  if (modules.empty()) return;
  findings.add(FindingKind::MetadataMissing, {},
               fmt::format("The {} dump has no names for the types of {}, {} among them: they cannot be told to be the "
                           "same as in the other dump, and count as gone and new.",
                           which, countOf(modules.size(), "module"), *modules.begin()));
}

}  // namespace

FindingList findComparisonGaps(const Snapshot& before, const Snapshot& after) {
  FindingList findings;
  const NamedModules modulesBefore = namedModulesOf(before), modulesAfter = namedModulesOf(after);
  addGap(modulesBefore, modulesAfter, "earlier", findings);
  addGap(modulesAfter, modulesBefore, "later", findings);
  return findings;
}

}  // namespace heapscape::engine
