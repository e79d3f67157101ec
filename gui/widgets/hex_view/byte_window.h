// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "session/details/object_details.h"
#include "widgets/hex_view/byte_span.h"

namespace heapscape::gui {

/// The part of an object's bytes that has been read, and what each belongs to.
class ByteWindow {
 public:
  ByteWindow() = default;
  explicit ByteWindow(engine::ObjectBytes bytes);

  /// Offsets that are read, and of the whole object.
  const ByteSpan& read() const { return m_read; }
  const ByteSpan& whole() const { return m_whole; }
  std::optional<std::uint8_t> byteAt(std::int64_t offset) const;
  /// What a byte belongs to; nullptr where nothing is read.
  const engine::ByteRun* runAt(std::int64_t offset) const;
  const std::vector<engine::ByteRun>& runs() const { return m_bytes.runs; }

 private:
  engine::ObjectBytes m_bytes;
  ByteSpan m_read;
  ByteSpan m_whole;
};

ByteSpan spanOf(const engine::ByteRun& run);

/// What to read so that these bytes are in it, with as much around them that scrolling seldom has to wait.
ByteSpan windowAround(const ByteSpan& wanted, const ByteSpan& whole);

}  // namespace heapscape::gui
