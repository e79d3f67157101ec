// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "insight/insight.h"
#include "lists/budgets.h"
#include "output/json_writer.h"
#include "output/output.h"
#include "output/row_selection.h"

namespace heapscape::engine {

/// Writes `insights`, `groups`, `plan` and `totals`. Without contents, what items say and facts that tell of contents
/// if redacted.
void writeInsights(JsonWriter& json, const InsightList& list, const RowSelection& selection);

enum class InsightsForm {
  Groups,   // what to do first; then a line for each insight, one for all of a kind that has many
  Each,     // a line for each
  Details,  // also advice, facts, owners and the costliest objects
};

/// The insights in a form, then the totals. Without contents if redacted.
void writeInsightsText(Output& output, const InsightList& list, InsightsForm form, const RowSelection& selection);
/// What of the heap they are about, and what is garbage, in a line.
void writeReachText(Output& output, const RetainedTotals& totals);

/// Writes `budgets` and `kept`.
void writeBudgets(JsonWriter& json, const std::vector<BudgetResult>& results);

/// One line for each budget, with the rows that exceed it, and how many are exceeded.
void writeBudgetsText(Output& output, const std::vector<BudgetResult>& results, bool isComplete);

}  // namespace heapscape::engine
