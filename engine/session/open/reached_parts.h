// SPDX-License-Identifier: MIT
#pragma once

#include "session/snapshot/contents.h"

namespace heapscape::engine {

/// Sets how much of the heap, of its generations and of its segments a tree's roots reach, and how much they do not.
/// `contents`: those with the heap and the graph that the tree was made of.
void addUpReachedParts(const Contents& contents, Retention& retention);

}  // namespace heapscape::engine
