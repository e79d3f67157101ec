// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "base/progress.h"
#include "insight/budgets/budgets.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// A type that exceeds a budget for each of them.
struct BudgetOffender {
  std::string name;
  double actual = 0;
};

struct BudgetResult {
  Budget budget;
  bool isKept = true;
  double actual = 0;  // bytes, objects or percent, as the limit; of AnyType the largest. Growth may be less than 0
  std::vector<BudgetOffender> offenders;  // AnyType: the worst first, at most kMaximumOffenders
  std::size_t offenderCount = 0;

  static constexpr std::size_t kMaximumOffenders = 100;
};

/// How far a dump has to be opened to check them.
Stage stageFor(std::span<const Budget> budgets);

/// Checks all of them. `others` has the dump of each `against`, opened to the same stage. Fails with NotFound for a
/// type that is not loaded, with BadQuery for a kind, a category or a measure that there is not.
Outcome<std::vector<BudgetResult>> checkBudgets(const Snapshot& snapshot, std::span<const Budget> budgets,
                                                const std::map<std::string, Snapshot>& others, ProgressSink* progress,
                                                std::stop_token stop);

}  // namespace heapscape::engine
