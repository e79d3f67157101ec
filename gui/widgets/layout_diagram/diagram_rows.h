// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "widgets/layout_diagram/layout_diagram_geometry.h"

namespace heapscape::gui {

inline constexpr std::int64_t kRowBytes = 8;

/// A layout, and which of its items are open.
struct DiagramSource {
  const engine::LayoutItems* items = nullptr;
  const std::vector<bool>* isOpen = nullptr;
};

/// Divides the bytes into rows, those folded that hold neither a beginning nor an end of what is shown. Rectangles are
/// still empty. One row for a bar.
std::vector<DiagramRow> divideIntoRows(const engine::LayoutItems& items, const std::vector<bool>& isOpen, bool isBar);
/// Rows that serve all of them. At least one.
std::vector<DiagramRow> divideIntoRows(const std::vector<DiagramSource>& sources, bool isBar);

}  // namespace heapscape::gui
