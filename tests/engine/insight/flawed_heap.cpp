// SPDX-License-Identifier: MIT
#include "flawed_heap.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "support/dump_path.h"
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

std::vector<Planted> plantedIn(const std::string& dump) {
  std::ifstream file(std::string(HEAPSCAPE_TEST_DATA) + "/" + dump + ".planted.jsonl");
  std::vector<Planted> all;
  for (std::string line; std::getline(file, line);) {
    const auto json = nlohmann::json::parse(line);
    all.push_back({json.at("kind"), json.at("subject"), json.at("owner").is_null() ? "" : json.at("owner"),
                   json.at("objects"), json.at("bytes")});
  }
  return all;
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

Snapshot DamagedHeap::open() const {
  return openSnapshot(m_core.path(), Stage::Retained);
}

std::vector<ObjectRow> DamagedHeap::objectsOf(const Snapshot& snapshot, const std::string& text) {
  return listObjects(snapshot, {.typeText = text, .type = {}, .generation = {}, .heap = {}, .addresses = {}}, 0, 500);
}

void DamagedHeap::lookAtAnyBytesIn(std::span<const char* const> types, const std::vector<InsightKind>& kinds) {
  constexpr int kRounds = 5, kChanges = 400;
  const Snapshot snapshot = open();
  std::vector<ObjectRow> objects;
  for (const char* type : types) {
    const std::vector<ObjectRow> rows = objectsOf(snapshot, type);
    EXPECT_FALSE(rows.empty()) << type;
    objects.insert(objects.end(), rows.begin(), rows.end());
  }
  ASSERT_GT(objects.size(), 500u);
  std::mt19937_64 engine(7);
  for (int round = 0; round < kRounds; ++round) {
    for (int change = 0; change < kChanges; ++change) {
      const ObjectRow& row = objects[engine() % objects.size()];
      const std::uint64_t offset = 8 + 8 * (engine() % (row.alignedBytes / 8));
      const std::uint64_t other = objects[engine() % objects.size()].address.value;
      const std::uint64_t words[]{0, ~0ull, engine(), other, other + 8, engine() % 4096};
      m_core.write(row.address + (offset < row.alignedBytes ? offset : 8), words[engine() % 6]);
    }
    for (const Insight& insight : lookFor(open(), kinds).insights)
      EXPECT_LE(insight.sharedBytes, insight.bytes) << insight.title;
    m_core.restore();
  }
}

}  // namespace heapscape::test
