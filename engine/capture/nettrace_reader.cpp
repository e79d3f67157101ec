// SPDX-License-Identifier: MIT
#include "capture/nettrace_reader.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>

#include "base/unicode.h"

namespace heapscape::engine {
namespace {

constexpr std::string_view kNettraceStart{"Nettrace\x14\0\0\0!FastSerialization.1", 32};
constexpr std::size_t kTraceObjectBytes = 48;  // times, size of pointers, process: all of it is known or not needed
constexpr std::size_t kMostBlockBytes = 4 << 20;
constexpr std::size_t kMostKindName = 64;
constexpr std::size_t kMostSchemas = 4096;
constexpr std::size_t kMostTraceFields = 512;
constexpr std::size_t kMostFieldDepth = 8;
constexpr std::size_t kMostTraceText = 64 * 1024;

constexpr std::uint8_t kNullReference = 1;
constexpr std::uint8_t kBeginPrivateObject = 5;
constexpr std::uint8_t kEndObject = 6;

/// What a field of an event is, by number as TypeCode has it.
enum TraceFieldType : std::uint32_t {
  kObjectField = 1,
  kBooleanField = 3,
  kCharField = 4,
  kSByteField = 5,
  kByteField = 6,
  kInt16Field = 7,
  kUInt16Field = 8,
  kInt32Field = 9,
  kUInt32Field = 10,
  kInt64Field = 11,
  kUInt64Field = 12,
  kSingleField = 13,
  kDoubleField = 14,
  kStringField = 18,
};

/// Which parts of an event's header are there; the others are those of the event before it.
enum TraceHeaderFlag : std::uint8_t {
  kHasMetadataId = 1 << 0,
  kHasSequence = 1 << 1,
  kHasThread = 1 << 2,
  kHasStack = 1 << 3,
  kHasActivity = 1 << 4,
  kHasRelatedActivity = 1 << 5,
  kHasDataLength = 1 << 7,
};

/// A number in groups of seven bits, the lowest first.
std::uint64_t readTraceNumber(BoundedReader& reader) {
  constexpr unsigned kBits = 7;
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += kBits) {
    const auto group = reader.read<std::uint8_t>();
    value |= std::uint64_t{group & 0x7fu} << shift;
    if (reader.failed() || !(group & 0x80u)) return value;
  }
  reader.readBytes(UINT64_MAX);  // a number that never ends: fails, as all later reads do
  return 0;
}

/// Text in UTF-16 up to a zero.
std::string readTraceText(BoundedReader& reader) {
  std::u16string units;
  while (units.size() < kMostTraceText) {
    const auto unit = reader.read<char16_t>();
    if (reader.failed() || unit == u'\0') return toUtf8(units);
    units.push_back(unit);
  }
  reader.readBytes(UINT64_MAX);
  return {};
}

template <class Number>
double readNumberField(BoundedReader& reader) {
  return static_cast<double>(reader.read<Number>());
}

/// A field of a plain type; nullopt for a type that has no place among event counters.
std::optional<std::variant<double, std::string>> readPlainField(std::uint32_t type, BoundedReader& reader) {
  switch (type) {
    case kBooleanField:
    case kInt32Field:
      return readNumberField<std::int32_t>(reader);
    case kCharField:
    case kUInt16Field:
      return readNumberField<std::uint16_t>(reader);
    case kSByteField:
      return readNumberField<std::int8_t>(reader);
    case kByteField:
      return readNumberField<std::uint8_t>(reader);
    case kInt16Field:
      return readNumberField<std::int16_t>(reader);
    case kUInt32Field:
      return readNumberField<std::uint32_t>(reader);
    case kInt64Field:
      return readNumberField<std::int64_t>(reader);
    case kUInt64Field:
      return readNumberField<std::uint64_t>(reader);
    case kSingleField:
      return readNumberField<float>(reader);
    case kDoubleField:
      return readNumberField<double>(reader);
    case kStringField:
      return readTraceText(reader);
    default:
      return std::nullopt;
  }
}

/// Header of an event within its block; each begins with that of the one before it.
struct TraceEventHeader {
  std::uint32_t metadataId = 0;
  std::uint32_t number = 0;  // of those of its thread
  std::uint64_t thread = 0;  // that wrote it
  std::uint64_t payloadBytes = 0;

  void read(BoundedReader& reader) {
    constexpr std::uint64_t kActivityBytes = 16;
    const auto flags = reader.read<std::uint8_t>();
    if (flags & kHasMetadataId) metadataId = static_cast<std::uint32_t>(readTraceNumber(reader));
    if (flags & kHasSequence) {
      number += static_cast<std::uint32_t>(readTraceNumber(reader));
      thread = readTraceNumber(reader);
      readTraceNumber(reader);  // processor
    }
    if (metadataId != 0) ++number;
    if (flags & kHasThread) readTraceNumber(reader);
    if (flags & kHasStack) readTraceNumber(reader);
    readTraceNumber(reader);  // time since the event before
    if (flags & kHasActivity) reader.readBytes(kActivityBytes);
    if (flags & kHasRelatedActivity) reader.readBytes(kActivityBytes);
    if (flags & kHasDataLength) payloadBytes = readTraceNumber(reader);
  }
};

}  // namespace

Result<void> NettraceReader::take(Bytes bytes) {
  if (!m_isDamaged && !m_isAtEnd) m_waiting.insert(m_waiting.end(), bytes.begin(), bytes.end());
  std::size_t done = 0;
  while (!m_isDamaged && !m_isAtEnd) {
    std::size_t used = 0;
    const Step step = takeObject(Bytes(m_waiting).subspan(done), used);
    if (step == Step::MoreBytes) break;
    m_isDamaged = step == Step::Damaged;
    done += used;
    m_position += used;
  }
  m_waiting.erase(m_waiting.begin(), m_waiting.begin() + static_cast<std::ptrdiff_t>(done));
  if (m_isDamaged) return failure(ErrorCode::Damaged, "What the runtime streams cannot be understood.");
  return {};
}

NettraceReader::Step NettraceReader::takeObject(Bytes rest, std::size_t& used) {
  if (!m_hasBegun) {
    const std::size_t known = std::min(rest.size(), kNettraceStart.size());
    if (known > 0 && std::memcmp(rest.data(), kNettraceStart.data(), known) != 0) return Step::Damaged;
    if (known < kNettraceStart.size()) return Step::MoreBytes;
    m_hasBegun = true;
    used = known;
    return Step::Done;
  }
  if (rest.empty()) return Step::MoreBytes;
  BoundedReader reader(rest);
  const auto tag = reader.read<std::uint8_t>();
  if (tag == kNullReference) {
    m_isAtEnd = true;
    used = 1;
    return Step::Done;
  }
  if (tag != kBeginPrivateObject) return Step::Damaged;
  // The type: an object of its own, of no type.
  const auto typeTag = reader.read<std::uint8_t>();
  const auto typeOfType = reader.read<std::uint8_t>();
  reader.read<std::uint32_t>();  // version
  reader.read<std::uint32_t>();  // of the oldest reader that understands it
  const auto nameBytes = reader.read<std::uint32_t>();
  if (reader.failed()) return Step::MoreBytes;
  if (typeTag != kBeginPrivateObject || typeOfType != kNullReference || nameBytes > kMostKindName) return Step::Damaged;
  const Bytes name = reader.readBytes(nameBytes);
  const auto typeEnd = reader.read<std::uint8_t>();
  if (reader.failed()) return Step::MoreBytes;
  if (typeEnd != kEndObject) return Step::Damaged;
  const std::string_view kind(reinterpret_cast<const char*>(name.data()), name.size());
  return takeBlock(kind, rest, static_cast<std::size_t>(reader.position()), used);
}

NettraceReader::Step NettraceReader::takeBlock(std::string_view kind, Bytes rest, std::size_t at, std::size_t& used) {
  BoundedReader reader(rest);
  reader.seek(at);
  std::uint64_t size = kTraceObjectBytes;
  if (kind != "Trace") {
    size = reader.read<std::uint32_t>();
    if (reader.failed()) return Step::MoreBytes;
    if (size > kMostBlockBytes) return Step::Damaged;
    constexpr std::uint64_t kAlignment = 4;
    reader.skip((kAlignment - (m_position + reader.position()) % kAlignment) % kAlignment);
  }
  const Bytes block = reader.readBytes(size);
  const auto end = reader.read<std::uint8_t>();
  if (reader.failed()) return Step::MoreBytes;
  used = static_cast<std::size_t>(reader.position());
  return end == kEndObject && readBlock(kind, block) ? Step::Done : Step::Damaged;
}

bool NettraceReader::readBlock(std::string_view kind, Bytes block) {
  if (kind == "SPBlock") return readSequencePoint(block);
  const bool isMetadata = kind == "MetadataBlock";
  if (!isMetadata && kind != "EventBlock") return true;
  BoundedReader reader(block);
  const auto headerBytes = reader.read<std::uint16_t>();
  const auto flags = reader.read<std::uint16_t>();
  constexpr std::uint16_t kHasCompressedHeaders = 1;
  if (reader.failed() || !(flags & kHasCompressedHeaders)) return false;
  reader.seek(headerBytes);
  TraceEventHeader header;
  while (!reader.atEnd()) {
    header.read(reader);
    const Bytes payload = reader.readBytes(header.payloadBytes);
    if (reader.failed()) return false;
    if (isMetadata) {
      readMetadata(payload);
    } else {
      countDropped(header.thread, header.number - 1);
      m_lastOfThread[header.thread] = header.number;
      tellEvent(header.metadataId, payload);
    }
  }
  return true;
}

/// How far the threads have counted.
bool NettraceReader::readSequencePoint(Bytes block) {
  BoundedReader reader(block);
  reader.read<std::uint64_t>();  // when
  const auto threads = reader.read<std::uint32_t>();
  for (std::uint32_t i = 0; i < threads && !reader.failed(); ++i) {
    const auto thread = reader.read<std::uint64_t>();
    const auto number = reader.read<std::uint32_t>();
    if (!reader.failed()) countDropped(thread, number);
  }
  return !reader.failed();
}

/// Events of a thread come in the order of their numbers, which begin with 1.
void NettraceReader::countDropped(std::uint64_t thread, std::uint32_t last) {
  std::uint32_t& known = m_lastOfThread[thread];
  const auto step = static_cast<std::int32_t>(last - known);  // numbers begin anew behind the largest
  if (step > 0) m_droppedEvents += static_cast<std::uint32_t>(step);
  known = last;
}

void NettraceReader::readMetadata(Bytes payload) {
  BoundedReader reader(payload);
  Schema schema;
  const auto id = reader.read<std::uint32_t>();
  schema.provider = readTraceText(reader);
  schema.id = reader.read<std::uint32_t>();
  schema.event = readTraceText(reader);
  reader.read<std::uint64_t>();  // keywords
  reader.read<std::uint32_t>();  // version
  reader.read<std::uint32_t>();  // level
  if (reader.failed() || m_schemas.size() >= kMostSchemas) return;
  const bool isDescribed = readFieldTypes(reader, schema.fields, 0);
  if (isDescribed || m_tellNative) m_schemas.insert_or_assign(id, std::move(schema));
}

bool NettraceReader::readFieldTypes(BoundedReader& reader, std::vector<FieldType>& fields, std::size_t depth) {
  const auto count = reader.read<std::uint32_t>();
  if (depth > kMostFieldDepth) return false;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::size_t at = fields.size();
    if (reader.failed() || at >= kMostTraceFields) return false;
    fields.push_back({{}, reader.read<std::uint32_t>()});
    if (fields[at].type == kObjectField && !readFieldTypes(reader, fields, depth + 1)) return false;
    fields[at].name = readTraceText(reader);
  }
  return !reader.failed();
}

bool NettraceReader::readFields(const std::vector<FieldType>& types, BoundedReader& reader, NettraceEvent& event) {
  for (const FieldType& type : types) {
    if (type.type == kObjectField) continue;  // its parts are the next ones
    auto value = readPlainField(type.type, reader);
    if (!value || reader.failed()) return false;
    event.fields.push_back({type.name, std::move(*value)});
  }
  return true;
}

void NettraceReader::tellEvent(std::uint32_t metadataId, Bytes payload) const {
  const auto found = m_schemas.find(metadataId);
  if (found == m_schemas.end()) return;
  if (m_tellNative) return m_tellNative({found->second.provider, found->second.id, payload});
  NettraceEvent event{found->second.provider, found->second.event, {}};
  BoundedReader reader(payload);
  if (readFields(found->second.fields, reader, event)) m_tell(event);
}

}  // namespace heapscape::engine
