// SPDX-License-Identifier: MIT
#include "metadata/image/file_version.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace heapscape::engine {
namespace {

template <class T>
bool tryReadNumber(const PeReader& read, std::uint64_t offset, T& value) {
  return read(offset, std::as_writable_bytes(std::span(&value, 1)));
}

/// What a VS_FIXEDFILEINFO begins with, wherever it lies among the resources; the file's version follows.
constexpr std::uint32_t kInfoSignature = 0xfeef04bd;
constexpr std::uint32_t kInfoVersion = 0x10000;
constexpr std::size_t kInfoBytes = 16;

}  // namespace

Result<std::string> fileVersionOf(const PeReader& read, bool mapped) {
  constexpr std::uint64_t kPeOffset = 0x3c;
  constexpr std::uint64_t kOptionalHeader = 24;
  constexpr std::uint16_t kPe32Plus = 0x20b;
  constexpr std::uint64_t kResources = 2 * 8;  // the third of the data directories
  constexpr std::uint32_t kMostBytes = 4u << 20;
  constexpr std::size_t kPieceBytes = 256;
  std::uint32_t header = 0;
  std::uint16_t magic = 0;
  std::array<std::uint32_t, 2> directory{};
  const auto missing = [] { return failure(ErrorCode::NotInDump, "The resources of a module are not in the dump."); };
  if (!tryReadNumber(read, kPeOffset, header) || !tryReadNumber(read, header + kOptionalHeader, magic))
    return missing();
  const std::uint64_t directories = header + kOptionalHeader + (magic == kPe32Plus ? 112 : 96);
  if (!tryReadNumber(read, directories + kResources, directory)) return missing();
  if (directory[0] == 0 || directory[1] == 0) return failure(ErrorCode::NotFound, "The image has no resources.");
  HEAPSCAPE_TRY(const std::uint64_t offset, locateRva(read, mapped, directory[0]));
  std::vector<std::byte> resources(std::min(directory[1], kMostBytes));
  // Dumps may lack pages of them.
  bool isAnyThere = false;
  for (std::size_t at = 0; at < resources.size(); at += kPieceBytes)
    isAnyThere |=
        read(offset + at, std::span(resources).subspan(at).first(std::min(kPieceBytes, resources.size() - at)));
  if (!isAnyThere) return missing();
  for (std::size_t at = 0; at + kInfoBytes <= resources.size(); at += 4) {
    BoundedReader reader(Bytes(resources).subspan(at));
    if (reader.read<std::uint32_t>() != kInfoSignature || reader.read<std::uint32_t>() != kInfoVersion) continue;
    const auto high = reader.read<std::uint32_t>();
    const auto low = reader.read<std::uint32_t>();
    return fmt::format("{}.{}.{}.{}", high >> 16, high & 0xffff, low >> 16, low & 0xffff);
  }
  return failure(ErrorCode::NotFound, "The image's resources tell no version.");
}

}  // namespace heapscape::engine
