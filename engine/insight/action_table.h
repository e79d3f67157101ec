// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "insight/insight.h"
#include "tables/table.h"

namespace heapscape::engine {

/// Something to do, in words.
struct TitledAction {
  InsightAction action;
  std::string title;  // "Trim 3 collections of List<Shop.Order>"
  InsightKind kind = InsightKind::Suspect;
  InsightMeaning meaning = InsightMeaning::Waste;
  std::uint64_t objects = 0;
  Cell::Words examples = {};  // addresses
};

/// In the plan's order.
std::vector<TitledAction> titledActions(const InsightList& list);
const TableOf<TitledAction>& insightActionsTable();

}  // namespace heapscape::engine
