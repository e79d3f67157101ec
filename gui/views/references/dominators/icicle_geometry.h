// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "session/dominators/dominators_query.h"
#include "widgets/icicle/icicle.h"

namespace heapscape::gui {

/// So high that the levels which are wide enough to be drawn fill the picture, and at least `least`.
double icicleRowHeight(const std::vector<engine::DominatorShape>& shapes, QSizeF size, double least);

/// The top of a dominator tree above, what it holds below it: as wide as what it retains.
std::vector<IcicleBox> icicleBoxes(const std::vector<engine::DominatorShape>& shapes, QSizeF size, double rowHeight);

}  // namespace heapscape::gui
