// SPDX-License-Identifier: MIT
#include "metadata/image/ready_to_run_header.h"

#include <array>
#include <optional>

#include "base/limits.h"
#include "metadata/metadata.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kReadyToRunSignature = 0x00525452;  // "RTR"
constexpr std::uint32_t kMaxReadyToRunSections = 1024;      // a few dozen kinds exist
constexpr std::uint32_t kManifestMetadata = 112;
constexpr std::uint32_t kOwnerCompositeExecutable = 116;
constexpr std::uint32_t kMaxFileName = 4096;

struct Header {
  std::uint32_t signature = 0;
  std::uint16_t majorVersion = 0;
  std::uint16_t minorVersion = 0;
  std::uint32_t flags = 0;
  std::uint32_t sectionCount = 0;
};

struct SectionEntry {
  std::uint32_t type = 0;
  std::uint32_t rva = 0;
  std::uint32_t size = 0;
};

template <class T>
std::optional<T> readValue(const PeReader& read, std::uint64_t offset) {
  T value{};
  if (!read(offset, std::as_writable_bytes(std::span(&value, 1)))) return std::nullopt;
  return value;
}

/// Calls `visit` with every section that the header lists until it returns false. False if there is no header.
template <class Visit>
bool forEachSection(const PeReader& read, const PeMetadataLocation& location, Visit visit) {
  const auto header = location.readyToRun ? readValue<Header>(read, location.nativeHeaderOffset) : std::nullopt;
  if (!header || header->signature != kReadyToRunSignature) return false;
  for (std::uint32_t number = 0; number < header->sectionCount && number < kMaxReadyToRunSections; ++number) {
    const auto section =
        readValue<SectionEntry>(read, location.nativeHeaderOffset + sizeof(Header) + number * sizeof(SectionEntry));
    if (!section || !visit(*section)) break;
  }
  return true;
}

std::vector<std::byte> readSection(const PeReader& read, bool mapped, const SectionEntry& section) {
  const auto offset = locateRva(read, mapped, section.rva);
  if (!offset || section.size == 0 || section.size > kLimits.manifestBytes) return {};
  std::vector<std::byte> bytes(section.size);
  if (!read(*offset, bytes)) return {};
  return bytes;
}

std::vector<std::string> assembliesOf(Bytes manifest) {
  std::vector<std::string> names;
  const auto metadata = Metadata::parse(manifest);
  if (!metadata) return names;
  for (std::uint32_t row = 1; row <= (*metadata)->rowCount(TableId::AssemblyRef); ++row) {
    const auto reference = (*metadata)->assemblyRef(row);
    if (reference && names.size() < kLimits.referencedAssemblies) names.emplace_back(reference->name);
  }
  return names;
}

std::string fileNameIn(Bytes bytes) {
  if (bytes.size() > kMaxFileName) return {};
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return std::string(text.substr(0, text.find('\0')));
}

}  // namespace

ReadyToRunFacts readReadyToRunHeader(const PeReader& read, bool mapped, const PeMetadataLocation& location) {
  ReadyToRunFacts facts;
  facts.isReadyToRun = forEachSection(read, location, [&](const SectionEntry& section) {
    if (section.type == kManifestMetadata) {
      facts.manifestAssemblies = assembliesOf(readSection(read, mapped, section));
    } else if (section.type == kOwnerCompositeExecutable) {
      facts.compositeImage = fileNameIn(readSection(read, mapped, section));
    }
    return true;
  });
  return facts;
}

std::optional<ReadyToRunSection> findReadyToRunSection(const PeReader& read, const PeMetadataLocation& location,
                                                       std::uint32_t type) {
  std::optional<ReadyToRunSection> found;
  forEachSection(read, location, [&](const SectionEntry& section) {
    if (section.type == type) found = ReadyToRunSection{section.rva, section.size};
    return !found;
  });
  return found;
}

}  // namespace heapscape::engine
