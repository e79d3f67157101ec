// SPDX-License-Identifier: MIT
#include "memory/packing/decompressed_source.h"

#include <fmt/format.h>

#include <span>
#include <utility>

namespace heapscape::engine {

namespace {

constexpr std::size_t kUnpackedPieceBytes = 1 << 20;

}  // namespace

DecompressedSource::DecompressedSource(ByteSource& from, std::unique_ptr<Decoder> decoder)
    : m_from(from), m_decoder(std::move(decoder)), m_output(kUnpackedPieceBytes) {}

std::string DecompressedSource::damage() const {
  std::string before = m_from.damage();
  return before.empty() ? m_damage : before;
}

Outcome<Bytes> DecompressedSource::fetch() {
  m_written = 0;
  while (!m_isAtEnd && m_written < m_output.size()) {
    if (m_input.empty() && !m_mayHoldMore) {
      HEAPSCAPE_TRY(const bool more, fetchInput());
      if (!more) break;
    }
    take(m_decoder->decode(m_input, std::span(m_output).subspan(m_written)));
  }
  return Bytes(m_output).first(m_written);
}

Outcome<bool> DecompressedSource::fetchInput() {
  HEAPSCAPE_TRY(m_input, m_from.next());
  if (m_inputBytes == 0) m_announcedBytes = m_decoder->announcedBytes(m_input);
  m_inputBytes += m_input.size();
  m_isAtEnd = m_input.empty();
  if (m_isAtEnd && m_isInsideFrame) m_damage = "the compressed file ends early";
  return !m_isAtEnd;
}

void DecompressedSource::take(const DecodedStep& step) {
  // A call that moves nothing already asks for the next frame, which need not be there.
  const bool hasMoved = step.read + step.written > 0;
  const bool isStuck = !hasMoved && !m_input.empty();
  m_input = m_input.subspan(step.read);
  m_written += step.written;
  m_mayHoldMore = m_written == m_output.size();
  if (hasMoved) m_isInsideFrame = !step.isAtFrameEnd;
  if (step.error.empty() && !isStuck) return;
  m_damage = fmt::format("the compressed file is damaged near byte {} ({})", m_inputBytes - m_input.size(),
                         step.error.empty() ? "it cannot be decoded" : step.error);
  m_isAtEnd = true;
}

}  // namespace heapscape::engine
