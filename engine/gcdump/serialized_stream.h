// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/bounded_reader.h"

namespace heapscape::engine {

/// What stands in front of a part of a FastSerialization stream (enum Tags of
/// src/FastSerialization/FastSerialization.cs in microsoft/perfview).
enum class StreamTag : std::uint8_t {
  NullReference = 1,
  ObjectReference = 2,  // and where the object stands, in 4 bytes
  BeginObject = 4,
  BeginPrivateObject = 5,
  EndObject = 6,
  Byte = 8,
  SkipRegion = 12,  // and the number of a forward reference to its end
  String = 13,
};

/// What every such stream begins with, its length in front.
inline constexpr std::string_view kStreamSignature = "!FastSerialization.1";
/// Name of the type of types.
inline constexpr std::string_view kTypeOfTypes = "FastSerialization.SerializationType";

/// Reads a FastSerialization stream from its start. Once a read fails, all later ones fail, too.
class SerializedStream {
 public:
  explicit SerializedStream(Bytes file) : m_bytes(file.size()), m_reader(file) {}

  /// A type of objects in the stream.
  struct Type {
    std::uint32_t version = 0;
    std::uint32_t oldestReader = 0;  // the oldest version of a reader that understands it
    std::string name;                // "Graphs.MemoryGraph"
  };

  /// False for what is no such stream.
  bool readSignature();
  /// The type of the object that begins here; null for a null reference. Fails at a reference to an object elsewhere:
  /// no object of a .gcdump file is there twice.
  const Type* beginObject();
  /// Fails unless an object ends here.
  void endObject();
  /// Whether this tag comes next, which is then behind the reader.
  bool takeTag(StreamTag tag);

  template <class T>
  T read() {
    return m_reader.read<T>();
  }
  Bytes readBytes(std::uint64_t size) { return m_reader.readBytes(size); }
  /// As many UTF-16 units as its length says, each by itself in UTF-8; empty also for a null reference.
  std::string readString();

  /// How many bytes come next.
  std::uint64_t left() const { return m_bytes - m_reader.position(); }
  bool failed() const { return m_reader.failed(); }
  void fail() { m_reader.readBytes(UINT64_MAX); }

 private:
  bool readTag(StreamTag tag);
  const Type* readType();

  std::uint64_t m_bytes;
  BoundedReader m_reader;
  std::map<std::uint64_t, Type> m_types;  // by where each stands
};

}  // namespace heapscape::engine
