// SPDX-License-Identifier: MIT
#pragma once

#include "insight/insight.h"
#include "report/output.h"
#include "report/row_selection.h"

namespace heapscape::engine {

/// A line for each insight, with `withDetails` also advice, facts, owners and the costliest objects; then the totals.
/// Without contents if redacted.
void writeInsightsText(Output& output, const InsightList& list, bool withDetails, const RowSelection& selection);

void writeInsightsTsv(Output& output, const InsightList& list, const RowSelection& selection);

}  // namespace heapscape::engine
