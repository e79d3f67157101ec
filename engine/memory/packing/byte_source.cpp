// SPDX-License-Identifier: MIT
#include "memory/packing/byte_source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <string_view>

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

namespace {

constexpr std::size_t kReadAtOnceBytes = 1 << 20;
constexpr int kPollMilliseconds = 50;
// The length of a stream is not known; so much of it counts as half of the way.
constexpr double kHalfOfTheWay = 512 << 20;

/// The open file that a path stands for, as shells name it.
std::optional<int> handedOver(const std::filesystem::path& path) {
  const std::string text = path.string();
  if (text == "-" || text == "/dev/stdin") return STDIN_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!text.starts_with(folder)) continue;
    int number = 0;
    const char* end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data() + folder.size(), end, number);
    if (parsed.ec == std::errc() && parsed.ptr == end) return number;
  }
  return std::nullopt;
}

bool isStreamMode(mode_t mode) {
  return S_ISFIFO(mode) || S_ISSOCK(mode);
}

}  // namespace

bool isStandardInput(const std::filesystem::path& path) {
  return handedOver(path) == STDIN_FILENO;
}

bool isStream(const std::filesystem::path& path) {
  struct stat status {};
  if (const auto number = handedOver(path)) return ::fstat(*number, &status) == 0 && isStreamMode(status.st_mode);
  return ::stat(path.c_str(), &status) == 0 && S_ISFIFO(status.st_mode);
}

Result<std::optional<InputStream>> openInputStream(const std::filesystem::path& path) {
  struct stat status {};
  if (const auto number = handedOver(path)) {
    const std::filesystem::path name = *number == STDIN_FILENO ? "standard input" : path;
    if (::fstat(*number, &status) != 0) {
      return failure(ErrorCode::FileUnreadable, fmt::format("{} is not open.", name.string()),
                     "Pipe a core dump into it, or name a file.");
    }
    if (*number == STDIN_FILENO && ::isatty(*number) == 1) {
      return failure(ErrorCode::FileUnreadable, "Standard input is a terminal, not a core dump.",
                     "Pipe a core dump into it, as in `zstd -dc core.zst | heapscape-cli types -`, or name a file.");
    }
    if (!isStreamMode(status.st_mode)) return std::optional<InputStream>();
    return InputStream{FileDescriptor(::fcntl(*number, F_DUPFD_CLOEXEC, 0)), name};
  }
  if (!isStream(path)) return std::optional<InputStream>();
  FileDescriptor opened(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!opened.isOpen()) {
    return failure(ErrorCode::FileUnreadable,
                   fmt::format("{} cannot be opened: {}.", path.string(), systemMessage(errno)));
  }
  return InputStream{std::move(opened), path};
}

std::filesystem::path namedInput(const std::filesystem::path& path) {
  return path == "-" ? "/dev/stdin" : path;
}

StreamSource::StreamSource(const InputStream& stream, StageProgress& progress, std::stop_token stop)
    : m_stream(stream), m_progress(progress), m_stop(std::move(stop)), m_piece(kReadAtOnceBytes) {}

bool StreamSource::waitForBytes() const {
  pollfd waiting{m_stream.file.get(), POLLIN, 0};
  while (!m_stop.stop_requested()) {
    if (::poll(&waiting, 1, kPollMilliseconds) != 0) return true;  // errors are read()'s to tell
  }
  return false;
}

Outcome<Bytes> StreamSource::fetch() {
  std::size_t filled = 0;
  // A pipe gives 64 KB at a time at most.
  while (filled < m_piece.size()) {
    if (!waitForBytes()) return tl::unexpected<Unfinished>(Unfinished::cancelled());
    const ssize_t got = ::read(m_stream.file.get(), m_piece.data() + filled, m_piece.size() - filled);
    if (got == 0) break;
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got < 0) {
      return tl::unexpected<Unfinished>(
          Error{ErrorCode::FileUnreadable,
                fmt::format("{} cannot be read: {}.", m_stream.name.string(), systemMessage(errno)),
                {}});
    }
    filled += static_cast<std::size_t>(got);
  }
  m_position += filled;
  reportProgress();
  return Bytes(m_piece).first(filled);
}

void StreamSource::reportProgress() {
  const auto read = static_cast<double>(m_position);
  m_progress.report(read / (read + kHalfOfTheWay));
}

}  // namespace heapscape::engine
