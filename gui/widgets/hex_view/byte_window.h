// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>
#include <cstdint>
#include <optional>

#include "session/details/object_details.h"

namespace heapscape::gui {

/// Some bytes of the object shown. Offsets count from the object's address, so that the header lies at −8; half open.
struct ByteSpan {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  bool isEmpty() const { return end <= begin; }
  bool contains(std::int64_t offset) const { return offset >= begin && offset < end; }
  bool contains(const ByteSpan& other) const { return begin <= other.begin && other.end <= end && !isEmpty(); }
  std::int64_t sizeBytes() const { return end - begin; }
  bool operator==(const ByteSpan&) const = default;
};

/// The part of an object's bytes that has been read, and what each belongs to.
class ByteWindow {
 public:
  ByteWindow() = default;
  explicit ByteWindow(engine::ObjectBytes bytes);

  /// Offsets that are read, and of the whole object.
  const ByteSpan& read() const { return m_read; }
  const ByteSpan& whole() const { return m_whole; }
  std::optional<std::uint8_t> byteAt(std::int64_t offset) const;
  /// The run that a byte belongs to; nullptr where nothing is read.
  const engine::ByteRun* runAt(std::int64_t offset) const;
  const std::vector<engine::ByteRun>& runs() const { return m_bytes.runs; }

 private:
  engine::ObjectBytes m_bytes;
  ByteSpan m_read;
  ByteSpan m_whole;
};

ByteSpan spanOf(const engine::ByteRun& run);

/// The bytes to read so that these are among them, with as much around them that scrolling seldom has to wait.
ByteSpan windowAround(const ByteSpan& wanted, const ByteSpan& whole);

/// "object header", "Customer", "[3]", "padding".
QString runName(const engine::ByteRun& run);
/// The tip of some bytes: type, offset, size.
QStringList runFacts(const engine::ByteRun& run);
/// "1f 00 2c", of what is read.
QString bytesAsText(const ByteWindow& window, const ByteSpan& span);

}  // namespace heapscape::gui
