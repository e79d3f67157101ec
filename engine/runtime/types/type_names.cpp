// SPDX-License-Identifier: MIT
#include "runtime/types/type_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <string_view>

#include "base/limits.h"
#include "metadata/names/type_name.h"
#include "runtime/aot/aot_program.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kTypeDefTable = 0x02000000;
constexpr std::uint32_t kRowMask = 0x00ffffff;

}  // namespace

const std::string& TypeNames::nameOf(TypeHandle handle) const {
  if (const AotProgram* aot = m_methodTables.runtime().aot()) {
    const AotToldTypes* told = AotToldTypes::isPlain(handle) ? aot->debugFile.types() : nullptr;
    return told ? told->nameOf(handle) : aot->names.nameOf(handle);
  }
  {
    const std::shared_lock lock(m_mutex);
    if (const std::string* known = m_names.find(handle)) return *known;
  }
  const std::unique_lock lock(m_mutex);
  return nameOfNested(handle, 0);
}

std::string TypeNames::definitionName(const MethodTable& type) const {
  if (type.isArray) return {};
  if (const AotProgram* aot = m_methodTables.runtime().aot()) {
    const auto read = aot->methodTables.read(type.address);
    const auto definition =
        read && read->isGenericInstance ? aot->methodTables.genericDefinition(*read) : Result<Address>(type.address);
    return definition ? aot->modules.definitionName(*definition) : std::string();
  }
  const Module* module = m_modules.definingModule(m_methodTables, type);
  const auto row = m_methodTables.typeDefRow(type);
  return module && module->metadata && row ? module->metadata->typeDefName(*row) : std::string();
}

const std::string& TypeNames::nameOfNested(TypeHandle handle, std::size_t depth) const {
  if (!handle || depth > kLimits.nestingDepth) return m_names.unknown(handle);
  if (const std::string* known = m_names.find(handle)) return *known;
  return m_names.keep(
      handle, m_methodTables.isTypeDesc(handle) ? nameOfTypeDesc(handle, depth) : nameOfMethodTable(handle, depth));
}

std::size_t TypeNames::cutNames() const {
  if (const AotProgram* aot = m_methodTables.runtime().aot()) return aot->names.cutNames();
  const std::shared_lock lock(m_mutex);
  return m_names.cutNames();
}

std::string TypeNames::nameOfMethodTable(TypeHandle handle, std::size_t depth) const {
  const auto type = m_methodTables.read(handle);
  if (!type) return unknownTypeName(handle);
  if (type->isArray) return nameOfArray(*type, depth);
  if (type->isContinuation) return nameOfContinuation(*type);
  const Module* module = m_modules.definingModule(m_methodTables, *type);
  const auto row = m_methodTables.typeDefRow(*type);
  if (!module || !row) return unknownTypeName(handle);
  const std::string definition = module->metadata ? module->metadata->typeDefName(*row) : std::string();
  if (definition.empty())
    return fmt::format("{}!{:#010x}", module->name.empty() ? "?" : module->name, kTypeDefTable | *row);

  const auto arguments = m_methodTables.typeArguments(*type);
  if (!arguments || arguments->empty()) return definition;
  std::vector<std::string> names;
  names.reserve(arguments->size());
  for (const TypeHandle argument : *arguments) names.push_back(nameOfNested(argument, depth + 1));
  return withTypeArguments(definition, names);
}

// As the DAC names them: bytes of the saved locals, then where the references among them lie and how many there are.
std::string TypeNames::nameOfContinuation(const MethodTable& type) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  const std::uint64_t ownStart = runtime.contract().sizeOf("ContinuationObject");
  const std::uint64_t withoutLocals = ownStart + kPointerBytes;  // the header of the next object
  if (type.baseSize < withoutLocals) return unknownTypeName(type.address);
  std::string name = fmt::format("Continuation_{}", type.baseSize - withoutLocals);
  std::uint64_t series = 0;
  if (!type.containsPointers || !runtime.memory().tryRead(type.address - kPointerBytes, series)) return name;
  for (std::uint64_t i = 1; i <= std::min<std::uint64_t>(series, type.baseSize / kPointerBytes); ++i) {
    const Address at = type.address - kPointerBytes - 2 * kPointerBytes * i;
    std::uint64_t bytes = 0, offset = 0;  // what is kept of the bytes is their difference to the object's
    if (!runtime.memory().tryRead(at, bytes) || !runtime.memory().tryRead(at + kPointerBytes, offset)) break;
    if (offset >= ownStart) name += fmt::format("_{}_{}", offset - ownStart, (bytes + type.baseSize) / kPointerBytes);
  }
  return name;
}

std::string TypeNames::nameOfArray(const MethodTable& array, std::size_t depth) const {
  const auto element = m_methodTables.arrayElementType(array);
  const auto rank = m_methodTables.arrayRank(array);
  if (!element || !rank) return unknownTypeName(array.address);
  return nameOfNested(*element, depth + 1) + (array.isSzArray ? "[]" : arraySuffix(*rank));
}

// TypeDescs stand for what has no method table of its own (src/coreclr/vm/typedesc.h).
std::string TypeNames::nameOfTypeDesc(TypeHandle handle, std::size_t depth) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  const Contract& contract = runtime.contract();
  const Address typeDesc = handle - contract.constant("TypeHandle.TypeDescBit");
  const auto flags = runtime.valueAt<std::uint32_t>(typeDesc, "TypeDesc", "TypeAndFlags");
  if (!flags) return unknownTypeName(handle);
  const auto kind = static_cast<ElementType>(*flags & contract.constant("TypeDesc.KindMask"));
  switch (kind) {
    case ElementType::Ptr:
    case ElementType::ByRef: {
      const auto target = runtime.pointerAt(typeDesc, "ParamTypeDesc", "TypeArg");
      if (!target) return unknownTypeName(handle);
      return nameOfNested(*target, depth + 1) + (kind == ElementType::Ptr ? "*" : "&");
    }
    case ElementType::Var:
    case ElementType::MVar:
      return nameOfTypeVariable(typeDesc);
    case ElementType::FnPtr:
      return nameOfFunctionPointer(typeDesc, depth);
    default:
      return unknownTypeName(handle);
  }
}

std::string TypeNames::nameOfTypeVariable(Address typeDesc) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  const auto moduleAddress = runtime.pointerAt(typeDesc, "TypeVarTypeDesc", "Module");
  const auto token = runtime.valueAt<std::uint32_t>(typeDesc, "TypeVarTypeDesc", "Token");
  const Module* module = moduleAddress ? m_modules.find(*moduleAddress) : nullptr;
  const auto parameter =
      module && module->metadata && token ? module->metadata->genericParam(*token & kRowMask) : std::nullopt;
  return parameter ? std::string(parameter->name) : unknownTypeName(typeDesc);
}

std::string TypeNames::nameOfFunctionPointer(Address typeDesc, std::size_t depth) const {
  const ClrRuntime& runtime = m_methodTables.runtime();
  const auto count = runtime.valueAt<std::uint32_t>(typeDesc, "FnPtrTypeDesc", "NumArgs");
  if (!count || *count > kLimits.typeArguments) return unknownTypeName(typeDesc);
  const Address types = runtime.member(typeDesc, "FnPtrTypeDesc", "RetAndArgTypes");
  std::string returned;
  std::string parameters;
  for (std::uint32_t i = 0; i <= *count; ++i) {
    Address part;
    if (!runtime.memory().tryRead(types + 8ull * i, part)) return unknownTypeName(typeDesc);
    const std::string& name = nameOfNested(part, depth + 1);
    if (i == 0) {
      returned = name;
    } else {
      parameters += (i > 1 ? ", " : "") + name;
    }
  }
  return returned + " (" + parameters + ")";
}

}  // namespace heapscape::engine
