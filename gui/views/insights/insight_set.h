// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include "bridge/engine_bridge.h"
#include "insight/insight.h"

namespace heapscape::gui {

/// Whether an insight is about objects, rather than gaps or nothing that could be listed.
bool hasSetOfObjects(const engine::Insight& insight);

/// Takes the objects of an insight as a set; its name. See PickedSets.
QString setOfInsight(EngineBridge& bridge, const engine::Insight& insight);

}  // namespace heapscape::gui
