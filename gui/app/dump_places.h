// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "views/place.h"

namespace heapscape::gui {

/// The places that show the open dump, in the order of the bar: from Overview to Findings. Their parent owns them.
std::vector<Place*> makeDumpPlaces(EngineBridge& bridge, Navigator& navigator, QWidget* parent);

}  // namespace heapscape::gui
