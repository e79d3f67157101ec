// SPDX-License-Identifier: MIT
#include "stacks/gc_info/code_keepers.h"

#include <algorithm>

#include "runtime/modules/loader_allocators.h"

namespace heapscape::engine {

std::vector<Address> CodeKeepers::of(Address methodDesc, const std::optional<GenericContext>& context) const {
  std::vector<Address> keepers;
  if (const Address resolver = resolverOf(m_methods.methodTables().runtime(), methodDesc)) {
    keepers.push_back(resolver);
    return keepers;
  }
  addKeepersOfMethod(methodDesc, keepers);
  if (context && context->isMethod) addKeepersOfMethod(context->handle, keepers);
  if (context && !context->isMethod) addKeeperOfType(context->handle, keepers);
  return keepers;
}

void CodeKeepers::addKeepersOfMethod(Address methodDesc, std::vector<Address>& keepers) const {
  const auto method = m_methods.read(methodDesc);
  if (!method) return;
  addKeeperOfType(method->methodTable, keepers);
  // An instantiation of a generic method lives with what any of its arguments comes from.
  if (method->classification != MethodClassification::Instantiated) return;
  for (const TypeHandle argument : m_methods.typeArguments(*method)) addKeeperOfType(argument, keepers);
}

void CodeKeepers::addKeeperOfType(TypeHandle type, std::vector<Address>& keepers) const {
  const MethodTables& methodTables = m_methods.methodTables();
  if (methodTables.isTypeDesc(type)) return;
  const auto methodTable = methodTables.read(type);
  if (!methodTable || !methodTable->isCollectible) return;
  const auto object = loaderAllocatorObject(methodTables, *methodTable);
  if (object && *object && std::ranges::find(keepers, *object) == keepers.end()) keepers.push_back(*object);
}

Address resolverOf(const ClrRuntime& runtime, Address methodDesc) {
  const Contract& contract = runtime.contract();
  const auto flags = runtime.valueAt<std::uint16_t>(methodDesc, "MethodDesc", "Flags");
  if (!flags || (*flags & contract.constant("MethodDesc.Flags.ClassificationMask")) !=
                    static_cast<std::uint64_t>(MethodClassification::Dynamic))
    return {};
  const auto extended = runtime.valueAt<std::uint32_t>(methodDesc, "DynamicMethodDesc", "ExtendedFlags");
  if (!extended || (*extended & contract.constant("DynamicMethodDesc.IsLCG")) == 0) return {};
  const auto resolver = runtime.pointerAt(methodDesc, "DynamicMethodDesc", "Resolver");
  if (!resolver || !*resolver) return {};
  const auto handle = runtime.pointerAt(*resolver, "LCGMethodResolver", "ManagedResolver");
  return handle && *handle ? runtime.memory().readPointer(*handle).value_or(Address{}) : Address{};
}

}  // namespace heapscape::engine
