// SPDX-License-Identifier: MIT
#include "metadata/metadata_tables.h"

#include <fmt/format.h>
#include <algorithm>

#include "base/address.h"
#include "base/limits.h"
#include "metadata/signature.h"

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

std::optional<Bytes> MetadataTables::userString(std::uint32_t offset) const {
  if (offset == 0 || offset >= m_userStrings.size()) return std::nullopt;
  BoundedReader reader(m_userStrings.subspan(offset));
  const auto size = readCompressed(reader);
  const Bytes bytes = size ? reader.readBytes(*size) : Bytes{};
  if (!size || reader.failed()) return std::nullopt;
  // A byte behind the text says whether it needs more than the usual letters.
  return bytes.first(bytes.size() - bytes.size() % 2);
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

const std::vector<RowIndex::Entry>& RowIndex::entries() const {
  std::call_once(m_built, [this] {
    std::vector<Entry> entries;
    const std::uint32_t count = m_tables.rowCount(m_table);
    entries.reserve(count);
    for (std::uint32_t row = 1; row <= count; ++row) {
      const auto read = m_tables.row(m_table, row);
      const Token key = read ? read->token(m_keyColumn) : Token{};
      if (!key.isNil()) entries.push_back({key.value(), row});
    }
    if (!std::is_sorted(entries.begin(), entries.end())) std::sort(entries.begin(), entries.end());
    m_entries = std::move(entries);
  });
  return m_entries;
}

std::span<const RowIndex::Entry> RowIndex::rowsOf(Token key) const {
  const auto& all = entries();
  const auto [first, last] = std::ranges::equal_range(all, key.value(), {}, &Entry::key);
  return {first, last};
}

std::uint32_t RowIndex::firstRowOf(Token key) const {
  const auto rows = rowsOf(key);
  return rows.empty() ? 0 : rows.front().row;
}

std::uint32_t RowIndex::rowStartingAtOrBefore(Token key) const {
  const auto& all = entries();
  const auto after = std::ranges::upper_bound(all, key.value(), {}, &Entry::key);
  return after == all.begin() ? 0 : std::prev(after)->row;
}

}  // namespace heapscape::engine
