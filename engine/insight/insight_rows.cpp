// SPDX-License-Identifier: MIT
#include "insight/insight_rows.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/figures.h"

namespace heapscape::engine {
namespace {

/// What each insight of a kind is about, and what its objects are.
struct GroupNouns {
  const char* subject = "insight";
  const char* object = "object";
};

GroupNouns nounsOf(InsightKind kind) {
  switch (kind) {
    case InsightKind::DuplicateStrings:
      return {"text", "string"};
    case InsightKind::EmptyArrays:
    case InsightKind::UniformArrays:
    case InsightKind::SparseArrays:
      return {"type", "array"};
    case InsightKind::EmptyCollections:
    case InsightKind::OversizedCollections:
    case InsightKind::PoorHashing:
      return {"type", "collection"};
    case InsightKind::BoxedValues:
    case InsightKind::OneElementCollections:
    case InsightKind::PaddingWaste:
    case InsightKind::SmallObjects:
    case InsightKind::SingleFieldWrappers:
    case InsightKind::UndisposedFinalizables:
      return {"type", "object"};
    case InsightKind::TimerLeak:
      return {"method", "timer"};
    case InsightKind::PendingAsync:
      return {"method", "call"};
    case InsightKind::Fragmentation:
      return {"insight", "gap"};
    default:
      return {};
  }
}

void sortByBytes(std::vector<InsightRow>& rows) {
  std::ranges::stable_sort(rows, std::greater(), &InsightRow::bytes);
}

InsightRow rowOf(const Insight& insight, std::uint32_t index) {
  return {insight.kind, insight.meaning, insight.isFramework, insight.bytes, insight.objects, {index}};
}

}  // namespace

std::vector<InsightRow> groupsOfInsights(const InsightList& list) {
  std::map<std::tuple<InsightMeaning, InsightKind, bool>, InsightRow> groups;
  for (std::uint32_t i = 0; i < list.insights.size(); ++i) {
    const Insight& insight = list.insights[i];
    InsightRow& group = groups[{insight.meaning, insight.kind, insight.isFramework}];
    group.kind = insight.kind;
    group.meaning = insight.meaning;
    group.isFramework = insight.isFramework;
    group.bytes += insight.bytes - std::min(insight.bytes, insight.sharedBytes);
    group.objects += insight.objects;
    group.insights.push_back(i);
  }
  std::vector<InsightRow> rows;
  for (auto& [key, group] : groups) rows.push_back(std::move(group));
  sortByBytes(rows);
  return rows;
}

std::vector<InsightRow> insightRows(const InsightList& list, std::size_t few) {
  std::vector<InsightRow> rows;
  for (InsightRow& group : groupsOfInsights(list)) {
    if (group.insights.size() > few) {
      rows.push_back(std::move(group));
      continue;
    }
    for (const std::uint32_t index : group.insights) rows.push_back(rowOf(list.insights[index], index));
  }
  sortByBytes(rows);
  std::ranges::stable_partition(
      rows, [](const InsightRow& row) { return row.bytes > 0 && row.meaning != InsightMeaning::Held; });
  return rows;
}

std::string insightGroupTitle(InsightKind kind, std::uint64_t insights, std::uint64_t objects) {
  const GroupNouns nouns = nounsOf(kind);
  const std::string subjects = countOf(insights, nouns.subject);
  return objects ? subjects + ", " + countOf(objects, nouns.object) : subjects;
}

}  // namespace heapscape::engine
