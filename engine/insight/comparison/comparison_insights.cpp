// SPDX-License-Identifier: MIT
#include "insight/comparison/comparison_parts.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace heapscape::engine {
namespace {

using InsightKey = std::tuple<InsightKind, std::string, std::string>;  // kind, subject, contents

void add(std::map<InsightKey, InsightChange>& changes, const InsightList& list, std::uint64_t Change::*side) {
  for (const Insight& insight : list.insights) {
    InsightChange& change = changes[{insight.kind, insight.subject, insight.contents}];
    change.kind = insight.kind;
    change.meaning = insight.meaning;
    change.subject = insight.subject;
    change.contents = insight.contents;
    change.title = insight.title;  // of the later dump, where it is in both
    change.bytes.*side += insight.bytes;
    change.objects.*side += insight.objects;
  }
}

}  // namespace

std::vector<InsightChange> compareInsights(const InsightList& before, const InsightList& after) {
  std::map<InsightKey, InsightChange> changes;
  add(changes, before, &Change::before);
  add(changes, after, &Change::after);
  std::vector<InsightChange> sorted;
  for (auto& [key, change] : changes) sorted.push_back(std::move(change));
  std::stable_sort(sorted.begin(), sorted.end(), [](const InsightChange& left, const InsightChange& right) {
    return std::pair(left.bytes.difference(), left.objects.difference()) >
           std::pair(right.bytes.difference(), right.objects.difference());
  });
  return sorted;
}

}  // namespace heapscape::engine
