// SPDX-License-Identifier: MIT
#include "output/insights/insights_json.h"

#include <vector>

#include "insight/insight_tables.h"
#include "output/table_output.h"

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

}  // namespace

void writeInsights(JsonWriter& json, const InsightList& list, const RowSelection& selection) {
  json.key("insights");
  writeRows(json, insightsTable().over(list.insights), selection,
            [&](JsonWriter& to, std::uint32_t row) { writeParts(to, list.insights[row], selection.isRedacted); });
  writeTable(json, insightGroupsTable().with(titledGroups(list)), {.isRedacted = selection.isRedacted});
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

}  // namespace heapscape::engine
