// SPDX-License-Identifier: MIT
#include "layout/declared/type_namer.h"

#include "base/limits.h"
#include "metadata/names/type_name.h"

namespace heapscape::engine {
namespace {

constexpr std::string_view kUnknownName = "?";
constexpr std::size_t kMaxBytesInAll = 256 << 20;  // of names that are kept

// Arguments of arguments may each double a crafted name.
std::string bounded(std::string name) {
  return name.size() <= kLimits.nameBytes ? name : std::string(kUnknownName);
}

}  // namespace

// Recursion ends with the nesting of closed types, which their table bounds.
const std::string& TypeNamer::nameOf(ClosedTypeId id) {
  if (id.value < m_names.size() && m_names[id.value]) return *m_names[id.value];
  std::string name = m_bytes < kMaxBytesInAll ? bounded(makeName(m_types.at(id))) : std::string(kUnknownName);
  m_bytes += name.size();
  if (id.value >= m_names.size()) m_names.resize(m_types.size());
  m_names[id.value] = std::make_unique<const std::string>(std::move(name));
  return *m_names[id.value];
}

std::string TypeNamer::makeName(const ClosedType& type) {
  switch (type.element) {
    case ElementType::SzArray:
      return nameOf(type.arguments.front()) + "[]";
    case ElementType::Array:
      return nameOf(type.arguments.front()) + arraySuffix(type.rank);
    case ElementType::Ptr:
      return nameOf(type.arguments.front()) + "*";
    case ElementType::ByRef:
      return nameOf(type.arguments.front()) + "&";
    case ElementType::FnPtr:
      return functionPointerName(type);
    case ElementType::Class:
    case ElementType::ValueType:
      break;
    default:
      return std::string(primitiveName(type.element));
  }
  const std::string definition = m_assemblies.metadata(type.assembly).typeDefName(type.typeDefRow);
  if (type.arguments.empty()) return definition;
  std::vector<std::string> names;
  names.reserve(type.arguments.size());
  for (const ClosedTypeId argument : type.arguments) names.push_back(nameOf(argument));
  return withTypeArguments(definition, names);
}

std::string TypeNamer::functionPointerName(const ClosedType& type) {
  std::string name = type.arguments.empty() ? std::string(kUnknownName) : nameOf(type.arguments.front());
  name += " (";
  for (std::size_t part = 1; part < type.arguments.size() && name.size() <= kLimits.nameBytes; ++part) {
    if (part > 1) name += ", ";
    name += nameOf(type.arguments[part]);
  }
  return name + ")";
}

std::string TypeNamer::fieldTypeName(ClosedTypeId owner, const FieldDeclaration& field) {
  if (!field.type.isNone()) return nameOf(field.type);
  const ClosedType& type = m_types.at(owner);
  const Metadata& metadata = m_assemblies.metadata(type.assembly);
  const auto row = metadata.field(field.fieldRow);
  const auto signature = row ? decodeFieldSignature(row->signature) : failure(ErrorCode::NotFound, {});
  if (!signature) return std::string(kUnknownName);
  const auto argumentName = [&](std::uint32_t number) {
    return number < type.arguments.size() ? nameOf(type.arguments[number]) : std::string(kUnknownName);
  };
  return signatureTypeName(metadata, *signature, {.typeParameter = argumentName});
}

}  // namespace heapscape::engine
