// SPDX-License-Identifier: MIT
#include "memory/files/file_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace heapscape::engine {

namespace {

constexpr std::size_t kPieceBytes = 128 << 10;

}  // namespace

FileSource::FileSource(const RegularFile& file, std::filesystem::path path, StageProgress& progress,
                       std::stop_token stop)
    : m_file(file), m_path(std::move(path)), m_progress(progress), m_stop(std::move(stop)), m_piece(kPieceBytes) {}

Outcome<Bytes> FileSource::fetch() {
  if (m_stop.stop_requested()) return tl::unexpected<Unfinished>(Unfinished::cancelled());
  const std::uint64_t left = m_file.sizeBytes - m_position;
  const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(left, m_piece.size()));
  if (wanted == 0) return Bytes();
  ssize_t got = 0;
  do {
    got = ::pread(m_file.file.get(), m_piece.data(), wanted, static_cast<off_t>(m_position));
  } while (got < 0 && errno == EINTR);
  if (got < 0) {
    return tl::unexpected<Unfinished>(Error{
        ErrorCode::FileUnreadable, fmt::format("{} cannot be read: {}.", m_path.string(), systemMessage(errno)), {}});
  }
  m_position += static_cast<std::uint64_t>(got);
  m_progress.report(static_cast<double>(m_position) / static_cast<double>(m_file.sizeBytes));
  return Bytes(m_piece).first(static_cast<std::size_t>(got));
}

std::uint64_t FileSource::passOver(std::uint64_t bytes) {
  const std::uint64_t passed = std::min(bytes, m_file.sizeBytes - m_position);
  m_position += passed;
  return passed;
}

}  // namespace heapscape::engine
