// SPDX-License-Identifier: MIT
#include "views/insights/insights_place.h"

namespace heapscape::gui {

InsightsPlace::InsightsPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : Place(bridge, navigator, parent) {}

void InsightsPlace::showSnapshot(const engine::Snapshot&) {}

void InsightsPlace::clear() {}

}  // namespace heapscape::gui
