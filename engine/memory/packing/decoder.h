// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/bounded_reader.h"
#include "base/enum_names.h"

namespace heapscape::engine {

/// How the bytes of a dump are packed.
enum class Packing : std::uint8_t { None, Zstandard, Gzip, Xz, Lz4, Tar };
template <>
inline constexpr auto kEnumNames<Packing> = std::to_array<EnumName<Packing>>({{Packing::None, "nothing"},
                                                                              {Packing::Zstandard, "Zstandard"},
                                                                              {Packing::Gzip, "gzip"},
                                                                              {Packing::Xz, "xz"},
                                                                              {Packing::Lz4, "LZ4"},
                                                                              {Packing::Tar, "tar"}});

/// Told by the first bytes, never by a name; a tar archive by the checksum of its first header.
Packing packingOf(Bytes beginning);

/// How many bytes tell it.
constexpr std::size_t kPackingBytes = 512;

/// Result of one call of a decoder.
struct DecodedStep {
  std::size_t read = 0;
  std::size_t written = 0;
  bool isAtFrameEnd = false;  // nothing is missing if the input ends here
  std::string error;          // empty if there is none; nothing more can be decoded then
};

/// One method of compression. Frames (members, streams) that follow each other are decoded as one.
class Decoder {
 public:
  virtual ~Decoder() = default;
  /// Decodes as much of the input as there is output for. The input may be empty, to get what had no room.
  virtual DecodedStep decode(Bytes input, std::span<std::byte> output) = 0;
  /// How many bytes the first frame says that come out of it; 0 if it does not say.
  virtual std::uint64_t announcedBytes(Bytes /*beginning*/) const { return 0; }
};

std::unique_ptr<Decoder> makeZstandardDecoder();
std::unique_ptr<Decoder> makeGzipDecoder();
std::unique_ptr<Decoder> makeXzDecoder();
std::unique_ptr<Decoder> makeLz4Decoder();

/// Null for what is not compressed, and where there is not enough memory.
std::unique_ptr<Decoder> makeDecoder(Packing packing);

/// Unpacks what was deflated without a head (RFC 1951); null unless it has exactly the size expected.
std::shared_ptr<std::byte[]> inflateBytes(Bytes packed, std::uint32_t sizeBytes);

}  // namespace heapscape::engine
