// SPDX-License-Identifier: MIT
#include "insight/comparison/named_modules.h"

namespace heapscape::engine {

NamedModules namedModulesOf(const Snapshot& snapshot) {
  NamedModules modules;
  for (const ModuleRow& module : snapshot.modules()) {
    modules.all.insert(module.name);
    if (module.metadata == MetadataSource::Missing) modules.unnamed.insert(module.name);
  }
  return modules;
}

std::set<std::string> modulesNamedElsewhere(const NamedModules& here, const NamedModules& other) {
  std::set<std::string> modules = here.unnamed;
  std::erase_if(modules,
                [&](const std::string& name) { return other.unnamed.contains(name) || !other.all.contains(name); });
  return modules;
}

}  // namespace heapscape::engine
