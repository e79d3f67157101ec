// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "base/result.h"
#include "memory/address_space.h"
#include "session/cache/cache_file.h"
#include "session/roots/roots_query.h"
#include "session/snapshot/contents.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

class CacheFile;

struct CacheLimits {
  std::uint64_t maximumBytes = std::uint64_t{5} << 30;  // of all files together, and never more than kMostOfFreeSpace
  double leastSeconds = 0.3;                            // what was found sooner is not worth keeping
};

/// Use of disk by the files of a cache.
struct CacheUse {
  std::size_t files = 0;
  std::uint64_t bytes = 0;
};

/// A folder of files with what was computed of dumps, for the next time that one is opened. Several programs may use it
/// at once: files come whole and go whole, and who reads one that is removed keeps what it has. Whatever is wrong with
/// the folder, there is just nothing kept.
class AnswerCache {
 public:
  /// Share of the space that is free on the disk, 0 to 1.
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

/// Cached parts of a dump, a file each: references, dominators and retained sizes; retained by type; insights.
enum class CachedPart : std::uint8_t { Retained, Types, Insights };

/// Cache of one open dump, seen from one choice of roots, with what is to be written. Safe from any thread.
class CachedAnswers {
 public:
  /// Returns what is kept of a dump whose roots have been listed. Null if its file is gone from its path.
  static std::shared_ptr<const CachedAnswers> of(std::shared_ptr<const AnswerCache> cache, const Contents& contents,
                                                 const RootOptions& options, const RootList& roots);

  /// Null if there is nothing, or nothing that is surely about this dump. Its sections are not checked yet.
  std::shared_ptr<const CacheFile> find(CachedPart part) const;
  /// Notes that what find() gave was used: whatever else is found of the dump is worth keeping, too.
  void noteUsed() const;
  /// Notes a part to be cached, if finding it took long enough. Nothing is written yet.
  void keepLater(CachedPart part, double seconds, CacheContents contents) const;
  /// Whether anything is to be written.
  bool isWaiting() const;
  /// Writes all that is to be kept, but nothing of a dump that others have changed meanwhile. What could not be written
  /// is not tried again.
  Outcome<void> write(const std::stop_token& stop) const;

 private:
  CachedAnswers(std::shared_ptr<const AnswerCache> cache, std::shared_ptr<const AddressSpace> memory, std::string name,
                const Hash128& identity);

  std::string nameOf(CachedPart part) const;

  const std::shared_ptr<const AnswerCache> m_cache;
  const std::shared_ptr<const AddressSpace> m_memory;
  const std::string m_name;
  const Hash128 m_identity;
  mutable std::mutex m_mutex;
  mutable bool m_isUsed = false;
  mutable std::map<CachedPart, CacheContents> m_waiting;
};

/// Tells whether other programs have changed the files of an open dump: the dump's own, or one that stands in for
/// memory which the dump leaves out, or holds what was kept of it. Whatever was read from it, before or after, is in
/// doubt then. Cheap enough to ask after every answer; safe from any thread; keeps the files open, not what was read
/// from them.
class FileChanges {
 public:
  explicit FileChanges(const Snapshot& snapshot);
  explicit FileChanges(std::shared_ptr<const AddressSpace> memory);

  /// FileUnreadable, with the file and what happened to it; nothing if all is as it was.
  std::optional<Error> error() const;

 private:
  std::shared_ptr<const AddressSpace> m_memory;
  std::shared_ptr<const CacheFile> m_kept;
};

/// Returns the snapshot with a finding that its files were changed.
Snapshot withChangedFiles(const Snapshot& snapshot, const Error& error);

}  // namespace heapscape::engine
