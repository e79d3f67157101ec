// SPDX-License-Identifier: MIT
#include "views/review/review_place.h"

namespace heapscape::gui {

ReviewPlace::ReviewPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : Place(bridge, navigator, parent) {}

void ReviewPlace::showSnapshot(const engine::Snapshot&) {}

void ReviewPlace::clear() {}

}  // namespace heapscape::gui
