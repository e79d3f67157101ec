// SPDX-License-Identifier: MIT
#include "support/builders/metadata_builder.h"

#include <utility>

namespace heapscape::test {

using engine::TableId;

namespace {

void append(std::vector<std::byte>& buffer, std::uint64_t value, std::size_t width) {
  for (std::size_t byte = 0; byte < width; ++byte) buffer.push_back(static_cast<std::byte>(value >> (8 * byte)));
}

void append(std::vector<std::byte>& buffer, std::string_view text) {
  for (const char letter : text) buffer.push_back(static_cast<std::byte>(letter));
}

void append(std::vector<std::byte>& buffer, std::initializer_list<unsigned> bytes) {
  for (const unsigned byte : bytes) buffer.push_back(static_cast<std::byte>(byte));
}

void pad(std::vector<std::byte>& buffer) {
  while (buffer.size() % 4 != 0) buffer.push_back(std::byte{0});
}

}  // namespace

MetadataBuilder::Cell MetadataBuilder::text(std::string_view text) {
  if (text.empty()) return textAt(0);
  const std::uint32_t offset = textEnd();
  append(m_strings, text);
  m_strings.push_back(std::byte{0});
  return textAt(offset);
}

MetadataBuilder::Cell MetadataBuilder::blob(std::initializer_list<unsigned> bytes) {
  const std::uint32_t offset = blobEnd();
  append(m_blobs, bytes.size(), 1);
  append(m_blobs, bytes);
  return blobAt(offset);
}

MetadataBuilder::Cell MetadataBuilder::guid(std::initializer_list<unsigned> bytes) {
  append(m_guids, bytes);
  return {static_cast<std::uint32_t>(m_guids.size() / 16), Width::GuidIndex};
}

std::uint32_t MetadataBuilder::addRow(TableId table, std::initializer_list<Cell> cells) {
  auto& rows = m_rows[static_cast<unsigned>(table)];
  rows.emplace_back(cells);
  return static_cast<std::uint32_t>(rows.size());
}

std::uint32_t MetadataBuilder::addTypeDef(std::string_view nameSpace, std::string_view name, std::uint32_t fieldList,
                                          std::uint32_t methodList) {
  return addRow(TableId::TypeDef,
                {u32(0), text(name), text(nameSpace), coded(0, 2, 0), u16(fieldList), u16(methodList)});
}

std::uint32_t MetadataBuilder::addTypeRef(Cell scope, std::string_view nameSpace, std::string_view name) {
  return addRow(TableId::TypeRef, {scope, text(name), text(nameSpace)});
}

void MetadataBuilder::addNested(std::uint32_t nested, std::uint32_t enclosing) {
  addRow(TableId::NestedClass, {u16(nested), u16(enclosing)});
}

void MetadataBuilder::appendRawText(std::string_view withoutEnd) {
  append(m_strings, withoutEnd);
}

void MetadataBuilder::appendRawBlob(std::initializer_list<unsigned> bytes) {
  append(m_blobs, bytes);
}

void MetadataBuilder::usePdbStream(unsigned idByte, const std::map<TableId, std::uint32_t>& assemblyRows) {
  m_pdb.assign(20, static_cast<std::byte>(idByte));
  append(m_pdb, 0, 4);  // no entry point
  std::uint64_t present = 0;
  for (const auto& [table, count] : assemblyRows) present |= std::uint64_t{1} << static_cast<unsigned>(table);
  append(m_pdb, present, 8);
  for (const auto& [table, count] : assemblyRows) append(m_pdb, count, 4);
}

MetadataBuilder::Buffer MetadataBuilder::tableStream() const {
  std::map<unsigned, std::uint32_t> counts;
  for (const auto& [table, rows] : m_rows) counts[table] = static_cast<std::uint32_t>(rows.size());
  for (const auto& [table, count] : m_claimedRows) counts[table] = count;
  std::uint64_t present = 0;
  for (const auto& [table, count] : counts) present |= std::uint64_t{1} << table;

  Buffer stream;
  append(stream, 0, 4);
  append(stream, {2, 0, (m_wideHeaps ? 7u : 0u) | (m_hasExtraData ? 0x40u : 0u), 1});
  append(stream, present, 8);
  append(stream, 0, 8);
  for (const auto& [table, count] : counts) append(stream, count, 4);
  if (m_hasExtraData) append(stream, 0xdeadbeef, 4);
  for (const auto& [table, rows] : m_rows) {
    for (const auto& row : rows) {
      for (const Cell& cell : row) {
        const bool isWide = cell.width == Width::Four || (cell.width != Width::Two && m_wideHeaps);
        append(stream, cell.value, isWide ? 4 : 2);
      }
    }
  }
  return stream;
}

std::vector<std::byte> MetadataBuilder::build() const {
  std::vector<std::pair<std::string_view, Buffer>> streams = {
      {m_tableStreamName, tableStream()}, {"#Strings", m_strings}, {"#Blob", m_blobs}, {"#GUID", m_guids}};
  if (!m_pdb.empty()) streams.emplace_back("#Pdb", m_pdb);
  Buffer root;
  append(root, std::string_view("BSJB"));
  append(root, {1, 0, 1, 0, 0, 0, 0, 0, 12, 0, 0, 0});
  append(root, std::string_view("v4.0.30319\0\0", 12));
  append(root, {0, 0, static_cast<unsigned>(streams.size()), 0});

  Buffer headers;
  Buffer contents;
  const std::size_t headerBytes = (8 + 4) + (8 + 12) + (8 + 8) + (8 + 8) + (m_pdb.empty() ? 0 : 8 + 8);
  for (const auto& [name, bytes] : streams) {
    append(headers, root.size() + headerBytes + contents.size(), 4);
    append(headers, bytes.size(), 4);
    append(headers, name);
    headers.push_back(std::byte{0});
    pad(headers);
    contents.insert(contents.end(), bytes.begin(), bytes.end());
  }
  root.insert(root.end(), headers.begin(), headers.end());
  root.insert(root.end(), contents.begin(), contents.end());
  return root;
}

}  // namespace heapscape::test
