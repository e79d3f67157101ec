// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "session/snapshot/snapshot.h"
#include "views/references/graph/edge_item.h"
#include "views/references/graph/graph_picture.h"
#include "views/references/graph/node_item.h"
#include "widgets/graph_layout/graph_layout.h"

class QWidget;

namespace heapscape::gui {

/// The look of a picture on the screen; belongs to the scene that it is put into.
struct GraphItems {
  std::vector<NodeItem*> nodes;
  std::vector<EdgeItem*> edges;
  /// An arrow against the flow, and the nodes at its ends, by position.
  struct Back {
    EdgeItem* item = nullptr;
    std::uint32_t from = 0, to = 0;
  };
  std::vector<Back> back;
};

/// `look`: whose palette and font they have; outlives them.
GraphItems makeItems(const GraphPicture& picture, const GraphLayout& layout, const engine::Snapshot& snapshot,
                     bool showsFlow, const QWidget& look);

}  // namespace heapscape::gui
