// SPDX-License-Identifier: MIT
#include "insight/detectors/detectors.h"

#include <fmt/format.h>

#include "base/figures.h"
#include "insight/collections/collection_storage.h"

namespace heapscape::engine {
namespace {

/// EmptyCollections, an insight for each type of collection.
class EmptyCollections : public Detector {
 public:
  std::vector<InsightKind> kinds() const override { return {InsightKind::EmptyCollections}; }
  Outcome<void> find(const InsightInput& input, FoundInsights& found, FindingList& findings, StageProgress& progress,
                     std::stop_token stop) override;
};

void describeEmpty(Insight& insight, const InsightGroup&) {
  insight.title = fmt::format("{} empty {}", readableCount(insight.objects), insight.subject);
  insight.advice =
      "Make a collection when its first item comes and let the field be null until then, or let all empty ones be one "
      "that nobody writes to. TrimExcess gives back the storage of one that has been emptied.";
}

void addEmpty(const InsightInput& input, const SurveyedCollection& collection, GroupsByType& groups) {
  if (input.collections.isEmpty(collection) && !collection.isPart) addWhole(input, collection, 0, groups);
}

}  // namespace

Outcome<void> EmptyCollections::find(const InsightInput& input, FoundInsights& found, FindingList&, StageProgress&,
                                     std::stop_token stop) {
  GroupsByType groups = groupCollections(input, addEmpty, stop);
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  const auto textOf = [&](std::uint32_t object) {
    const SurveyedCollection* collection = input.collections.find(object);
    return collection && collection->capacity ? countOf(collection->capacity, "unused slot") : "no storage";
  };
  groups.finish(input, InsightKind::EmptyCollections, describeEmpty, found, textOf);
  return {};
}

std::unique_ptr<Detector> makeEmptyCollections() {
  return std::make_unique<EmptyCollections>();
}

}  // namespace heapscape::engine
