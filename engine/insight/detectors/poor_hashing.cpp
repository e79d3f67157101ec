// SPDX-License-Identifier: MIT
#include "insight/detectors/detectors.h"

#include <fmt/format.h>
#include <tbb/concurrent_vector.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <map>

#include "base/figures.h"
#include "insight/collections/collection_items.h"
#include "insight/insight_groups.h"

namespace heapscape::engine {
namespace {

/// PoorHashing, an insight for each type of hash table.
class PoorHashing : public Detector {
 public:
  std::vector<InsightKind> kinds() const override { return {InsightKind::PoorHashing}; }
  Outcome<void> find(const InsightInput& input, FoundInsights& found, FindingList& findings, StageProgress& progress,
                     std::stop_token stop) override;
};

constexpr std::uint32_t kFewestItems = 32;
constexpr double kTimesExpected = 4;          // items looked at for one that is found
constexpr std::uint32_t kLongestBucket = 16;  // shorter ones are chance

/// How the items of one hash table are spread over its buckets.
struct Spread {
  std::uint32_t object = 0;  // ObjectId
  TypeId type;
  std::uint32_t items = 0, buckets = 0, usedBuckets = 0, longest = 0;
  double looks = 0, expectedLooks = 0;  // items compared until one that is there is found, on average
};

/// Nothing if the items cannot be read.
std::optional<Spread> spreadOf(const InsightInput& input, const CollectionItems& items,
                               const SurveyedCollection& collection) {
  Spread spread{collection.object, input.collections.typeOf(collection).type, collection.count,
                items.bucketsOf(collection)};
  if (!spread.buckets) return std::nullopt;
  BucketCounts counts(spread.buckets);
  std::uint64_t looks = 0;  // for each item once: the first of its bucket takes one, the next one two
  const bool isWhole = items.forEach(collection, [&](const SurveyedItem& item) {
    const std::uint32_t chain = counts.add(static_cast<std::uint32_t>(item.hash % spread.buckets));
    spread.usedBuckets += chain == 1;
    spread.longest = std::max(spread.longest, chain);
    looks += chain;
    return true;
  });
  if (!isWhole) return std::nullopt;
  spread.looks = static_cast<double>(looks) / spread.items;
  spread.expectedLooks = 1 + (static_cast<double>(spread.items) - 1) / (2.0 * spread.buckets);
  return spread;
}

bool isPoor(const Spread& spread) {
  return spread.longest >= kLongestBucket && spread.looks >= kTimesExpected * spread.expectedLooks;
}

FoundInsight insightOf(const InsightInput& input, std::vector<Spread> spreads, bool isFramework) {
  std::ranges::sort(spreads, {}, [](const Spread& spread) { return std::pair(-spread.looks, spread.object); });
  const Spread& worst = spreads.front();
  InsightGroup group(worst.type, isFramework);
  for (const Spread& spread : spreads) group.add(spread.object, 0);
  FoundInsight found = group.finish(input, InsightKind::PoorHashing, {});
  Insight& insight = found.insight;
  insight.items.clear();
  for (const Spread& spread : std::span(spreads).first(std::min(spreads.size(), Insight::kMaximumItems))) {
    insight.items.push_back(
        {input.addressOf(spread.object), 0,
         fmt::format("{} in {} of {} buckets, {} in one", countOf(spread.items, "item"),
                     readableCount(spread.usedBuckets), readableCount(spread.buckets), readableCount(spread.longest))});
  }
  insight.title =
      fmt::format("{} of {} with items in few buckets", countOf(insight.objects, "hash table"), insight.subject);
  insight.advice =
      "Give the key a GetHashCode that takes in all that Equals compares, as HashCode.Combine does: each look-up goes "
      "through a whole bucket, one item after the other.";
  insight.facts = {
      {"Items", readableCount(worst.items)},
      {"Buckets with items", fmt::format("{} of {}", readableCount(worst.usedBuckets), readableCount(worst.buckets))},
      {"Largest bucket", countOf(worst.longest, "item")},
      {"Items compared for one that is found", fmt::format("{:.1f}", worst.looks)},
      {"With a good hash", fmt::format("{:.1f}", worst.expectedLooks)}};
  return found;
}

}  // namespace

Outcome<void> PoorHashing::find(const InsightInput& input, FoundInsights& found, FindingList&, StageProgress&,
                                std::stop_token stop) {
  const CollectionItems items(input);
  const auto collections = input.collections.collections();
  tbb::concurrent_vector<Spread> poor;
  tbb::parallel_for(std::size_t{0}, collections.size(), [&](std::size_t i) {
    if (collections[i].count < kFewestItems || stop.stop_requested()) return;
    const auto spread = spreadOf(input, items, collections[i]);
    if (spread && isPoor(*spread)) poor.push_back(*spread);
  });
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  std::map<std::pair<std::uint32_t, bool>, std::vector<Spread>> groups;
  for (const Spread& spread : poor)
    groups[{spread.type.value, input.ownership.isHeldByFramework(spread.object)}].push_back(spread);
  for (auto& [key, spreads] : groups) found.insights.push_back(insightOf(input, std::move(spreads), key.second));
  return {};
}

std::unique_ptr<Detector> makePoorHashing() {
  return std::make_unique<PoorHashing>();
}

}  // namespace heapscape::engine
