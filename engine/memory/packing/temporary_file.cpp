// SPDX-License-Identifier: MIT
#include "memory/packing/temporary_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <utility>

#include "base/address.h"
#include "base/bounded_reader.h"
#include "base/figures.h"
#include "base/limits.h"

namespace heapscape::engine {

namespace {

constexpr std::uint64_t kUnknownRoom = std::numeric_limits<std::uint64_t>::max();

std::filesystem::path temporaryFolder() {
  const char* named = std::getenv("TMPDIR");
  // Not /tmp: that is often kept in memory, and a dump is large.
  return named && *named ? named : "/var/tmp";
}

/// Calls `visit` with each piece up to the end of a page, and where it lies; until it returns false.
template <class Visit>
bool forEachPage(Bytes bytes, std::uint64_t offset, Visit visit) {
  while (!bytes.empty()) {
    const std::uint64_t room = kPageBytes - offset % kPageBytes;
    const Bytes page = bytes.first(static_cast<std::size_t>(std::min<std::uint64_t>(room, bytes.size())));
    if (!visit(page)) return false;
    offset += page.size();
    bytes = bytes.subspan(page.size());
  }
  return true;
}

}  // namespace

std::uint64_t bytesWithoutHoles(Bytes bytes, std::uint64_t offset) {
  std::uint64_t sum = 0;
  forEachPage(bytes, offset, [&](Bytes page) {
    if (!areZero(page)) sum += page.size();
    return true;
  });
  return sum;
}

Result<TemporaryFile> TemporaryFile::create(std::filesystem::path origin, const WritingOut& words) {
  TemporaryFile created;
  created.m_words = words;
  created.m_folder = temporaryFolder();
  created.m_origin = std::move(origin);
  created.m_file = FileDescriptor(::open(created.m_folder.c_str(), O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0600));
  if (created.m_file.isOpen()) return created;
  // Some file systems have no O_TMPFILE.
  std::string name = (created.m_folder / "heapscape-XXXXXX").string();
  created.m_file = FileDescriptor(::mkostemp(name.data(), O_CLOEXEC));
  if (!created.m_file.isOpen()) {
    return failure(ErrorCode::FileUnreadable,
                   fmt::format("No temporary file can be made in {} to {} the dump into: {}.",
                               created.m_folder.string(), words.verb, systemMessage(errno)),
                   "Set TMPDIR to a folder that can be written to.");
  }
  ::unlink(name.c_str());
  return created;
}

Error TemporaryFile::tooLarge() const {
  return {ErrorCode::NotACoreDump,
          fmt::format("{} decompresses to more than {}, which no dump does.", m_origin.string(),
                      sizeText(kLimits.decompressedBytes)),
          {}};
}

Result<void> TemporaryFile::extendTo(std::uint64_t offset) {
  if (offset > kLimits.decompressedBytes) return tl::unexpected<Error>(tooLarge());
  m_bytes = std::max(m_bytes, offset);
  return {};
}

Result<void> TemporaryFile::append(Bytes bytes) {
  if (bytes.size() > kLimits.decompressedBytes - m_bytes) return tl::unexpected<Error>(tooLarge());
  // Pages that lie beside each other are written at once.
  Bytes pending = bytes.first(0);
  Result<void> done;
  forEachPage(bytes, m_bytes, [&](Bytes page) {
    if (!areZero(page)) {
      pending = {pending.empty() ? page.data() : pending.data(), pending.size() + page.size()};
      return true;
    }
    done = write(pending);
    m_bytes += pending.size() + page.size();
    pending = page.first(0);
    return done.has_value();
  });
  if (!done) return done;
  done = write(pending);
  m_bytes += pending.size();
  return done;
}

Result<void> TemporaryFile::write(Bytes bytes) {
  std::uint64_t at = m_bytes;
  while (!bytes.empty()) {
    if (m_isDiskFull) {
      m_writtenBytes += bytes.size();
      return {};
    }
    const ssize_t put = ::pwrite(m_file.get(), bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) {
      if (errno == ENOSPC || errno == EDQUOT) {
        m_isDiskFull = true;
        HEAPSCAPE_CHECK(setLength(0));
        continue;
      }
      if (errno == EFBIG) return tl::unexpected<Error>(largerThanAllowed(at + bytes.size()));
      return failure(ErrorCode::FileUnreadable, fmt::format("The dump cannot be {} into {}: {}.", m_words.past,
                                                            m_folder.string(), systemMessage(errno)));
    }
    at += static_cast<std::uint64_t>(put);
    m_writtenBytes += static_cast<std::uint64_t>(put);
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
  return {};
}

Result<void> TemporaryFile::startAnew() {
  m_bytes = m_writtenBytes = 0;
  m_isDiskFull = false;
  return setLength(0);
}

Result<void> TemporaryFile::finish() {
  if (m_isDiskFull) return tl::unexpected<Error>(noRoomFor(m_writtenBytes));
  return setLength(m_bytes);
}

Result<void> TemporaryFile::setLength(std::uint64_t bytes) {
  if (::ftruncate(m_file.get(), static_cast<off_t>(bytes)) == 0) return {};
  if (errno == EFBIG) return tl::unexpected<Error>(largerThanAllowed(bytes));
  return failure(ErrorCode::FileUnreadable, fmt::format("The dump cannot be {} into {}: {}.", m_words.past,
                                                        m_folder.string(), systemMessage(errno)));
}

Error TemporaryFile::largerThanAllowed(std::uint64_t neededBytes) const {
  return {ErrorCode::FileUnreadable,
          fmt::format("{} cannot be {} into {}: at least {} bytes ({}) are needed, and no file may be that "
                      "large there.",
                      m_origin.string(), m_words.past, m_folder.string(), neededBytes, sizeText(neededBytes)),
          "Set TMPDIR to a folder on another disk, or raise the limit of file sizes (ulimit -f)."};
}

std::uint64_t TemporaryFile::freeBytes() const {
  struct statvfs volume {};
  if (::fstatvfs(m_file.get(), &volume) != 0 || volume.f_blocks == 0) return kUnknownRoom;
  return static_cast<std::uint64_t>(volume.f_bavail) * volume.f_frsize;
}

Error TemporaryFile::noRoomFor(std::uint64_t neededBytes) const {
  const std::uint64_t available = freeBytes();
  std::string what =
      fmt::format("There is not enough room in {} to {} {}: at least {} bytes ({}) are needed", m_folder.string(),
                  m_words.verb, m_origin.string(), neededBytes, sizeText(neededBytes));
  // A quota, which shows nowhere, can be less than what is free.
  if (available < neededBytes) what += fmt::format(", {} bytes ({}) are free", available, sizeText(available));
  return {ErrorCode::FileUnreadable, what + ".", "Free some space there, or set TMPDIR to a folder on a larger disk."};
}

}  // namespace heapscape::engine
