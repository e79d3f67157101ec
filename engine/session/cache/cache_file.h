// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "base/bounded_reader.h"
#include "base/content_hash.h"
#include "base/result.h"
#include "memory/guarded_mapping.h"

namespace heapscape::engine {

/// What a file of the cache holds, and what keeps it in memory until it is written.
struct CacheContents {
  std::vector<Bytes> sections = {};
  std::vector<std::shared_ptr<const void>> owners = {};

  std::uint64_t sizeBytes() const;
};

/// A file of the cache, mapped to be read: a page of header, sections that begin at pages, and a hash of every block of
/// them. Taken for what others may have written there: nothing of it is used before its header, its hashes and whatever
/// its numbers lead to have been checked.
class CacheFile {
 public:
  /// Null if there is none, if it is not ours alone to write to, or if it is damaged, of another version or about
  /// something else than `digest` says. Sections are not checked yet.
  static std::shared_ptr<const CacheFile> open(const std::filesystem::path& path, const Hash128& digest);
  ~CacheFile();
  CacheFile(const CacheFile&) = delete;
  CacheFile& operator=(const CacheFile&) = delete;

  std::size_t sectionCount() const { return m_sections.size(); }
  /// Bytes of a section, at least as aligned as any number.
  Bytes section(std::size_t index) const { return m_sections[index]; }
  /// The section as an array of so many elements; nothing if it has another size.
  template <class T>
  std::optional<std::span<const T>> array(std::size_t index, std::size_t size) const {
    if (index >= m_sections.size() || m_sections[index].size() / sizeof(T) != size ||
        m_sections[index].size() % sizeof(T) != 0)
      return std::nullopt;
    return std::span(reinterpret_cast<const T*>(m_sections[index].data()), size);
  }

  /// Whether a block of a section, that begins so many bytes behind the section's start, holds what it may.
  using BlockCheck = std::function<bool(std::size_t firstByte, Bytes block)>;
  /// Whether every block has its hash and passes its section's check; a section may have none. On all cores, each block
  /// while it is in the core's own cache. False, too, if it was stopped.
  bool isIntact(std::span<const BlockCheck> checks, const std::stop_token& stop) const;

  /// Whether a page could no longer be read since it was opened.
  bool isLost() const { return m_lost->load(); }

 private:
  CacheFile() = default;
  bool readHeader(const Hash128& digest);

  Bytes m_bytes;
  LostPages m_lost = std::make_shared<std::atomic<bool>>(false);
  GuardedMapping m_guard;
  std::vector<Bytes> m_sections;
  std::span<const std::uint64_t> m_hashes;  // of all blocks, one section's behind the other's
};

/// Writes a file under a name that nobody has, and gives it its own at the end, so that others see all of it or the
/// file that was there before. Fails with FileUnreadable; nothing is left behind then.
Outcome<void> writeCacheFile(const std::filesystem::path& path, const Hash128& digest, std::span<const Bytes> sections,
                             const std::stop_token& stop);

/// How the name of a file ends that is still being written.
inline constexpr std::string_view kUnfinishedEnding = ".unfinished";

}  // namespace heapscape::engine
