// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace heapscape::gui {

/// Something that is printed in one piece, one below the other.
struct FlowItem {
  double height = 0;
  double spaceBefore = 0;                   // not at the top of a sheet
  bool keepsWithNext = false;               // a heading is never the last on its sheet
  std::optional<std::size_t> heading = {};  // index of the item that stands above it on each new sheet: a table's head
};

struct FlowPlace {
  std::size_t item = 0;
  std::size_t sheet = 0;
  double y = 0;
  bool operator==(const FlowPlace&) const = default;
};

/// Where items go on sheets of this height, in their order; headings that are repeated have a place for each time. What
/// is higher than a sheet has one of its own and goes over its edge.
std::vector<FlowPlace> flowed(std::span<const FlowItem> items, double sheetHeight);

}  // namespace heapscape::gui
