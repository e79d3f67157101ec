// SPDX-License-Identifier: MIT
#include "graph/root_forest.h"

namespace heapscape::engine {

RootForest RootForest::ofObjects(std::span<const std::uint32_t> objects) {
  RootForest forest;
  forest.m_vertices.reserve(objects.size());
  for (const std::uint32_t object : objects) forest.addRoot(kNone, object);
  return forest;
}

}  // namespace heapscape::engine
