// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "memory/packing/byte_source.h"

namespace heapscape::engine {

/// A file in a tar archive.
struct TarEntry {
  std::string name;
  std::uint64_t sizeBytes = 0;   // holes included
  std::uint64_t dataOffset = 0;  // of its bytes in the archive
  bool isSparse = false;         // its bytes do not lie in the archive as they are
};

/// A piece of an entry, and where it belongs; what no piece covers is zero.
struct TarPiece {
  std::uint64_t offset = 0;
  Bytes bytes;
};

/// Reads a tar archive from its start to its end, through libarchive; knows no other format. Only files are given out,
/// no folders or links.
class TarReader {
 public:
  /// `source` must outlive the reader.
  explicit TarReader(ByteSource& source);
  ~TarReader();
  TarReader(const TarReader&) = delete;
  TarReader& operator=(const TarReader&) = delete;

  /// The next file; nothing at the end, or where the archive is damaged.
  Outcome<std::optional<TarEntry>> nextEntry();
  /// The next bytes of this file; nothing at its end, or where the archive is damaged.
  Outcome<std::optional<TarPiece>> nextPiece();
  /// Why the archive could not be read to its end; empty if it could.
  const std::string& damage() const;

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace heapscape::engine
