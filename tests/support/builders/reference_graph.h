// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "graph/reference_graph.h"

namespace heapscape::test {

/// `references`: by object, what it refers to, in order. No object has a size yet.
engine::ReferenceGraph graphOf(const std::vector<std::vector<std::uint32_t>>& references);

}  // namespace heapscape::test
