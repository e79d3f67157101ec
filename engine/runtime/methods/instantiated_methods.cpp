// SPDX-License-Identifier: MIT
#include "runtime/methods/instantiated_methods.h"

#include <algorithm>

#include "runtime/types/handle_hash_table.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kFlags = 7;  // of InstMethodHashEntry, in the pointer's low bits

}  // namespace

std::vector<MethodDesc> instantiatedMethodsOf(const MethodDescs& methods, const Modules& modules,
                                              const MethodTable& type) {
  const ClrRuntime& runtime = methods.methodTables().runtime();
  std::vector<MethodDesc> found;
  // An instantiation lies with the module of one of its arguments rather than with the method's.
  for (const Module* module : modules.all()) {
    for (const Address entry : readHandleHashTable(runtime, module->address, "InstMethodHashTable")) {
      const auto method = methods.read(Address{entry.value & ~kFlags});
      if (!method || method->classification != MethodClassification::Instantiated) continue;
      if (method->methodTable != type.address && method->methodTable != type.canonical) continue;
      if (!methods.typeArguments(*method).empty()) found.push_back(*method);
    }
  }
  std::ranges::sort(found, {}, &MethodDesc::address);
  const auto [first, last] = std::ranges::unique(found, {}, &MethodDesc::address);
  found.erase(first, last);
  return found;
}

}  // namespace heapscape::engine
