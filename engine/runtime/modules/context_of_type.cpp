// SPDX-License-Identifier: MIT
#include "runtime/modules/context_of_type.h"

namespace heapscape::engine {
namespace {

// A GC handle; the runtime marks a weak one of a context that is being unloaded with the lowest bit.
Address contextObject(const ClrRuntime& runtime, Address binder) {
  const auto handle = runtime.pointerAt(binder, "AssemblyBinder", "ManagedLoadContext");
  if (!handle) return {};
  return runtime.memory().readPointer({handle->value & ~std::uint64_t{1}}).value_or(Address{});
}

}  // namespace

LoadContext contextOfType(const RuntimeReaders& readers, const MethodTable& type) {
  const auto loader = readers.methodTables.loaderModule(type);
  const Module* module = loader ? readers.modules.find(*loader) : nullptr;
  if (!module) module = readers.modules.definingModule(readers.methodTables, type);
  if (!module) return {};
  LoadContext context{readers.loadContexts.nameOf(*module), {}, module->isCollectible};
  const Module* coreLibrary = readers.modules.coreLibrary();
  const auto binder = readers.loadContexts.binderOf(*module);
  const auto defaultBinder = coreLibrary ? readers.loadContexts.binderOf(*coreLibrary) : binder;
  const bool isOther = binder && *binder && defaultBinder && *defaultBinder != *binder;
  if (isOther) context.object = contextObject(readers.runtime, *binder);
  return context;
}

std::string textOf(const LoadContext& context) {
  return context.isCollectible && context.object ? context.name + " " + toString(context.object) : context.name;
}

}  // namespace heapscape::engine
