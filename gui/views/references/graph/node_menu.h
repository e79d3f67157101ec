// SPDX-License-Identifier: MIT
#pragma once

#include "bridge/navigator.h"
#include "session/snapshot/snapshot.h"
#include "views/references/graph/graph_picture.h"

class QMenu;

namespace heapscape::gui {

/// The method table of a node's type; 0 if it has none.
engine::Address methodTableOf(const GraphNode& node, const engine::Snapshot& snapshot);

/// An entry for each place that shows what a node stands for, and what can be copied of it.
void addNodeLinks(QMenu& menu, const GraphNode& node, const engine::Snapshot& snapshot, Navigator& navigator);

}  // namespace heapscape::gui
