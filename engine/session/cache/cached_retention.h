// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <stop_token>

#include "base/finding.h"
#include "graph/reference_graph.h"
#include "session/cache/cache_file.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {

/// Cache of the stages References and Retained.
struct CachedRetention {
  std::shared_ptr<const ReferenceGraph> graph;
  FindingList damage;  // that the references led to
  DominatorTree tree;
  RetainedSizes sizes;
};

CacheContents contentsOf(std::shared_ptr<const ReferenceGraph> graph, const FindingList& damage,
                         std::shared_ptr<const Retention> retention);

/// Arrays that lie in the file, which lives as long as the graph. `objects`: of the heap; `roots`: groups and roots
/// together. Nothing if anything in the file is not as it was written, or leads out of bounds.
std::optional<CachedRetention> readRetention(const std::shared_ptr<const CacheFile>& file, std::uint32_t objects,
                                             std::uint32_t roots, const std::stop_token& stop);

CacheContents contentsOfTypes(std::shared_ptr<const Retention> retention);
/// Returns nullopt if the file is not as it was written, or does not have so many types.
std::optional<std::vector<RetainedOfType>> readRetainedTypes(const CacheFile& file, std::size_t types);

}  // namespace heapscape::engine
