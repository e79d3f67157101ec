// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/bounded_reader.h"

namespace heapscape::engine {

/// Reads the compressed numbers of NativeFormat one after the other (NativePrimitiveDecoder,
/// src/coreclr/tools/Common/Internal/NativeFormat): one to five bytes, whose lowest bits say how many. Once a read
/// fails, all later ones fail too.
class NativeFormatReader {
 public:
  explicit NativeFormatReader(Bytes bytes, std::uint64_t offset = 0) : m_reader(bytes) { m_reader.seek(offset); }

  std::uint32_t readUnsigned();
  std::int32_t readSigned();
  /// Length, then so many bytes of UTF-8.
  std::string_view readString();
  /// A number of bytes that are not compressed.
  template <class T>
  T read() {
    return m_reader.read<T>();
  }

  std::uint64_t position() const { return m_reader.position(); }
  bool failed() const { return m_reader.failed(); }
  bool atEnd() const { return m_reader.atEnd(); }

 private:
  std::uint32_t readCompressed(bool isSigned);

  BoundedReader m_reader;
};

/// The entries of a NativeHashtable, bucket by bucket: a byte of the hash and where the entry lies for each.
class NativeHashtable {
 public:
  /// `bytes`: from the table's first byte on. Of a damaged table what can be read of it is there.
  explicit NativeHashtable(Bytes bytes);

  /// Where the next entry's content lies, from the table's first byte; nullopt behind the last.
  std::optional<std::uint64_t> next();
  /// Whether next() has ended because the rest cannot be read.
  bool isDamaged() const { return m_isDamaged; }

 private:
  std::optional<std::uint64_t> endDamaged();
  std::optional<std::uint64_t> bucketStart(std::uint64_t bucket) const;

  Bytes m_bytes;
  std::uint64_t m_buckets = 0;
  unsigned m_indexBytes = 1;
  std::uint64_t m_bucket = 0;
  std::uint64_t m_position = 0, m_end = 0;  // in the bucket
  bool m_isDamaged = false;
};

/// At most so many bytes hold the optional fields of a MethodTable of .NET 8: three, each a byte and a number.
inline constexpr std::uint64_t kMostOptionalFieldBytes = 18;
/// Bytes that rounding has added to the fields of a value type of .NET 8, out of its MethodTable's optional fields; 0
/// if they do not say.
std::uint32_t valuePaddingOf(Bytes optionalFields);

}  // namespace heapscape::engine
