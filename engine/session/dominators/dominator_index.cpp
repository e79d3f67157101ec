// SPDX-License-Identifier: MIT
#include "session/dominators/dominator_index.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

LargeArray<std::uint32_t> typesByNumber(const Contents& contents) {
  const std::shared_ptr<const ObjectTypes> types = contents.typesOfObjects();
  const DominatorTree& tree = contents.retention->tree;
  LargeArray<std::uint32_t> byNumber(std::size_t{tree.reachedCount()} + 1);
  byNumber[0] = TypeId::kNone;
  tbb::parallel_for(tbb::blocked_range<std::uint32_t>(1, tree.reachedCount() + 1, 1 << 16), [&](const auto& part) {
    for (std::uint32_t number = part.begin(); number < part.end(); ++number) {
      const std::uint32_t vertex = tree.vertexOf(number);
      byNumber[number] = tree.isObject(vertex) ? (*types)[vertex] : TypeId::kNone;
    }
  });
  return byNumber;
}

}  // namespace

Outcome<DominatorIndex> makeDominatorIndex(const Contents& contents, std::stop_token stop) {
  DominatorIndex index{DominatorChildren(contents.retention->tree), {}};
  if (!index.children.sortByRetained(contents.retention->sizes, stop)) return tl::unexpected(Unfinished::cancelled());
  index.typesOf = typesByNumber(contents);
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  return index;
}

}  // namespace heapscape::engine
