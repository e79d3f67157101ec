// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "insight/detectors/detector.h"
#include "insight/insight.h"
#include "insight/insight_ledger.h"
#include "tables/table.h"

namespace heapscape::engine {

/// Ranks what can be won back, and adds it up without counting a byte twice. `found` has the claims of `list.insights`,
/// in their order. All but `heapBytes`.
ActionPlan planActions(const InsightList& list, std::span<const FoundInsight> found, const Contents& contents,
                       const InexactHolding& inexact);

/// Says what to do in a sentence that begins with its verb: "Trim 3 List<Shop.Order>", "Share equal
/// strings: 1,100 texts, 15,000 strings". Without contents of strings.
std::string actionText(const InsightList& list, const InsightAction& action);

/// How sure it is that something to do is worth doing, judged by its kind and by what it is about.
enum class ActionCertainty : std::uint8_t {
  Sure,     // the program does the same with less
  Check,    // needs a look: what is not used now may be later
  ByDesign  // few, large and empty: perhaps made so on purpose, as tables and buffers are
};
ActionCertainty certaintyOf(const InsightList& list, const InsightAction& action);

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
