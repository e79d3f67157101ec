// SPDX-License-Identifier: MIT
#include "flawed_heap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::test {

using namespace engine;

const InsightList& insightsOf(const std::string& dump) {
  static std::map<std::string, InsightList> lists;
  const auto [list, isNew] = lists.try_emplace(dump);
  if (isNew) list->second = lookFor(openSnapshot(dumpPath(dump), Stage::Retained), {});
  return list->second;
}

InsightList lookFor(const Snapshot& snapshot, std::vector<InsightKind> kinds) {
  auto list = findInsights(snapshot, {.minimumBytes = 1, .kinds = std::move(kinds)}, nullptr, {});
  EXPECT_TRUE(list);
  return list ? std::move(*list) : InsightList{};
}

const Insight* findInsight(const InsightList& list, InsightKind kind, const std::string& subject) {
  const auto found = std::ranges::find_if(
      list.insights, [&](const Insight& insight) { return insight.kind == kind && insight.subject == subject; });
  return found == list.insights.end() ? nullptr : &*found;
}

std::string factOf(const Insight& insight, const std::string& label) {
  const auto fact = std::ranges::find(insight.facts, label, &InsightFact::label);
  return fact == insight.facts.end() ? std::string() : fact->value;
}

}  // namespace heapscape::test
