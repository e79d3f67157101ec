// SPDX-License-Identifier: MIT
#include "output/insights/budgets_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "output/insights/budget_unit.h"
#include "output/text.h"
#include "output/text_table.h"

namespace heapscape::engine {
namespace {

/// Bytes and counts are whole numbers; percentages are not.
void writeQuantity(JsonWriter& json, const char* name, const Budget& budget, double value) {
  json.key(name);
  if (isPercentage(budget)) {
    json.value(value);
  } else {
    json.number(std::to_string(std::llround(value)));
  }
}

using Align = TextTable::Align;

constexpr std::size_t kOffendersShown = 5;

std::string readableQuantity(const Budget& budget, double value) {
  if (isPercentage(budget)) return fmt::format("{:.1f}%", value);
  const auto magnitude = static_cast<std::uint64_t>(std::llround(std::fabs(value)));
  return (value < 0 ? "-" : "") +
         (budget.measure == BudgetMeasure::Count ? readableCount(magnitude) : readableBytes(magnitude));
}

}  // namespace

void writeBudgets(JsonWriter& json, const std::vector<BudgetResult>& results) {
  json.key("budgets");
  json.beginRows();
  for (const BudgetResult& result : results) {
    json.beginObject();
    json.member("budget", result.budget.text);
    json.member("kept", result.isKept);
    writeQuantity(json, "limit", result.budget, result.budget.limit);
    writeQuantity(json, "actual", result.budget, result.actual);
    json.member("unit", isPercentage(result.budget)                     ? "percent"
                        : result.budget.measure == BudgetMeasure::Count ? "objects"
                                                                        : "bytes");
    if (result.budget.subject == BudgetSubject::AnyType) {
      json.member("exceededBy", result.offenderCount);
      json.key("types");
      json.beginArray();
      for (const BudgetOffender& offender : result.offenders) {
        json.beginObject();
        json.member("type", offender.name);
        writeQuantity(json, "actual", result.budget, offender.actual);
        json.endObject();
      }
      json.endArray();
    }
    json.endObject();
  }
  json.endArray();
  json.member("kept",
              std::all_of(results.begin(), results.end(), [](const BudgetResult& result) { return result.isKept; }));
}

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
