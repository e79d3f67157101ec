// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

namespace heapscape::engine {

using Bytes = std::span<const std::byte>;

/// Copies a little-endian value out of bytes at an offset; false if it does not lie wholly inside.
template <class T>
requires std::is_trivially_copyable_v<T>
bool tryReadAt(Bytes bytes, std::uint64_t offset, T& value) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return false;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return true;
}

/// The part [offset, offset + size) of bytes; false if it does not lie wholly inside.
inline bool trySlice(Bytes bytes, std::uint64_t offset, std::uint64_t size, Bytes& slice) {
  if (offset > bytes.size() || bytes.size() - offset < size) return false;
  slice = bytes.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
  return true;
}

/// Reads little-endian values one after the other; once a read fails, all later ones fail too.
class BoundedReader {
 public:
  explicit BoundedReader(Bytes bytes) : m_bytes(bytes) {}

  template <class T>
  T read() {
    T value{};
    if (m_failed || !tryReadAt(m_bytes, m_position, value)) {
      m_failed = true;
      return T{};
    }
    m_position += sizeof(T);
    return value;
  }

  Bytes readBytes(std::uint64_t size) {
    Bytes slice;
    if (m_failed || !trySlice(m_bytes, m_position, size, slice)) {
      m_failed = true;
      return {};
    }
    m_position += size;
    return slice;
  }

  /// Text up to a zero byte, which is skipped.
  std::string_view readZeroTerminated();

  void seek(std::uint64_t position) { m_position = position; }
  void skip(std::uint64_t bytes) { m_position += bytes; }
  std::uint64_t position() const { return m_position; }
  bool failed() const { return m_failed; }
  bool atEnd() const { return m_position >= m_bytes.size(); }

 private:
  Bytes m_bytes;
  std::uint64_t m_position = 0;
  bool m_failed = false;
};

/// Whether all of these bytes, at least one, are zero.
inline bool areZero(Bytes bytes) {
  return bytes[0] == std::byte{0} && std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0;
}

}  // namespace heapscape::engine
