// SPDX-License-Identifier: MIT
#pragma once

namespace heapscape::engine {

/// Has malloc take every large block from the kernel by itself and give it back once it is freed. glibc does so only
/// until the first of them is freed; from then on they lie among small ones, which keep the memory of those freed. For
/// the start of a program that computes and ends: a window paints into large blocks all the time.
void giveBackLargeBlocks();

}  // namespace heapscape::engine
