// SPDX-License-Identifier: MIT
#include "insight/detectors/detectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "base/address.h"
#include "base/figures.h"
#include "base/progress.h"
#include "heap/object_head.h"
#include "insight/collections/collection_items.h"
#include "insight/detectors/struct_candidates.h"
#include "insight/insight_groups.h"
#include "runtime/types/method_tables.h"

namespace heapscape::engine {
namespace {

/// SmallObjects, an insight for each type of small object in one collection or array.
class SmallObjects : public Detector {
 public:
  std::vector<InsightKind> kinds() const override { return {InsightKind::SmallObjects}; }
  Outcome<void> find(const InsightInput& input, FoundInsights& found, FindingList& findings, StageProgress& progress,
                     std::stop_token stop) override;
};

constexpr std::uint32_t kFewestSmallObjects = 1000;

class SmallObjectFinder {
 public:
  SmallObjectFinder(const InsightInput& input, std::stop_token stop)
      : m_input(input),
        m_items(input),
        m_stop(std::move(stop)),
        m_structs(structCandidates(input, kFewestSmallObjects)) {}

  Outcome<void> find(FoundInsights& found) {
    std::size_t steps = 0;
    for (const SurveyedCollection& collection : m_input.collections.collections()) {
      if (collection.count < kFewestSmallObjects) continue;
      if (++steps % kHeavyStopInterval == 0 && m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      look(collection);
    }
    for (const std::uint32_t array : m_input.objectsOf(referenceArrays())) {
      if (++steps % kHeavyStopInterval == 0 && m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      if (!m_input.collections.isStorage(array)) look(array);
    }
    const auto describe = [&](Insight& insight, const InsightGroup& group) { this->describe(insight, group); };
    const auto textOf = [&](std::uint32_t holder) { return textsOfHolders(holder); };
    m_groups.finish(m_input, InsightKind::SmallObjects, describe, found, textOf);
    return {};
  }

 private:
  using GrowthFor = std::function<std::uint64_t(std::uint64_t bytes)>;

  std::vector<TypeId> referenceArrays() const {
    std::vector<TypeId> arrays;
    for (std::uint32_t i = 0; i < m_input.contents.types->size(); ++i) {
      if (!m_input.contents.typeReferences->isArray({i})) continue;
      const auto type = m_input.contents.readers->methodTables.read(m_input.row({i}).methodTable);
      if (type && type->isSzArray && m_input.row({i}).componentSize == kPointerBytes && type->containsPointers)
        arrays.push_back({i});
    }
    return arrays;
  }

  void look(const SurveyedCollection& collection) {
    const SurveyedType& type = m_input.collections.typeOf(collection);
    const bool isInArray = type.form == CollectionForm::Items || type.form == CollectionForm::Entries;
    if (!isInArray || type.valueBytes != kPointerBytes || type.kind == "HashSet") return;
    const std::uint32_t storage = collection.storage[0];
    if (!m_input.isHeldOnlyBy(storage, collection.object)) return;
    const auto growthFor = [&](std::uint64_t bytes) {
      return type.form == CollectionForm::Items ? growthOfArray(storage, collection.capacity, bytes)
                                                : collection.capacity * (alignUp(bytes, 8) - kPointerBytes);
    };
    begin(storage, collection.count, growthFor);
    const bool isWhole = m_items.forEach(collection, [&](const SurveyedItem& item) { return add(item.value); });
    if (isWhole && m_isAlike && m_objects.size() >= kFewestSmallObjects) save(collection.object);
  }

  void look(std::uint32_t array) {
    std::uint32_t length = 0;
    if (!m_input.contents.memory->tryRead(m_input.addressOf(array) + kComponentsOffset, length)) return;
    if (length < kFewestSmallObjects) return;
    begin(array, length, [&](std::uint64_t bytes) { return growthOfArray(array, length, bytes); });
    for (std::uint64_t i = 0; i < length; ++i) {
      if (!add(m_input.addressOf(array) + kElementsOffset + i * kPointerBytes)) return;
    }
    if (m_objects.size() == length) save(array);
  }

  /// `growthFor`: what the storage grows by with values of so many bytes.
  void begin(std::uint32_t storage, std::uint64_t items, GrowthFor growthFor) {
    m_storage = storage;
    m_mostItems = items;
    m_growthFor = std::move(growthFor);
    m_type = kNone;
    m_isAlike = true;
    m_objects.clear();
  }

  /// False if the item is no object that this storage alone holds, or one of another type than those before.
  bool add(Address place) {
    m_isAlike = false;
    Address address;
    if (!m_input.contents.memory->tryRead(place, address) || !address) return false;
    const std::uint32_t object = m_input.contents.heap->index.idOf(address).value;
    const std::uint32_t type = object == kNone ? kNone : m_input.objectTypes[object];
    if (type >= m_structs.size() || !m_structs[type].bytes || (!m_objects.empty() && type != m_type)) return false;
    if (m_objects.empty()) {
      m_growth = m_growthFor(m_structs[type].bytes);
      if (m_mostItems * m_input.bytesOf(object) <= m_growth) return false;  // however many of them are alike
    }
    if (hasIdentity(m_input, address) || !m_input.isHeldOnlyBy(object, m_storage)) return false;
    m_type = type;
    m_objects.push_back(object);
    m_isAlike = true;
    return true;
  }

  std::uint64_t growthOfArray(std::uint32_t array, std::uint64_t slots, std::uint64_t bytes) const {
    constexpr std::uint64_t kBaseBytes = 24;  // of an array without elements
    const std::uint64_t then = alignUp(kBaseBytes + slots * bytes, 8);
    return then - std::min(then, m_input.bytesOf(array));
  }

  void save(std::uint32_t holder) {
    std::uint64_t growth = m_growth;
    std::uint64_t bytes = 0;
    for (const std::uint32_t object : m_objects) bytes += m_input.bytesOf(object);
    if (bytes <= growth) return;
    InsightGroup& group = m_groups.of(m_input, {m_type}, holder);
    group.add(holder, bytes - growth);
    m_counts[holder] = m_objects.size();
    std::vector<std::uint32_t>& saved = m_saved[{m_type, group.isFramework()}];
    saved.insert(saved.end(), m_objects.begin(), m_objects.end());
    for (const std::uint32_t object : m_objects) {
      const std::uint64_t less = std::min(growth, m_input.bytesOf(object));
      group.claim(object, m_input.bytesOf(object) - less);
      growth -= less;
    }
  }

  void describe(Insight& insight, const InsightGroup& group) {
    insight.ids = std::move(m_saved[{group.type().value, group.isFramework()}]);
    insight.objects = insight.ids.size();
    std::ranges::sort(insight.ids);
    const std::uint64_t structBytes = m_structs[group.type().value].bytes;
    insight.title = fmt::format("{} that only {} refers to", countOf(insight.objects, "small " + insight.subject),
                                group.objects() == 1 ? "one collection" : "their collection");
    insight.advice = fmt::format(
        "As a struct of {} bytes each would lie in the collection itself, without header, method table and the "
        "reference to it: 24 bytes less. Fit where they have no identity: nobody compares, locks or changes them "
        "through two references.",
        structBytes);
    insight.facts = {{"Bytes of an object", readableCount(m_input.row(group.type()).baseSize)},
                     {"Bytes as a struct", readableCount(structBytes)},
                     {"Collections", readableCount(group.objects())}};
  }

  std::string textsOfHolders(std::uint32_t holder) const {
    return fmt::format("{} in one {}", readableCount(m_counts.at(holder)),
                       m_input.row({m_input.objectTypes[holder]}).name);
  }

  const InsightInput& m_input;
  CollectionItems m_items;
  std::stop_token m_stop;
  std::vector<StructSize> m_structs;  // by TypeId
  GroupsByType m_groups;
  std::map<std::uint32_t, std::size_t> m_counts;  // small objects by their collection or array
  std::map<std::pair<std::uint32_t, bool>, std::vector<std::uint32_t>> m_saved;  // the same by group: TypeId, framework

  // Storage and type of the collection in hand.
  std::uint32_t m_storage = kNone, m_type = kNone;
  std::uint64_t m_mostItems = 0, m_growth = 0;
  GrowthFor m_growthFor;
  bool m_isAlike = true;
  std::vector<std::uint32_t> m_objects;
};

}  // namespace

Outcome<void> SmallObjects::find(const InsightInput& input, FoundInsights& found, FindingList&, StageProgress&,
                                 std::stop_token stop) {
  return SmallObjectFinder(input, std::move(stop)).find(found);
}

std::unique_ptr<Detector> makeSmallObjects() {
  return std::make_unique<SmallObjects>();
}

}  // namespace heapscape::engine
