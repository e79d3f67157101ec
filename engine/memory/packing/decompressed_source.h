// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "memory/packing/byte_source.h"
#include "memory/packing/decoder.h"

namespace heapscape::engine {

/// What comes out of compressed bytes. Where they are damaged or end early, what could be decoded before that.
class DecompressedSource : public ByteSource {
 public:
  /// `from` must outlive this.
  DecompressedSource(ByteSource& from, std::unique_ptr<Decoder> decoder);

  std::string damage() const override;
  /// How many bytes the first frame says that come out of it, once a piece was taken; 0 if it does not say.
  std::uint64_t announcedBytes() const { return m_announcedBytes; }

 private:
  Outcome<Bytes> fetch() override;
  Outcome<bool> fetchInput();
  void take(const DecodedStep& step);

  ByteSource& m_from;
  std::unique_ptr<Decoder> m_decoder;
  std::vector<std::byte> m_output;
  Bytes m_input;
  std::size_t m_written = 0;
  std::uint64_t m_inputBytes = 0;  // all that were taken, those of m_input among them
  std::uint64_t m_announcedBytes = 0;
  bool m_isInsideFrame = true;
  bool m_mayHoldMore = false;  // the decoder, for want of room
  bool m_isAtEnd = false;
  std::string m_damage;
};

}  // namespace heapscape::engine
