// SPDX-License-Identifier: MIT
#include "views/compare/compare_place.h"

namespace heapscape::gui {

ComparePlace::ComparePlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : Place(bridge, navigator, parent) {}

void ComparePlace::showSnapshot(const engine::Snapshot&) {}

void ComparePlace::clear() {}

}  // namespace heapscape::gui
