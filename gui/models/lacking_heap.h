// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include "session/snapshot/snapshot.h"

namespace heapscape::gui {

class StatePanel;

/// The dump has no heap, and none will come: see engine::hasHeap. False as long as that is not known.
bool lacksHeap(const engine::Snapshot& snapshot);
/// Why, what can be told all the same, and how to get a dump with a heap.
QString lackingHeapText(const engine::Snapshot& snapshot);
/// What a recorded heap, a .gcdump file, does not tell, as a sentence; and how to get it.
QString notRecordedText();
/// Says so in place of what only a heap tells.
void showLackingHeap(StatePanel& state, const engine::Snapshot& snapshot);

}  // namespace heapscape::gui
