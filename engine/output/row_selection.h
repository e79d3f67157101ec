// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace heapscape::engine {

/// Part of an answer that is to be written.
struct RowSelection {
  std::size_t limit = SIZE_MAX;  // at most so many rows
  bool isRedacted = false;       // without contents: what strings and fields hold, names of threads

  template <class Row>
  std::span<const Row> of(const std::vector<Row>& rows) const {
    return std::span(rows).first(std::min(limit, rows.size()));
  }
};

}  // namespace heapscape::engine
