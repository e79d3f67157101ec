// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/reference_graph.h"

namespace heapscape::test {

/// `starts`: by vertex, where its edges begin, and one more for where they end.
engine::StoredRows rowsOf(std::span<const std::uint32_t> starts);
/// `references`: by object, what it refers to, in order. No object has a size yet.
engine::ReferenceGraph graphOf(const std::vector<std::vector<std::uint32_t>>& references);

}  // namespace heapscape::test
