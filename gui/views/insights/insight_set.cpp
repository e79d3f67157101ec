// SPDX-License-Identifier: MIT
#include "views/insights/insight_set.h"

#include "models/names/insight_text.h"
#include "models/rows/picked/picked_sets.h"

namespace heapscape::gui {

bool hasSetOfObjects(const engine::Insight& insight) {
  return !insight.ids.empty() && insight.kind != engine::InsightKind::Fragmentation;
}

QString setOfInsight(EngineBridge& bridge, const engine::Insight& insight) {
  return PickedSets::of(bridge).add(insight.ids, shortInsightTitle(insight));
}

}  // namespace heapscape::gui
