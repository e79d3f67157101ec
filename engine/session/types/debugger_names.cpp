// SPDX-License-Identifier: MIT
#include "session/types/debugger_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/limits.h"
#include "metadata/names/type_name.h"

namespace heapscape::engine {
namespace {

constexpr const char* kUnknownType = "**UNKNOWN TYPE**";

void appendLimited(std::string& name, std::string_view part) {
  if (name.size() + part.size() <= kLimits.nameBytes) name += part;
}

/// The runtime puts a backslash in front of what has a meaning in names of types (IsTypeNameReservedChar,
/// src/coreclr/vm/typestring.cpp). A plus that parts nested types is none of the name's own.
std::string escaped(std::string_view name) {
  std::string text;
  for (const char character : name) {
    if (std::string_view(",[]&*\\").find(character) != std::string_view::npos) text += '\\';
    text += character;
  }
  return text;
}

/// Names of primitives in signatures: "Int32".
std::string shortPrimitive(ElementType element) {
  const std::string_view name = primitiveName(element);
  constexpr std::string_view kSystem = "System.";
  if (element == ElementType::String || element == ElementType::Object) return std::string(name);
  return std::string(name.starts_with(kSystem) ? name.substr(kSystem.size()) : name);
}

std::string withNameSpaceOf(std::string_view nameSpace, std::string_view name) {
  return nameSpace.empty() ? std::string(name) : fmt::format("{}.{}", nameSpace, name);
}

}  // namespace

const std::string& DebuggerNames::ofType(TypeHandle type) {
  const auto [known, isNew] = m_types.try_emplace(type);
  if (isNew && type) known->second = typeName(type, 0);
  return known->second;
}

const std::string& DebuggerNames::ofMethod(Address methodDesc) {
  const auto [known, isNew] = m_methods.try_emplace(methodDesc);
  if (isNew && methodDesc) known->second = methodName(methodDesc);
  return known->second;
}

std::string DebuggerNames::assemblyOf(const Module& module) const {
  const auto identity = module.metadata ? module.metadata->assembly() : std::nullopt;
  if (identity) return std::string(identity->name);
  const std::size_t ending = module.name.rfind('.');
  return module.name.substr(0, module.isDynamic ? std::string::npos : ending);
}

const Module* DebuggerNames::moduleOf(TypeHandle type) const {
  const auto read = m_readers.methodTables.read(type);
  return read ? m_readers.modules.definingModule(m_readers.methodTables, *read) : nullptr;
}

std::string DebuggerNames::typeName(TypeHandle handle, std::size_t depth) const {
  const MethodTables& methodTables = m_readers.methodTables;
  if (depth > kLimits.nestingDepth) return kUnknownType;
  if (methodTables.isTypeDesc(handle)) return typeDescName(handle, depth);
  const auto type = methodTables.read(handle);
  if (!type) return {};
  if (type->isArray) {
    const auto element = methodTables.arrayElementType(*type);
    const auto rank = methodTables.arrayRank(*type);
    if (!element || !rank) return kUnknownType;
    std::string name = typeName(*element, depth + 1);
    appendLimited(name, type->isSzArray ? "[]" : arraySuffix(*rank));
    return name;
  }
  const Module* module = m_readers.modules.definingModule(methodTables, *type);
  const auto row = methodTables.typeDefRow(*type);
  if (!module || !module->metadata || !row || type->isContinuation) return m_readers.names.nameOf(handle);
  std::string name = escaped(module->metadata->typeDefName(*row));
  if (const auto arguments = methodTables.typeArguments(*type)) appendLimited(name, argumentList(*arguments, depth));
  return name;
}

std::string DebuggerNames::argumentList(const std::vector<TypeHandle>& arguments, std::size_t depth) const {
  if (arguments.empty()) return {};
  std::string list = "[";
  for (const TypeHandle argument : arguments) {
    if (list.size() > 1) list += ',';
    list += '[';
    appendLimited(list, typeName(argument, depth + 1));
    // Pointers and arrays are where their elements are.
    TypeHandle named = argument;
    for (std::size_t i = 0; i < kLimits.nestingDepth && m_readers.methodTables.isTypeDesc(named); ++i) {
      const Address typeDesc = named - m_readers.runtime.contract().constant("TypeHandle.TypeDescBit");
      const auto target = m_readers.runtime.pointerAt(typeDesc, "ParamTypeDesc", "TypeArg");
      if (!target || m_readers.methodTables.isTypeVariable(named)) break;
      named = *target;
    }
    if (const Module* module = moduleOf(named)) appendLimited(list, ", " + assemblyOf(*module));
    list += ']';
  }
  return list + ']';
}

std::string DebuggerNames::typeDescName(TypeHandle handle, std::size_t depth) const {
  const ClrRuntime& runtime = m_readers.runtime;
  const Address typeDesc = handle - runtime.contract().constant("TypeHandle.TypeDescBit");
  const auto flags = runtime.valueAt<std::uint32_t>(typeDesc, "TypeDesc", "TypeAndFlags");
  const auto kind = static_cast<ElementType>(flags.value_or(0) & runtime.contract().constant("TypeDesc.KindMask"));
  if (kind != ElementType::Ptr && kind != ElementType::ByRef) return m_readers.names.nameOf(handle);
  const auto target = runtime.pointerAt(typeDesc, "ParamTypeDesc", "TypeArg");
  if (!target) return kUnknownType;
  std::string name = typeName(*target, depth + 1);
  appendLimited(name, kind == ElementType::Ptr ? "*" : "&");
  return name;
}

std::string DebuggerNames::methodName(Address methodDesc) const {
  if (const auto compiled = m_readers.methodNames.compiledName(methodDesc)) return compiled->text();
  const auto method = m_readers.methods.read(methodDesc);
  if (!method) return {};
  const auto declaring = m_readers.methodTables.read(method->methodTable);
  const Module* module = m_readers.methodNames.moduleOf(*method);
  const bool isDynamic = method->classification == MethodClassification::Dynamic;
  std::string name;
  if (isDynamic) {
    name = m_readers.methodNames.bareName(*method).starts_with("IL_STUB") ? "ILStubClass" : "DynamicClass";
  } else if (declaring) {
    name = typeName(method->methodTable, 0);
  }
  appendLimited(name, "." + m_readers.methodNames.bareName(*method));
  if (!isDynamic) appendLimited(name, argumentList(m_readers.methods.typeArguments(*method), 0));
  appendLimited(name, parameters(*method, module, declaring ? &*declaring : nullptr));
  return name;
}

std::string DebuggerNames::parameters(const MethodDesc& method, const Module* module,
                                      const MethodTable* declaring) const {
  const auto signature = decodeMethodSignature(signatureBytesOf(m_readers.runtime, method, module));
  if (!signature) return "()";
  const auto arguments =
      declaring ? m_readers.methodTables.typeArguments(*declaring) : failure(ErrorCode::NotFound, {});
  const SignatureContext context =
      signatureContextOf(m_readers.methods, method, module, arguments ? *arguments : std::vector<TypeHandle>());
  std::string list = "(";
  for (const SignatureType& parameter : signature->parameters) {
    if (list.size() > 1) appendLimited(list, ", ");
    appendLimited(list, signatureType(parameter, context, 0));
  }
  return list + ')';
}

std::string DebuggerNames::signatureType(const SignatureType& type, const SignatureContext& context,
                                         std::size_t depth) const {
  if (depth > kLimits.nestingDepth) return kUnknownType;
  const auto inner = [&](const char* suffix) {
    std::string name = type.parts.empty() ? kUnknownType : signatureType(type.parts.front(), context, depth + 1);
    appendLimited(name, suffix);
    return name;
  };
  const auto parameter = [&](const std::vector<TypeHandle>& arguments, const char* mark) {
    return type.number < arguments.size() ? signatureType(arguments[type.number], depth + 1)
                                          : fmt::format("{}{}", mark, type.number);
  };
  const auto token = [&](Token of) {
    const Metadata* metadata = context.module ? context.module->metadata.get() : nullptr;
    if (!metadata) return std::string(kUnknownType);
    if (of.table == TableId::TypeDef) {
      const auto row = metadata->typeDef(of.row);
      return row ? withNameSpaceOf(row->nameSpace, row->name) : std::string(kUnknownType);
    }
    const auto row = of.table == TableId::TypeRef ? metadata->typeRef(of.row) : std::nullopt;
    return row ? withNameSpaceOf(row->nameSpace, row->name) : std::string(kUnknownType);
  };
  switch (type.element) {
    case ElementType::ByRef:
      return inner(" ByRef");
    case ElementType::Ptr:
      return inner("*");
    case ElementType::SzArray:
      return inner("[]");
    case ElementType::Array:
      return inner(fmt::format("[{:,<{}}]", "", std::max(type.number, 1u) - 1).c_str());
    case ElementType::Var:
      return parameter(context.arguments, "!");
    case ElementType::MVar:
      return parameter(context.methodArguments, "!!");
    case ElementType::Class:
    case ElementType::ValueType:
      return token(type.token);
    case ElementType::Internal:
      return signatureType(TypeHandle{type.handle}, depth + 1);
    case ElementType::TypedByRef:
      return "TypedReference";
    case ElementType::GenericInst: {
      std::string name = type.handle ? signatureType(TypeHandle{type.handle}, depth + 1) : token(type.token);
      appendLimited(name, "<");
      for (const SignatureType& part : type.parts) {
        if (&part != type.parts.data()) appendLimited(name, ",");
        appendLimited(name, signatureType(part, context, depth + 1));
      }
      appendLimited(name, ">");
      return name;
    }
    case ElementType::FnPtr: {
      std::string name = inner(" (");
      for (std::size_t i = 1; i < type.parts.size(); ++i) {
        if (i > 1) appendLimited(name, ", ");
        appendLimited(name, signatureType(type.parts[i], context, depth + 1));
      }
      appendLimited(name, ")");
      return name;
    }
    default:
      break;
  }
  const std::string primitive = shortPrimitive(type.element);
  return primitive.empty() ? kUnknownType : primitive;
}

std::string DebuggerNames::signatureType(TypeHandle handle, std::size_t depth) const {
  const MethodTables& methodTables = m_readers.methodTables;
  if (depth > kLimits.nestingDepth) return kUnknownType;
  if (methodTables.isTypeDesc(handle)) return typeDescName(handle, depth);
  const auto type = methodTables.read(handle);
  if (!type) return kUnknownType;
  if (type->isArray) {
    const auto element = methodTables.arrayElementType(*type);
    if (!element) return kUnknownType;
    const auto rank = methodTables.arrayRank(*type);
    std::string name = signatureType(*element, depth + 1);
    appendLimited(name, type->isSzArray ? "[]" : fmt::format("[{:,<{}}]", "", std::max(rank.value_or(1), 1u) - 1));
    return name;
  }
  const Module* module = m_readers.modules.definingModule(methodTables, *type);
  const auto row = methodTables.typeDefRow(*type);
  const auto definition = module && module->metadata && row ? module->metadata->typeDef(*row) : std::nullopt;
  if (!definition) return kUnknownType;
  std::string name = withNameSpaceOf(definition->nameSpace, definition->name);
  const auto element = methodTables.normalisedElementType(*type);
  // Enums have the element type of their numbers, and are not meant.
  if (element && name == primitiveName(*element)) return shortPrimitive(*element);
  const auto arguments = methodTables.typeArguments(*type);
  if (!arguments || arguments->empty()) return name;
  appendLimited(name, "<");
  for (std::size_t i = 0; i < arguments->size(); ++i) {
    if (i > 0) appendLimited(name, ",");
    appendLimited(name, signatureType((*arguments)[i], depth + 1));
  }
  appendLimited(name, ">");
  return name;
}

}  // namespace heapscape::engine
