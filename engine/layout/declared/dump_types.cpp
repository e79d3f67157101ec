// SPDX-License-Identifier: MIT
#include "layout/declared/dump_types.h"

#include <fmt/format.h>

#include "base/limits.h"

namespace heapscape::engine {
namespace {

constexpr std::string_view kVectorOfT = "System.Numerics.Vector`1";

std::string withoutEnding(std::string_view fileName) {
  for (const std::string_view ending : {".dll", ".exe"}) {
    if (fileName.ends_with(ending)) return std::string(fileName.substr(0, fileName.size() - ending.size()));
  }
  return std::string(fileName);
}

}  // namespace

AssemblySource assemblySourceOf(const RuntimeReaders& readers, const Module& module) {
  AssemblySource source{.name = withoutEnding(module.name),
                        .path = module.path,
                        .metadata = module.metadata,
                        .isReadyToRun = module.isReadyToRun,
                        .loadContext = readers.loadContexts.binderOf(module).value_or(Address{}).value};
  const auto identity = module.metadata ? module.metadata->assembly() : std::nullopt;
  if (identity) {
    source.name = identity->name;
    source.version = identity->version;
  }
  // The header may not be in the dump though the metadata is; the COR header has told that there is one.
  ReadyToRunFacts facts = readers.modules.readyToRunFacts(module);
  source.versionBubble = std::move(facts.manifestAssemblies);
  source.compositeImage = std::move(facts.compositeImage);
  return source;
}

DumpTypes::DumpTypes(const RuntimeReaders& readers, MetadataTypes& types) : m_readers(readers), m_types(types) {
  for (const Module* module : readers.modules.all()) (void)assemblyOf(*module);
}

AssemblyId DumpTypes::assemblyOf(const Module& module) {
  if (!module.metadata) return {};
  const auto known = m_assemblies.find(module.address);
  if (known != m_assemblies.end()) return known->second;
  return m_assemblies.emplace(module.address, m_types.add(assemblySourceOf(m_readers, module))).first->second;
}

LayoutRuntime DumpTypes::runtime() const {
  LayoutRuntime runtime = LayoutRuntime::of(m_readers.runtime.contract().architecture());
  const Module* core = m_readers.modules.coreLibrary();
  const auto identity = core && core->metadata ? core->metadata->assembly() : std::nullopt;
  if (!identity) return runtime;
  runtime.majorVersion = identity->version[0];
  const std::uint32_t vector = core->metadata->findTypeDef(kVectorOfT);
  if (vector == 0) return runtime;
  // The machine's vectors have a size that only a closed Vector<T> knows.
  for (const Address address : m_readers.loadedTypes.all()) {
    const auto type = m_readers.methodTables.read(address);
    if (!type || !type->isValueType || !type->isGenericInstance) continue;
    if (m_readers.methodTables.typeDefRow(*type).value_or(0) != vector) continue;
    if (m_readers.modules.definingModule(m_readers.methodTables, *type) != core) continue;
    const auto size = m_readers.methodTables.valueSize(*type);
    if (size && (*size == 16 || *size == 32 || *size == 64)) {
      runtime.vectorBytes = *size;
      break;
    }
  }
  return runtime;
}

Result<ClosedTypeId> DumpTypes::closedTypeOf(TypeHandle handle) {
  return close(handle, 0);
}

Result<ClosedTypeId> DumpTypes::close(TypeHandle handle, std::size_t depth) {
  if (depth > kLimits.nestingDepth) return failure(ErrorCode::Damaged, "Type arguments are nested without end.");
  const auto known = m_closed.find(handle);
  if (known != m_closed.end()) return known->second;
  HEAPSCAPE_TRY(const ClosedTypeId id, m_readers.methodTables.isTypeDesc(handle) ? closeTypeDesc(handle, depth)
                                                                                 : closeMethodTable(handle, depth));
  m_closed.emplace(handle, id);
  return id;
}

Result<ClosedTypeId> DumpTypes::closeMethodTable(TypeHandle handle, std::size_t depth) {
  const MethodTables& methodTables = m_readers.methodTables;
  HEAPSCAPE_TRY(const MethodTable type, methodTables.read(handle));
  if (type.isArray) {
    HEAPSCAPE_TRY(const TypeHandle elementType, methodTables.arrayElementType(type));
    HEAPSCAPE_TRY(const std::uint32_t rank, methodTables.arrayRank(type));
    HEAPSCAPE_TRY(const ClosedTypeId element, close(elementType, depth + 1));
    return m_types.arrayOf(element, rank, type.isSzArray);
  }
  const Module* module = m_readers.modules.definingModule(methodTables, type);
  const AssemblyId assembly = module ? assemblyOf(*module) : AssemblyId{};
  if (assembly.isNone()) {
    return failure(ErrorCode::NotFound, fmt::format("The metadata of {} is not in the dump.",
                                                    module && !module->name.empty() ? module->name : "a module"));
  }
  HEAPSCAPE_TRY(const std::uint32_t row, methodTables.typeDefRow(type));
  HEAPSCAPE_TRY(const std::vector<TypeHandle> handles, methodTables.typeArguments(type));
  std::vector<ClosedTypeId> arguments;
  arguments.reserve(handles.size());
  for (const TypeHandle argument : handles) {
    HEAPSCAPE_TRY(const ClosedTypeId closed, close(argument, depth + 1));
    arguments.push_back(closed);
  }
  return m_types.instantiate(assembly, row, arguments);
}

// TypeDescs stand for what has no method table of its own (src/coreclr/vm/typedesc.h).
Result<ClosedTypeId> DumpTypes::closeTypeDesc(TypeHandle handle, std::size_t depth) {
  const ClrRuntime& runtime = m_readers.runtime;
  const Address typeDesc = handle - runtime.contract().constant("TypeHandle.TypeDescBit");
  HEAPSCAPE_TRY(const auto flags, runtime.valueAt<std::uint32_t>(typeDesc, "TypeDesc", "TypeAndFlags"));
  const auto kind = static_cast<ElementType>(flags & runtime.contract().constant("TypeDesc.KindMask"));
  if (kind == ElementType::FnPtr) return closeFunctionPointer(typeDesc, depth);
  if (kind == ElementType::Ptr || kind == ElementType::ByRef) {
    HEAPSCAPE_TRY(const Address target, runtime.pointerAt(typeDesc, "ParamTypeDesc", "TypeArg"));
    HEAPSCAPE_TRY(const ClosedTypeId closed, close(target, depth + 1));
    return m_types.pointerTo(closed, kind);
  }
  if (kind == ElementType::Var || kind == ElementType::MVar) {
    return failure(ErrorCode::BadQuery, "An open generic type has no layout.", "Name one with type arguments.");
  }
  return failure(ErrorCode::Damaged, "A type description is of no known kind.");
}

Result<ClosedTypeId> DumpTypes::closeFunctionPointer(Address typeDesc, std::size_t depth) {
  const ClrRuntime& runtime = m_readers.runtime;
  HEAPSCAPE_TRY(const auto count, runtime.valueAt<std::uint32_t>(typeDesc, "FnPtrTypeDesc", "NumArgs"));
  if (count > kLimits.typeArguments) {
    return failure(ErrorCode::Damaged, "A function pointer claims more parameters than any real one has.");
  }
  const Address types = runtime.member(typeDesc, "FnPtrTypeDesc", "RetAndArgTypes");
  std::vector<ClosedTypeId> parts;
  for (std::uint32_t part = 0; part <= count; ++part) {
    HEAPSCAPE_TRY(const Address type, runtime.memory().readPointer(types + 8ull * part));
    HEAPSCAPE_TRY(const ClosedTypeId closed, close(type, depth + 1));
    parts.push_back(closed);
  }
  return m_types.functionPointer(std::move(parts));
}

}  // namespace heapscape::engine
