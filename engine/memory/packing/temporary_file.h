// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <utility>

#include "base/bounded_reader.h"
#include "base/result.h"
#include "memory/files/regular_file.h"

namespace heapscape::engine {

/// How errors call what is done with a dump that is written out.
struct WritingOut {
  const char* verb;  // "decompress"
  const char* past;  // "decompressed"
};
inline constexpr WritingOut kDecompress{"decompress", "decompressed"};
inline constexpr WritingOut kCopy{"copy", "copied"};

/// A file in $TMPDIR or /var/tmp that has no name and is gone when it is closed. Pages of zeros take no room in it.
class TemporaryFile {
 public:
  /// `origin`: what is written out into it, for errors.
  static Result<TemporaryFile> create(std::filesystem::path origin, const WritingOut& words = kDecompress);

  /// Where the disk is full, gives back what was written and counts on, so that finish() knows how much it would take.
  Result<void> append(Bytes bytes);
  /// Leaves a hole up to an offset; nothing if the file is as long already.
  Result<void> extendTo(std::uint64_t offset);
  /// Throws away what was written.
  Result<void> startAnew();
  /// Zeros at the end become a hole as well. Fails with FileUnreadable if the disk was full.
  Result<void> finish();

  /// As long as the file is, holes included.
  std::uint64_t bytes() const { return m_bytes; }
  /// Room that the file can still take; a very large number if that cannot be told.
  std::uint64_t freeBytes() const;
  /// Error that `neededBytes` do not fit.
  Error noRoomFor(std::uint64_t neededBytes) const;
  FileDescriptor release() { return std::move(m_file); }

 private:
  Result<void> write(Bytes bytes);
  Result<void> setLength(std::uint64_t bytes);
  Error tooLarge() const;
  Error largerThanAllowed(std::uint64_t neededBytes) const;

  FileDescriptor m_file;
  std::filesystem::path m_folder;
  std::filesystem::path m_origin;
  WritingOut m_words = kDecompress;
  std::uint64_t m_bytes = 0;
  std::uint64_t m_writtenBytes = 0;
  bool m_isDiskFull = false;  // then what would have been written is only counted
};

/// The bytes among these that would be written: whole pages of zeros, counted from `offset` in the file, are not.
std::uint64_t bytesWithoutHoles(Bytes bytes, std::uint64_t offset);

}  // namespace heapscape::engine
