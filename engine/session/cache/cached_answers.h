// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>

#include "session/cache/answer_cache.h"
#include "session/roots/roots_query.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {

/// What is kept of a dump, each in a file of its own: references, dominators and retained sizes; retained by type;
/// insights.
enum class CachedPart : std::uint8_t { Retained, Types, Insights };

/// What the cache has of one open dump, seen from one choice of roots, and what it is to get. Safe from any thread.
class CachedAnswers {
 public:
  /// Of a dump whose roots have been listed. Null if its file cannot be found by its path any more.
  static std::shared_ptr<const CachedAnswers> of(std::shared_ptr<const AnswerCache> cache, const Contents& contents,
                                                 const RootOptions& options, const RootList& roots);

  /// Null if there is nothing, or nothing that is surely about this dump. Its sections are not checked yet.
  std::shared_ptr<const CacheFile> find(CachedPart part) const;
  /// That what find() gave was used: whatever else is found of the dump is worth keeping, too.
  void noteUsed() const;
  /// What took so long to find is to be kept, if that was long enough. Nothing is written yet.
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

}  // namespace heapscape::engine
