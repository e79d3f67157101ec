// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

namespace heapscape::engine {

/// Who refers to whom by number: the targets of vertex v are targets[rows[v]] to targets[rows[v + 1]], the end left
/// out.
struct EdgeRows {
  std::span<const std::uint32_t> rows;  // one more than there are vertices
  std::span<const std::uint32_t> targets;
  std::uint32_t vertexCount() const { return rows.empty() ? 0 : static_cast<std::uint32_t>(rows.size() - 1); }
};

}  // namespace heapscape::engine
