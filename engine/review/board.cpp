// SPDX-License-Identifier: MIT
#include "review/board.h"

namespace heapscape::engine {

std::uint64_t rowsInAll(const ReviewTable& table) {
  return table.rows.size() + table.rowsLeftOut;
}

}  // namespace heapscape::engine
