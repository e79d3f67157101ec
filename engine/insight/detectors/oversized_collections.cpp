// SPDX-License-Identifier: MIT
#include "insight/detectors/detectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/figures.h"
#include "insight/collections/collection_storage.h"
#include "insight/detectors/array_detector.h"

namespace heapscape::engine {
namespace {

/// OversizedCollections, an insight for each type of collection.
class OversizedCollections : public Detector {
 public:
  std::vector<InsightKind> kinds() const override { return {InsightKind::OversizedCollections}; }
  Outcome<void> find(const InsightInput& input, FoundInsights& found, FindingList& findings, StageProgress& progress,
                     std::stop_token stop) override;
};

constexpr std::uint64_t kMuch = 64 << 10;  // saved in one collection: told however well that is filled

class OversizeFinder {
 public:
  explicit OversizeFinder(const InsightInput& input) : m_input(input) {}

  void look(const SurveyedCollection& collection, GroupsByType& groups) const {
    const SurveyedType& type = m_input.collections.typeOf(collection);
    if (isAnothers(type, collection)) return;
    const std::uint32_t slots = slotsWhenTrimmed(type, collection);
    if (slots >= collection.capacity) return;
    std::uint64_t saved = 0;
    std::vector<std::pair<std::uint32_t, std::uint64_t>> parts;
    bool isFirst = true;
    for (const std::uint32_t array : slotArrays(type, collection)) {
      const std::uint64_t now = m_input.bytesOf(array);
      // A single array takes the place of several segments.
      const bool isKept = type.form != CollectionForm::Segments || std::exchange(isFirst, false);
      const std::uint64_t then = isKept ? arrayBytes(m_input.row({m_input.objectTypes[array]}), slots) : 0;
      if (then >= now) continue;
      parts.emplace_back(array, now - then);
      saved += now - then;
    }
    const bool isHalfEmpty = std::uint64_t{collection.count} * 2 < collection.capacity;
    if (!saved || (!isHalfEmpty && saved < kMuch)) return;
    InsightGroup& group = groups.of(m_input, type.type, collection.object);
    group.add(collection.object, saved);
    for (const auto& [array, bytes] : parts) group.claim(array, bytes);
  }

  void finish(GroupsByType groups, FoundInsights& found) const {
    const auto textOf = [&](std::uint32_t object) {
      const SurveyedCollection* collection = m_input.collections.find(object);
      return collection ? fillOf(*collection) : "";
    };
    const auto describe = [&](Insight& insight, const InsightGroup& group) {
      std::uint64_t items = 0, slots = 0;
      for (const Ownership::Share& share : group.shares()) {
        const SurveyedCollection* collection = m_input.collections.find(share.object);
        items += collection->count;
        slots += collection->capacity;
      }
      insight.title = fmt::format("{} {}: {}% full ({} of {} items)", readableCount(insight.objects), insight.subject,
                                  percentOf(items, slots), readableCount(items), readableCount(slots));
      insight.advice =
          "Give the constructor the number of items that will come, or call TrimExcess (TrimToSize; of a StringBuilder "
          "or MemoryStream set Capacity to Length) once the last one is in. Concurrent collections cannot be trimmed: "
          "copy them into a new one.";
      insight.facts = {{"Items", readableCount(items)},
                       {"Slots", readableCount(slots)},
                       {"Fill", fmt::format("{}%", percentOf(items, slots))}};
    };
    groups.finish(m_input, InsightKind::OversizedCollections, describe, found, textOf);
  }

 private:
  /// Empty ones, and those of one item, have detectors of their own. Older chunks of a text are full.
  bool isAnothers(const SurveyedType& type, const SurveyedCollection& collection) const {
    if (m_input.collections.isEmpty(collection)) return true;
    if (type.form == CollectionForm::Characters) return collection.isPart;
    return collection.isOfOneItem();
  }

  /// The largest first. Segments may be known to the threads that fill them, but their arrays are their own.
  std::vector<std::uint32_t> slotArrays(const SurveyedType& type, const SurveyedCollection& collection) const {
    const bool isInSegments = type.form == CollectionForm::Segments;
    std::vector<std::uint32_t> arrays =
        isInSegments ? linkedParts(m_input, type, collection, false) : storageOf(m_input, collection);
    std::erase_if(arrays, [&](std::uint32_t part) {
      const TypeId of{m_input.objectTypes[part]};
      if (of.isNone() || !m_input.contents.typeReferences->isArray(of)) return true;
      if (isInSegments) return m_input.references.of(part) != 1 || m_input.ownership.isRooted(part);
      return type.form == CollectionForm::Chains && part != collection.storage[0];
    });
    std::ranges::sort(arrays, std::ranges::greater(), [&](std::uint32_t array) { return m_input.bytesOf(array); });
    return arrays;
  }

  const InsightInput& m_input;
};

}  // namespace

Outcome<void> OversizedCollections::find(const InsightInput& input, FoundInsights& found, FindingList&, StageProgress&,
                                         std::stop_token stop) {
  const OversizeFinder finder(input);
  const auto look = [&](const InsightInput&, const SurveyedCollection& collection, GroupsByType& groups) {
    finder.look(collection, groups);
  };
  GroupsByType groups = groupCollections(input, look, stop);
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  finder.finish(std::move(groups), found);
  return {};
}

std::unique_ptr<Detector> makeOversizedCollections() {
  return std::make_unique<OversizedCollections>();
}

}  // namespace heapscape::engine
