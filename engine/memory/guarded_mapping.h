// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <memory>

namespace heapscape::engine {

/// Whether pages of a file could no longer be read; shared by all mappings of the file.
using LostPages = std::shared_ptr<std::atomic<bool>>;

/// Makes reads in [start, start + size), where a file is mapped to be read, survive that the file gets shorter, which
/// else ends the program (SIGBUS): from the first page that is gone on the mapping is replaced by zeros, and `lost` is
/// set. A failing disk does the same. Ends with this object, which must go before the mapping does. Safe from any
/// thread.
class GuardedMapping {
 public:
  GuardedMapping() = default;
  GuardedMapping(const void* start, std::size_t size, LostPages lost);
  GuardedMapping(GuardedMapping&& other) noexcept;
  GuardedMapping& operator=(GuardedMapping&& other) noexcept;
  ~GuardedMapping();

 private:
  struct Slot;
  friend class MappingGuard;

  Slot* m_slot = nullptr;
  LostPages m_lost;
};

/// Change of a file after it was opened.
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
