// SPDX-License-Identifier: MIT
#include "runtime/modules/load_contexts.h"

#include "runtime/managed_objects.h"
#include "runtime/runtime_readers.h"

namespace heapscape::engine {
namespace {

constexpr std::string_view kContextNameField = "_name";  // of System.Runtime.Loader.AssemblyLoadContext
constexpr std::size_t kMaximumContextName = 256;

}  // namespace

std::string LoadContexts::nameOf(const Module& module) const {
  const auto binder = binderOf(module);
  if (!binder || !*binder) return {};
  const Module* coreLibrary = m_modules.coreLibrary();
  const auto defaultBinder = coreLibrary ? binderOf(*coreLibrary) : binder;
  if (defaultBinder && *defaultBinder == *binder) return "default";
  // A GC handle; the runtime marks a weak one of a context that is being unloaded with the lowest bit.
  auto handle = m_methodTables.runtime().pointerAt(*binder, "AssemblyBinder", "ManagedLoadContext");
  if (!handle) return {};
  handle->value &= ~std::uint64_t{1};
  const auto object = m_methodTables.runtime().memory().readPointer(*handle);
  return object && *object ? nameOfContext(*object) : std::string();
}

// PEAssembly → the binder's own assembly → the binder, one for each context (src/coreclr/binder in dotnet/runtime).
Result<Address> LoadContexts::binderOf(const Module& module) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  HEAPSCAPE_TRY(const Address peAssembly, runtime.pointerAt(module.address, "Module", "PEAssembly"));
  HEAPSCAPE_TRY(const Address host, runtime.pointerAt(peAssembly, "PEAssembly", "HostAssembly"));
  if (!host) return Address{};
  return runtime.pointerAt(host, "BinderAssembly", "Binder");
}

std::string LoadContexts::nameOfContext(Address object) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  const auto text = readReferenceField(m_methodTables, m_fields, object, kContextNameField);
  const auto name =
      text && *text ? readManagedString(runtime, *text, kMaximumContextName) : failure(ErrorCode::NotFound, {});
  if (name && !name->empty()) return *name;
  auto methodTable = runtime.pointerAt(object, "Object", "m_pMethTab");
  if (!methodTable) return {};
  methodTable->value &= ~runtime.contract().constant("ObjectToMethodTableUnmask");
  return m_names.nameOf(*methodTable);
}

namespace {

// A GC handle; the runtime marks a weak one of a context that is being unloaded with the lowest bit.
Address contextObject(const ClrRuntime& runtime, Address binder) {
  const auto handle = runtime.pointerAt(binder, "AssemblyBinder", "ManagedLoadContext");
  if (!handle) return {};
  return runtime.memory().readPointer({handle->value & ~std::uint64_t{1}}).value_or(Address{});
}

}  // namespace

const Module* moduleLivedWith(const RuntimeReaders& readers, const MethodTable& type) {
  const auto loader = readers.methodTables.loaderModule(type);
  const Module* module = loader ? readers.modules.find(*loader) : nullptr;
  return module ? module : readers.modules.definingModule(readers.methodTables, type);
}

LoadContext contextOfType(const RuntimeReaders& readers, const MethodTable& type) {
  const Module* module = moduleLivedWith(readers, type);
  return module ? contextOf(readers, *module) : LoadContext{};
}

LoadContext contextOf(const RuntimeReaders& readers, const Module& module) {
  LoadContext context{readers.loadContexts.nameOf(module), {}, module.isCollectible};
  const Module* coreLibrary = readers.modules.coreLibrary();
  const auto binder = readers.loadContexts.binderOf(module);
  const auto defaultBinder = coreLibrary ? readers.loadContexts.binderOf(*coreLibrary) : binder;
  const bool isOther = binder && *binder && defaultBinder && *defaultBinder != *binder;
  if (isOther) context.object = contextObject(readers.runtime, *binder);
  return context;
}

Address loadContextObjectOf(const RuntimeReaders& readers, const MethodTable& type) {
  const Module* module = readers.modules.definingModule(readers.methodTables, type);
  const auto binder = module ? readers.loadContexts.binderOf(*module) : Result<Address>(Address{});
  return binder && *binder ? contextObject(readers.runtime, *binder) : Address{};
}

std::string textOf(const LoadContext& context) {
  return context.isCollectible && context.object ? context.name + " " + toString(context.object) : context.name;
}

}  // namespace heapscape::engine
