// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/bounded_reader.h"
#include "base/result.h"
#include "metadata/metadata.h"

namespace heapscape::engine {

/// Columns by name, for the tables that are read (ECMA-335 II.22; PortablePdb-Metadata.md of dotnet/runtime). The order
/// is that of the schemas in metadata_tables.cpp.
namespace columns {

namespace module {
enum : std::uint8_t { Generation, Name, Mvid };
}
namespace typeRef {
enum : std::uint8_t { ResolutionScope, Name, NameSpace };
}
namespace typeDef {
enum : std::uint8_t { Flags, Name, NameSpace, Extends, FieldList, MethodList };
}
namespace pointer {  // FieldPtr, MethodPtr, ParamPtr
enum : std::uint8_t { Target };
}
namespace field {
enum : std::uint8_t { Flags, Name, Signature };
}
namespace methodDef {
enum : std::uint8_t { Rva, ImplFlags, Flags, Name, Signature, ParamList };
}
namespace param {
enum : std::uint8_t { Flags, Sequence, Name };
}
namespace memberRef {
enum : std::uint8_t { Parent, Name, Signature };
}
namespace constant {
enum : std::uint8_t { Type, Parent, Value };
}
namespace fieldMarshal {
enum : std::uint8_t { Parent, NativeType };
}
namespace customAttribute {
enum : std::uint8_t { Parent, Constructor, Value };
}
namespace classLayout {
enum : std::uint8_t { PackingSize, ClassSize, Parent };
}
namespace fieldLayout {
enum : std::uint8_t { Offset, Field };
}
namespace standAloneSig {
enum : std::uint8_t { Signature };
}
namespace typeSpec {
enum : std::uint8_t { Signature };
}
namespace assembly {
enum : std::uint8_t { HashAlgorithm, Major, Minor, Build, Revision, Flags, PublicKey, Name };
}
namespace assemblyRef {
enum : std::uint8_t { Major, Minor, Build, Revision, Flags, PublicKeyOrToken, Name };
}
namespace exportedType {
enum : std::uint8_t { Flags, TypeDefId, Name, NameSpace, Implementation };
}
namespace moduleRef {
enum : std::uint8_t { Name };
}
namespace methodSpec {
enum : std::uint8_t { Method, Instantiation };
}
namespace nestedClass {
enum : std::uint8_t { Nested, Enclosing };
}
namespace genericParam {
enum : std::uint8_t { Number, Flags, Owner, Name };
}
namespace document {
enum : std::uint8_t { Name, HashAlgorithm, Hash, Language };
}
namespace methodDebugInformation {
enum : std::uint8_t { Document, SequencePoints };
}
namespace localScope {
enum : std::uint8_t { Method, ImportScope, VariableList, ConstantList, StartOffset, Length };
}
namespace localVariable {
enum : std::uint8_t { Attributes, Index, Name };
}

}  // namespace columns

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

/// Content of a column: plain numbers, an index into a heap, or one into a table (Row) or one of several (Coded).
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

class MetadataTables;

/// Where the parts of metadata lie, as offsets from its first byte: what a runtime notes when it opens metadata.
struct MetadataShape {
  static constexpr std::size_t kTables = 45;  // those of an assembly
  static constexpr std::size_t kHeaderBytes = 24;
  struct Part {
    std::uint64_t offset = 0;
    std::uint64_t sizeBytes = 0;  // 0: there is none, and the offset means nothing
    bool operator==(const Part& other) const {
      return sizeBytes == other.sizeBytes && (sizeBytes == 0 || offset == other.offset);
    }
  };
  std::uint64_t sizeBytes = 0;
  std::array<std::byte, kHeaderBytes> header{};  // of the stream of tables, up to the row counts (II.24.2.6)
  std::array<std::uint32_t, kTables> rows{};
  std::array<std::uint64_t, kTables> tables{};  // where each begins; of no meaning for one without rows
  Part strings = {}, blobs = {}, userStrings = {}, guids = {};

  bool operator==(const MetadataShape& other) const;
};

/// One row that is known to lie inside its table. Lives no longer than its tables.
class MetadataRow {
 public:
  /// The bare number in a column.
  std::uint32_t value(std::uint8_t column) const;
  std::uint16_t value16(std::uint8_t column) const { return static_cast<std::uint16_t>(value(column)); }
  /// Text of a String column; empty if the index lies outside its heap or the text has no end.
  std::string_view text(std::uint8_t column) const;
  /// Bytes of a Blob column; empty if they do not lie wholly inside the heap.
  Bytes blob(std::uint8_t column) const;
  /// The row that a Row or Coded column names; it need not exist. Nil if the number cannot be a token.
  Token token(std::uint8_t column) const;

 private:
  friend class MetadataTables;
  MetadataRow(const MetadataTables& tables, TableId table, Bytes bytes)
      : m_tables(&tables), m_table(table), m_bytes(bytes) {}

  const MetadataTables* m_tables;
  TableId m_table;
  Bytes m_bytes;
};

/// The streams of metadata (ECMA-335 II.24.2) and where each table lies; reads rows and heaps in place.
class MetadataTables {
 public:
  /// Fails with Damaged.
  static Result<MetadataTables> parse(Bytes bytes);

  std::uint32_t rowCount(TableId table) const;
  std::optional<MetadataRow> row(TableId table, std::uint32_t row) const;
  const TableLayout& layout(TableId table) const { return m_layouts[static_cast<std::size_t>(table)]; }

  std::string_view text(std::uint32_t offset) const;
  Bytes blob(std::uint32_t offset) const;
  /// As userString of Metadata.
  std::optional<Bytes> userString(std::uint32_t offset) const;
  /// The 16 bytes of a GUID, counted from 1; empty if there is none.
  Bytes guid(std::uint32_t number) const;
  /// The stream that a portable PDB has on top; empty in metadata of an assembly.
  Bytes pdbStream() const { return m_pdb; }
  MetadataShape shape() const;

 private:
  Result<void> readStreams(Bytes bytes);
  Result<void> readTableHeader(bool minimalDelta);

  Bytes m_bytes;
  Bytes m_tableStream;
  Bytes m_strings;
  Bytes m_userStrings;
  Bytes m_blobs;
  Bytes m_guids;
  Bytes m_pdb;
  std::array<TableLayout, kTableCount> m_layouts{};
};

/// Finds rows of a table by what one of its columns names. Built at first use, from any thread; the table's claim to be
/// sorted is not relied on.
class RowIndex {
 public:
  struct Entry {
    std::uint32_t key = 0;  // Token::value()
    std::uint32_t row = 0;
    auto operator<=>(const Entry&) const = default;
  };

  RowIndex(const MetadataTables& tables, TableId table, std::uint8_t keyColumn)
      : m_tables(tables), m_table(table), m_keyColumn(keyColumn) {}

  /// All rows whose column names the token, in row order.
  std::span<const Entry> rowsOf(Token key) const;
  /// The first of them, or 0.
  std::uint32_t firstRowOf(Token key) const;
  /// The last entry whose key is not above the token's: its row, or 0. For columns that start runs of rows.
  std::uint32_t rowStartingAtOrBefore(Token key) const;

 private:
  const std::vector<Entry>& entries() const;

  const MetadataTables& m_tables;
  TableId m_table;
  std::uint8_t m_keyColumn;
  mutable std::once_flag m_built;
  mutable std::vector<Entry> m_entries;
};

}  // namespace heapscape::engine
