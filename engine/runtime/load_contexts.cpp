// SPDX-License-Identifier: MIT
#include "runtime/load_contexts.h"

#include "base/limits.h"
#include "runtime/managed_string.h"

namespace heapscape::engine {
namespace {

constexpr std::string_view kBaseType = "System.Runtime.Loader.AssemblyLoadContext";
constexpr std::string_view kNameField = "_name";
constexpr std::uint32_t kFieldsStart = 8;  // behind the method table pointer
constexpr std::size_t kMaximumNameLength = 256;

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
  auto methodTable = runtime.pointerAt(object, "Object", "m_pMethTab");
  if (!methodTable) return {};
  methodTable->value &= ~runtime.contract().constant("ObjectToMethodTableUnmask");
  const auto type = m_methodTables.read(*methodTable);
  if (!type) return {};
  const auto offset = offsetOfName(*type);
  const auto text =
      offset ? runtime.memory().readPointer(object + kFieldsStart + *offset) : tl::unexpected<Error>(offset.error());
  const auto name =
      text && *text ? readManagedString(runtime, *text, kMaximumNameLength) : failure(ErrorCode::NotFound, {});
  return name && !name->empty() ? *name : m_names.nameOf(*methodTable);
}

Result<std::uint32_t> LoadContexts::offsetOfName(MethodTable type) const {
  for (std::size_t depth = 0; depth < kLimits.parentDepth; ++depth) {
    if (m_names.nameOf(type.address) == kBaseType) {
      HEAPSCAPE_TRY(const std::vector<FieldDesc> fields, m_fields.declaredBy(type));
      for (const FieldDesc& field : fields) {
        if (!field.isStatic && field.name == kNameField) return field.offset;
      }
      break;
    }
    HEAPSCAPE_TRY(type, m_methodTables.read(type.parent));
  }
  return failure(ErrorCode::NotFound, "The object is no load context.");
}

}  // namespace heapscape::engine
