// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "base/result.h"
#include "session/dominators/dominators_query.h"
#include "session/references/what_if.h"

namespace heapscape::engine {

/// Of the bytes that each shape of a picture retains, how many would be freed by cuts, exactly; 0 for a rest, which
/// stands for no node. By shape. The picture is of this snapshot; fails with NotFound if the cuts are of another one.
Outcome<std::vector<std::uint64_t>> freedByShape(const Snapshot& snapshot, const WhatIf& whatIf,
                                                 DominatorGrouping grouping, std::span<const DominatorShape> shapes,
                                                 std::stop_token stop);

}  // namespace heapscape::engine
