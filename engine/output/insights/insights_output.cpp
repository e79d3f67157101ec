// SPDX-License-Identifier: MIT
#include "output/insights/insights_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "base/given_name.h"
#include "insight/insight_actions.h"
#include "insight/insight_tables.h"
#include "output/table_output.h"
#include "output/text.h"

namespace heapscape::engine {
namespace {

void writeParts(JsonWriter& json, const Insight& insight, bool isRedacted) {
  const RowSelection rows{.isRedacted = isRedacted};
  writeTable(json, insightItemsTable().over(insight.items), rows);
  writeTable(json, insightOwnersTable().over(insight.owners), rows);
  std::vector<InsightFact> facts = insight.facts;
  std::erase_if(facts, [&](const InsightFact& fact) { return isRedacted && fact.isContents; });
  writeTable(json, insightFactsTable().over(facts), rows);
  json.key("path");
  json.beginArray();
  for (const std::string& step : insight.path) json.value(step);
  json.endArray();
}

constexpr std::size_t kShownItems = 5;
constexpr std::size_t kShownOwners = 3;

std::string quoted(const Insight& insight, const RowSelection& selection) {
  return selection.isRedacted || insight.contents.empty() ? "" : fmt::format("\"{}\"", insight.contents);
}

void writeRowsText(Output& output, const InsightList& list, bool inGroups, const RowSelection& selection) {
  const std::vector<TitledInsights> rows = titledInsights(list, inGroups ? kFewInsights : SIZE_MAX);
  writeTableText(output, insightGroupsTable().over(rows), selection);
  std::vector<InsightKind> grouped;
  for (const TitledInsights& titled : selection.of(rows)) {
    if (titled.row.isGroup() && !std::ranges::count(grouped, titled.row.kind)) grouped.push_back(titled.row.kind);
  }
  for (const InsightKind kind : grouped) output.write(fmt::format("--kind {} lists each of them.\n", toString(kind)));
}

void writeDetails(Output& output, const Insight& insight, const RowSelection& selection) {
  const auto line = [&](std::string_view label, std::string_view text) {
    output.write(fmt::format("  {:<10}{}\n", label, printable(text)));
  };
  output.write(fmt::format("{}: {}{}\n", readableBytes(insight.bytes),
                           printable(withoutGivenNameIf(selection.isRedacted, insight.title)),
                           insight.isFramework ? " (held by the framework)" : ""));
  if (const std::string contents = quoted(insight, selection); !contents.empty()) line("Contents", contents);
  if (insight.sharedBytes)
    line("Shared",
         fmt::format("{} bytes of it are counted above or in another kind", readableCount(insight.sharedBytes)));
  line("Advice", insight.advice);
  for (const InsightFact& fact : insight.facts) {
    if (!selection.isRedacted || !fact.isContents)
      line("", withoutGivenNameIf(selection.isRedacted, fmt::format("{}: {}", fact.label, fact.value)));
  }
  for (std::size_t i = 0; i < std::min(kShownOwners, insight.owners.size()); ++i) {
    const InsightOwner& owner = insight.owners[i];
    line(i ? "" : "Owners", fmt::format("{}: {}, {}", withoutGivenNameIf(selection.isRedacted, owner.name),
                                        countOf(owner.objects, "object"), readableBytes(owner.bytes)));
  }
  for (std::size_t i = 0; i < std::min(kShownItems, insight.items.size()); ++i) {
    const InsightItem& item = insight.items[i];
    line(i ? "" : "Objects", fmt::format("{}  {}  {}", toString(item.object), readableBytes(item.bytes),
                                         selection.isRedacted ? "" : item.text));
  }
  for (std::size_t i = 0; i < insight.path.size(); ++i) line(i ? "" : "Path", insight.path[i]);
  output.write('\n');
}

constexpr std::size_t kShownActions = 10;

std::uint64_t bytesAfter(const ActionPlan& plan) {
  return plan.heapBytes - std::min(plan.heapBytes, plan.bytes);
}

void writePlan(JsonWriter& json, const InsightList& list, const RowSelection& selection) {
  const ActionPlan& plan = list.plan;
  json.key("plan");
  json.beginObject();
  json.member("heapBytes", plan.heapBytes);
  json.member("bytes", plan.bytes);
  json.member("afterBytes", bytesAfter(plan));
  json.member("doubtfulBytes", plan.doubtfulBytes);
  json.member("atLeast", plan.isLeast);
  writeTable(json, insightActionsTable().with(titledActions(list)), {.isRedacted = selection.isRedacted});
  json.endObject();
}

void writePlanText(Output& output, const InsightList& list, const RowSelection& selection) {
  const ActionPlan& plan = list.plan;
  if (plan.actions.empty()) return;
  RowSelection shown = selection;
  shown.limit = std::min(shown.limit, kShownActions);
  writeTableText(output, insightActionsTable().with(titledActions(list)), shown);
  const char* const most = plan.isLeast ? "at most " : "";
  const char* const least = plan.isLeast ? "at least " : "";
  output.write(fmt::format("Heap now: {}. After all of them: {}{}, {}{} less; each byte counts once.\n\n",
                           readableBytes(plan.heapBytes), most, readableBytes(bytesAfter(plan)), least,
                           readableBytes(plan.bytes)));
}

}  // namespace

void writeInsights(JsonWriter& json, const InsightList& list, const RowSelection& selection) {
  json.key("insights");
  writeRows(json, insightsTable().over(list.insights), selection,
            [&](JsonWriter& to, std::uint32_t row) { writeParts(to, list.insights[row], selection.isRedacted); });
  writeTable(json, insightGroupsTable().with(titledGroups(list)), {.isRedacted = selection.isRedacted});
  writePlan(json, list, selection);
  json.key("totals");
  json.beginObject();
  json.member("insights", list.insights.size());
  json.member("wasteBytes", list.wasteBytes);
  json.member("leakBytes", list.leakBytes);
  json.member("frameworkBytes", list.frameworkBytes);
  json.member("smallInsights", list.smallInsights);
  json.member("smallBytes", list.smallBytes);
  json.endObject();
}

void writeInsightsText(Output& output, const InsightList& list, InsightsForm form, const RowSelection& selection) {
  if (form == InsightsForm::Details) {
    for (const Insight& insight : selection.of(list.insights)) writeDetails(output, insight, selection);
  } else {
    if (form == InsightsForm::Groups) writePlanText(output, list, selection);
    writeRowsText(output, list, form == InsightsForm::Groups, selection);
  }
  output.write(
      fmt::format("Waste: {}. Leaks: {}. Each byte counts once; {} of these are held by the framework itself.\n",
                  readableBytes(list.wasteBytes), readableBytes(list.leakBytes), readableBytes(list.frameworkBytes)));
  if (list.smallInsights)
    output.write(fmt::format("{} more of {} together are below the threshold (--min).\n",
                             readableCount(list.smallInsights), readableBytes(list.smallBytes)));
}

void writeReachText(Output& output, const RetainedTotals& totals) {
  output.write(fmt::format("Live: {} in {}. Garbage, not collected yet: {} in {}.",
                           readableBytes(totals.reachableBytes), countOf(totals.reachableObjects, "object"),
                           readableBytes(totals.garbageBytes()), countOf(totals.garbageObjects(), "object")));
  if (totals.frozenObjects)
    output.write(fmt::format(" Frozen and unreferenced, never collected: {} in {}.", readableBytes(totals.frozenBytes),
                             countOf(totals.frozenObjects, "object")));
  output.write("\n");
}

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
