// SPDX-License-Identifier: MIT
#include "insight/oversized_collections.h"

#include <fmt/format.h>

#include "base/count_text.h"
#include "insight/array_types.h"
#include "insight/collection_storage.h"
#include "insight/one_element_collections.h"
#include "insight/trimmed_size.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kStopInterval = 4096;
constexpr std::uint64_t kMuch = 64 << 10;  // saved in one collection: told however well that is filled

/// Older chunks of a StringBuilder are full, or cannot be trimmed.
std::vector<std::uint8_t> olderChunks(const InsightInput& input) {
  std::vector<std::uint8_t> isOlder;
  for (const SurveyedCollection& collection : input.collections.collections()) {
    if (input.collections.typeOf(collection).form != CollectionForm::Characters) continue;
    if (collection.storage[1] == SurveyedCollection::kNone) continue;
    if (isOlder.empty()) isOlder.resize(input.objectTypes.size());
    isOlder[collection.storage[1]] = 1;
  }
  return isOlder;
}

class OversizeFinder {
 public:
  explicit OversizeFinder(const InsightInput& input) : m_input(input), m_isOlderChunk(olderChunks(input)) {}

  void look(const SurveyedCollection& collection) {
    const SurveyedType& type = m_input.collections.typeOf(collection);
    const bool isText = type.form == CollectionForm::Characters;
    if (isText ? isOlderChunk(collection.object) : isAnothers(collection)) return;
    const std::uint32_t slots = slotsWhenTrimmed(type, collection);
    if (slots >= collection.capacity) return;
    std::uint64_t saved = 0;
    std::vector<std::pair<std::uint32_t, std::uint64_t>> parts;
    for (const std::uint32_t array : storageOf(m_input, collection)) {
      const std::uint64_t now = m_input.bytesOf(array);
      const std::uint64_t then = arrayBytes(m_input.row({m_input.objectTypes[array]}), slots);
      if (then >= now) continue;
      parts.emplace_back(array, now - then);
      saved += now - then;
    }
    const bool isHalfEmpty = std::uint64_t{collection.count} * 2 < collection.capacity;
    if (!saved || (!isHalfEmpty && saved < kMuch)) return;
    InsightGroup& group = m_groups.of(m_input, type.type, collection.object);
    group.add(collection.object, saved);
    for (const auto& [array, bytes] : parts) group.claim(array, bytes);
  }

  void finish(FoundInsights& found) {
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
      insight.title = fmt::format("{} of {} with room for {} items that {} {}", countOf(insight.objects, "collection"),
                                  insight.subject, readableCount(slots - items),
                                  insight.objects == 1 ? "it does" : "they do", "not have");
      insight.advice =
          "Give the constructor the number of items that will come, or call TrimExcess (TrimToSize; of a StringBuilder "
          "set Capacity to Length) once the last one is in.";
      insight.facts = {{"Items", readableCount(items)},
                       {"Slots", readableCount(slots)},
                       {"Fill", fmt::format("{}%", percentOf(items, slots))}};
    };
    m_groups.finish(m_input, InsightKind::OversizedCollections, describe, found, textOf);
  }

 private:
  bool isOlderChunk(std::uint32_t object) const { return !m_isOlderChunk.empty() && m_isOlderChunk[object]; }
  /// Empty ones, and those of one item, have detectors of their own.
  static bool isAnothers(const SurveyedCollection& collection) {
    return !collection.count || (collection.count == 1 && collection.capacity <= OneElementCollections::kMostSlots);
  }

  const InsightInput& m_input;
  std::vector<std::uint8_t> m_isOlderChunk;  // by ObjectId; empty if there is none
  GroupsByType m_groups;
};

}  // namespace

Outcome<void> OversizedCollections::find(const InsightInput& input, FoundInsights& found, FindingList&, StageProgress&,
                                         std::stop_token stop) const {
  OversizeFinder finder(input);
  std::size_t steps = 0;
  for (const SurveyedCollection& collection : input.collections.collections()) {
    if (++steps % kStopInterval == 0 && stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    finder.look(collection);
  }
  finder.finish(found);
  return {};
}

}  // namespace heapscape::engine
