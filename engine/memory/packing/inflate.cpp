// SPDX-License-Identifier: MIT
#include "memory/packing/inflate.h"

#include <zlib.h>

#include <limits>

namespace heapscape::engine {

std::shared_ptr<std::byte[]> inflateBytes(Bytes packed, std::uint32_t sizeBytes) {
  constexpr int kWithoutHead = -MAX_WBITS;
  constexpr std::uint64_t kMostExpansion = 1032;  // of deflate
  if (packed.size() > std::numeric_limits<uInt>::max() || sizeBytes > packed.size() * kMostExpansion) return nullptr;
  z_stream stream{};
  if (inflateInit2(&stream, kWithoutHead) != Z_OK) return nullptr;
  auto unpacked = std::make_shared_for_overwrite<std::byte[]>(sizeBytes);
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed.data()));  // zlib does not write to it
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(unpacked.get());
  stream.avail_out = sizeBytes;
  const int ended = inflate(&stream, Z_FINISH);
  inflateEnd(&stream);
  return ended == Z_STREAM_END && stream.avail_out == 0 ? unpacked : nullptr;
}

}  // namespace heapscape::engine
