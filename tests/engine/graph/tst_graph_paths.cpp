// SPDX-License-Identifier: MIT
// Distances and paths in graphs of every sort against searches that try everything.
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "graph/paths/root_distances.h"
#include "graph/paths/root_paths.h"
#include "graph/reference_counts.h"
#include "support/builders/reference_graph.h"

namespace heapscape::engine {
namespace {

/// A graph with all that paths are found with.
class PathGraph {
 public:
  PathGraph(std::vector<std::vector<std::uint32_t>> targets, std::vector<std::uint32_t> roots)
      : m_targets(std::move(targets)), m_rooted(roots.begin(), roots.end()) {
    m_rows.push_back(0);
    for (const auto& some : m_targets) {
      m_flat.insert(m_flat.end(), some.begin(), some.end());
      m_rows.push_back(static_cast<std::uint32_t>(m_flat.size()));
    }
    m_starts = test::rowsOf(m_rows);
    StageProgress progress(nullptr, "", 0, 1);
    m_tree = *DominatorTree::build(edges(), RootForest::ofObjects(roots), progress, {});
    m_reverse = *ReverseReferences::build(edges(), progress, {});
    m_distances = *RootDistances::measure(edges(), roots, m_tree.reachedObjects(), progress, {});
  }

  std::uint32_t size() const { return static_cast<std::uint32_t>(m_targets.size()); }
  EdgeRows edges() const { return {m_starts.starts(), m_flat}; }
  const RootDistances& distances() const { return m_distances; }
  const ReverseReferences& reverse() const { return m_reverse; }

  FoundPaths find(std::uint32_t object, const RootPathLimits& limits) const {
    return *findRootPaths({m_tree, m_tree.vertexOfRoot(0), m_reverse, m_distances}, object, limits, {});
  }
  std::vector<std::uint32_t> between(std::uint32_t from, std::uint32_t to) const {
    StageProgress progress(nullptr, "", 0, 1);
    return *findPathBetween(edges(), m_reverse, from, to, progress, {});
  }

  /// Objects on the shortest way from one to each; 0 where there is none.
  std::vector<std::uint64_t> lengthsFrom(std::uint32_t from) const {
    std::vector<std::uint64_t> lengths(size());
    std::deque<std::uint32_t> waiting{from};
    for (lengths[from] = 1; !waiting.empty(); waiting.pop_front()) {
      for (const std::uint32_t target : m_targets[waiting.front()]) {
        if (lengths[target]) continue;
        lengths[target] = lengths[waiting.front()] + 1;
        waiting.push_back(target);
      }
    }
    return lengths;
  }
  const std::set<std::uint32_t>& rooted() const { return m_rooted; }
  bool isWay(const std::vector<std::uint32_t>& way) const {
    for (std::size_t i = 1; i < way.size(); ++i) {
      const auto& targets = m_targets[way[i - 1]];
      if (std::find(targets.begin(), targets.end(), way[i]) == targets.end()) return false;
    }
    return true;
  }

 private:
  std::vector<std::vector<std::uint32_t>> m_targets;
  std::set<std::uint32_t> m_rooted;
  std::vector<std::uint32_t> m_rows, m_flat;
  StoredRows m_starts;
  DominatorTree m_tree;
  ReverseReferences m_reverse;
  RootDistances m_distances;
};

std::uint32_t below(std::mt19937& random, std::uint32_t limit) {
  return std::uniform_int_distribution<std::uint32_t>(0, limit - 1)(random);
}

PathGraph randomGraph(std::mt19937& random) {
  const std::uint32_t size = 2 + below(random, 40);
  std::vector<std::vector<std::uint32_t>> targets(size);
  const std::uint32_t edges = below(random, 3 * size);
  for (std::uint32_t i = 0; i < edges; ++i) targets[below(random, size)].push_back(below(random, size));
  std::vector<std::uint32_t> roots(1 + below(random, 6));
  for (std::uint32_t& root : roots) root = below(random, size);
  return {std::move(targets), std::move(roots)};
}

TEST(NearRoots, LeadTheWayThatDistancesLead) {
  std::mt19937 random(11);
  for (int round = 0; round < 400; ++round) {
    const PathGraph graph = randomGraph(random);
    NearRoots near(graph.edges(), {graph.rooted().begin(), graph.rooted().end()});
    std::vector<std::uint32_t> objects(graph.size());
    std::iota(objects.begin(), objects.end(), 0);
    std::shuffle(objects.begin(), objects.end(), random);
    for (const std::uint32_t object : objects) {
      const auto expected = graph.find(object, {.paths = 1}).paths;
      const auto path = near.shortestTo(object, {});
      ASSERT_TRUE(path);
      ASSERT_EQ(*path, expected.empty() ? std::vector<std::uint32_t>() : expected.front())
          << "round " << round << ", object " << object;
    }
  }
}

TEST(NearRoots, LookNoFartherThanTheObject) {
  const PathGraph graph({{1}, {2}, {3}, {}}, {0});
  NearRoots near(graph.edges(), {0});
  EXPECT_EQ(near.shortestTo(0, {}), std::vector<std::uint32_t>{0});
  EXPECT_EQ(near.followed(), 0u);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(near.shortestTo(3, stop.get_token()));
}

TEST(ReferenceCounts, AreThoseOfTheReferencesTurnedAround) {
  std::mt19937 random(13);
  for (int round = 0; round < 100; ++round) {
    const PathGraph graph = randomGraph(random);
    const auto counts = ReferenceCounts::count(graph.edges(), {});
    ASSERT_TRUE(counts);
    std::vector<std::uint32_t> objects(graph.size()), first;
    std::iota(objects.begin(), objects.end(), 0);
    for (const std::uint32_t object : objects) {
      const auto referrers = graph.reverse().of(object);
      EXPECT_EQ(counts->of(object), referrers.size());
      EXPECT_EQ(countReferencesTo(graph.edges(), object), referrers.size());
      first.push_back(referrers.empty() ? object : referrers.front());
    }
    EXPECT_EQ(firstReferrersOf(graph.edges(), objects), first);
  }
}

TEST(ReferenceCounts, DoNotGoBeyondManyHoweverMany) {
  constexpr std::uint32_t kReferences = 1'000'000;
  const std::vector<std::uint32_t> rows{0, kReferences, kReferences + ReferenceCounts::kMany - 1};
  std::vector<std::uint32_t> targets(kReferences, 0);
  targets.resize(rows.back(), 1);
  const StoredRows stored = test::rowsOf(rows);
  const EdgeRows edges{stored.starts(), targets};
  const auto counts = ReferenceCounts::count(edges, {});
  ASSERT_TRUE(counts);
  EXPECT_EQ(counts->of(0), ReferenceCounts::kMany);
  EXPECT_EQ(counts->of(1), ReferenceCounts::kMany - 1);
  EXPECT_EQ(countReferencesTo(edges, 0), kReferences);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(ReferenceCounts::count(edges, stop.get_token()));
}

TEST(GraphPaths, AreTheShortestFromEachRootedObject) {
  std::mt19937 random(7);
  for (int round = 0; round < 400; ++round) {
    const PathGraph graph = randomGraph(random);
    std::map<std::uint32_t, std::vector<std::uint64_t>> lengths;
    for (const std::uint32_t root : graph.rooted()) lengths[root] = graph.lengthsFrom(root);
    for (std::uint32_t object = 0; object < graph.size(); ++object) {
      std::map<std::uint32_t, std::uint64_t> expected;
      std::uint64_t shortest = UINT64_MAX;
      for (const auto& [root, ofRoot] : lengths) {
        if (!ofRoot[object]) continue;
        expected[root] = ofRoot[object];
        shortest = std::min(shortest, ofRoot[object]);
      }
      ASSERT_EQ(graph.distances().of(object), expected.empty() ? 0 : shortest);
      const FoundPaths found = graph.find(object, {.paths = 100, .references = 10'000});
      EXPECT_TRUE(found.isExhausted);
      std::map<std::uint32_t, std::uint64_t> lengthsFound;
      std::size_t last = 0;
      for (const auto& path : found.paths) {
        ASSERT_TRUE(graph.isWay(path));
        ASSERT_EQ(path.back(), object);
        ASSERT_GE(path.size(), last);
        last = path.size();
        ASSERT_TRUE(lengthsFound.try_emplace(path.front(), path.size()).second);
      }
      ASSERT_EQ(lengthsFound, expected) << "round " << round << ", object " << object;
    }
  }
}

TEST(GraphPaths, SayWhenThereMayBeMore) {
  std::mt19937 random(8);
  std::size_t cut = 0;
  for (int round = 0; round < 150; ++round) {
    const PathGraph graph = randomGraph(random);
    for (std::uint32_t object = 0; object < graph.size(); ++object) {
      const std::size_t all = graph.find(object, {.paths = 100, .references = 10'000}).paths.size();
      for (const RootPathLimits& limits :
           {RootPathLimits{1, 10'000}, RootPathLimits{2, 10'000}, RootPathLimits{100, 3}}) {
        const FoundPaths found = graph.find(object, limits);
        EXPECT_LE(found.paths.size(), std::min(all, limits.paths));
        EXPECT_EQ(found.paths.empty(), all == 0);
        if (found.isExhausted) {
          ASSERT_EQ(found.paths.size(), all);
        } else {
          ++cut;
        }
      }
    }
  }
  EXPECT_GT(cut, 0u);
}

TEST(GraphPaths, BetweenAreTheShortestWays) {
  std::mt19937 random(9);
  for (int round = 0; round < 300; ++round) {
    const PathGraph graph = randomGraph(random);
    const std::uint32_t from = below(random, graph.size());
    const std::vector<std::uint64_t> lengths = graph.lengthsFrom(from);
    for (std::uint32_t to = 0; to < graph.size(); ++to) {
      const std::vector<std::uint32_t> way = graph.between(from, to);
      ASSERT_EQ(way.size(), lengths[to]);
      if (way.empty()) continue;
      EXPECT_EQ(way.front(), from);
      EXPECT_EQ(way.back(), to);
      EXPECT_TRUE(graph.isWay(way));
    }
  }
}

TEST(GraphPaths, OfAMillionObjectsInARow) {
  constexpr std::uint32_t kLength = 1'000'000;
  std::vector<std::vector<std::uint32_t>> targets(kLength);
  for (std::uint32_t i = 0; i + 1 < kLength; ++i) {
    targets[i].push_back(i + 1);
    targets[i + 1].push_back(i);  // and back, as in a list that is linked both ways
  }
  const PathGraph graph(std::move(targets), {0});
  EXPECT_EQ(graph.distances().of(kLength - 1), kLength);
  const FoundPaths found = graph.find(kLength - 1, {.paths = 10, .references = 1000});
  EXPECT_TRUE(found.isExhausted);
  ASSERT_EQ(found.paths.size(), 1u);
  EXPECT_EQ(found.paths.front().size(), kLength);
  EXPECT_TRUE(graph.isWay(found.paths.front()));
  EXPECT_EQ(graph.between(kLength - 1, 0).size(), kLength);
}

}  // namespace
}  // namespace heapscape::engine
