// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "layout/advice/field_order.h"
#include "layout/rules/field_placement.h"

namespace heapscape::engine {

/// Fields that share bytes, directly or through others: a union, which may be moved as a whole.
struct OverlapCluster {
  std::vector<std::uint32_t> fields;  // indices
  std::uint32_t start = 0;            // offset of the whole, at a multiple of its alignment
  FieldExtent shape;
};

/// Every field is in one cluster, most in one of their own; by offset. `shapes`: of each field.
std::vector<OverlapCluster> overlapClusters(const FieldPlacement& placement, std::span<const FieldExtent> shapes);

}  // namespace heapscape::engine
