// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "base/address.h"
#include "widgets/treemap/treemap_geometry.h"

namespace heapscape::gui {

/// A type and the bytes that its area stands for.
struct SizedType {
  std::string name;
  engine::Address methodTable;
  std::uint64_t objects = 0;
  std::uint64_t bytes = 0;
};

/// Types in their namespaces.
struct TypeTreemap {
  std::vector<TreemapPart> groups;
  std::vector<std::vector<engine::Address>> methodTables;  // by group and part; 0 for smaller types together
};

/// A namespace's smallest types, those with less than `smallestShare` of all bytes, are one part.
TypeTreemap typeTreemap(const std::vector<SizedType>& types, double smallestShare);

}  // namespace heapscape::gui
