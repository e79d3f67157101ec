// SPDX-License-Identifier: MIT
#include "runtime/aot/native_format.h"

#include <algorithm>
#include <bit>

namespace heapscape::engine {
namespace {

constexpr unsigned kMostNativeNumberBytes = 4;        // a larger number stands whole behind its first byte
constexpr std::uint64_t kNoNativeBytes = UINT64_MAX;  // as many as nothing has

}  // namespace

std::uint32_t NativeFormatReader::readCompressed(bool isSigned) {
  const auto first = m_reader.read<std::uint8_t>();
  const unsigned bytes = static_cast<unsigned>(std::countr_one(first)) + 1;
  if (bytes == kMostNativeNumberBytes + 1) return m_reader.read<std::uint32_t>();
  if (bytes > kMostNativeNumberBytes) {  // a number of 64 bits, which nothing that is read has
    m_reader.readBytes(kNoNativeBytes);
    return 0;
  }
  std::uint32_t value = first;
  for (unsigned i = 1; i < bytes; ++i) value |= std::uint32_t{m_reader.read<std::uint8_t>()} << (8 * i);
  const unsigned unused = 32 - 8 * bytes;
  value <<= unused;  // the sign, if there is one, is the highest bit of the last byte
  return isSigned ? static_cast<std::uint32_t>(static_cast<std::int32_t>(value) >> (unused + bytes))
                  : value >> (unused + bytes);
}

std::uint32_t NativeFormatReader::readUnsigned() {
  const std::uint32_t value = readCompressed(false);
  return failed() ? 0 : value;
}

std::int32_t NativeFormatReader::readSigned() {
  const std::uint32_t value = readCompressed(true);
  return failed() ? 0 : static_cast<std::int32_t>(value);
}

std::string_view NativeFormatReader::readString() {
  const std::uint32_t length = readUnsigned();
  const Bytes text = m_reader.readBytes(length);
  return {reinterpret_cast<const char*>(text.data()), text.size()};
}

// A byte with the sizes, then the starts of all buckets and the end of the last, each from behind that byte.
NativeHashtable::NativeHashtable(Bytes bytes) : m_bytes(bytes) {
  std::uint8_t header = 0;
  m_isDamaged = true;
  if (!tryReadAt(bytes, 0, header)) return;
  const unsigned sizeBits = header & 3, bucketBits = header >> 2;
  if (sizeBits > 2 || bucketBits > 31) return;
  m_indexBytes = 1u << sizeBits;
  m_buckets = 1ull << bucketBits;
  m_isDamaged = false;
}

std::optional<std::uint64_t> NativeHashtable::bucketStart(std::uint64_t bucket) const {
  std::uint32_t start = 0;
  Bytes index;
  if (!trySlice(m_bytes, 1 + bucket * m_indexBytes, m_indexBytes, index)) return std::nullopt;
  std::memcpy(&start, index.data(), index.size());
  return 1 + std::uint64_t{start};
}

std::optional<std::uint64_t> NativeHashtable::endDamaged() {
  m_isDamaged = true;
  m_buckets = 0;
  m_position = m_end;
  return std::nullopt;
}

std::optional<std::uint64_t> NativeHashtable::next() {
  while (m_position >= m_end) {
    if (m_bucket >= m_buckets) return std::nullopt;
    const auto start = bucketStart(m_bucket);
    const auto end = bucketStart(m_bucket + 1);
    // Buckets follow each other; if they could overlap, few bytes would hold entries without end.
    if (!start || !end || *start < m_end || *end < *start || *end > m_bytes.size()) return endDamaged();
    m_position = *start;
    m_end = *end;
    ++m_bucket;
  }
  NativeFormatReader reader(m_bytes, m_position + 1);
  const std::uint64_t origin = reader.position();
  const std::int32_t distance = reader.readSigned();
  if (reader.failed() || reader.position() > m_end) return endDamaged();
  m_position = reader.position();
  return origin + static_cast<std::uint64_t>(std::int64_t{distance});
}

std::uint32_t valuePaddingOf(Bytes optionalFields) {
  constexpr std::uint8_t kLastField = 0x80, kValueTypeFieldPadding = 1;
  constexpr std::uint32_t kLowMask = 7, kHighMask = 0xffffff00, kHighShift = 5;  // alignment lies between
  NativeFormatReader reader(optionalFields);
  for (bool isLast = false; !isLast && !reader.failed();) {
    const auto tag = reader.read<std::uint8_t>();
    const std::uint32_t value = reader.readUnsigned();
    isLast = (tag & kLastField) != 0;
    if ((tag & ~kLastField) == kValueTypeFieldPadding) return (value & kLowMask) | ((value & kHighMask) >> kHighShift);
  }
  return 0;
}

}  // namespace heapscape::engine
