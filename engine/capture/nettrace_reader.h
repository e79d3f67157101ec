// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/bounded_reader.h"
#include "base/result.h"

namespace heapscape::engine {

/// One event of a runtime's stream, with the fields that its provider describes, nested ones one after the other. Names
/// are those of the reader.
struct NettraceEvent {
  struct Field {
    std::string_view name;
    std::variant<double, std::string> value;  // numbers of all kinds are doubles
  };
  std::string_view provider;  // "System.Runtime"
  std::string_view name;      // "EventCounters"
  std::vector<Field> fields;
};

/// One event as the runtime itself writes them: what it consists of only its number tells.
struct NativeTraceEvent {
  std::string_view provider;  // "Microsoft-Windows-DotNETRuntime"
  std::uint32_t id = 0;       // of the event in its provider
  Bytes payload;
};

/// Reads what a runtime streams (EventPipe, dotnet/diagnostics NetTraceFormat, version 4) as it comes: events of which
/// the provider describes every field by itself, as event sources do, or all as they are. The stream is not trusted:
/// blocks, descriptions and fields are bounded.
class NettraceReader {
 public:
  using Tell = std::function<void(const NettraceEvent&)>;
  using TellNative = std::function<void(const NativeTraceEvent&)>;
  explicit NettraceReader(Tell tell) : m_tell(std::move(tell)) {}
  explicit NettraceReader(TellNative tell) : m_tellNative(std::move(tell)) {}

  /// The next bytes of the stream, cut anywhere. Fails with Damaged, and then always.
  Result<void> take(Bytes bytes);
  /// Whether the runtime has ended the stream.
  bool isAtEnd() const { return m_isAtEnd; }
  /// Events that the runtime has dropped so far, as their numbers tell: nobody took them in time.
  std::uint64_t droppedEvents() const { return m_droppedEvents; }

 private:
  struct FieldType {
    std::string name;
    std::uint32_t type = 0;
  };
  struct Schema {
    std::string provider;
    std::string event;
    std::uint32_t id = 0;
    std::vector<FieldType> fields;
  };
  enum class Step { Done, MoreBytes, Damaged };

  Step takeObject(Bytes rest, std::size_t& used);
  Step takeBlock(std::string_view kind, Bytes rest, std::size_t at, std::size_t& used);
  bool readBlock(std::string_view kind, Bytes block);
  void readMetadata(Bytes payload);
  bool readSequencePoint(Bytes block);
  void countDropped(std::uint64_t thread, std::uint32_t last);
  void tellEvent(std::uint32_t metadataId, Bytes payload) const;
  static bool readFieldTypes(BoundedReader& reader, std::vector<FieldType>& fields, std::size_t depth);
  static bool readFields(const std::vector<FieldType>& types, BoundedReader& reader, NettraceEvent& event);

  Tell m_tell;  // or the other one
  TellNative m_tellNative;
  std::vector<std::byte> m_waiting;  // of an object that is not whole yet
  std::uint64_t m_position = 0;      // of the first of them in the stream: blocks are aligned to it
  std::map<std::uint32_t, Schema> m_schemas;
  std::map<std::uint64_t, std::uint32_t> m_lastOfThread;  // number of the last event by thread
  std::uint64_t m_droppedEvents = 0;
  bool m_hasBegun = false;
  bool m_isAtEnd = false;
  bool m_isDamaged = false;
};

}  // namespace heapscape::engine
