// SPDX-License-Identifier: MIT
#include "insight/detectors/detectors.h"

#include <fmt/format.h>

#include "base/address.h"
#include "base/count_text.h"
#include "insight/collections/array_types.h"
#include "insight/collections/collection_storage.h"
#include "insight/object_scan.h"

namespace heapscape::engine {
namespace {

/// OneElementCollections: collections and arrays of one item, an insight for each type.
class OneElementCollections : public Detector, public ObjectVisitor {
 public:
  std::vector<InsightKind> kinds() const override { return {InsightKind::OneElementCollections}; }
  ObjectVisitor* visitor(const InsightInput& input) override {
    m_input = &input;
    return this;
  }
  Outcome<void> find(const InsightInput& input, FoundInsights& found, FindingList& findings, StageProgress& progress,
                     std::stop_token stop) override;

  std::vector<std::uint8_t> wantedTypes() const override { return arrayTypes(*m_input); }
  void begin(std::span<const ScanPiece> pieces) override { m_arrays.resize(pieces.size()); }
  void visit(std::size_t piece, const ScannedObject& object) override;

 private:
  const InsightInput* m_input = nullptr;
  std::vector<GroupsByType> m_arrays;  // by piece
};

/// What a field for the item takes up beyond the reference to the collection, in whole words.
std::uint64_t growthOf(std::uint64_t keyBytes, std::uint64_t valueBytes) {
  const std::uint64_t needed = alignUp(keyBytes, 8) + alignUp(valueBytes, 8);
  return needed - std::min<std::uint64_t>(needed, kPointerBytes);
}

void describeCollections(Insight& insight, const InsightGroup&) {
  insight.title = fmt::format("{} of {} around a single item", countOf(insight.objects, "collection"), insight.subject);
  insight.advice =
      "A plain field does for one item. Where there may be more, begin with the field and make the collection for the "
      "second.";
}

void describeArrays(Insight& insight, const InsightGroup&) {
  insight.title = fmt::format("{} of {} around a single element", countOf(insight.objects, "array"),
                              elementTypeName(insight.subject));
  insight.advice = "A plain field does for one element; an array need only be made for the second.";
}

void addWrapper(const InsightInput& input, const SurveyedCollection& collection, GroupsByType& groups) {
  const SurveyedType& type = input.collections.typeOf(collection);
  const bool isChosen = collection.isOfOneItem() && type.form != CollectionForm::Characters && !collection.isPart;
  if (isChosen && type.isLibrarys) addWhole(input, collection, growthOf(type.keyBytes, type.valueBytes), groups);
}

}  // namespace

void OneElementCollections::visit(std::size_t piece, const ScannedObject& object) {
  const InsightInput& input = *m_input;
  if (object.facts.components != 1 || input.collections.isStorage(object.id)) return;
  const std::uint64_t bytes = input.bytesOf(object.id);
  const std::uint64_t growth = growthOf(0, input.row(object.facts.type).componentSize);
  if (bytes > growth) m_arrays[piece].of(input, object.facts.type, object.id).addAlone(object.id, bytes - growth);
}

Outcome<void> OneElementCollections::find(const InsightInput& input, FoundInsights& found, FindingList&, StageProgress&,
                                          std::stop_token stop) {
  GroupsByType wrappers = groupCollections(input, addWrapper, stop);
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  GroupsByType wrappingArrays;
  for (GroupsByType& some : m_arrays) wrappingArrays.append(std::move(some));
  wrappers.finish(input, InsightKind::OneElementCollections, describeCollections, found);
  wrappingArrays.finish(input, InsightKind::OneElementCollections, describeArrays, found);
  return {};
}

std::unique_ptr<Detector> makeOneElementCollections() {
  return std::make_unique<OneElementCollections>();
}

}  // namespace heapscape::engine
