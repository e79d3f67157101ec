// SPDX-License-Identifier: MIT
#include "output/insights/insights_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/given_name.h"
#include "insight/insight_rows.h"
#include "output/text.h"
#include "output/text_table.h"
#include "output/tsv_line.h"

namespace heapscape::engine {
namespace {

using Align = TextTable::Align;

constexpr std::size_t kShownItems = 5;
constexpr std::size_t kShownOwners = 3;

std::string quoted(const Insight& insight, const RowSelection& selection) {
  return selection.isRedacted || insight.contents.empty() ? "" : fmt::format("\"{}\"", insight.contents);
}

/// What a row says: a string's characters stand right behind what is said of them.
std::string wordsOf(const InsightList& list, const InsightRow& row, const RowSelection& selection) {
  if (row.isGroup()) return insightGroupTitle(row.kind, row.insights.size(), row.objects);
  const Insight& insight = list.insights[row.insights.front()];
  const std::string title = withoutGivenNameIf(selection.isRedacted, insight.title);
  const std::string contents = quoted(insight, selection);
  return contents.empty() ? title : fmt::format("{}: {}", title, contents);
}

void writeTable(Output& output, const InsightList& list, bool inGroups, const RowSelection& selection) {
  TextTable table({{"Bytes", Align::Right}, {"Objects", Align::Right}, {"Kind"}, {"Means"}, {"By"}, {"What"}});
  const std::vector<InsightRow> rows = insightRows(list, inGroups ? kFewInsights : SIZE_MAX);
  std::vector<InsightKind> grouped;
  for (const InsightRow& row : selection.of(rows)) {
    table.addRow({readableBytes(row.bytes), readableCount(row.objects), toString(row.kind), toString(row.meaning),
                  row.isFramework ? "framework" : "program", wordsOf(list, row, selection)});
    if (row.isGroup() && !std::ranges::count(grouped, row.kind)) grouped.push_back(row.kind);
  }
  table.write(output);
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

}  // namespace

void writeInsightsText(Output& output, const InsightList& list, InsightsForm form, const RowSelection& selection) {
  if (form == InsightsForm::Details) {
    for (const Insight& insight : selection.of(list.insights)) writeDetails(output, insight, selection);
  } else {
    writeTable(output, list, form == InsightsForm::Groups, selection);
  }
  output.write(
      fmt::format("Waste: {}. Leaks: {}. Each byte counts once; {} of these are held by the framework itself.\n",
                  readableBytes(list.wasteBytes), readableBytes(list.leakBytes), readableBytes(list.frameworkBytes)));
  if (list.smallInsights)
    output.write(fmt::format("{} more of {} together are below the threshold (--min).\n",
                             readableCount(list.smallInsights), readableBytes(list.smallBytes)));
}

void writeInsightsTsv(Output& output, const InsightList& list, const RowSelection& selection) {
  writeTsvLine(output,
               {"kind", "meaning", "bytes", "sharedBytes", "objects", "framework", "subject", "title", "contents"});
  const auto text = [](std::uint64_t number) { return fmt::format("{}", number); };
  for (const Insight& insight : selection.of(list.insights)) {
    if (output.hasFailed()) return;
    writeTsvLine(output, {toString(insight.kind), toString(insight.meaning), text(insight.bytes),
                          text(insight.sharedBytes), text(insight.objects), insight.isFramework ? "true" : "false",
                          withoutGivenNameIf(selection.isRedacted, insight.subject),
                          withoutGivenNameIf(selection.isRedacted, insight.title),
                          selection.isRedacted ? "" : insight.contents});
  }
}

}  // namespace heapscape::engine
