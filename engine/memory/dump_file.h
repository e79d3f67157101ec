// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "base/bounded_reader.h"
#include "base/progress.h"
#include "base/result.h"
#include "memory/files/regular_file.h"
#include "memory/guarded_mapping.h"

namespace heapscape::engine {

/// A core file mapped read-only into our memory; what is packed is first unpacked, see unpacked_core.h. It may be
/// shortened by others meanwhile: what is gone reads as zeros, and change() tells.
class DumpFile {
 public:
  /// Fails with FileUnreadable, or NotACoreDump if no core comes out of a packed file. Polls the token every 10 ms.
  static Outcome<std::shared_ptr<const DumpFile>> open(const std::filesystem::path& path, StageProgress& progress,
                                                       std::stop_token stop);
  ~DumpFile();
  DumpFile(const DumpFile&) = delete;
  DumpFile& operator=(const DumpFile&) = delete;

  /// All bytes of the (unpacked) core.
  Bytes bytes() const { return m_bytes; }
  /// Open for as long as this object lives, so that parts can be mapped again.
  int descriptor() const { return m_descriptor.get(); }
  /// Where the core begins in the file of the descriptor: not at 0 where it lies in an archive.
  std::uint64_t fileOffset() const { return m_fileOffset; }
  const std::filesystem::path& path() const { return m_path; }
  /// Whether the bytes were written out to a temporary file.
  bool isCompressed() const { return m_isCompressed; }
  /// The core's name in its archive; empty if it comes from none.
  const std::string& nameInArchive() const { return m_nameInArchive; }
  /// How many cores the archive has; 0 without one.
  std::size_t coresInArchive() const { return m_coresInArchive; }
  /// Why the unpacked bytes may not be all or not be right (the packed file is cut or damaged); empty if they are.
  const std::string& damage() const { return m_damage; }

  /// Whether others have changed the file since it was opened. All that was read from it is in doubt then.
  FileChange change() const { return m_watch->change(); }
  /// For further mappings of the file.
  const LostPages& lostPages() const { return m_watch->lostPages(); }

 private:
  DumpFile() = default;
  Result<void> map(std::uint64_t sizeBytes);

  std::filesystem::path m_path;
  std::string m_damage;
  std::string m_nameInArchive;
  std::size_t m_coresInArchive = 0;
  FileDescriptor m_descriptor;
  std::uint64_t m_fileOffset = 0;
  std::optional<FileWatch> m_watch;
  Bytes m_pages;
  Bytes m_bytes;
  GuardedMapping m_guard;
  bool m_isCompressed = false;
};

}  // namespace heapscape::engine
