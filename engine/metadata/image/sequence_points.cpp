// SPDX-License-Identifier: MIT
#include "metadata/image/sequence_points.h"

#include "metadata/compressed_integer.h"

namespace heapscape::engine {
namespace {

/// Goes through the records of a blob.
class PointReader {
 public:
  PointReader(Bytes blob, std::uint32_t document) : m_reader(blob), m_document(document) {}

  bool tryReadHead() {
    if (!readCompressed(m_reader)) return false;  // the signature of the locals
    return m_document != 0 || tryReadDocument();
  }

  /// The next record; false at the end, or where the blob makes no sense.
  bool tryReadRecord() {
    if (m_reader.atEnd()) return false;
    auto step = readCompressed(m_reader);
    // But for the first record, no step means that statements of another document follow.
    while (step && *step == 0 && !m_isFirst) {
      if (!tryReadDocument() || m_reader.atEnd()) return false;
      step = readCompressed(m_reader);
    }
    if (!step) return false;
    m_isFirst = false;
    m_ilOffset += *step;
    const auto lines = readCompressed(m_reader);
    if (!lines) return false;
    std::optional<std::int64_t> columns;
    if (*lines == 0) {
      columns = readCompressed(m_reader);
    } else {
      columns = readCompressedSigned(m_reader);
    }
    m_isHidden = *lines == 0 && columns == 0;
    return columns && (m_isHidden || tryReadStart());
  }

  bool isHidden() const { return m_isHidden; }
  SequencePoint point() const { return {m_ilOffset, m_document, m_line}; }

 private:
  bool tryReadDocument() {
    const auto row = readCompressed(m_reader);
    m_document = row.value_or(0);
    return row.has_value();
  }

  // The first place is absolute, the others are counted from the one before that is not hidden.
  bool tryReadStart() {
    if (!m_hasLine) {
      const auto line = readCompressed(m_reader);
      if (!line || !readCompressed(m_reader)) return false;
      m_line = *line;
      m_hasLine = true;
      return true;
    }
    const auto step = readCompressedSigned(m_reader);
    if (!step || !readCompressedSigned(m_reader)) return false;
    m_line += static_cast<std::uint32_t>(*step);
    return true;
  }

  BoundedReader m_reader;
  std::uint32_t m_document;
  std::uint32_t m_ilOffset = 0;
  std::uint32_t m_line = 0;
  bool m_isFirst = true;
  bool m_hasLine = false;
  bool m_isHidden = false;
};

}  // namespace

std::optional<SequencePoint> sequencePointAt(Bytes blob, std::uint32_t document, std::uint32_t ilOffset) {
  PointReader reader(blob, document);
  std::optional<SequencePoint> found;
  if (!reader.tryReadHead()) return found;
  while (reader.tryReadRecord() && reader.point().ilOffset <= ilOffset) {
    if (!reader.isHidden()) found = reader.point();
  }
  return found;
}

}  // namespace heapscape::engine
