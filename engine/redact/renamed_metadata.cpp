// SPDX-License-Identifier: MIT
#include "redact/renamed_metadata.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heapscape::engine {
namespace {

using Kind = RenamedNames::Kind;

// ECMA-335 II.23.1.5, II.23.1.10, II.23.1.11.
constexpr std::uint16_t kRuntimeSpecialField = 0x0400;
constexpr std::uint16_t kVirtualMethod = 0x0040;
constexpr std::uint16_t kRuntimeSpecialMethod = 0x1000;
constexpr std::uint16_t kCodeTypeMask = 0x0003;
constexpr std::uint16_t kRuntimeCode = 0x0003;  // of delegates: Invoke and its like
constexpr std::uint32_t kMostNesting = 64;

/// A column that names something.
struct NameUse {
  TableId table{};
  std::uint8_t column = 0;
  std::uint32_t row = 0;
  std::uint32_t offset = 0;  // in the heap of names
  std::string renamed;
};

/// Room of the heap of names that nothing else names.
class FreeRoom {
 public:
  FreeRoom(Bytes heap, const std::vector<bool>& isTaken) {
    for (std::size_t at = 0; at < heap.size();) {
      const std::size_t first = at;
      while (at < heap.size() && !isTaken[at]) ++at;
      if (at > first) m_runs.emplace(at - first, first);
      while (at < heap.size() && isTaken[at]) ++at;
    }
  }
  std::optional<std::size_t> take(std::size_t bytes) {
    const auto fitting = m_runs.lower_bound(bytes);
    if (fitting == m_runs.end()) return std::nullopt;
    const auto [size, first] = *fitting;
    m_runs.erase(fitting);
    if (size > bytes) m_runs.emplace(size - bytes, first + bytes);
    return first;
  }

 private:
  std::multimap<std::size_t, std::size_t> m_runs;  // by size
};

class MetadataRenamer {
 public:
  MetadataRenamer(const MetadataTables& tables, Bytes metadata, Address start, RenamedNames& names, MemoryPlan& plan)
      : m_tables(tables), m_shape(tables.shape()), m_start(start), m_names(names), m_plan(plan) {
    trySlice(metadata, m_shape.strings.offset, m_shape.strings.sizeBytes, m_heap);
  }

  Result<void> enter() {
    if (m_heap.empty()) return {};
    findTypes();
    std::vector<bool> isTaken(m_heap.size());
    isTaken[0] = true;
    std::vector<NameUse> uses;
    for (std::size_t number = 0; number < MetadataShape::kTables; ++number) {
      const auto table = static_cast<TableId>(number);
      const auto& described = columnsOf(table);
      for (std::uint8_t column = 0; column < kMaxColumns; ++column) {
        if (described[column].type != ColumnType::String) continue;
        for (std::uint32_t row = 1; row <= m_tables.rowCount(table); ++row) {
          const auto read = m_tables.row(table, row);
          if (!read) continue;
          NameUse use{table, column, row, read->value(column), {}};
          const std::string_view text = read->text(column);
          use.renamed = renamed(use, *read, text);
          if (use.renamed != text)
            uses.push_back(std::move(use));
          else if (use.offset < m_heap.size())
            std::fill_n(isTaken.begin() + use.offset, std::min(text.size() + 1, m_heap.size() - use.offset), true);
        }
      }
    }
    return uses.empty() ? Result<void>() : write(uses, isTaken);
  }

 private:
  void findTypes() {
    m_isTypeRenamed.resize(m_tables.rowCount(TableId::TypeDef) + 1);
    for (std::uint32_t row = 1; row < m_isTypeRenamed.size(); ++row) {
      std::uint32_t outermost = row;
      for (std::uint32_t depth = 0; depth < kMostNesting; ++depth) {
        const std::uint32_t nested = m_nested.firstRowOf({TableId::TypeDef, outermost});
        const auto enclosing = nested ? m_tables.row(TableId::NestedClass, nested) : std::nullopt;
        if (!enclosing) break;
        outermost = enclosing->token(columns::nestedClass::Enclosing).row;
      }
      const auto type = m_tables.row(TableId::TypeDef, outermost);
      m_isTypeRenamed[row] = type && m_names.covers(type->text(columns::typeDef::NameSpace));
    }
  }

  bool isType(std::uint32_t row) const { return row < m_isTypeRenamed.size() && m_isTypeRenamed[row]; }
  bool isMethod(std::uint32_t row) const { return isType(m_methods.rowStartingAtOrBefore({TableId::MethodDef, row})); }
  bool isOwner(Token owner) const {
    return owner.table == TableId::TypeDef ? isType(owner.row)
                                           : owner.table == TableId::MethodDef && isMethod(owner.row);
  }

  bool isTypeRef(std::uint32_t row) const {
    for (std::uint32_t depth = 0; depth < kMostNesting; ++depth) {
      const auto type = m_tables.row(TableId::TypeRef, row);
      if (!type) return false;
      const Token scope = type->token(columns::typeRef::ResolutionScope);
      if (scope.table != TableId::TypeRef) return m_names.covers(type->text(columns::typeRef::NameSpace));
      row = scope.row;
    }
    return false;
  }

  bool isExported(std::uint32_t row) const {
    for (std::uint32_t depth = 0; depth < kMostNesting; ++depth) {
      const auto type = m_tables.row(TableId::ExportedType, row);
      if (!type) return false;
      const Token scope = type->token(columns::exportedType::Implementation);
      if (scope.table != TableId::ExportedType) return m_names.covers(type->text(columns::exportedType::NameSpace));
      row = scope.row;
    }
    return false;
  }

  bool isAnyType(Token type) const {
    if (type.table == TableId::TypeDef) return isType(type.row);
    if (type.table == TableId::TypeRef) return isTypeRef(type.row);
    if (type.table == TableId::MethodDef) return isMethod(type.row);
    if (type.table != TableId::TypeSpec) return false;
    // An instantiation of a generic type (II.23.2.12): GENERICINST, CLASS or VALUETYPE, the type.
    const auto spec = m_tables.row(TableId::TypeSpec, type.row);
    const Bytes signature = spec ? spec->blob(columns::typeSpec::Signature) : Bytes();
    if (signature.size() < 3 || signature[0] != std::byte{0x15}) return false;
    const auto at = [&](std::size_t i) {
      return i < signature.size() ? std::to_integer<std::uint32_t>(signature[i]) : 0;
    };
    std::uint32_t coded = at(2);
    if ((coded & 0xc0) == 0x80)
      coded = (coded & 0x3f) << 8 | at(3);
    else if (coded & 0x80)
      coded = (coded & 0x1f) << 24 | at(3) << 16 | at(4) << 8 | at(5);
    const Token definition = decodeCodedIndex(CodedIndex::TypeDefOrRef, coded);
    return definition.table != TableId::TypeSpec && isAnyType(definition);
  }

  /// The name that a column gets; `text` itself if it stays.
  std::string renamed(const NameUse& use, const MetadataRow& row, std::string_view text) {
    const std::string same(text);
    if (text.empty()) return same;
    switch (use.table) {
      case TableId::TypeDef:
        if (!isType(use.row)) return same;
        return use.column == columns::typeDef::NameSpace ? m_names.nameSpace(text) : m_names.type(text);
      case TableId::TypeRef:
        if (!isTypeRef(use.row)) return same;
        return use.column == columns::typeRef::NameSpace ? m_names.nameSpace(text) : m_names.type(text);
      case TableId::ExportedType:
        if (!isExported(use.row)) return same;
        return use.column == columns::exportedType::NameSpace ? m_names.nameSpace(text) : m_names.type(text);
      case TableId::Field:
        if (!isType(m_fields.rowStartingAtOrBefore({TableId::Field, use.row})) ||
            (row.value16(columns::field::Flags) & kRuntimeSpecialField))
          return same;
        return m_names.member(Kind::Field, text, false);
      case TableId::MethodDef: {
        const std::uint16_t flags = row.value16(columns::methodDef::Flags);
        if (!isMethod(use.row) || (flags & kRuntimeSpecialMethod) ||
            (row.value16(columns::methodDef::ImplFlags) & kCodeTypeMask) == kRuntimeCode)
          return same;
        return m_names.member(Kind::Method, text, flags & kVirtualMethod);
      }
      case TableId::Param:
        return isMethod(m_parameters.rowStartingAtOrBefore({TableId::Param, use.row}))
                   ? m_names.member(Kind::Parameter, text, false)
                   : same;
      case TableId::GenericParam:
        return isOwner(row.token(columns::genericParam::Owner)) ? m_names.member(Kind::Parameter, text, false) : same;
      case TableId::MemberRef:
        return isAnyType(row.token(columns::memberRef::Parent)) ? m_names.member(Kind::Method, text, false) : same;
      case TableId::Property:
        return isListed(TableId::PropertyMap, m_properties, {TableId::Property, use.row})
                   ? m_names.member(Kind::Method, text, true)
                   : same;
      case TableId::Event:
        return isListed(TableId::EventMap, m_events, {TableId::Event, use.row})
                   ? m_names.member(Kind::Method, text, true)
                   : same;
      case TableId::ImplMap: {
        constexpr std::uint8_t kForwarded = 1;
        return isOwner(row.token(kForwarded)) ? m_names.member(Kind::Method, text, false) : same;
      }
      default:  // of assemblies, modules, files and resources
        return m_names.path(text);
    }
  }

  bool isListed(TableId map, const RowIndex& lists, Token member) const {
    constexpr std::uint8_t kParent = 0;
    const auto row = m_tables.row(map, lists.rowStartingAtOrBefore(member));
    return row && isType(row->token(kParent).row);
  }

  Result<void> write(const std::vector<NameUse>& uses, const std::vector<bool>& isTaken) {
    std::map<std::string, std::size_t> places;
    for (const NameUse& use : uses) places.emplace(use.renamed, 0);
    std::vector<std::string> longestFirst;
    for (const auto& [text, place] : places) longestFirst.push_back(text);
    std::ranges::stable_sort(longestFirst, std::greater(), &std::string::size);
    FreeRoom room(m_heap, isTaken);
    std::vector<std::byte> heap(m_heap.begin(), m_heap.end());
    for (std::size_t i = 0; i < heap.size(); ++i)
      if (!isTaken[i]) heap[i] = std::byte{0};
    for (const std::string& text : longestFirst) {
      const auto place = text.empty() ? std::optional<std::size_t>(0) : room.take(text.size() + 1);
      if (!place) {
        return failure(ErrorCode::BadQuery, "The names of an assembly leave no room for the new ones.",
                       "Rename a namespace further up, which more names belong to.");
      }
      std::memcpy(heap.data() + *place, text.data(), text.size());
      places[text] = *place;
    }
    m_plan.replace(m_start + m_shape.strings.offset, std::move(heap));
    for (const NameUse& use : uses) {
      const TableLayout& layout = m_tables.layout(use.table);
      const ColumnLayout& column = layout.columns[use.column];
      const auto place = static_cast<std::uint32_t>(places[use.renamed]);
      std::vector<std::byte> index(column.width);
      std::memcpy(index.data(), &place, index.size());
      m_plan.replace(m_start + m_shape.tables[static_cast<std::size_t>(use.table)] +
                         std::uint64_t{use.row - 1} * layout.rowSizeBytes + column.offset,
                     std::move(index));
    }
    return {};
  }

  const MetadataTables& m_tables;
  const MetadataShape m_shape;
  Bytes m_heap;
  Address m_start;
  RenamedNames& m_names;
  MemoryPlan& m_plan;
  std::vector<bool> m_isTypeRenamed;
  RowIndex m_nested{m_tables, TableId::NestedClass, columns::nestedClass::Nested};
  RowIndex m_fields{m_tables, TableId::TypeDef, columns::typeDef::FieldList};
  RowIndex m_methods{m_tables, TableId::TypeDef, columns::typeDef::MethodList};
  RowIndex m_parameters{m_tables, TableId::MethodDef, columns::methodDef::ParamList};
  RowIndex m_properties{m_tables, TableId::PropertyMap, 1};
  RowIndex m_events{m_tables, TableId::EventMap, 1};
};

}  // namespace

Result<void> renameMetadata(const MetadataTables& tables, Bytes metadata, Address start, RenamedNames& names,
                            MemoryPlan& plan) {
  return MetadataRenamer(tables, metadata, start, names, plan).enter();
}

}  // namespace heapscape::engine
