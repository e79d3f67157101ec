// SPDX-License-Identifier: MIT
#include "runtime/modules/module_list.h"

#include "base/limits.h"

namespace heapscape::engine {

std::vector<Address> listModules(const ClrRuntime& runtime, FindingList& findings) {
  const AddressSpace& memory = runtime.memory();
  const Contract& contract = runtime.contract();
  std::vector<Address> modules;
  const auto appDomain = runtime.globalPointer("AppDomain");
  const Address list = appDomain ? *appDomain + contract.offset("AppDomain", "DomainAssemblyList") : Address{};
  std::uint32_t count = 0;
  if (!appDomain || !memory.tryRead(list + contract.offset("ArrayListBase", "Count"), count) ||
      count > kLimits.modules) {
    findings.add(FindingKind::RuntimeDataDamaged, list, "The list of loaded assemblies cannot be read.");
    return modules;
  }
  Address block = list + contract.offset("ArrayListBase", "FirstBlock");
  std::uint32_t seen = 0;
  while (block && seen < count) {
    std::uint32_t capacity = 0;
    if (!memory.tryRead(block + contract.offset("ArrayListBlock", "Size"), capacity) || capacity == 0) break;
    for (std::uint32_t i = 0; i < capacity && seen < count; ++i, ++seen) {
      Address domainAssembly;
      memory.tryRead(block + contract.offset("ArrayListBlock", "ArrayStart") + 8ull * i, domainAssembly);
      if (!domainAssembly) continue;  // a slot of an unloaded assembly
      const auto assembly = runtime.pointerAt(domainAssembly, "DomainAssembly", "Assembly");
      const auto module = assembly ? runtime.pointerAt(*assembly, "Assembly", "Module") : assembly;
      if (!module) {
        findings.add(FindingKind::RuntimeDataDamaged, domainAssembly,
                     "An entry in the list of loaded assemblies cannot be read.");
      } else if (*module) {
        modules.push_back(*module);
      }
    }
    if (!memory.tryRead(block + contract.offset("ArrayListBlock", "Next"), block)) break;
  }
  if (seen < count)
    findings.add(FindingKind::RuntimeDataDamaged, list, "The list of loaded assemblies is not complete.");
  return modules;
}

}  // namespace heapscape::engine
