// SPDX-License-Identifier: MIT
#include "memory/packing/bundle_manifest.h"

#include <algorithm>
#include <array>
#include <functional>

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kMarkerWithin = 512ull << 20;  // the host's own size, runtime included, is far below
constexpr std::uint32_t kOldestVersion = 1;
constexpr std::uint32_t kNewestVersion = 6;
constexpr std::uint32_t kMostFiles = 100'000;
constexpr std::uint64_t kMostTextBytes = 64 * 1024;
constexpr std::uint64_t kMostUnpackedBytes = 1ull << 31;

// SHA-256 of ".net core bundle\n".
constexpr std::array<unsigned char, 32> kMarker = {0x8b, 0x12, 0x02, 0xb9, 0x6a, 0x61, 0x20, 0x38, 0x72, 0x7b, 0x93,
                                                   0x02, 0x14, 0xd7, 0xa0, 0x32, 0x13, 0xf5, 0xb9, 0xe6, 0xef, 0xae,
                                                   0x33, 0x18, 0xee, 0x3b, 0x2d, 0xce, 0x24, 0xb3, 0x6a, 0xae};

/// Where the manifest begins; 0 if the file is no bundle. A host that nothing was put into has the marker, too.
std::uint64_t findManifest(Bytes program) {
  const Bytes searched = program.first(std::min<std::uint64_t>(program.size(), kMarkerWithin));
  const auto* first = reinterpret_cast<const unsigned char*>(searched.data());
  const auto* last = first + searched.size();
  const std::boyer_moore_horspool_searcher marker(kMarker.begin(), kMarker.end());
  for (const auto* found = std::search(first, last, marker); found != last;
       found = std::search(found + 1, last, marker)) {
    const auto place = static_cast<std::uint64_t>(found - first);
    std::uint64_t offset = 0;
    if (place >= sizeof offset && tryReadAt(program, place - sizeof offset, offset) && offset != 0 &&
        offset < program.size()) {
      return offset;
    }
  }
  return 0;
}

// Its length in bytes stands before it, seven bits at a time.
std::string readText(BoundedReader& reader) {
  std::uint64_t length = 0;
  for (unsigned shift = 0; shift < 28; shift += 7) {
    const auto part = reader.read<std::uint8_t>();
    length |= std::uint64_t{part & 0x7fu} << shift;
    if ((part & 0x80) == 0) break;
  }
  const Bytes text = length <= kMostTextBytes ? reader.readBytes(length) : reader.readBytes(~0ull);
  return {reinterpret_cast<const char*>(text.data()), text.size()};
}

bool isInside(const BundledFile& file, std::uint64_t programBytes) {
  const std::uint64_t bytes = file.packedBytes ? file.packedBytes : file.sizeBytes;
  return file.offset <= programBytes && bytes <= programBytes - file.offset && file.sizeBytes <= kMostUnpackedBytes;
}

}  // namespace

const BundledFile* BundleManifest::find(std::string_view path) const {
  const auto found = std::ranges::find(files, path, &BundledFile::path);
  return found == files.end() ? nullptr : &*found;
}

const BundledFile* BundleManifest::findAt(std::uint64_t offset) const {
  const auto found = std::ranges::find(files, offset, &BundledFile::offset);
  return found == files.end() ? nullptr : &*found;
}

Result<BundleManifest> readBundleManifest(Bytes program) {
  const std::uint64_t start = findManifest(program);
  if (start == 0) return failure(ErrorCode::NotFound, "The file is no program that was published as a single file.");
  BoundedReader reader(program);
  reader.seek(start);
  BundleManifest manifest;
  manifest.majorVersion = reader.read<std::uint32_t>();
  reader.skip(4);  // minor version
  const auto count = reader.read<std::uint32_t>();
  manifest.id = readText(reader);
  if (reader.failed() || manifest.majorVersion < kOldestVersion || manifest.majorVersion > kNewestVersion ||
      count > kMostFiles) {
    return failure(ErrorCode::Damaged, "The list of files in the single-file program cannot be read.");
  }
  if (manifest.majorVersion >= 2) reader.skip(5 * 8);  // places of two of the files, flags
  for (std::uint32_t i = 0; i < count; ++i) {
    BundledFile file;
    file.offset = reader.read<std::uint64_t>();
    file.sizeBytes = reader.read<std::uint64_t>();
    if (manifest.majorVersion >= 6) file.packedBytes = reader.read<std::uint64_t>();
    file.type = static_cast<BundledFile::Type>(reader.read<std::uint8_t>());
    file.path = readText(reader);
    if (reader.failed() || !isInside(file, program.size())) {
      return failure(ErrorCode::Damaged, "The list of files in the single-file program leads out of it.");
    }
    manifest.files.push_back(std::move(file));
  }
  return manifest;
}

}  // namespace heapscape::engine
