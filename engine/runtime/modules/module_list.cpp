// SPDX-License-Identifier: MIT
#include "runtime/modules/module_list.h"

#include "base/limits.h"

namespace heapscape::engine {

std::vector<Address> listModules(const ClrRuntime& runtime, FindingList& findings) {
  const AddressSpace& memory = runtime.memory();
  const Contract& contract = runtime.contract();
  std::vector<Address> modules;
  const auto appDomain = runtime.globalPointer("AppDomain");
  // Since .NET 11 nothing stands between the domain and its assemblies.
  const bool areDomainAssemblies = contract.has("AppDomain", "DomainAssemblyList");
  const Address list = !appDomain            ? Address{}
                       : areDomainAssemblies ? runtime.member(*appDomain, "AppDomain", "DomainAssemblyList")
                                             : runtime.member(*appDomain, "AppDomain", "AssemblyList");
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
      Address entry;
      memory.tryRead(block + contract.offset("ArrayListBlock", "ArrayStart") + 8ull * i, entry);
      if (!entry) continue;  // a slot of an unloaded assembly
      const auto assembly =
          areDomainAssemblies ? runtime.pointerAt(entry, "DomainAssembly", "Assembly") : Result<Address>(entry);
      const auto module = assembly ? runtime.pointerAt(*assembly, "Assembly", "Module") : assembly;
      if (!module) {
        findings.add(FindingKind::RuntimeDataDamaged, entry,
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
