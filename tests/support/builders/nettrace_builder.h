// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "support/builders/core_builder.h"

namespace heapscape::test {

/// Writes what a runtime streams to those who listen (EventPipe): its start, one description of an event counter,
/// events of it, its end.
class NettraceBuilder {
 public:
  /// Begins the stream and describes the counter's event, which has a nested payload of Name, Mean and DisplayUnits.
  NettraceBuilder();
  /// An event of a counter.
  NettraceBuilder& counter(std::string_view name, double mean, std::string_view units);
  /// A block with these bytes, of any kind.
  NettraceBuilder& block(std::string_view kind, const FileBytes& contents);
  /// The runtime ends the stream.
  NettraceBuilder& end();

  const FileBytes& bytes() const { return m_bytes; }

  /// Text as events have it: UTF-16 and a zero.
  static void appendText(FileBytes& to, std::string_view ascii);
  /// One event with its header, for a block.
  static void appendEvent(FileBytes& to, std::uint8_t metadataId, const FileBytes& payload);
  /// What is in front of the events of a block.
  static FileBytes blockHeader(std::uint16_t flags = 1);

  template <class Number>
  static void append(FileBytes& to, Number number) {
    const auto* first = reinterpret_cast<const std::byte*>(&number);
    to.insert(to.end(), first, first + sizeof number);
  }

 private:
  void beginObject(std::string_view kind);

  FileBytes m_bytes;
};

}  // namespace heapscape::test
