// SPDX-License-Identifier: MIT
#include "layout/declared/declaration_reader.h"

#include <fmt/format.h>
#include "layout/declared_kind.h"
#include "layout/inline_array.h"

#include "base/limits.h"
#include "layout/declared/metadata_flags.h"

namespace heapscape::engine {
namespace {

constexpr std::string_view kIsByRefLike = "System.Runtime.CompilerServices.IsByRefLikeAttribute";

Error inField(std::string_view field, Error error) {
  error.what = fmt::format("The type of the field {} is not known: {}", field, error.what);
  return error;
}

bool isReference(ElementType element) {
  return element == ElementType::Class || element == ElementType::SzArray || element == ElementType::Array;
}

std::optional<std::uint8_t> nativeTypeOf(const Metadata& metadata, const FieldRow& field, std::uint32_t row) {
  return field.flags & fieldFlags::kHasFieldMarshal ? metadata.nativeTypeOf(row) : std::nullopt;
}

}  // namespace

Result<TypeDeclaration> DeclarationReader::read(const ClosedType& type) {
  if (type.typeDefRow == 0 || !m_assemblies.has(type.assembly)) {
    return failure(ErrorCode::BadQuery, "Arrays, pointers and types that are not found have no declaration.");
  }
  const TypeDefinition definition{type.assembly, type.typeDefRow};
  HEAPSCAPE_TRY(const DefinitionFacts facts, m_definitions.factsOf(definition));
  const Metadata& metadata = m_assemblies.metadata(type.assembly);
  const auto row = metadata.typeDef(type.typeDefRow);
  if (!row) return failure(ErrorCode::Damaged, "A type has no definition.");
  TypeDeclaration declaration{.kind = facts.kind,
                              .wellKnown = facts.wellKnown,
                              .layoutKind = declaredLayoutKind(metadata, type.typeDefRow, row->flags),
                              .isGeneric = isGeneric(metadata, type.typeDefRow),
                              .isByRefLike = metadata.typeAttribute(type.typeDefRow, kIsByRefLike).has_value(),
                              .isAnsi = (row->flags & typeFlags::kStringFormatMask) == 0,
                              .isAbstract = (row->flags & typeFlags::kAbstract) != 0,
                              .inlineArrayLength = inlineArrayLength(metadata, type.typeDefRow),
                              .underlying = facts.underlying,
                              .typeDefRow = type.typeDefRow,
                              .assembly = type.assembly};
  if (const auto layout = metadata.classLayout(type.typeDefRow)) {
    declaration.hasClassLayout = true;
    declaration.pack = layout->packingSize;
    declaration.size = layout->classSize;
  }
  if (!facts.isValueType() && facts.kind != TypeKind::Interface && !row->extends.isNil()) {
    HEAPSCAPE_TRY(declaration.base, readBase(type, row->extends));
  }
  HEAPSCAPE_CHECK(readFields(type, row->flags, declaration));
  return declaration;
}

bool DeclarationReader::isGeneric(const Metadata& metadata, std::uint32_t typeDefRow) const {
  for (std::size_t depth = 0; typeDefRow != 0 && depth < kLimits.nestingDepth; ++depth) {
    if (!metadata.genericParamNames({TableId::TypeDef, typeDefRow}).empty()) return true;
    typeDefRow = metadata.enclosingTypeDef(typeDefRow);
  }
  return false;
}

Result<ClosedTypeId> DeclarationReader::readBase(const ClosedType& type, Token extends) {
  SignatureType signature{.element = ElementType::Class, .token = extends};
  if (extends.table == TableId::TypeSpec) {
    const auto bytes = m_assemblies.metadata(type.assembly).typeSpec(extends.row);
    HEAPSCAPE_TRY(signature, decodeTypeSpec(bytes.value_or(Bytes{})));
  }
  HEAPSCAPE_TRY(const ClosedTypeId base, m_closer.close(type.assembly, signature, type.arguments));
  if (m_types.at(base).element != ElementType::Class) {
    return failure(ErrorCode::Damaged, "A class derives from something that is no class.");
  }
  return base;
}

// Rows of many types, and many instantiations, may lead to the same fields and to the same long signature.
Result<void> DeclarationReader::countField(const FieldRow& field) {
  constexpr std::size_t kBytesForOne = 64;
  m_bytesRead += kBytesForOne + field.signature.size();
  if (m_bytesRead <= kLimits.declarationBytes) return {};
  return failure(ErrorCode::Damaged, "The types have more fields in all than those of any program.");
}

Result<void> DeclarationReader::readFields(const ClosedType& type, std::uint32_t typeAttributes,
                                           TypeDeclaration& declaration) {
  const Metadata& metadata = m_assemblies.metadata(type.assembly);
  const auto [first, last] = metadata.fieldRowsOf(type.typeDefRow);
  const bool isUnion = isUnionOfC(metadata, type.typeDefRow, typeAttributes);
  if (last - first > kLimits.fieldsPerType) {
    return failure(ErrorCode::Damaged, "A type claims more fields than the runtime allows.");
  }
  for (std::uint32_t place = first; place < last; ++place) {
    const std::uint32_t row = metadata.fieldRowAt(place);
    const auto read = metadata.field(row);
    if (!read) return failure(ErrorCode::Damaged, "A type names fields that are not in its metadata.");
    HEAPSCAPE_CHECK(countField(*read));
    if (!isInstanceField(*read)) continue;
    FieldDeclaration field{.name = read->name,
                           .explicitOffset = isUnion ? std::optional<std::uint32_t>(0) : metadata.fieldOffset(row),
                           .nativeType = nativeTypeOf(metadata, *read, row),
                           .fieldRow = row};
    const auto signature = decodeFieldSignature(read->signature);
    if (!signature) return tl::unexpected<Error>(inField(read->name, signature.error()));
    if (const auto known = readFieldType(type, *signature, field); !known) {
      return tl::unexpected<Error>(inField(read->name, known.error()));
    }
    declaration.fields.push_back(field);
  }
  return {};
}

// The runtime does not load the types that references and pointers lead to in order to lay them out, and neither do we:
// they may well be missing.
Result<void> DeclarationReader::readFieldType(const ClosedType& type, const SignatureType& signature,
                                              FieldDeclaration& field) {
  switch (signature.element) {
    case ElementType::Class:
    case ElementType::String:
    case ElementType::Object:
    case ElementType::SzArray:
    case ElementType::Array:
      field.element = ElementType::Class;
      return {};
    case ElementType::Ptr:
    case ElementType::FnPtr:
      field.element = ElementType::Ptr;
      return {};
    case ElementType::ByRef:
      field.element = ElementType::ByRef;
      return {};
    case ElementType::Void:
      return failure(ErrorCode::Damaged, "A field cannot hold nothing.");
    default:
      break;
  }
  if (signature.element == ElementType::GenericInst && !signature.isValueType) {
    field.element = ElementType::Class;
    return {};
  }
  HEAPSCAPE_TRY(field.type, m_closer.close(type.assembly, signature, type.arguments));
  HEAPSCAPE_TRY(field.element, elementOf(field.type));
  if (field.element == ElementType::Class && signature.element != ElementType::Var) {
    return failure(ErrorCode::Damaged, "It is named as a value type, but is a class.");
  }
  return {};
}

Result<ElementType> DeclarationReader::elementOf(ClosedTypeId id) {
  const ClosedType& type = m_types.at(id);
  if (isReference(type.element)) return ElementType::Class;
  if (type.element == ElementType::FnPtr) return ElementType::Ptr;
  if (type.element != ElementType::ValueType) return type.element;
  HEAPSCAPE_TRY(const DefinitionFacts facts, m_definitions.factsOf({type.assembly, type.typeDefRow}));
  if (facts.kind != TypeKind::Enum) return ElementType::ValueType;
  if (facts.underlying == ElementType::End) return failure(ErrorCode::Damaged, "An enum has no value field.");
  return facts.underlying;
}

}  // namespace heapscape::engine
