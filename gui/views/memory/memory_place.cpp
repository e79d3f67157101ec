// SPDX-License-Identifier: MIT
#include "views/memory/memory_place.h"

namespace heapscape::gui {

MemoryPlace::MemoryPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : Place(bridge, navigator, parent) {}

void MemoryPlace::showSnapshot(const engine::Snapshot&) {}

void MemoryPlace::clear() {}

}  // namespace heapscape::gui
