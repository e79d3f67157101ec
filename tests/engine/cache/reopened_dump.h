// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "session/cache/answer_cache.h"
#include "session/open/retained_stage.h"
#include "support/temporary_folder.h"

namespace heapscape::test {

/// A folder of our own in which everything is kept, however soon it was found.
class KeepingFolder {
 public:
  explicit KeepingFolder(std::uint64_t maximumBytes = std::uint64_t{1} << 40)
      : m_cache(std::make_shared<const engine::AnswerCache>(
            folder(), engine::CacheLimits{.maximumBytes = maximumBytes, .leastSeconds = 0})) {}

  std::filesystem::path folder() const { return m_folder / "kept"; }
  const std::shared_ptr<const engine::AnswerCache>& cache() const { return m_cache; }
  /// All that is in the folder, by name.
  std::vector<std::filesystem::path> files() const;
  /// The file whose name has this in it; empty if there is none.
  std::filesystem::path fileOf(const std::string& part) const;

 private:
  TemporaryFolder m_folder;
  std::shared_ptr<const engine::AnswerCache> m_cache;
};

/// A dump with who holds what and its insights.
struct ReopenedDump {
  engine::Snapshot snapshot;
  std::string answers;  // all of it in words: who holds whom, sizes, types, findings, insights
  bool isGraphKept = false;
  bool areTypesKept = false;

  /// What was found anew is written.
  void keep() const;
};

/// Opens it with all that `cache` has of it; null for nothing.
ReopenedDump reopen(const std::filesystem::path& path, const std::shared_ptr<const engine::AnswerCache>& cache,
                    const engine::RootOptions& roots = {});

/// Opens a dump and keeps all that is found.
void keepAll(const std::filesystem::path& path, const KeepingFolder& folder);

}  // namespace heapscape::test
