// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_names.h"
#include "base/progress.h"
#include "base/result.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// Unit of a budget's figure.
enum class BudgetUnit : std::uint8_t { Rows, Number, Bytes, Percent };
template <>
inline constexpr auto kEnumNames<BudgetUnit> = std::to_array<EnumName<BudgetUnit>>({{BudgetUnit::Rows, "rows"},
                                                                                    {BudgetUnit::Number, "number"},
                                                                                    {BudgetUnit::Bytes, "bytes"},
                                                                                    {BudgetUnit::Percent, "percent"}});

/// A limit for the rows of a list that fit a query: for how many there are, or for what a column of theirs adds up to.
/// resources/manual/budgets.md describes how budgets are written.
struct Budget {
  std::string text = {};   // its name, or else "types: own and padding > 10%"
  std::string of = {};     // "objects", "changes" (of types, since another dump), or one of allLists()
  std::string query = {};  // empty: every row
  std::string sum = {};    // a column that adds up; empty: rows are counted
  std::optional<double> most = {};
  std::optional<double> least = {};
  bool isGrowth = false;     // the limit is for what has come to the figure since another dump
  bool isPercent = false;    // of growth: the limit is a percentage of what was there before
  std::string against = {};  // the other dump; empty for the one that the command line names

  /// Whether it looks at another dump at all.
  bool comparesDumps() const { return isGrowth || of == "changes"; }
};

struct BudgetResult {
  Budget budget = {};
  bool isKept = true;
  double actual = 0;  // growth from nothing is 100% for each byte or row; less than 0 where there is less
  BudgetUnit unit = BudgetUnit::Rows;
  std::vector<std::string> rows = {};  // names of those that fit, in the list's order; at most kMostRows
  std::uint64_t rowCount = 0;          // of all that fit
  std::uint64_t unreadable = 0;        // values that could not be compared: the figure may be too small

  static constexpr std::size_t kMostRows = 100;
};

/// Reads a file of budgets. Fails with BadQuery, naming the budget that cannot be understood; of one in the form of
/// earlier versions it shows the new form.
Result<std::vector<Budget>> parseBudgets(std::string_view json);

/// Whether one of them asks for retained sizes by type; every budget needs the stage Retained.
bool needRetainedByType(std::span<const Budget> budgets);

/// Checks all of them. `others` has the dump of each `against`. Fails with BadQuery for a list, a query or a column
/// that there is not.
Outcome<std::vector<BudgetResult>> checkBudgets(const Snapshot& snapshot, std::span<const Budget> budgets,
                                                const std::map<std::string, Snapshot>& others, ProgressSink* progress,
                                                std::stop_token stop);

}  // namespace heapscape::engine
