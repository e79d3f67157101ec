// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/bounded_reader.h"

namespace heapscape::engine {

/// Reads numbers of as many nibbles as they need, three bits in each and the highest first; the fourth bit says that
/// another nibble follows (NibbleReader, src/coreclr/inc/nibblestream.h). Once a read fails, all later ones fail too.
class NibbleReader {
 public:
  explicit NibbleReader(Bytes bytes) : m_bytes(bytes) {}

  std::uint32_t readUnsigned();
  /// The lowest bit is the sign.
  std::int32_t readSigned();

  bool failed() const { return m_failed; }
  /// What comes behind the last nibble read begins with a whole byte.
  std::uint64_t nextByte() const { return (m_position + 1) / 2; }

 private:
  std::uint32_t readNibble();

  Bytes m_bytes;
  std::uint64_t m_position = 0;  // in nibbles; the lower one of a byte comes first
  bool m_failed = false;
};

}  // namespace heapscape::engine
