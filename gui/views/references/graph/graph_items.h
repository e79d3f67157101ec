// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "views/references/graph/edge_item.h"
#include "views/references/graph/node_item.h"

namespace heapscape::gui {

/// What a picture looks like on the screen; belongs to the scene that it is put into.
struct GraphItems {
  std::vector<NodeItem*> nodes;
  std::vector<EdgeItem*> edges;
};

/// `look`: whose palette and font they have; outlives them.
GraphItems makeItems(const GraphPicture& picture, const GraphLayout& layout, const engine::Snapshot& snapshot,
                     bool showsDominators, const QWidget& look);

}  // namespace heapscape::gui
