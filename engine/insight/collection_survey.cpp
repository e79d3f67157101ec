// SPDX-License-Identifier: MIT
#include "insight/collection_survey.h"

#include <algorithm>

#include "insight/collection_types.h"
#include "insight/object_scan.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kNone = SurveyedCollection::kNone;

/// Reads collections where their type says that the fields lie.
class SurveyReader {
 public:
  SurveyReader(const InsightInput& input, const std::vector<SurveyedType>& types)
      : m_input(input), m_types(types), m_indexOf(input.contents.types->size(), kNone) {
    for (std::uint32_t i = 0; i < types.size(); ++i) m_indexOf[types[i].type.value] = i;
  }

  /// False if it is damaged.
  bool tryRead(const ScannedObject& object, SurveyedCollection& collection) const {
    collection.object = object.id;
    collection.type = m_indexOf[object.facts.type.value];
    const SurveyedType& type = m_types[collection.type];
    for (std::size_t i = 0; i < collection.storage.size(); ++i) {
      Address array;
      if (!type.storageOffsets[i]) continue;
      if (!tryReadAt(object.bytes, type.storageOffsets[i], array)) return false;
      collection.storage[i] = array ? m_input.contents.heap->index.idOf(array).value : kNone;
      if (array && collection.storage[i] == kNone) return false;
    }
    if (type.form == CollectionForm::Chains) return tryReadChains(collection);
    std::int32_t count = 0, free = 0;
    if (!tryReadAt(object.bytes, type.countOffset, count) || count < 0) return false;
    if (type.freeOffset && (!tryReadAt(object.bytes, type.freeOffset, free) || free < 0 || free > count)) return false;
    collection.used = static_cast<std::uint32_t>(count);
    collection.count = static_cast<std::uint32_t>(count - free);
    collection.capacity = lengthOf(collection.storage[0]);
    return type.form == CollectionForm::Nodes || collection.used <= collection.capacity;
  }

 private:
  std::uint32_t lengthOf(std::uint32_t array) const {
    std::uint32_t length = 0;
    const bool isThere =
        array != kNone && m_input.contents.memory->tryRead(m_input.addressOf(array) + kComponentsOffset, length);
    return isThere ? length : 0;
  }

  /// The tables are an object of three arrays: buckets, locks and the number of items under each lock.
  bool tryReadChains(SurveyedCollection& collection) const {
    if (collection.storage[0] == kNone) return false;
    const EdgeRows edges = m_input.contents.graph->edges();
    const std::uint32_t tables = collection.storage[0];
    for (std::uint32_t i = edges.rows[tables]; i < edges.rows[tables + 1]; ++i) {
      const std::uint32_t part = edges.targets[i];
      const TypeId type{m_input.objectTypes[part]};
      if (type.isNone() || !m_input.contents.typeReferences->isArray(type)) continue;
      const std::string& name = m_input.row(type).name;
      if (name == "System.Int32[]") {
        const auto sum = sumOf(part);
        if (!sum) return false;
        collection.count = collection.used = *sum;
      } else if (name != "System.Object[]") {
        collection.storage[1] = part;
        collection.capacity = lengthOf(part);
      }
    }
    return collection.storage[1] != kNone;
  }

  std::optional<std::uint32_t> sumOf(std::uint32_t counts) const {
    constexpr std::uint32_t kMostLocks = 1'000'000;
    constexpr std::uint64_t kElementsOffset = 16;
    const std::uint32_t length = lengthOf(counts);
    if (length > kMostLocks) return std::nullopt;
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < length; ++i) {
      std::int32_t count = 0;
      const Address place = m_input.addressOf(counts) + kElementsOffset + i * sizeof count;
      if (!m_input.contents.memory->tryRead(place, count) || count < 0) return std::nullopt;
      sum += static_cast<std::uint32_t>(count);
    }
    return sum;
  }

  const InsightInput& m_input;
  const std::vector<SurveyedType>& m_types;
  std::vector<std::uint32_t> m_indexOf;  // by TypeId
};

}  // namespace

Outcome<CollectionSurvey> CollectionSurvey::make(const InsightInput& input, const std::stop_token& stop) {
  CollectionSurvey survey;
  survey.m_types = findCollectionTypes(input.contents);
  survey.m_isStorage = LargeArray<std::uint8_t>(input.objectTypes.size());
  std::vector<std::uint8_t> isWanted(input.contents.types->size());
  for (const SurveyedType& type : survey.m_types) isWanted[type.type.value] = 1;

  const SurveyReader reader(input, survey.m_types);
  tbb::enumerable_thread_specific<std::vector<SurveyedCollection>> found;
  const auto visit = [&](std::vector<SurveyedCollection>& local, const ScannedObject& object) {
    SurveyedCollection collection;
    if (reader.tryRead(object, collection)) local.push_back(collection);
  };
  if (!scanObjects(input, isWanted, found, visit, stop)) return tl::unexpected(Unfinished::cancelled());
  for (auto& some : found) {
    survey.m_collections.insert(survey.m_collections.end(), some.begin(), some.end());
    some = {};
  }
  std::ranges::sort(survey.m_collections, {}, &SurveyedCollection::object);

  const EdgeRows edges = input.contents.graph->edges();
  for (const SurveyedCollection& collection : survey.m_collections) {
    const CollectionForm form = survey.typeOf(collection).form;
    for (const std::uint32_t array : collection.storage) {
      if (array != kNone) survey.m_isStorage[array] = 1;
    }
    if (form != CollectionForm::Chains) continue;
    const std::uint32_t tables = collection.storage[0];
    for (std::uint32_t i = edges.rows[tables]; i < edges.rows[tables + 1]; ++i)
      survey.m_isStorage[edges.targets[i]] = 1;
  }
  return survey;
}

const SurveyedCollection* CollectionSurvey::find(std::uint32_t object) const {
  const auto found = std::ranges::lower_bound(m_collections, object, {}, &SurveyedCollection::object);
  return found != m_collections.end() && found->object == object ? &*found : nullptr;
}

}  // namespace heapscape::engine
