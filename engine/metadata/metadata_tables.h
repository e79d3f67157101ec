// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/bounded_reader.h"
#include "base/result.h"
#include "metadata/metadata.h"
#include "metadata/table_layout.h"

namespace heapscape::engine {

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

}  // namespace heapscape::engine
