// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string_view>
#include <vector>

#include "base/bounded_reader.h"
#include "metadata/metadata.h"

namespace heapscape::test {

/// Writes metadata (ECMA-335 II.24) with chosen rows, also such as no compiler would write. Knows no column schemas:
/// each cell says how wide it is.
class MetadataBuilder {
 public:
  enum class Width { Two, Four, StringIndex, GuidIndex, BlobIndex };
  struct Cell {
    std::uint32_t value = 0;
    Width width = Width::Two;
  };

  static Cell u16(std::uint32_t value) { return {value, Width::Two}; }
  static Cell u32(std::uint32_t value) { return {value, Width::Four}; }
  /// An index into a table, or into one of several: II.24.2.6.
  static Cell coded(std::uint32_t tag, std::uint32_t tagBits, std::uint32_t row) { return {row << tagBits | tag}; }
  /// A string index as given, whatever is there.
  static Cell textAt(std::uint32_t offset) { return {offset, Width::StringIndex}; }
  static Cell blobAt(std::uint32_t offset) { return {offset, Width::BlobIndex}; }
  Cell text(std::string_view text);
  Cell blob(std::initializer_list<unsigned> bytes);
  Cell guid(std::initializer_list<unsigned> bytes);

  /// Gives the number of the new row.
  std::uint32_t addRow(engine::TableId table, std::initializer_list<Cell> cells);
  std::uint32_t addTypeDef(std::string_view nameSpace, std::string_view name, std::uint32_t fieldList = 1,
                           std::uint32_t methodList = 1);
  /// `scope` is a coded ResolutionScope.
  std::uint32_t addTypeRef(Cell scope, std::string_view nameSpace, std::string_view name);
  void addNested(std::uint32_t nested, std::uint32_t enclosing);

  /// Writes a row count that is not that of the rows added.
  void claimRows(unsigned table, std::uint32_t count) { m_claimedRows[table] = count; }
  void useWideHeaps() { m_wideHeaps = true; }
  void useUncompressedStream() { m_tableStreamName = "#-"; }
  void addExtraData() { m_hasExtraData = true; }
  /// Makes a portable PDB of it: with the stream that has its id, twenty times `idByte`, and how many rows tables of
  /// its assembly have.
  void usePdbStream(unsigned idByte, const std::map<engine::TableId, std::uint32_t>& assemblyRows);
  void appendRawText(std::string_view withoutEnd);
  void appendRawBlob(std::initializer_list<unsigned> bytes);
  std::uint32_t textEnd() const { return static_cast<std::uint32_t>(m_strings.size()); }
  std::uint32_t blobEnd() const { return static_cast<std::uint32_t>(m_blobs.size()); }

  std::vector<std::byte> build() const;

 private:
  using Buffer = std::vector<std::byte>;

  Buffer tableStream() const;

  std::map<unsigned, std::vector<std::vector<Cell>>> m_rows;
  std::map<unsigned, std::uint32_t> m_claimedRows;
  Buffer m_strings{std::byte{0}};
  Buffer m_blobs{std::byte{0}};
  Buffer m_guids;
  bool m_wideHeaps = false;
  bool m_hasExtraData = false;
  Buffer m_pdb;
  std::string_view m_tableStreamName = "#~";
};

}  // namespace heapscape::test
