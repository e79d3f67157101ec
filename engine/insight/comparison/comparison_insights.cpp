// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "insight/comparison/comparison_parts.h"
#include "insight/comparison/matched_insights.h"

namespace heapscape::engine {
namespace {

void add(std::map<InsightKey, InsightChange>& changes, std::map<InsightKey, InsightFigures> insights,
         std::uint64_t Change::*side) {
  for (auto& [key, insight] : insights) {
    InsightChange& change = changes[key];
    change.kind = key.kind;
    change.meaning = insight.meaning;
    change.subject = key.subject;
    change.contents = key.contents;
    change.title = std::move(insight.title);  // of the later dump, where it is in both
    change.bytes.*side = insight.bytes;
    change.objects.*side = insight.objects;
  }
}

}  // namespace

std::vector<InsightChange> compareInsights(const InsightList& before, const InsightList& after) {
  std::map<InsightKey, InsightChange> changes;
  add(changes, insightFiguresOf(before), &Change::before);
  add(changes, insightFiguresOf(after), &Change::after);
  std::vector<InsightChange> sorted;
  for (auto& [key, change] : changes) sorted.push_back(std::move(change));
  std::stable_sort(sorted.begin(), sorted.end(), [](const InsightChange& left, const InsightChange& right) {
    return std::pair(left.bytes.difference(), left.objects.difference()) >
           std::pair(right.bytes.difference(), right.objects.difference());
  });
  return sorted;
}

}  // namespace heapscape::engine
