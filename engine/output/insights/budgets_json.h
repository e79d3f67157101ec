// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "insight/budgets/budget_check.h"
#include "output/json_writer.h"

namespace heapscape::engine {

/// Writes `budgets` and `kept`.
void writeBudgets(JsonWriter& json, const std::vector<BudgetResult>& results);

}  // namespace heapscape::engine
