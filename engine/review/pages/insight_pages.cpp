// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "base/given_name.h"
#include "insight/insight_rows.h"
#include "output/text.h"
#include "review/pages/report_pages.h"
#include "review/review_cells.h"

namespace heapscape::engine {
namespace {

using Kind = ReviewCellKind;

std::string ownerText(const Insight& insight) {
  if (insight.owners.empty()) return {};
  const InsightOwner& first = insight.owners.front();
  const std::size_t more = insight.owners.size() - 1;
  return withoutGivenName(first.name) + (more ? fmt::format(" and {} more", more) : "");
}

const char* meaningText(InsightMeaning meaning) {
  switch (meaning) {
    case InsightMeaning::Waste:
      return "waste";
    case InsightMeaning::Leak:
      return "leak";
    case InsightMeaning::Held:
      break;
  }
  return "held";
}

ReviewTable tableOf(const InsightList& list, const DumpReportOptions& options) {
  ReviewTable table{.columns = {{"Insight"},
                                {"Text", Kind::Text, true},
                                {"Means"},
                                {"Bytes", Kind::Bytes},
                                {"Objects", Kind::Count},
                                {"Held by"},
                                {"Advice"}},
                    .rows = {}};
  const std::vector<InsightRow> rows = insightRows(list);
  for (const InsightRow& row : rows) {
    if (table.rows.size() == options.rows) break;
    if (row.isGroup()) {
      table.rows.push_back({{insightGroupTitle(row.kind, row.insights.size(), row.objects)},
                            {std::string()},
                            {meaningText(row.meaning)},
                            bytesCell(row.bytes),
                            countCell(row.objects),
                            {std::string()},
                            {list.insights[row.insights.front()].advice}});
      continue;
    }
    const Insight& insight = list.insights[row.insights.front()];
    const bool namesSubject = insight.subject.empty() || insight.title.find(insight.subject) != std::string::npos;
    const std::string title = namesSubject ? insight.title : insight.title + "\n" + insight.subject;
    table.rows.push_back({contentsCell(options.isRedacted, title, withoutGivenName(title)),
                          {insight.contents},
                          {meaningText(insight.meaning)},
                          bytesCell(insight.bytes),
                          countCell(insight.objects),
                          {ownerText(insight)},
                          {insight.advice}});
  }
  table.rowsLeftOut = rows.size() - table.rows.size();
  return table;
}

std::string remarkOf(const InsightList& list) {
  if (list.insights.empty()) return "Nothing worth telling was found.";
  std::string remark = fmt::format(
      "Waste could be won back without losing anything: {} bytes. Leaks should probably be let go: {} "
      "bytes. Each byte is counted once, though several insights may name it.",
      readableCount(list.wasteBytes), readableCount(list.leakBytes));
  if (list.smallInsights) {
    remark += fmt::format(" {} that cost less, {} together, {} not listed.", countOf(list.smallInsights, "insight"),
                          readableBytes(list.smallBytes), list.smallInsights == 1 ? "is" : "are");
  }
  return remark;
}

}  // namespace

Outcome<void> addInsightPages(const ReportInput& input, ReviewPages& pages) {
  HEAPSCAPE_TRY(const InsightList list, findInsights(input.snapshot, {}, input.progress, input.stop));
  ReviewPage page{.title = "Insights", .remark = remarkOf(list)};
  if (!list.insights.empty()) page.content = tableOf(list, input.options);
  pages.push_back(std::move(page));
  return {};
}

}  // namespace heapscape::engine
