// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "lists/budgets.h"
#include "output/json_writer.h"
#include "output/output.h"

namespace heapscape::engine {

/// Writes `budgets` and `kept`.
void writeBudgets(JsonWriter& json, const std::vector<BudgetResult>& results);

/// One line for each budget, with the rows that exceed it, and how many are exceeded.
void writeBudgetsText(Output& output, const std::vector<BudgetResult>& results, bool isComplete);

}  // namespace heapscape::engine
