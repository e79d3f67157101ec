// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "views/place.h"

namespace heapscape::gui {

/// The places that show the open dump, in the order of the bar: from Overview to Findings. Their parent owns them.
std::vector<Place*> makeDumpPlaces(EngineBridge& bridge, Navigator& navigator, QWidget* parent);

/// One of them; null for a place that is about files or about more than one dump.
Place* makeDumpPlace(PlaceId place, EngineBridge& bridge, Navigator& navigator, QWidget* parent);
bool isDumpPlace(PlaceId place);

}  // namespace heapscape::gui
