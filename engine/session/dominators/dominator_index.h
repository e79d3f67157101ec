// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <stop_token>

#include "base/ids.h"
#include "base/large_array.h"
#include "base/result.h"
#include "graph/dominators/dominator_tree.h"

namespace heapscape::engine {

struct Contents;

/// What looking at the dominator tree from above needs beside it. 12 bytes an object.
struct DominatorIndex {
  DominatorChildren children;         // those that retain most first
  LargeArray<std::uint32_t> typesOf;  // TypeId by number; none for what is no object

  TypeId typeOf(std::uint32_t number) const { return {typesOf[number]}; }
};

Outcome<DominatorIndex> makeDominatorIndex(const Contents& contents, std::stop_token stop);

}  // namespace heapscape::engine
