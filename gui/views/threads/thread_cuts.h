// SPDX-License-Identifier: MIT
#pragma once

#include "bridge/navigator.h"
#include "session/snapshot/snapshot.h"

class QMenu;

namespace heapscape::gui {

/// Entries that think away what a thread holds: its whole stack, and all of it with its statics. None before the stage
/// Retained, and for a thread that holds nothing. `thread`: the address of the runtime's Thread.
void addThreadCuts(QMenu& menu, Navigator& navigator, const engine::Snapshot& snapshot, engine::Address thread);

}  // namespace heapscape::gui
