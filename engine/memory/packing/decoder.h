// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/bounded_reader.h"
#include "memory/packing/packing.h"

namespace heapscape::engine {

/// What one call of a decoder did.
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
  /// Decodes as much of the input as there is output for. The input may be empty, to get what was kept for want of
  /// room.
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

}  // namespace heapscape::engine
