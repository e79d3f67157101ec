// SPDX-License-Identifier: MIT
#include <algorithm>

#include "base/limits.h"
#include "metadata/compressed_integer.h"
#include "metadata/metadata.h"
#include "metadata/metadata_parts.h"
#include "metadata/signature.h"

namespace heapscape::engine {

namespace {

// No thing has more attributes than this; a cap on how many names one look-up may compare.
constexpr std::size_t kMaxAttributesOfOne = 4096;

// II.23.2.1: whether a constructor's first parameter is a string.
bool takesText(Bytes signature) {
  BoundedReader reader(signature);
  reader.skip(1);  // calling convention
  const auto parameterCount = readCompressed(reader);
  const auto returned = reader.read<ElementType>();
  const auto first = reader.read<ElementType>();
  if (reader.failed() || !parameterCount || *parameterCount == 0) return false;
  return returned == ElementType::Void && first == ElementType::String;
}

// II.23.3: the first fixed argument, a SerString.
std::optional<std::string> firstText(Bytes value) {
  constexpr std::uint16_t kProlog = 1;
  constexpr std::byte kNullText{0xff};
  BoundedReader reader(value);
  if (reader.read<std::uint16_t>() != kProlog || reader.atEnd()) return std::nullopt;
  if (value[reader.position()] == kNullText) return std::nullopt;
  const auto length = readCompressed(reader);
  const Bytes text = length ? reader.readBytes(*length) : Bytes{};
  if (!length || reader.failed() || text.size() > kLimits.nameBytes) return std::nullopt;
  return std::string(reinterpret_cast<const char*>(text.data()), text.size());
}

}  // namespace

std::uint32_t Metadata::typeDefOfMethod(std::uint32_t methodRow) const {
  Token place{TableId::MethodDef, methodRow};
  // Lists of methods name rows of MethodPtr where there is one; the key stays a MethodDef by the column's schema.
  if (rowCount(TableId::MethodPtr) != 0) place.row = m_parts->methodPointers.firstRowOf(place);
  return place.isNil() ? 0 : m_parts->methodRuns.rowStartingAtOrBefore(place);
}

std::string Metadata::attributeTypeName(Token constructor) const {
  Token type;
  if (constructor.table == TableId::MethodDef) {
    type = {TableId::TypeDef, typeDefOfMethod(constructor.row)};
  } else if (const auto member = m_parts->tables.row(constructor.table, constructor.row)) {
    type = constructor.table == TableId::MemberRef ? member->token(columns::memberRef::Parent) : Token{};
  }
  if (type.table == TableId::TypeDef) return typeDefName(type.row);
  if (type.table == TableId::TypeRef) return typeRefName(type.row);
  return {};
}

std::uint32_t Metadata::findAttribute(Token parent, std::string_view attributeTypeName) const {
  auto rows = m_parts->customAttributes.rowsOf(parent);
  rows = rows.first(std::min(rows.size(), kMaxAttributesOfOne));
  for (const RowIndex::Entry& entry : rows) {
    const auto attribute = m_parts->tables.row(TableId::CustomAttribute, entry.row);
    if (!attribute) continue;
    const Token constructor = attribute->token(columns::customAttribute::Constructor);
    if (this->attributeTypeName(constructor) == attributeTypeName) return entry.row;
  }
  return 0;
}

std::optional<std::string> Metadata::assemblyAttributeText(std::string_view attributeTypeName) const {
  namespace column = columns::customAttribute;
  const std::uint32_t row = findAttribute({TableId::Assembly, 1}, attributeTypeName);
  const auto attribute = m_parts->tables.row(TableId::CustomAttribute, row);
  if (!attribute) return std::nullopt;
  const Token constructor = attribute->token(column::Constructor);
  const auto method = m_parts->tables.row(constructor.table, constructor.row);
  if (!method) return std::nullopt;
  std::uint8_t signatureColumn = columns::methodDef::Signature;
  if (constructor.table == TableId::MemberRef) signatureColumn = columns::memberRef::Signature;
  if (!takesText(method->blob(signatureColumn))) return std::nullopt;
  return firstText(attribute->blob(column::Value));
}

bool Metadata::hasAssemblyAttribute(std::string_view attributeTypeName) const {
  return findAttribute({TableId::Assembly, 1}, attributeTypeName) != 0;
}

std::optional<Bytes> Metadata::typeAttribute(std::uint32_t typeDefRow, std::string_view attributeTypeName) const {
  const std::uint32_t row = findAttribute({TableId::TypeDef, typeDefRow}, attributeTypeName);
  const auto attribute = m_parts->tables.row(TableId::CustomAttribute, row);
  if (!attribute) return std::nullopt;
  return attribute->blob(columns::customAttribute::Value);
}

}  // namespace heapscape::engine
