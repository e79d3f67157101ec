// SPDX-License-Identifier: MIT
#include "metadata/table_layout.h"

#include <algorithm>

namespace heapscape::engine {

namespace {

using enum TableId;
using enum CodedIndex;

constexpr TableId kUnused{0xff};

struct CodedSchema {
  std::uint8_t tagBits;
  std::uint8_t tableCount;
  std::array<TableId, 27> tables;
};

// II.24.2.6 and PortablePdb-Metadata.md, by CodedIndex.
constexpr CodedSchema kCodedSchemas[] = {
    {2, 3, {TypeDef, TypeRef, TypeSpec}},
    {2, 3, {Field, Param, Property}},
    {5, 22, {MethodDef,        Field,        TypeRef,
             TypeDef,          Param,        InterfaceImpl,
             MemberRef,        Module,       DeclSecurity,
             Property,         Event,        StandAloneSig,
             ModuleRef,        TypeSpec,     Assembly,
             AssemblyRef,      File,         ExportedType,
             ManifestResource, GenericParam, GenericParamConstraint,
             MethodSpec}},
    {1, 2, {Field, Param}},
    {2, 3, {TypeDef, MethodDef, Assembly}},
    {3, 5, {TypeDef, TypeRef, ModuleRef, MethodDef, TypeSpec}},
    {1, 2, {Event, Property}},
    {1, 2, {MethodDef, MemberRef}},
    {1, 2, {Field, MethodDef}},
    {2, 3, {File, AssemblyRef, ExportedType}},
    {3, 4, {kUnused, kUnused, MethodDef, MemberRef}},
    {2, 4, {Module, ModuleRef, AssemblyRef, TypeRef}},
    {1, 2, {TypeDef, MethodDef}},
    {5, 27, {MethodDef,        Field,         TypeRef,
             TypeDef,          Param,         InterfaceImpl,
             MemberRef,        Module,        DeclSecurity,
             Property,         Event,         StandAloneSig,
             ModuleRef,        TypeSpec,      Assembly,
             AssemblyRef,      File,          ExportedType,
             ManifestResource, GenericParam,  GenericParamConstraint,
             MethodSpec,       Document,      LocalScope,
             LocalVariable,    LocalConstant, ImportScope}},
};

constexpr Column kU16{ColumnType::U16};
constexpr Column kU32{ColumnType::U32};
constexpr Column kString{ColumnType::String};
constexpr Column kGuid{ColumnType::Guid};
constexpr Column kBlob{ColumnType::Blob};
constexpr Column row(TableId table) {
  return {ColumnType::Row, static_cast<std::uint8_t>(table)};
}
constexpr Column coded(CodedIndex kind) {
  return {ColumnType::Coded, static_cast<std::uint8_t>(kind)};
}

using Columns = std::array<Column, kMaxColumns>;

// II.22, by TableId.
constexpr std::array<Columns, kTableCount> kSchemas{{
    /* Module */ {{kU16, kString, kGuid, kGuid, kGuid}},
    /* TypeRef */ {{coded(ResolutionScope), kString, kString}},
    /* TypeDef */ {{kU32, kString, kString, coded(TypeDefOrRef), row(Field), row(MethodDef)}},
    /* FieldPtr */ {{row(Field)}},
    /* Field */ {{kU16, kString, kBlob}},
    /* MethodPtr */ {{row(MethodDef)}},
    /* MethodDef */ {{kU32, kU16, kU16, kString, kBlob, row(Param)}},
    /* ParamPtr */ {{row(Param)}},
    /* Param */ {{kU16, kU16, kString}},
    /* InterfaceImpl */ {{row(TypeDef), coded(TypeDefOrRef)}},
    /* MemberRef */ {{coded(MemberRefParent), kString, kBlob}},
    /* Constant: a type of one byte and one of padding */ {{kU16, coded(HasConstant), kBlob}},
    /* CustomAttribute */ {{coded(HasCustomAttribute), coded(CustomAttributeType), kBlob}},
    /* FieldMarshal */ {{coded(HasFieldMarshal), kBlob}},
    /* DeclSecurity */ {{kU16, coded(HasDeclSecurity), kBlob}},
    /* ClassLayout */ {{kU16, kU32, row(TypeDef)}},
    /* FieldLayout */ {{kU32, row(Field)}},
    /* StandAloneSig */ {{kBlob}},
    /* EventMap */ {{row(TypeDef), row(Event)}},
    /* EventPtr */ {{row(Event)}},
    /* Event */ {{kU16, kString, coded(TypeDefOrRef)}},
    /* PropertyMap */ {{row(TypeDef), row(Property)}},
    /* PropertyPtr */ {{row(Property)}},
    /* Property */ {{kU16, kString, kBlob}},
    /* MethodSemantics */ {{kU16, row(MethodDef), coded(HasSemantics)}},
    /* MethodImpl */ {{row(TypeDef), coded(MethodDefOrRef), coded(MethodDefOrRef)}},
    /* ModuleRef */ {{kString}},
    /* TypeSpec */ {{kBlob}},
    /* ImplMap */ {{kU16, coded(MemberForwarded), kString, row(ModuleRef)}},
    /* FieldRva */ {{kU32, row(Field)}},
    /* EncLog */ {{kU32, kU32}},
    /* EncMap */ {{kU32}},
    /* Assembly */ {{kU32, kU16, kU16, kU16, kU16, kU32, kBlob, kString, kString}},
    /* AssemblyProcessor */ {{kU32}},
    /* AssemblyOs */ {{kU32, kU32, kU32}},
    /* AssemblyRef */ {{kU16, kU16, kU16, kU16, kU32, kBlob, kString, kString, kBlob}},
    /* AssemblyRefProcessor */ {{kU32, row(AssemblyRef)}},
    /* AssemblyRefOs */ {{kU32, kU32, kU32, row(AssemblyRef)}},
    /* File */ {{kU32, kString, kBlob}},
    /* ExportedType */ {{kU32, kU32, kString, kString, coded(Implementation)}},
    /* ManifestResource */ {{kU32, kU32, kString, coded(Implementation)}},
    /* NestedClass */ {{row(TypeDef), row(TypeDef)}},
    /* GenericParam */ {{kU16, kU16, coded(TypeOrMethodDef), kString}},
    /* MethodSpec */ {{coded(MethodDefOrRef), kBlob}},
    /* GenericParamConstraint */ {{row(GenericParam), coded(TypeDefOrRef)}},
    /* not used */ {},
    /* not used */ {},
    /* not used */ {},
    /* Document */ {{kBlob, kGuid, kBlob, kGuid}},
    /* MethodDebugInformation */ {{row(Document), kBlob}},
    /* LocalScope */ {{row(MethodDef), row(ImportScope), row(LocalVariable), row(LocalConstant), kU32, kU32}},
    /* LocalVariable */ {{kU16, kU16, kString}},
    /* LocalConstant */ {{kString, kBlob}},
    /* ImportScope */ {{row(ImportScope), kBlob}},
    /* StateMachineMethod */ {{row(MethodDef), row(MethodDef)}},
    /* CustomDebugInformation */ {{coded(HasCustomDebugInformation), kGuid, kBlob}},
}};

std::uint32_t countOf(const RowCounts& counts, TableId table) {
  const auto number = static_cast<std::size_t>(table);
  return number < counts.size() ? counts[number] : 0;
}

// A list column names rows of the pointer table where there is one, so it must be wide enough for both.
std::uint32_t listedCount(const RowCounts& counts, TableId table) {
  const std::uint32_t own = countOf(counts, table);
  switch (table) {
    case Field:
      return std::max(own, countOf(counts, FieldPtr));
    case MethodDef:
      return std::max(own, countOf(counts, MethodPtr));
    case Param:
      return std::max(own, countOf(counts, ParamPtr));
    case Event:
      return std::max(own, countOf(counts, EventPtr));
    case Property:
      return std::max(own, countOf(counts, PropertyPtr));
    default:
      return own;
  }
}

std::uint8_t codedWidth(const RowCounts& counts, CodedIndex kind) {
  const CodedSchema& schema = kCodedSchemas[static_cast<std::size_t>(kind)];
  std::uint32_t most = 0;
  for (std::size_t tag = 0; tag < schema.tableCount; ++tag) most = std::max(most, countOf(counts, schema.tables[tag]));
  return most < (1u << (16 - schema.tagBits)) ? 2 : 4;
}

std::uint8_t widthOf(Column column, const RowCounts& counts, const IndexWidths& widths) {
  switch (column.type) {
    case ColumnType::None:
      return 0;
    case ColumnType::U16:
      return 2;
    case ColumnType::U32:
      return 4;
    case ColumnType::String:
      return widths.string;
    case ColumnType::Guid:
      return widths.guid;
    case ColumnType::Blob:
      return widths.blob;
    case ColumnType::Row:
      if (widths.allTablesWide) return 4;
      return listedCount(counts, static_cast<TableId>(column.target)) < 0x10000 ? 2 : 4;
    case ColumnType::Coded:
      if (widths.allTablesWide) return 4;
      return codedWidth(counts, static_cast<CodedIndex>(column.target));
  }
  return 0;
}

}  // namespace

const std::array<Column, kMaxColumns>& columnsOf(TableId table) {
  return kSchemas[static_cast<std::size_t>(table)];
}

std::array<TableLayout, kTableCount> layoutTables(const RowCounts& counts, const RowCounts& elsewhere,
                                                  const IndexWidths& widths, std::uint64_t firstRow) {
  std::array<TableLayout, kTableCount> layouts{};
  RowCounts named = counts;  // what indices must be wide enough for
  for (std::size_t number = 0; number < kTableCount; ++number) named[number] += elsewhere[number];
  std::uint64_t start = firstRow;
  for (std::size_t number = 0; number < kTableCount; ++number) {
    TableLayout& layout = layouts[number];
    layout.start = start;
    layout.rowCount = counts[number];
    std::uint8_t offset = 0;
    for (std::size_t column = 0; column < kMaxColumns; ++column) {
      const std::uint8_t width = widthOf(kSchemas[number][column], named, widths);
      layout.columns[column] = {offset, width};
      offset = static_cast<std::uint8_t>(offset + width);
    }
    layout.rowSizeBytes = offset;
    start += std::uint64_t{layout.rowCount} * layout.rowSizeBytes;
  }
  return layouts;
}

Token decodeCodedIndex(CodedIndex kind, std::uint32_t value) {
  const CodedSchema& schema = kCodedSchemas[static_cast<std::size_t>(kind)];
  const std::uint32_t tag = value & ((1u << schema.tagBits) - 1);
  if (tag >= schema.tableCount || schema.tables[tag] == kUnused) return {};
  return {schema.tables[tag], value >> schema.tagBits};
}

}  // namespace heapscape::engine
