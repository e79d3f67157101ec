// SPDX-License-Identifier: MIT
#include "insight/detectors/detectors.h"

#include <fmt/format.h>

#include "base/address.h"
#include "base/figures.h"
#include "insight/collections/collection_storage.h"
#include "insight/detectors/array_detector.h"

namespace heapscape::engine {
namespace {

/// OneElementCollections: collections and arrays of one item, an insight for each type.
class OneElementCollections : public ArrayDetector<GroupsByType> {
 public:
  std::vector<InsightKind> kinds() const override { return {InsightKind::OneElementCollections}; }
  Outcome<void> find(const InsightInput& input, FoundInsights& found, FindingList& findings, StageProgress& progress,
                     std::stop_token stop) override;

 private:
  void look(const InsightInput& input, GroupsByType& noted, const ScannedObject& array) const override;
};

/// Bytes that a field for the item takes up beyond the reference to the collection, in whole words.
std::uint64_t growthOf(std::uint64_t keyBytes, std::uint64_t valueBytes) {
  const std::uint64_t needed = alignUp(keyBytes, 8) + alignUp(valueBytes, 8);
  return needed - std::min<std::uint64_t>(needed, kPointerBytes);
}

void describeCollections(Insight& insight, const InsightGroup&) {
  insight.title = fmt::format("{} {} with a single item", readableCount(insight.objects), insight.subject);
  insight.advice =
      "A plain field does for one item. Where there may be more, begin with the field and make the collection for the "
      "second.";
}

void describeArrays(Insight& insight, const InsightGroup&) {
  insight.title = fmt::format("{} {} of one element", readableCount(insight.objects), insight.subject);
  insight.advice = "A plain field does for one element; an array need only be made for the second.";
}

void addWrapper(const InsightInput& input, const SurveyedCollection& collection, GroupsByType& groups) {
  const SurveyedType& type = input.collections.typeOf(collection);
  const bool isChosen = collection.isOfOneItem() && type.form != CollectionForm::Characters && !collection.isPart;
  if (isChosen && type.isLibrarys) addWhole(input, collection, growthOf(type.keyBytes, type.valueBytes), groups);
}

}  // namespace

void OneElementCollections::look(const InsightInput& input, GroupsByType& noted, const ScannedObject& array) const {
  if (array.facts.components != 1 || input.collections.isStorage(array.id)) return;
  const std::uint64_t bytes = input.bytesOf(array.id);
  const std::uint64_t growth = growthOf(0, input.row(array.facts.type).componentSize);
  if (bytes > growth) noted.of(input, array.facts.type, array.id).addAlone(array.id, bytes - growth);
}

Outcome<void> OneElementCollections::find(const InsightInput& input, FoundInsights& found, FindingList&, StageProgress&,
                                          std::stop_token stop) {
  GroupsByType wrappers = groupCollections(input, addWrapper, stop);
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  GroupsByType wrappingArrays = GroupsByType::join(noted());
  wrappers.finish(input, InsightKind::OneElementCollections, describeCollections, found);
  wrappingArrays.finish(input, InsightKind::OneElementCollections, describeArrays, found);
  return {};
}

std::unique_ptr<Detector> makeOneElementCollections() {
  return std::make_unique<OneElementCollections>();
}

}  // namespace heapscape::engine
