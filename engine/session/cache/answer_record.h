// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/address.h"
#include "base/bounded_reader.h"
#include "base/finding.h"

namespace heapscape::engine {

/// Numbers and texts, one behind the other, as RecordReader reads them back.
class RecordWriter {
 public:
  template <class T>
  requires(std::integral<T> || std::is_enum_v<T>) RecordWriter& add(T value) {
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    m_bytes.insert(m_bytes.end(), bytes, bytes + sizeof(T));
    return *this;
  }
  RecordWriter& add(Address address) { return add(address.value); }
  RecordWriter& add(const std::string& text) {
    add(static_cast<std::uint64_t>(text.size()));
    const Bytes bytes = std::as_bytes(std::span(text));
    m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end());
    return *this;
  }
  /// Those in the list; that it had to leave some out is not told.
  RecordWriter& add(const FindingList& findings);

  std::vector<std::byte> take() && { return std::move(m_bytes); }

 private:
  std::vector<std::byte> m_bytes;
};

/// Reads what a RecordWriter wrote, out of bytes that may be anything: once something is wrong, failed() says so, and
/// all that is read is 0 or empty.
class RecordReader {
 public:
  explicit RecordReader(Bytes bytes) : m_size(bytes.size()), m_reader(bytes) {}

  template <class T>
  requires std::integral<T> T read() { return m_reader.read<T>(); }
  bool readBool() { return readAtMost<std::uint8_t>(1) != 0; }
  Address readAddress() { return {m_reader.read<std::uint64_t>()}; }
  std::string readText();
  /// A number that is to be no more than `most`.
  template <class T>
  T readAtMost(T most) {
    const T value = m_reader.read<T>();
    if (value <= most) return value;
    m_isWrong = true;
    return T{};
  }
  /// One of an enumeration whose last value this is.
  template <class Enum>
  Enum readEnum(Enum last) {
    return static_cast<Enum>(readAtMost(static_cast<std::underlying_type_t<Enum>>(last)));
  }
  /// How many things follow, each of at least one byte.
  std::size_t readCount() { return readAtMost<std::uint64_t>(m_size - std::min(m_size, m_reader.position())); }
  FindingList readFindings();

  bool failed() const { return m_isWrong || m_reader.failed(); }
  /// Whether all was read, and nothing was wrong.
  bool isDone() const { return !failed() && m_reader.atEnd(); }

 private:
  std::uint64_t m_size;
  BoundedReader m_reader;
  bool m_isWrong = false;
};

}  // namespace heapscape::engine
