// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "widgets/layout_diagram/layout_diagram_geometry.h"

namespace heapscape::gui {

inline constexpr std::int64_t kRowBytes = 8;

/// Divides the bytes into rows, those folded that hold neither a beginning nor an end of what is shown. Rectangles are
/// still empty. One row for a bar.
std::vector<DiagramRow> divideIntoRows(const LayoutItems& items, const std::vector<bool>& isOpen, bool isBar);

}  // namespace heapscape::gui
