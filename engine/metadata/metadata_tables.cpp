// SPDX-License-Identifier: MIT
#include "metadata/metadata_tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/address.h"
#include "base/limits.h"
#include "metadata/compressed_integer.h"

namespace heapscape::engine {

namespace {

constexpr std::uint32_t kMetadataSignature = 0x424a5342;  // "BSJB"
constexpr std::uint32_t kMaxRow = 0xffffff;               // a token has 24 bits for the row
constexpr std::size_t kMaxStreamName = 32;                // II.24.2.2

tl::unexpected<Error> damagedTables(std::string what) {
  return failure(ErrorCode::Damaged, std::move(what));
}

// II.24.2.1: what stands before the stream headers; gives their number.
Result<std::uint16_t> readRoot(BoundedReader& reader) {
  if (reader.read<std::uint32_t>() != kMetadataSignature)
    return damagedTables("The metadata does not start with its signature.");
  reader.skip(8);  // versions and a reserved word
  const auto versionLength = reader.read<std::uint32_t>();
  reader.readBytes(alignUp(std::uint64_t{versionLength}, 4));
  reader.skip(2);  // flags
  const auto streamCount = reader.read<std::uint16_t>();
  if (reader.failed()) return damagedTables("The metadata ends inside its root.");
  return streamCount;
}

struct StreamHeader {
  std::uint32_t offset = 0;
  std::uint32_t size = 0;
  std::string_view name;
};

// II.24.2.2; the name is padded with zeros to four bytes.
bool tryReadStreamHeader(BoundedReader& reader, StreamHeader& header) {
  header.offset = reader.read<std::uint32_t>();
  header.size = reader.read<std::uint32_t>();
  const std::uint64_t nameStart = reader.position();
  header.name = reader.readZeroTerminated();
  reader.seek(nameStart + alignUp(header.name.size() + 1, 4));
  return !reader.failed() && header.name.size() < kMaxStreamName;
}

// II.24.2.6: which heaps need indices of four bytes.
IndexWidths widthsOf(std::uint8_t heapSizes, bool minimalDelta) {
  const auto width = [&](unsigned flag) { return static_cast<std::uint8_t>(minimalDelta || heapSizes & flag ? 4 : 2); };
  return {.string = width(1), .guid = width(2), .blob = width(4), .allTablesWide = minimalDelta};
}

// Which tables are there, by bit, and then how many rows each of them has.
Result<RowCounts> readRowCounts(BoundedReader& reader, std::uint64_t present, std::size_t known) {
  RowCounts counts{};
  for (unsigned number = 0; number < 64; ++number) {
    if ((present >> number & 1) == 0) continue;
    const auto count = reader.read<std::uint32_t>();
    // Tables that are not known here lie behind all others, so only their count needs reading.
    if (number >= known) continue;
    if (count > kMaxRow) return damagedTables(fmt::format("Metadata table {:#x} claims {} rows.", number, count));
    counts[number] = count;
  }
  return counts;
}

// PortablePdb-Metadata.md: behind the id and the entry point stand the rows of the assembly's tables.
Result<RowCounts> readAssemblyRowCounts(Bytes pdbStream) {
  constexpr std::uint64_t kIdAndEntryPoint = 24;
  if (pdbStream.empty()) return RowCounts{};
  BoundedReader reader(pdbStream);
  reader.skip(kIdAndEntryPoint);
  const auto present = reader.read<std::uint64_t>();
  HEAPSCAPE_TRY(const RowCounts counts, readRowCounts(reader, present, kTableCount));
  if (reader.failed()) return damagedTables("The PDB ends inside its own stream.");
  return counts;
}

}  // namespace

std::uint32_t MetadataRow::value(std::uint8_t column) const {
  const ColumnLayout place = m_tables->layout(m_table).columns[column];
  if (place.width == 2) {
    std::uint16_t value = 0;
    tryReadAt(m_bytes, place.offset, value);
    return value;
  }
  std::uint32_t value = 0;
  tryReadAt(m_bytes, place.offset, value);
  return value;
}

std::string_view MetadataRow::text(std::uint8_t column) const {
  return m_tables->text(value(column));
}

Bytes MetadataRow::blob(std::uint8_t column) const {
  return m_tables->blob(value(column));
}

Token MetadataRow::token(std::uint8_t column) const {
  const Column& schema = columnsOf(m_table)[column];
  Token token{static_cast<TableId>(schema.target), value(column)};
  if (schema.type == ColumnType::Coded) token = decodeCodedIndex(static_cast<CodedIndex>(schema.target), token.row);
  return token.row <= kMaxRow ? token : Token{};
}

Result<MetadataTables> MetadataTables::parse(Bytes bytes) {
  if (bytes.size() > kLimits.metadataBytes) {
    return damagedTables(fmt::format("The metadata claims {} bytes, more than any module has.", bytes.size()));
  }
  MetadataTables tables;
  tables.m_bytes = bytes;
  HEAPSCAPE_CHECK(tables.readStreams(bytes));
  return tables;
}

Result<void> MetadataTables::readStreams(Bytes bytes) {
  BoundedReader reader(bytes);
  HEAPSCAPE_TRY(const auto streamCount, readRoot(reader));
  bool minimalDelta = false;
  for (unsigned number = 0; number < streamCount; ++number) {
    StreamHeader header;
    if (!tryReadStreamHeader(reader, header)) return damagedTables("The metadata ends inside its stream headers.");
    if (header.name == "#JTD") minimalDelta = true;
    Bytes* stream = nullptr;
    if (header.name == "#~" || header.name == "#-") stream = &m_tableStream;
    if (header.name == "#Strings") stream = &m_strings;
    if (header.name == "#US") stream = &m_userStrings;
    if (header.name == "#Blob") stream = &m_blobs;
    if (header.name == "#GUID") stream = &m_guids;
    if (header.name == "#Pdb") stream = &m_pdb;
    // The first of a name counts.
    if (!stream || stream->data()) continue;
    if (!trySlice(bytes, header.offset, header.size, *stream)) {
      return damagedTables(fmt::format("The metadata stream {} does not lie inside the metadata.", header.name));
    }
  }
  if (!m_tableStream.data()) return damagedTables("The metadata has no stream of tables.");
  return readTableHeader(minimalDelta);
}

Result<void> MetadataTables::readTableHeader(bool minimalDelta) {
  constexpr std::uint8_t kExtraData = 0x40;
  BoundedReader reader(m_tableStream);
  reader.skip(6);  // reserved word and schema version
  const auto heapSizes = reader.read<std::uint8_t>();
  reader.skip(1);
  const auto present = reader.read<std::uint64_t>();
  reader.skip(8);  // which tables claim to be sorted: not relied on
  const std::size_t known = m_pdb.empty() ? static_cast<std::size_t>(TableId::Document) : kTableCount;
  HEAPSCAPE_TRY(const RowCounts counts, readRowCounts(reader, present, known));
  HEAPSCAPE_TRY(const RowCounts elsewhere, readAssemblyRowCounts(m_pdb));
  if (heapSizes & kExtraData) reader.skip(4);
  if (reader.failed()) return damagedTables("The metadata ends inside the header of its tables.");
  if (counts[static_cast<std::size_t>(TableId::TypeDef)] > kLimits.typesPerModule) {
    return damagedTables("The metadata claims more types than any module has.");
  }
  m_layouts = layoutTables(counts, elsewhere, widthsOf(heapSizes, minimalDelta), reader.position());
  const TableLayout& last = m_layouts.back();
  if (last.start + std::uint64_t{last.rowCount} * last.rowSizeBytes > m_tableStream.size()) {
    return damagedTables("The metadata claims more table rows than it holds.");
  }
  return {};
}

std::uint32_t MetadataTables::rowCount(TableId table) const {
  const auto number = static_cast<std::size_t>(table);
  return number < m_layouts.size() ? m_layouts[number].rowCount : 0;
}

std::optional<MetadataRow> MetadataTables::row(TableId table, std::uint32_t row) const {
  if (row == 0 || row > rowCount(table)) return std::nullopt;
  const TableLayout& place = layout(table);
  Bytes bytes;
  if (!trySlice(m_tableStream, place.start + std::uint64_t{row - 1} * place.rowSizeBytes, place.rowSizeBytes, bytes)) {
    return std::nullopt;
  }
  return MetadataRow(*this, table, bytes);
}

std::string_view MetadataTables::text(std::uint32_t offset) const {
  if (offset >= m_strings.size()) return {};
  const Bytes rest = m_strings.subspan(offset);
  // A cap on what one look-up may scan, so that many rows naming one endless text cannot stall the reader.
  BoundedReader reader(rest.first(std::min(rest.size(), kLimits.nameBytes)));
  return reader.readZeroTerminated();
}

Bytes MetadataTables::blob(std::uint32_t offset) const {
  if (offset >= m_blobs.size()) return {};
  BoundedReader reader(m_blobs.subspan(offset));
  const auto size = readCompressed(reader);
  return size ? reader.readBytes(*size) : Bytes{};
}

Bytes MetadataTables::guid(std::uint32_t number) const {
  constexpr std::uint64_t kGuidSize = 16;
  Bytes bytes;
  if (number == 0 || !trySlice(m_guids, std::uint64_t{number - 1} * kGuidSize, kGuidSize, bytes)) return {};
  return bytes;
}

MetadataShape MetadataTables::shape() const {
  const auto offsetOf = [&](Bytes part) { return static_cast<std::uint64_t>(part.data() - m_bytes.data()); };
  const auto partOf = [&](Bytes part) {
    return part.empty() ? MetadataShape::Part{} : MetadataShape::Part{offsetOf(part), part.size()};
  };
  MetadataShape shape{.sizeBytes = m_bytes.size(),
                      .strings = partOf(m_strings),
                      .blobs = partOf(m_blobs),
                      .userStrings = partOf(m_userStrings),
                      .guids = partOf(m_guids)};
  if (m_tableStream.size() >= shape.header.size())
    std::ranges::copy(m_tableStream.first(shape.header.size()), shape.header.begin());
  for (std::size_t i = 0; i < MetadataShape::kTables; ++i) {
    shape.rows[i] = m_layouts[i].rowCount;
    shape.tables[i] = offsetOf(m_tableStream) + m_layouts[i].start;
  }
  return shape;
}

bool MetadataShape::operator==(const MetadataShape& other) const {
  for (std::size_t i = 0; i < kTables; ++i) {
    if (rows[i] != other.rows[i] || (rows[i] != 0 && tables[i] != other.tables[i])) return false;
  }
  return sizeBytes == other.sizeBytes && header == other.header && strings == other.strings && blobs == other.blobs &&
         userStrings == other.userStrings && guids == other.guids;
}

}  // namespace heapscape::engine
