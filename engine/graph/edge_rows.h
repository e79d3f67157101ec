// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "graph/row_starts.h"

namespace heapscape::engine {

/// Who refers to whom by number: the targets of vertex v are targets[rows[v]] to targets[rows[v + 1]], the end left
/// out.
struct EdgeRows {
  RowStarts rows;
  std::span<const std::uint32_t> targets;

  std::uint32_t vertexCount() const { return rows.vertexCount(); }
  std::span<const std::uint32_t> targetsOf(std::uint32_t vertex) const {
    return targets.subspan(rows[vertex], rows.countOf(vertex));
  }
};

}  // namespace heapscape::engine
