// SPDX-License-Identifier: MIT
#include "gcdump/serialized_stream.h"

#include <cstring>

#include "base/unicode.h"

namespace heapscape::engine {

bool SerializedStream::readSignature() {
  const auto length = read<std::uint32_t>();
  if (length != kStreamSignature.size()) return false;
  const Bytes text = readBytes(length);
  return !failed() && std::memcmp(text.data(), kStreamSignature.data(), length) == 0;
}

bool SerializedStream::readTag(StreamTag tag) {
  if (read<std::uint8_t>() == static_cast<std::uint8_t>(tag)) return true;
  fail();
  return false;
}

bool SerializedStream::takeTag(StreamTag tag) {
  const std::uint64_t before = m_reader.position();
  if (failed() || read<std::uint8_t>() == static_cast<std::uint8_t>(tag)) return !failed();
  if (!failed()) m_reader.seek(before);
  return false;
}

const SerializedStream::Type* SerializedStream::beginObject() {
  if (takeTag(StreamTag::NullReference)) return nullptr;
  if (!takeTag(StreamTag::BeginPrivateObject) && !readTag(StreamTag::BeginObject)) return nullptr;
  return readType();
}

void SerializedStream::endObject() {
  readTag(StreamTag::EndObject);
}

// A type is an object, too, whose own type is a null reference.
const SerializedStream::Type* SerializedStream::readType() {
  const std::uint64_t place = m_reader.position();
  if (takeTag(StreamTag::ObjectReference)) {
    const auto known = m_types.find(read<std::uint32_t>());
    if (known != m_types.end()) return &known->second;
    fail();
    return nullptr;
  }
  if (!readTag(StreamTag::BeginObject) || !readTag(StreamTag::NullReference)) return nullptr;
  Type type;
  type.version = read<std::uint32_t>();
  type.oldestReader = read<std::uint32_t>();
  type.name = readString();
  endObject();
  return failed() ? nullptr : &m_types.insert_or_assign(place, std::move(type)).first->second;
}

std::string SerializedStream::readString() {
  const auto length = read<std::int32_t>();
  if (length < 0) return {};
  if (static_cast<std::uint64_t>(length) > left()) {
    fail();
    return {};
  }
  std::u16string units;
  const auto more = [this] { return read<std::uint8_t>() & 0x3fu; };
  while (units.size() < static_cast<std::size_t>(length) && !failed()) {
    const std::uint32_t first = read<std::uint8_t>();
    std::uint32_t unit = first;
    if (first >= 0xe0) {
      unit = (first & 0xfu) << 12;
      unit |= more() << 6;
      unit |= more();
    } else if (first >= 0x80) {
      unit = (first & 0x1fu) << 6;
      unit |= more();
    }
    units.push_back(static_cast<char16_t>(unit));
  }
  return failed() ? std::string() : toUtf8(units);
}

}  // namespace heapscape::engine
