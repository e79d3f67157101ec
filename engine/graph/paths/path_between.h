// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "base/progress.h"
#include "graph/edge_rows.h"
#include "graph/reverse_references.h"

namespace heapscape::engine {

/// The shortest way from one object to another by ObjectId, both included; empty if there is none. Searched from both
/// ends at once, always on the side with fewer objects to go on from. Nothing if it was stopped.
std::optional<std::vector<std::uint32_t>> findPathBetween(const EdgeRows& edges, const ReverseReferences& reverse,
                                                          std::uint32_t from, std::uint32_t to, StageProgress& progress,
                                                          std::stop_token stop);

}  // namespace heapscape::engine
