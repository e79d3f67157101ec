// SPDX-License-Identifier: MIT
#include "output/insights/budgets_text.h"

#include <fmt/format.h>

#include <cmath>

#include "output/insights/budget_unit.h"
#include "output/text.h"
#include "output/text_table.h"

namespace heapscape::engine {
namespace {

using Align = TextTable::Align;

constexpr std::size_t kOffendersShown = 5;

std::string readableQuantity(const Budget& budget, double value) {
  if (isPercentage(budget)) return fmt::format("{:.1f}%", value);
  const auto magnitude = static_cast<std::uint64_t>(std::llround(std::fabs(value)));
  return (value < 0 ? "-" : "") +
         (budget.measure == BudgetMeasure::Count ? readableCount(magnitude) : readableBytes(magnitude));
}

}  // namespace

void writeBudgetsText(Output& output, const std::vector<BudgetResult>& results, bool isComplete) {
  TextTable table({{""}, {"Actual", Align::Right}, {"Limit", Align::Right}, {"Budget"}});
  std::size_t exceeded = 0;
  for (const BudgetResult& result : results) {
    if (!result.isKept) ++exceeded;
    table.addRow({result.isKept ? "kept" : "EXCEEDED", readableQuantity(result.budget, result.actual),
                  readableQuantity(result.budget, result.budget.limit), result.budget.text});
    for (std::size_t i = 0; i < result.offenders.size() && i < kOffendersShown; ++i)
      table.addRow(
          {"", readableQuantity(result.budget, result.offenders[i].actual), "", "  " + result.offenders[i].name});
    if (result.offenderCount > kOffendersShown)
      table.addRow({"", "", "", fmt::format("  and {} more", countOf(result.offenderCount - kOffendersShown, "type"))});
  }
  table.write(output);
  const char* const reservation = isComplete ? "" : ", as far as the heap could be read";
  output.write(
      exceeded ? fmt::format("{} of {} exceeded{}.\n", exceeded, countOf(results.size(), "budget"), reservation)
               : fmt::format("{} kept{}.\n", results.size() == 1 ? "The budget is" : "All budgets are", reservation));
}

}  // namespace heapscape::engine
