// SPDX-License-Identifier: MIT
#include "widgets/hex_view/byte_window.h"

#include <algorithm>

namespace heapscape::gui {
namespace {

constexpr std::int64_t kBeforeObject = 8;
constexpr std::int64_t kAround = 8192;
constexpr std::int64_t kAlignment = 16;

}  // namespace

ByteWindow::ByteWindow(engine::ObjectBytes bytes) : m_bytes(std::move(bytes)) {
  const std::int64_t begin = static_cast<std::int64_t>(m_bytes.skipped) - kBeforeObject;
  m_read = {begin, begin + static_cast<std::int64_t>(m_bytes.bytes.size())};
  m_whole = {-kBeforeObject, static_cast<std::int64_t>(m_bytes.totalBytes) - kBeforeObject};
}

std::optional<std::uint8_t> ByteWindow::byteAt(std::int64_t offset) const {
  const engine::ByteRun* run = m_read.contains(offset) ? runAt(offset) : nullptr;
  if (!run || run->owner == engine::ByteOwner::Missing) return std::nullopt;
  return m_bytes.bytes[static_cast<std::size_t>(offset - m_read.begin)];
}

const engine::ByteRun* ByteWindow::runAt(std::int64_t offset) const {
  const auto behind = std::ranges::upper_bound(m_bytes.runs, offset, {}, &engine::ByteRun::offset);
  if (behind == m_bytes.runs.begin()) return nullptr;
  const engine::ByteRun& run = *std::prev(behind);
  return spanOf(run).contains(offset) ? &run : nullptr;
}

ByteSpan spanOf(const engine::ByteRun& run) {
  return {run.offset, run.offset + run.sizeBytes};
}

ByteSpan windowAround(const ByteSpan& wanted, const ByteSpan& whole) {
  std::int64_t begin = std::max(whole.begin, wanted.begin - kAround);
  begin -= (begin - whole.begin) % kAlignment;
  return {begin, std::min(whole.end, wanted.end + kAround)};
}

}  // namespace heapscape::gui
