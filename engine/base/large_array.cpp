// SPDX-License-Identifier: MIT
#include "base/large_array.h"

#include <malloc.h>

namespace heapscape::engine {

void giveBackLargeBlocks() {
  constexpr int kLargeBytes = 128 << 10;
  // Setting one of them ends that glibc adjusts both.
  ::mallopt(M_MMAP_THRESHOLD, kLargeBytes);
  ::mallopt(M_TRIM_THRESHOLD, 128 * kLargeBytes);
}

}  // namespace heapscape::engine
