// SPDX-License-Identifier: MIT
#include "metadata/image/debug_directory.h"

#include <algorithm>

#include "base/limits.h"

namespace heapscape::engine {
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

}  // namespace heapscape::engine
