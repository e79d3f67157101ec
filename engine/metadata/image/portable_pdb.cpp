// SPDX-License-Identifier: MIT
#include "metadata/image/portable_pdb.h"

#include <algorithm>

#include "base/limits.h"
#include "memory/files/regular_file.h"
#include "memory/packing/decoder.h"
#include "metadata/metadata_tables.h"
#include "metadata/signature.h"

namespace heapscape::engine {
namespace {

/// Where a statement begins, in IL and in its source.
struct SequencePoint {
  std::uint32_t ilOffset = 0;
  std::uint32_t document = 0;  // a row of the table Document; 0 if the method has none
  std::uint32_t line = 0;
};

/// Goes through the records of a blob.
class PointReader {
 public:
  PointReader(Bytes blob, std::uint32_t document) : m_reader(blob), m_document(document) {}

  bool tryReadHead() {
    if (!readCompressed(m_reader)) return false;  // the signature of the locals
    return m_document != 0 || tryReadDocument();
  }

  /// The next record; false at the end, or where the blob makes no sense.
  bool tryReadRecord() {
    if (m_reader.atEnd()) return false;
    auto step = readCompressed(m_reader);
    // But for the first record, no step means that statements of another document follow.
    while (step && *step == 0 && !m_isFirst) {
      if (!tryReadDocument() || m_reader.atEnd()) return false;
      step = readCompressed(m_reader);
    }
    if (!step) return false;
    m_isFirst = false;
    m_ilOffset += *step;
    const auto lines = readCompressed(m_reader);
    if (!lines) return false;
    std::optional<std::int64_t> columns;
    if (*lines == 0) {
      columns = readCompressed(m_reader);
    } else {
      columns = readCompressedSigned(m_reader);
    }
    m_isHidden = *lines == 0 && columns == 0;
    return columns && (m_isHidden || tryReadStart());
  }

  bool isHidden() const { return m_isHidden; }
  SequencePoint point() const { return {m_ilOffset, m_document, m_line}; }

 private:
  bool tryReadDocument() {
    const auto row = readCompressed(m_reader);
    m_document = row.value_or(0);
    return row.has_value();
  }

  // The first place is absolute, the others are counted from the one before that is not hidden.
  bool tryReadStart() {
    if (!m_hasLine) {
      const auto line = readCompressed(m_reader);
      if (!line || !readCompressed(m_reader)) return false;
      m_line = *line;
      m_hasLine = true;
      return true;
    }
    const auto step = readCompressedSigned(m_reader);
    if (!step || !readCompressedSigned(m_reader)) return false;
    m_line += static_cast<std::uint32_t>(*step);
    return true;
  }

  BoundedReader m_reader;
  std::uint32_t m_document;
  std::uint32_t m_ilOffset = 0;
  std::uint32_t m_line = 0;
  bool m_isFirst = true;
  bool m_hasLine = false;
  bool m_isHidden = false;
};

/// The last point of a method at or before an IL offset that is not hidden, from its blob of sequence points
/// (PortablePdb-Metadata.md). `document`: of the method's row, 0 if it has statements of several. Nothing if there is
/// none, or if the blob is damaged in front of it.
std::optional<SequencePoint> sequencePointAt(Bytes blob, std::uint32_t document, std::uint32_t ilOffset) {
  PointReader reader(blob, document);
  std::optional<SequencePoint> found;
  if (!reader.tryReadHead()) return found;
  while (reader.tryReadRecord() && reader.point().ilOffset <= ilOffset) {
    if (!reader.isHidden()) found = reader.point();
  }
  return found;
}

constexpr std::size_t kMostScopes = 10'000;  // of one method
constexpr std::uint32_t kMostVariablesOfScope = 10'000;
constexpr std::uint16_t kIsHiddenFromDebuggers = 1;
constexpr std::string_view kCompilersOwn = "<>";  // as in CS$<>8__locals0

}  // namespace

struct PortablePdb::Parts {
  Parts(MetadataTables metadataTables, const PdbId& pdbId, std::shared_ptr<const void> bytesOwner)
      : tables(std::move(metadataTables)), id(pdbId), owner(std::move(bytesOwner)) {}

  MetadataTables tables;
  PdbId id;
  std::shared_ptr<const void> owner;
  RowIndex scopes{tables, TableId::LocalScope, columns::localScope::Method};
};

Result<std::shared_ptr<const PortablePdb>> PortablePdb::parse(Bytes bytes, std::shared_ptr<const void> owner) {
  HEAPSCAPE_TRY(auto tables, MetadataTables::parse(bytes));
  PdbId id{};
  if (!tryReadAt(tables.pdbStream(), 0, id)) return failure(ErrorCode::Damaged, "The file is no portable PDB.");
  auto parts = std::make_unique<const Parts>(std::move(tables), id, std::move(owner));
  return std::shared_ptr<const PortablePdb>(new PortablePdb(std::move(parts)));
}

PortablePdb::PortablePdb(std::unique_ptr<const Parts> parts) : m_parts(std::move(parts)) {}

PortablePdb::~PortablePdb() = default;

const PdbId& PortablePdb::id() const {
  return m_parts->id;
}

std::optional<SourceLine> PortablePdb::lineOf(std::uint32_t methodRow, std::uint32_t ilOffset) const {
  namespace column = columns::methodDebugInformation;
  const auto method = m_parts->tables.row(TableId::MethodDebugInformation, methodRow);
  if (!method) return std::nullopt;
  const Bytes blob = method->blob(column::SequencePoints);
  const auto point = sequencePointAt(blob, method->value(column::Document), ilOffset);
  if (!point) return std::nullopt;
  std::string file = documentName(point->document);
  if (file.empty()) return std::nullopt;
  return SourceLine{std::move(file), point->line};
}

// The name's blob is a separator and then the indices of its parts in the heap.
std::string PortablePdb::documentName(std::uint32_t row) const {
  const auto document = m_parts->tables.row(TableId::Document, row);
  if (!document) return {};
  BoundedReader reader(document->blob(columns::document::Name));
  const auto separator = reader.read<char>();
  std::string name;
  for (bool isFirst = true; !reader.failed() && !reader.atEnd(); isFirst = false) {
    const auto index = readCompressed(reader);
    if (!index) return {};
    if (!isFirst && separator != '\0') name += separator;
    const Bytes part = m_parts->tables.blob(*index);
    if (name.size() + part.size() > kLimits.nameBytes) return {};
    name.append(reinterpret_cast<const char*>(part.data()), part.size());
  }
  return name;
}

// Calls visit(where its scope begins, bytes of the scope, name) with what the source has in a slot, from outer scopes
// to those inside them, as long as it returns true.
template <class Visit>
void PortablePdb::forEachName(std::uint32_t methodRow, std::uint32_t slot, const Visit& visit) const {
  const MetadataTables& tables = m_parts->tables;
  std::size_t seen = 0;
  for (const RowIndex::Entry& entry : m_parts->scopes.rowsOf({TableId::MethodDef, methodRow})) {
    const auto scope = tables.row(TableId::LocalScope, entry.row);
    if (!scope || ++seen > kMostScopes) return;
    const auto next = tables.row(TableId::LocalScope, entry.row + 1);
    const std::uint32_t first = scope->value(columns::localScope::VariableList);
    const std::uint32_t all = tables.rowCount(TableId::LocalVariable) + 1;
    const std::uint32_t end = next ? std::min(next->value(columns::localScope::VariableList), all) : all;
    for (std::uint32_t row = first; row < end && row - first < kMostVariablesOfScope; ++row) {
      const auto variable = tables.row(TableId::LocalVariable, row);
      if (!variable || variable->value(columns::localVariable::Index) != slot) continue;
      if ((variable->value(columns::localVariable::Attributes) & kIsHiddenFromDebuggers) != 0) continue;
      const std::string_view name = variable->text(columns::localVariable::Name);
      if (name.find(kCompilersOwn) != std::string_view::npos) continue;
      if (!visit(scope->value(columns::localScope::StartOffset), scope->value(columns::localScope::Length), name))
        return;
    }
  }
}

std::string_view PortablePdb::localName(std::uint32_t methodRow, std::uint32_t slot,
                                        std::optional<std::uint32_t> ilOffset) const {
  std::string_view name;
  forEachName(methodRow, slot, [&](std::uint32_t start, std::uint32_t bytes, std::string_view found) {
    if (ilOffset && (*ilOffset < start || *ilOffset - start >= bytes)) return true;
    const bool isAmbiguous = !ilOffset && !name.empty() && found != name;
    name = isAmbiguous ? std::string_view{} : found;
    return !isAmbiguous;
  });
  return name;
}

bool PortablePdb::namesLocal(std::uint32_t methodRow, std::uint32_t slot) const {
  bool isNamed = false;
  forEachName(methodRow, slot, [&](std::uint32_t, std::uint32_t, std::string_view) {
    isNamed = true;
    return false;
  });
  return isNamed;
}

namespace {

constexpr std::uint32_t kCodeView = 2;
constexpr std::uint32_t kEmbeddedPdb = 17;
constexpr std::uint16_t kPortableMark = 0x504d;  // "MP" as the minor version of a CodeView entry
constexpr std::uint32_t kMostEntries = 64;       // a handful are usual
constexpr std::uint32_t kMostPathBytes = 4096;
constexpr std::uint32_t kMostEmbeddedBytes = 256 << 20;

/// IMAGE_DEBUG_DIRECTORY.
struct Entry {
  std::uint32_t characteristics = 0;
  std::uint32_t timeStamp = 0;
  std::uint16_t majorVersion = 0;
  std::uint16_t minorVersion = 0;
  std::uint32_t type = 0;
  std::uint32_t sizeBytes = 0;
  std::uint32_t rva = 0;
  std::uint32_t fileOffset = 0;
};
static_assert(sizeof(Entry) == 28);

std::vector<std::byte> readData(const PeReader& read, bool mapped, const Entry& entry, std::uint32_t mostBytes) {
  if (entry.sizeBytes == 0 || entry.sizeBytes > mostBytes) return {};
  const auto located = entry.rva != 0 ? locateRva(read, mapped, entry.rva) : Result<std::uint64_t>(entry.fileOffset);
  if (!located || *located == 0) return {};
  // The first byte tells whether the rest is worth the memory.
  std::byte first{};
  if (!read(*located + entry.sizeBytes - 1, std::span(&first, 1))) return {};
  std::vector<std::byte> bytes(entry.sizeBytes);
  if (!read(*located, bytes)) return {};
  return bytes;
}

void readCodeView(Bytes bytes, const Entry& entry, DebugDirectory& directory) {
  constexpr std::uint32_t kCodeViewSignature = 0x53445352;  // "RSDS"
  constexpr std::uint64_t kGuidBytes = 16;
  BoundedReader reader(bytes);
  if (reader.read<std::uint32_t>() != kCodeViewSignature) return;
  const Bytes guid = reader.readBytes(kGuidBytes);
  reader.skip(4);  // age
  const std::string_view path = reader.readZeroTerminated();
  if (guid.size() != kGuidBytes) return;
  PdbId id{};
  std::ranges::copy(guid, id.begin());
  std::memcpy(id.data() + kGuidBytes, &entry.timeStamp, sizeof entry.timeStamp);
  directory.pdbId = id;
  directory.pdbPath = path;
}

}  // namespace

std::optional<DebugDirectory> readDebugDirectory(const PeReader& read, bool mapped) {
  const auto location = locateDebugDirectory(read, mapped);
  if (!location) return std::nullopt;
  DebugDirectory directory;
  const std::uint32_t count = std::min<std::uint32_t>(location->sizeBytes / sizeof(Entry), kMostEntries);
  for (std::uint32_t i = 0; i < count; ++i) {
    Entry entry;
    if (!read(location->offset + i * sizeof(Entry), std::as_writable_bytes(std::span(&entry, 1)))) return std::nullopt;
    if (entry.type == kCodeView && entry.minorVersion == kPortableMark && !directory.pdbId) {
      readCodeView(readData(read, mapped, entry, kMostPathBytes), entry, directory);
      if (!directory.pdbId) directory.isWhole = false;
    } else if (entry.type == kEmbeddedPdb && directory.embeddedPdb.empty()) {
      directory.embeddedPdb = readData(read, mapped, entry, kMostEmbeddedBytes);
      if (directory.embeddedPdb.empty()) directory.isWhole = false;
    }
  }
  return directory;
}

namespace {

constexpr std::uint64_t kMostPdbBytes = 512ull << 20;

using Buffer = std::shared_ptr<std::byte[]>;

std::shared_ptr<const PortablePdb> parseMatching(Buffer bytes, std::size_t size, const PdbId& id) {
  const Bytes view(bytes.get(), size);
  const auto pdb = PortablePdb::parse(view, std::move(bytes));
  return pdb && (*pdb)->id() == id ? *pdb : nullptr;
}

// PE-COFF.md, "Embedded Portable PDB Debug Directory Entry".
std::shared_ptr<const PortablePdb> unpackEmbedded(Bytes bytes, const PdbId& id) {
  constexpr std::uint32_t kPortablePdbSignature = 0x4244504d;  // "MPDB"
  BoundedReader reader(bytes);
  const auto signature = reader.read<std::uint32_t>();
  const auto size = reader.read<std::uint32_t>();
  if (reader.failed() || signature != kPortablePdbSignature || size == 0 || size > kMostPdbBytes) return nullptr;
  Buffer unpacked = inflateBytes(bytes.subspan(reader.position()), size);
  return unpacked ? parseMatching(std::move(unpacked), size, id) : nullptr;
}

std::shared_ptr<const PortablePdb> readMatching(const std::filesystem::path& path, const PdbId& id) {
  const auto file = openRegularFile(path, {});
  if (!file || file->sizeBytes > kMostPdbBytes) return nullptr;
  auto bytes = std::make_shared_for_overwrite<std::byte[]>(file->sizeBytes);
  if (!tryReadFile(*file, 0, std::span(bytes.get(), file->sizeBytes))) return nullptr;
  return parseMatching(std::move(bytes), file->sizeBytes, id);
}

}  // namespace

std::shared_ptr<const PortablePdb> findPdb(const DebugDirectory& directory,
                                           std::span<const std::filesystem::path> candidates) {
  if (!directory.pdbId) return nullptr;
  if (auto inside = unpackEmbedded(directory.embeddedPdb, *directory.pdbId)) return inside;
  for (const std::filesystem::path& candidate : candidates) {
    if (auto beside = readMatching(candidate, *directory.pdbId)) return beside;
  }
  return nullptr;
}

std::string pdbFileName(const DebugDirectory& directory) {
  return directory.pdbPath.substr(directory.pdbPath.find_last_of("/\\") + 1);
}

}  // namespace heapscape::engine
