// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "bridge/navigator.h"
#include "session/dominators/dominators_query.h"

class QMenu;

namespace heapscape::gui {

/// What picking a node means for the rest of the window: its object, or else its type. Empty for groups.
Selection selectionOf(const engine::DominatorNode& node, const engine::Snapshot& snapshot);

/// Shows the object on its page, or else the type on its own.
void openDominator(Navigator& navigator, const Selection& selection);

/// An entry for each place that shows what a node stands for, and for copying its name and address.
void addDominatorLinks(QMenu& menu, Navigator& navigator, const engine::DominatorNode& node,
                       const Selection& selection);

}  // namespace heapscape::gui
