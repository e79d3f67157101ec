// SPDX-License-Identifier: MIT
#include "insight/detectors/detectors.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/figures.h"
#include "insight/detectors/array_detector.h"
#include "insight/insight_groups.h"

namespace heapscape::engine {
namespace {

using ArraysOfTypes = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // ObjectId, TypeId; ascending

/// EmptyArrays: arrays without elements, an insight for each type of array.
class EmptyArrays : public ArrayDetector<ArraysOfTypes> {
 public:
  std::vector<InsightKind> kinds() const override { return {InsightKind::EmptyArrays}; }
  Outcome<void> find(const InsightInput& input, FoundInsights& found, FindingList& findings, StageProgress& progress,
                     std::stop_token stop) override;

 private:
  void look(const InsightInput& input, ArraysOfTypes& noted, const ScannedObject& array) const override;
};

/// The array of a collection that nothing else refers to is an empty collection's.
bool isCollections(const InsightInput& input, std::uint32_t array) {
  return input.collections.isStorage(array) && input.references.of(array) == 1 && !input.ownership.isRooted(array);
}

void describeStaying(Insight& insight, std::uint32_t staying) {
  const std::string element = elementTypeName(insight.subject);
  insight.ids.insert(std::ranges::lower_bound(insight.ids, staying), staying);
  insight.objects = insight.ids.size();
  insight.title = fmt::format("{} of {} without elements", countOf(insight.objects, "array"), element);
  insight.advice = fmt::format(
      "Use Array.Empty<{}>(), or [] in C# 12: one array without elements serves all who need one.", element);
}

}  // namespace

void EmptyArrays::look(const InsightInput& input, ArraysOfTypes& noted, const ScannedObject& array) const {
  if (!array.facts.components && !isCollections(input, array.id)) noted.emplace_back(array.id, array.facts.type.value);
}

Outcome<void> EmptyArrays::find(const InsightInput& input, FoundInsights& found, FindingList&, StageProgress&,
                                std::stop_token) {
  ArraysOfTypes all;
  for (ArraysOfTypes& some : noted()) {
    all.insert(all.end(), some.begin(), some.end());
    some = {};
  }
  GroupsByType groups;
  // One of each type may stay: the framework's own if it has one, else the first.
  std::vector<std::uint32_t> staying(input.contents.types->size(), ObjectId::kNone);
  for (const auto& [object, type] : all) {
    std::uint32_t& stays = staying[type];
    if (stays == ObjectId::kNone ||
        (input.ownership.isHeldByFramework(object) && !input.ownership.isHeldByFramework(stays)))
      stays = object;
  }
  for (const auto& [object, type] : all) {
    if (object != staying[type]) groups.of(input, {type}, object).addAlone(object, input.bytesOf(object));
  }
  groups.finish(
      input, InsightKind::EmptyArrays,
      [&](Insight& insight, const InsightGroup& group) { describeStaying(insight, staying[group.type().value]); },
      found);
  return {};
}

std::unique_ptr<Detector> makeEmptyArrays() {
  return std::make_unique<EmptyArrays>();
}

}  // namespace heapscape::engine
