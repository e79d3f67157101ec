// SPDX-License-Identifier: MIT
#include "metadata/image/pe_image.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "base/limits.h"

namespace heapscape::engine {

namespace {

// The PE format's own limit is 96 sections; the runtime's images have a handful.
constexpr std::uint16_t kMaxSections = 1024;
constexpr std::size_t kSectionHeaderSize = 40;

tl::unexpected<Error> damagedImage(std::string what) {
  return failure(ErrorCode::Damaged, std::move(what));
}

struct Directory {
  std::uint32_t address = 0;  // relative to the image's start when mapped
  std::uint32_t size = 0;
};

struct Section {
  std::uint32_t virtualAddress = 0;
  std::uint32_t rawSize = 0;
  std::uint32_t rawOffset = 0;
};

/// Follows one image's headers, from the DOS header on (ECMA-335 II.25.2).
class PeHeaders {
 public:
  PeHeaders(const PeReader& read, bool mapped) : m_read(read), m_mapped(mapped) {}

  Result<PeMetadataLocation> locate();
  Result<std::uint64_t> locateRva(std::uint32_t rva);
  Result<PeDataLocation> locateDebugDirectory();
  Result<std::vector<PeStretch>> stretchesOfFile();

 private:
  template <std::size_t size>
  Result<std::array<std::byte, size>> readBlock(std::uint64_t offset) const;
  Result<std::uint64_t> findPeHeader() const;
  Result<void> readOptionalHeader(std::uint64_t offset, std::uint16_t size);
  Result<void> readSections(std::uint64_t offset, std::uint16_t count);
  Result<void> readHeaders();
  std::optional<std::uint64_t> offsetOf(Directory directory) const;

  const PeReader& m_read;
  bool m_mapped;
  std::uint32_t m_sizeOfImage = 0;
  std::uint32_t m_sizeOfHeaders = 0;
  Directory m_cli;
  Directory m_debug;
  std::vector<Section> m_sections;
};

template <std::size_t size>
Result<std::array<std::byte, size>> PeHeaders::readBlock(std::uint64_t offset) const {
  std::array<std::byte, size> block{};
  if (!m_read(offset, block)) return failure(ErrorCode::NotInDump, "The headers of a module are not in the dump.");
  return block;
}

// II.25.2.1: the DOS header names the place of the PE header.
Result<std::uint64_t> PeHeaders::findPeHeader() const {
  HEAPSCAPE_TRY(const auto dosHeader, readBlock<64>(0));
  BoundedReader reader(dosHeader);
  if (reader.read<std::uint16_t>() != 0x5a4d) return damagedImage("A module's image does not start like one.");
  reader.seek(0x3c);
  return reader.read<std::uint32_t>();
}

// II.25.2.3: sizes and data directories.
Result<void> PeHeaders::readOptionalHeader(std::uint64_t offset, std::uint16_t size) {
  constexpr std::uint16_t kPe32 = 0x10b;
  constexpr std::uint16_t kPe32Plus = 0x20b;
  constexpr std::uint32_t kDebugDirectory = 6;
  constexpr std::uint32_t kCliDirectory = 14;
  HEAPSCAPE_TRY(const auto start, readBlock<64>(offset));
  BoundedReader reader(start);
  const auto magic = reader.read<std::uint16_t>();
  if (magic != kPe32 && magic != kPe32Plus)
    return damagedImage("A module's image has an optional header of unknown kind.");
  reader.seek(56);
  m_sizeOfImage = reader.read<std::uint32_t>();
  m_sizeOfHeaders = reader.read<std::uint32_t>();
  const std::uint64_t countAt = magic == kPe32 ? 92 : 108;
  const std::uint64_t directoriesAt = countAt + 4;
  if (directoriesAt + (kCliDirectory + 1) * sizeof(Directory) > size) return {};
  HEAPSCAPE_TRY(const auto counted, readBlock<4>(offset + countAt));
  if (BoundedReader(counted).read<std::uint32_t>() <= kCliDirectory) return {};
  HEAPSCAPE_TRY(const auto cli,
                readBlock<sizeof(Directory)>(offset + directoriesAt + kCliDirectory * sizeof(Directory)));
  m_cli = BoundedReader(cli).read<Directory>();
  HEAPSCAPE_TRY(const auto debug,
                readBlock<sizeof(Directory)>(offset + directoriesAt + kDebugDirectory * sizeof(Directory)));
  m_debug = BoundedReader(debug).read<Directory>();
  return {};
}

// II.25.3
Result<void> PeHeaders::readSections(std::uint64_t offset, std::uint16_t count) {
  if (count > kMaxSections) return damagedImage("A module's image claims more sections than any real one has.");
  for (std::uint16_t number = 0; number < count; ++number) {
    HEAPSCAPE_TRY(const auto header, readBlock<kSectionHeaderSize>(offset + number * kSectionHeaderSize));
    BoundedReader reader(header);
    reader.seek(12);  // behind name and virtual size
    m_sections.push_back(reader.read<Section>());
  }
  return {};
}

// Where a directory lies in the form the image is held in; nothing if it lies in no section.
std::optional<std::uint64_t> PeHeaders::offsetOf(Directory directory) const {
  const std::uint64_t end = std::uint64_t{directory.address} + directory.size;
  if (m_mapped) return end <= m_sizeOfImage ? std::optional<std::uint64_t>(directory.address) : std::nullopt;
  if (end <= m_sizeOfHeaders) return directory.address;
  for (const Section& section : m_sections) {
    const bool inside =
        directory.address >= section.virtualAddress && end <= std::uint64_t{section.virtualAddress} + section.rawSize;
    if (inside) return std::uint64_t{section.rawOffset} + (directory.address - section.virtualAddress);
  }
  return std::nullopt;
}

Result<void> PeHeaders::readHeaders() {
  constexpr std::uint32_t kPeSignature = 0x4550;
  constexpr std::uint32_t kFileHeaderSize = 24;  // with the signature
  HEAPSCAPE_TRY(const std::uint64_t peHeader, findPeHeader());
  HEAPSCAPE_TRY(const auto fileHeader, readBlock<kFileHeaderSize>(peHeader));
  BoundedReader reader(fileHeader);
  if (reader.read<std::uint32_t>() != kPeSignature) return damagedImage("A module's image has no PE header.");
  // The machine is not checked: ready-to-run images have the operating system mixed into it.
  reader.seek(6);
  const auto sectionCount = reader.read<std::uint16_t>();
  reader.seek(20);
  const auto optionalSize = reader.read<std::uint16_t>();
  HEAPSCAPE_CHECK(readOptionalHeader(peHeader + kFileHeaderSize, optionalSize));
  if (m_cli.address == 0) return failure(ErrorCode::NotFound, "The image is not a managed one.");
  return readSections(peHeader + kFileHeaderSize + optionalSize, sectionCount);
}

Result<PeMetadataLocation> PeHeaders::locate() {
  HEAPSCAPE_CHECK(readHeaders());
  // II.25.3.3: the CLI header.
  const auto cliOffset = offsetOf(m_cli);
  if (!cliOffset) return damagedImage("A module's CLI header lies outside its image.");
  HEAPSCAPE_TRY(const auto cliHeader, readBlock<72>(*cliOffset));
  BoundedReader cliReader(cliHeader);
  cliReader.seek(8);
  const auto metadata = cliReader.read<Directory>();
  cliReader.seek(64);
  const auto nativeHeader = cliReader.read<Directory>();
  const auto offset = offsetOf(metadata);
  if (!offset || metadata.size == 0 || metadata.size > kLimits.metadataBytes) {
    return damagedImage("A module's metadata lies outside its image.");
  }
  return PeMetadataLocation{.offset = *offset,
                            .sizeBytes = metadata.size,
                            .readyToRun = nativeHeader.size != 0,
                            .nativeHeaderOffset = offsetOf(nativeHeader).value_or(0),
                            .sizeOfImage = m_sizeOfImage};
}

Result<std::uint64_t> PeHeaders::locateRva(std::uint32_t rva) {
  HEAPSCAPE_CHECK(readHeaders());
  const auto offset = offsetOf({rva, 0});
  if (!offset) return damagedImage("A module's data lies outside its image.");
  return *offset;
}

Result<PeDataLocation> PeHeaders::locateDebugDirectory() {
  HEAPSCAPE_CHECK(readHeaders());
  if (m_debug.address == 0 || m_debug.size == 0) return failure(ErrorCode::NotFound, "The image names no PDB.");
  const auto offset = offsetOf(m_debug);
  if (!offset) return damagedImage("A module's debug directory lies outside its image.");
  return PeDataLocation{.offset = *offset, .sizeBytes = m_debug.size};
}

Result<std::vector<PeStretch>> PeHeaders::stretchesOfFile() {
  HEAPSCAPE_CHECK(readHeaders());
  std::vector<PeStretch> stretches{{0, 0, m_sizeOfHeaders}};
  for (const Section& section : m_sections)
    if (section.rawSize) stretches.push_back({section.rawOffset, section.virtualAddress, section.rawSize});
  return stretches;
}

}  // namespace

Result<PeMetadataLocation> locateMetadata(const PeReader& read, bool mapped) {
  return PeHeaders(read, mapped).locate();
}

Result<std::uint64_t> locateRva(const PeReader& read, bool mapped, std::uint32_t rva) {
  return PeHeaders(read, mapped).locateRva(rva);
}

Result<PeDataLocation> locateDebugDirectory(const PeReader& read, bool mapped) {
  return PeHeaders(read, mapped).locateDebugDirectory();
}

Result<std::vector<PeStretch>> stretchesOfFile(const PeReader& read) {
  return PeHeaders(read, true).stretchesOfFile();
}

}  // namespace heapscape::engine
