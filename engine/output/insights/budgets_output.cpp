// SPDX-License-Identifier: MIT
#include "output/insights/budgets_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "output/text.h"
#include "output/text_table.h"

namespace heapscape::engine {
namespace {

/// All but percentages are whole numbers.
void writeQuantity(JsonWriter& json, const char* name, BudgetUnit unit, double value) {
  json.key(name);
  if (unit == BudgetUnit::Percent) {
    json.value(value);
  } else {
    json.number(std::to_string(std::llround(value)));
  }
}

using Align = TextTable::Align;

constexpr std::size_t kRowsShown = 5;

std::string readableQuantity(BudgetUnit unit, double value) {
  if (unit == BudgetUnit::Percent) return fmt::format("{:.1f}%", value);
  const auto magnitude = static_cast<std::uint64_t>(std::llround(std::fabs(value)));
  return (value < 0 ? "-" : "") + (unit == BudgetUnit::Bytes ? readableBytes(magnitude) : readableCount(magnitude));
}

std::string limitText(const BudgetResult& result) {
  const auto& [most, least] = std::tie(result.budget.most, result.budget.least);
  if (!most) return "≥ " + readableQuantity(result.unit, *least);
  const std::string text = readableQuantity(result.unit, *most);
  return least ? readableQuantity(result.unit, *least) + " to " + text : text;
}

}  // namespace

void writeBudgets(JsonWriter& json, const std::vector<BudgetResult>& results) {
  json.key("budgets");
  json.beginRows();
  for (const BudgetResult& result : results) {
    json.beginObject();
    json.member("budget", result.budget.text);
    json.member("kept", result.isKept);
    if (result.budget.most) writeQuantity(json, "limit", result.unit, *result.budget.most);
    if (result.budget.least) writeQuantity(json, "least", result.unit, *result.budget.least);
    writeQuantity(json, "actual", result.unit, result.actual);
    json.member("unit", toString(result.unit));
    json.member("rowCount", result.rowCount);
    json.key("rows");
    json.beginArray();
    for (const std::string& row : result.rows) json.value(row);
    json.endArray();
    if (result.unreadable) json.member("unreadable", result.unreadable);
    json.endObject();
  }
  json.endArray();
  json.member("kept", std::ranges::all_of(results, &BudgetResult::isKept));
}

void writeBudgetsText(Output& output, const std::vector<BudgetResult>& results, bool isComplete) {
  TextTable table({{""}, {"Actual", Align::Right}, {"Limit", Align::Right}, {"Budget"}});
  std::size_t exceeded = 0;
  for (const BudgetResult& result : results) {
    table.addRow({result.isKept ? "kept" : "EXCEEDED", readableQuantity(result.unit, result.actual), limitText(result),
                  result.budget.text});
    if (result.unreadable)
      table.addRow({"", "", "", fmt::format("  {} could not be compared", countOf(result.unreadable, "value"))});
    if (result.isKept) continue;
    ++exceeded;
    const std::size_t shown = std::min(result.rows.size(), kRowsShown);
    for (std::size_t i = 0; i < shown; ++i) table.addRow({"", "", "", "  " + result.rows[i]});
    if (result.rowCount > shown && shown > 0)
      table.addRow({"", "", "", fmt::format("  and {} more", readableCount(result.rowCount - shown))});
  }
  table.write(output);
  const char* const reservation = isComplete ? "" : ", as far as the heap could be read";
  output.write(
      exceeded ? fmt::format("{} of {} exceeded{}.\n", exceeded, countOf(results.size(), "budget"), reservation)
               : fmt::format("{} kept{}.\n", results.size() == 1 ? "The budget is" : "All budgets are", reservation));
}

}  // namespace heapscape::engine
