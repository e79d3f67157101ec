// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/address.h"

namespace heapscape::engine {

/// Collects text and hands it on in large pieces, because millions of rows pass through it. Once the sink has refused a
/// piece, everything after it is dropped.
class Output {
 public:
  /// Takes the whole piece, or returns false.
  using Sink = std::function<bool(std::string_view)>;

  explicit Output(Sink sink);
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void write(std::string_view text);
  void write(char character) {
    *reserve(1) = character;
    ++m_used;
  }
  void writeNumber(std::uint64_t number);
  void writeAddress(Address address);

  /// Room for at least `size` bytes, at most kLargestReserve; what was written there counts once it is committed.
  char* reserve(std::size_t size) {
    if (kCapacity - m_used < size) flush();
    return m_buffer.get() + m_used;
  }
  void commit(const char* end) { m_used = static_cast<std::size_t>(end - m_buffer.get()); }

  /// Hands on what is collected; nothing else does so at the end.
  void flush();
  /// The sink has refused something.
  bool hasFailed() const { return m_failed; }

  static constexpr std::size_t kLargestReserve = 4096;

 private:
  static constexpr std::size_t kCapacity = 256 * 1024;

  Sink m_sink;
  std::unique_ptr<char[]> m_buffer;
  std::size_t m_used = 0;
  bool m_failed = false;
};

/// An output that appends to a string, which must outlive it.
Output::Sink appendTo(std::string& text);

inline constexpr std::size_t kLongestNumber = 20;
inline constexpr std::size_t kLongestAddress = 18;

/// Writes the digits to `to`, which has room for kLongestNumber; returns their end.
char* formatNumber(char* to, std::uint64_t number);
/// Writes "0x7f…" to `to`, which has room for kLongestAddress; returns its end.
char* formatAddress(char* to, Address address);

}  // namespace heapscape::engine
