// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

#include "base/result.h"

namespace heapscape::engine {

using RowTest = std::function<bool(std::uint32_t row)>;
using RowComparison = std::function<bool(std::uint32_t left, std::uint32_t right)>;

/// Which of `count` rows to show, and in what order: those that `isKept`, sorted by `isBefore`, a strict weak order.
/// Rows that are equal keep their order; without `isBefore` all do. An empty `isKept` keeps every row.
Outcome<std::vector<std::uint32_t>> orderRows(std::uint32_t count, const RowTest& isKept, const RowComparison& isBefore,
                                              std::stop_token stop);

}  // namespace heapscape::engine
