// SPDX-License-Identifier: MIT
#pragma once

#include "insight/budgets/budgets.h"

namespace heapscape::engine {

/// Whether limit and actual figure of a budget are percentages; else they are bytes or objects.
inline bool isPercentage(const Budget& budget) {
  return budget.isPercent || budget.measure == BudgetMeasure::PaddingPercent;
}

}  // namespace heapscape::engine
