// SPDX-License-Identifier: MIT
#include "session/snapshot/row_order.h"

#include <algorithm>

namespace heapscape::engine {

namespace {

// Between two looks at the stop token.
constexpr std::uint32_t kStep = 1 << 13;

// std::stable_sort cannot be stopped, so runs of it are merged until one is left.
bool sortRows(std::vector<std::uint32_t>& rows, const RowComparison& isBefore, const std::stop_token& stop) {
  const std::size_t count = rows.size();
  const auto at = [&](std::size_t index) { return rows.begin() + static_cast<std::ptrdiff_t>(std::min(index, count)); };
  for (std::size_t from = 0; from < count; from += kStep) {
    if (stop.stop_requested()) return false;
    std::stable_sort(at(from), at(from + kStep), isBefore);
  }
  for (std::size_t run = kStep; run < count; run *= 2) {
    for (std::size_t from = 0; from < count; from += 2 * run) {
      if (stop.stop_requested()) return false;
      std::inplace_merge(at(from), at(from + run), at(from + 2 * run), isBefore);
    }
  }
  return true;
}

}  // namespace

Outcome<std::vector<std::uint32_t>> orderRows(std::uint32_t count, const RowTest& isKept, const RowComparison& isBefore,
                                              std::stop_token stop) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < count; ++row) {
    if (row % kStep == 0 && stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    if (!isKept || isKept(row)) rows.push_back(row);
  }
  if (isBefore && !sortRows(rows, isBefore, stop)) return tl::unexpected(Unfinished::cancelled());
  return rows;
}

}  // namespace heapscape::engine
