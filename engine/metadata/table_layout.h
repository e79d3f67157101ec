// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "metadata/metadata.h"

namespace heapscape::engine {

/// Tables of ECMA-335 and of portable PDBs.
inline constexpr std::size_t kTableCount = 0x38;
/// The widest table, Assembly and AssemblyRef, has this many columns.
inline constexpr std::size_t kMaxColumns = 9;

enum class ColumnType : std::uint8_t { None, U16, U32, String, Guid, Blob, Row, Coded };

/// Coded indices of II.24.2.6, in its order, and that of portable PDBs.
enum class CodedIndex : std::uint8_t {
  TypeDefOrRef,
  HasConstant,
  HasCustomAttribute,
  HasFieldMarshal,
  HasDeclSecurity,
  MemberRefParent,
  HasSemantics,
  MethodDefOrRef,
  MemberForwarded,
  Implementation,
  CustomAttributeType,
  ResolutionScope,
  TypeOrMethodDef,
  HasCustomDebugInformation,
};

/// What a column holds: plain numbers, an index into a heap, or one into a table (Row) or one of several (Coded).
struct Column {
  ColumnType type = ColumnType::None;
  std::uint8_t target = 0;  // Row: TableId; Coded: CodedIndex
};

struct ColumnLayout {
  std::uint8_t offset = 0;
  std::uint8_t width = 0;  // 2 or 4
};

struct TableLayout {
  std::uint64_t start = 0;  // of row 1, in the table stream
  std::uint32_t rowCount = 0;
  std::uint32_t rowSizeBytes = 0;
  std::array<ColumnLayout, kMaxColumns> columns{};
};

using RowCounts = std::array<std::uint32_t, kTableCount>;

/// Widths of heap indices, from the header's heap-size flags.
struct IndexWidths {
  std::uint8_t string = 2;
  std::uint8_t guid = 2;
  std::uint8_t blob = 2;
  bool allTablesWide = false;  // a minimal delta: indices into tables have four bytes whatever the counts
};

/// The columns of a table (II.22.2 to II.22.39; PortablePdb-Metadata.md).
const std::array<Column, kMaxColumns>& columnsOf(TableId table);

/// Row sizes and places of all tables, of which the first starts at `firstRow`. `elsewhere`: rows of tables that are in
/// other metadata, as a portable PDB's indices name rows of its assembly. Counts below 2^24 cannot overflow.
std::array<TableLayout, kTableCount> layoutTables(const RowCounts& counts, const RowCounts& elsewhere,
                                                  const IndexWidths& widths, std::uint64_t firstRow);

/// The row that a coded index names; nil if its tag has no meaning.
Token decodeCodedIndex(CodedIndex kind, std::uint32_t value);

}  // namespace heapscape::engine
