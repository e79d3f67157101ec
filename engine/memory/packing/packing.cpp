// SPDX-License-Identifier: MIT
#include "memory/packing/packing.h"

#include <lz4frame.h>
#include <zstd.h>

#include <algorithm>
#include <string_view>

namespace heapscape::engine {

namespace {

using namespace std::string_view_literals;

constexpr std::uint32_t kLz4FrameMagic = 0x184d2204;

/// The header's sum counts its own eight digits as blanks (POSIX ustar; the same in v7 and GNU archives).
bool isTarHeader(Bytes header) {
  constexpr std::size_t kSumAt = 148;
  constexpr std::size_t kSumBytes = 8;
  if (header.size() < kPackingBytes || header[0] == std::byte{0}) return false;
  std::uint32_t stated = 0;
  bool hasDigits = false;
  for (const std::byte letter : header.subspan(kSumAt, kSumBytes)) {
    const auto code = std::to_integer<unsigned>(letter);
    if (code >= '0' && code <= '7') {
      stated = stated * 8 + (code - '0');
      hasDigits = true;
    } else if (hasDigits || code != ' ') {
      break;
    }
  }
  std::uint32_t sum = ' ' * kSumBytes;
  for (std::size_t at = 0; at < kPackingBytes; ++at) {
    if (at < kSumAt || at >= kSumAt + kSumBytes) sum += std::to_integer<std::uint32_t>(header[at]);
  }
  return hasDigits && stated == sum;
}

}  // namespace

Packing packingOf(Bytes beginning) {
  const std::string_view text(reinterpret_cast<const char*>(beginning.data()), beginning.size());
  std::uint32_t magic = 0;
  if (!tryReadAt(beginning, 0, magic)) return Packing::None;
  if (magic == ZSTD_MAGICNUMBER) return Packing::Zstandard;
  if (magic == kLz4FrameMagic) return Packing::Lz4;
  // Both formats have the same skippable frames; zstd writes them, for its seekable form and by pzstd.
  if ((magic & ZSTD_MAGIC_SKIPPABLE_MASK) == ZSTD_MAGIC_SKIPPABLE_START) return Packing::Zstandard;
  if (text.starts_with("\x1f\x8b\x08"sv)) return Packing::Gzip;
  if (text.starts_with("\xfd\x37zXZ\0"sv)) return Packing::Xz;
  if (isTarHeader(beginning.first(std::min(beginning.size(), kPackingBytes)))) return Packing::Tar;
  return Packing::None;
}

}  // namespace heapscape::engine
