// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "base/bounded_reader.h"
#include "base/result.h"

namespace heapscape::engine {

/// Bytes that come one piece after the other: of a file, or out of what another source gives.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  /// The next piece, without taking it.
  Outcome<Bytes> peek() {
    if (m_ahead.empty()) {
      auto piece = fetch();
      if (!piece) return piece;
      m_ahead = *piece;
    }
    return m_ahead;
  }

  /// Takes the next piece, which is valid until the next call; empty at the end.
  Outcome<Bytes> next() {
    if (!m_ahead.empty()) return std::exchange(m_ahead, Bytes());
    return fetch();
  }

  /// Passes over bytes without reading them, at most as many as there are; 0 where that cannot be done.
  std::uint64_t skip(std::uint64_t bytes) { return m_ahead.empty() ? passOver(bytes) : 0; }

  /// Why the bytes so far may not be all or not be right; empty if they are.
  virtual std::string damage() const { return {}; }

 protected:
  virtual Outcome<Bytes> fetch() = 0;
  virtual std::uint64_t passOver(std::uint64_t) { return 0; }

 private:
  Bytes m_ahead;
};

}  // namespace heapscape::engine
