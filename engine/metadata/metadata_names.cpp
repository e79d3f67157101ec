// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "base/limits.h"
#include "metadata/metadata.h"
#include "metadata/metadata_parts.h"

namespace heapscape::engine {

namespace {

constexpr std::uint32_t kMostParameters = 0x10000;  // their numbers have 16 bits

/// Names of a type and of those it is nested in, collected from the inside out.
class NestedName {
 public:
  /// False if there are more levels than any real type has, as in a cycle.
  bool tryAdd(std::string_view name) {
    if (m_count == m_levels.size()) return false;
    m_levels[m_count++] = name;
    return true;
  }

  std::string join(std::string_view nameSpace) const {
    std::string joined(nameSpace);
    if (!joined.empty()) joined += '.';
    for (std::size_t level = m_count; level > 0; --level) {
      if (joined.size() + m_levels[level - 1].size() > kLimits.nameBytes) break;
      joined += m_levels[level - 1];
      if (level > 1) joined += '+';
    }
    return joined;
  }

 private:
  std::array<std::string_view, kLimits.nestingDepth> m_levels{};
  std::size_t m_count = 0;
};

std::string withNameSpace(std::string_view nameSpace, std::string_view name) {
  NestedName single;
  (void)single.tryAdd(name);
  return single.join(nameSpace);
}

}  // namespace

std::uint32_t Metadata::enclosingTypeDef(std::uint32_t typeDefRow) const {
  const std::uint32_t row = m_parts->nestedClasses.firstRowOf({TableId::TypeDef, typeDefRow});
  const auto read = m_parts->tables.row(TableId::NestedClass, row);
  if (!read) return 0;
  const std::uint32_t enclosing = read->value(columns::nestedClass::Enclosing);
  return enclosing <= rowCount(TableId::TypeDef) ? enclosing : 0;
}

std::string Metadata::typeDefName(std::uint32_t row) const {
  const auto own = typeDef(row);
  if (!own) return {};
  NestedName name;
  std::string_view nameSpace;
  for (std::uint32_t level = row; level != 0; level = enclosingTypeDef(level)) {
    const auto type = typeDef(level);
    if (!type || !name.tryAdd(type->name)) return withNameSpace(own->nameSpace, own->name);
    nameSpace = type->nameSpace;
  }
  return name.join(nameSpace);
}

std::string Metadata::typeRefName(std::uint32_t row) const {
  const auto own = typeRef(row);
  if (!own) return {};
  NestedName name;
  auto type = own;
  while (name.tryAdd(type->name)) {
    if (type->scope.table != TableId::TypeRef || type->scope.isNil()) return name.join(type->nameSpace);
    type = typeRef(type->scope.row);
    if (!type) break;
  }
  return withNameSpace(own->nameSpace, own->name);
}

std::string_view Metadata::parameterName(std::uint32_t methodRow, std::uint32_t number) const {
  const MetadataTables& tables = m_parts->tables;
  const auto method = tables.row(TableId::MethodDef, methodRow);
  if (!method) return {};
  const bool isIndirect = tables.rowCount(TableId::ParamPtr) != 0;
  const auto next = tables.row(TableId::MethodDef, methodRow + 1);
  const std::uint32_t count = tables.rowCount(isIndirect ? TableId::ParamPtr : TableId::Param);
  const std::uint32_t first = method->value(columns::methodDef::ParamList);
  const std::uint32_t end = next ? std::min(next->value(columns::methodDef::ParamList), count + 1) : count + 1;
  for (std::uint32_t place = first; place < end && place - first <= kMostParameters; ++place) {
    const auto pointer = isIndirect ? tables.row(TableId::ParamPtr, place) : std::nullopt;
    const auto param = tables.row(TableId::Param, pointer ? pointer->value(columns::pointer::Target) : place);
    if (param && param->value(columns::param::Sequence) == number) return param->text(columns::param::Name);
  }
  return {};
}

std::uint32_t Metadata::findTypeDef(std::string_view fullName) const {
  return fullName.empty() ? 0 : m_parts->names.find(*this, fullName);
}

}  // namespace heapscape::engine
