// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <memory>

#include "memory/guarded_mapping.h"

namespace heapscape::engine {

/// What happened to a file after it was opened.
enum class FileChange : std::uint8_t { None, Shortened, Written };

/// A file that others changed while we read from it.
struct ChangedFile {
  std::filesystem::path path;
  FileChange change = FileChange::None;
};

/// Tells whether an open file still is what it was: by its size, the time of its last change, and whether pages of it
/// could not be read. Safe from any thread.
class FileWatch {
 public:
  /// `descriptor` must be open as long as this object is asked.
  explicit FileWatch(int descriptor);

  FileChange change() const;
  /// For mappings of the file.
  const LostPages& lostPages() const { return m_lost; }

 private:
  int m_descriptor;
  std::int64_t m_sizeBytes = 0;
  std::timespec m_written{};
  LostPages m_lost = std::make_shared<std::atomic<bool>>(false);
};

}  // namespace heapscape::engine
