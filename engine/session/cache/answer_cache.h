// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>

#include "session/cache/cache_file.h"

namespace heapscape::engine {

struct CacheLimits {
  std::uint64_t maximumBytes = std::uint64_t{5} << 30;  // of all files together, and never more than kMostOfFreeSpace
  double leastSeconds = 0.3;                            // what was found sooner is not worth keeping
};

/// What the files of a cache take up.
struct CacheUse {
  std::size_t files = 0;
  std::uint64_t bytes = 0;
};

/// A folder of files with what was computed of dumps, for the next time that one is opened. Several programs may use it
/// at once: files come whole and go whole, and who reads one that is removed keeps what it has. Whatever is wrong with
/// the folder, there is just nothing kept.
class AnswerCache {
 public:
  /// Of the space that is free on the disk.
  static constexpr double kMostOfFreeSpace = 0.1;

  AnswerCache(std::filesystem::path folder, const CacheLimits& limits)
      : m_folder(std::move(folder)), m_limits(limits) {}

  const std::filesystem::path& folder() const { return m_folder; }
  const CacheLimits& limits() const { return m_limits; }

  bool has(const std::string& name) const;
  /// Null if there is none that can be used. One that is there counts as used now.
  std::shared_ptr<const CacheFile> find(const std::string& name, const Hash128& digest) const;
  /// Makes the folder if need be, for its owner alone, and removes what was not used for longest until all has room.
  /// Fails with FileUnreadable, also if the contents alone are more than may be kept.
  Outcome<void> keep(const std::string& name, const Hash128& digest, const CacheContents& contents,
                     const std::stop_token& stop) const;

  CacheUse use() const;
  /// Removes all that is kept, and nothing else that may lie in the folder.
  void clear() const;

 private:
  Result<void> makeFolder() const;
  void makeRoom(std::uint64_t bytes) const;
  std::uint64_t roomBytes() const;

  std::filesystem::path m_folder;
  CacheLimits m_limits;
};

/// Where the user's cache is: the folder that HEAPSCAPE_CACHE names, or else heapscape in XDG_CACHE_HOME or ~/.cache.
/// Empty if HEAPSCAPE_CACHE is "off", or if the user has no home.
std::filesystem::path userCacheFolder();

}  // namespace heapscape::engine
