// SPDX-License-Identifier: MIT
#include "models/lacking_heap.h"

#include "session/snapshot/heap_presence.h"
#include "widgets/state_panel.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

bool lacksHeap(const engine::Snapshot& snapshot) {
  return snapshot.has(engine::Stage::Segments) && !engine::hasHeap(snapshot);
}

QString lackingHeapText(const engine::Snapshot& snapshot) {
  return fromEngine(engine::noHeapIn(snapshot).message());
}

QString notRecordedText() {
  return fromEngine(engine::lackOfRecorded().message());
}

void showLackingHeap(StatePanel& state, const engine::Snapshot& snapshot) {
  state.showEmpty(u"No heap in this dump"_s, lackingHeapText(snapshot));
}

}  // namespace heapscape::gui
