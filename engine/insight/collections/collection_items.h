// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "insight/insight_input.h"

namespace heapscape::engine {

/// How many items each bucket of a hash table has: a byte each, since a table may have millions of them and a hash is
/// seldom poor, and somewhere else what is beyond.
class BucketCounts {
 public:
  explicit BucketCounts(std::uint32_t buckets) : m_low(buckets) {}

  /// Adds an item to a bucket; returns how many it has then.
  std::uint32_t add(std::uint32_t bucket) {
    if (++m_low[bucket] == 0) ++m_high[bucket];
    if (m_high.empty()) return m_low[bucket];
    const auto high = m_high.find(bucket);
    return (high == m_high.end() ? 0 : high->second << 8) + m_low[bucket];
  }

 private:
  std::vector<std::uint8_t> m_low;
  std::unordered_map<std::uint32_t, std::uint32_t> m_high;  // by bucket: times 256
};

/// One item of a collection: where it lies.
struct SurveyedItem {
  Address key;             // 0 where there are no keys
  Address value;           // of a hash set's item, too
  std::uint32_t hash = 0;  // the hash code that the collection keeps with it
};

/// Reads the items of collections that keep them in arrays (Items, Entries, Buckets; of a ConcurrentDictionary its
/// chains). Safe from any thread.
class CollectionItems {
 public:
  explicit CollectionItems(const InsightInput& input);

  using Visit = std::function<bool(const SurveyedItem&)>;
  /// Until visit() returns false. False if the items cannot be read, or are not as many as the collection says.
  bool forEach(const SurveyedCollection& collection, const Visit& visit) const;
  /// How many items hash to each bucket depends on the number of buckets; 0 for what has no hash codes.
  std::uint32_t bucketsOf(const SurveyedCollection& collection) const;

 private:
  /// Where the parts of an entry, bucket or node lie.
  struct ItemShape {
    std::uint32_t stride = 0, next = 0, hash = 0, key = 0, value = 0;
    bool isKnown = false;
  };

  ItemShape shapeOf(const SurveyedCollection& sample) const;
  ItemShape shapeOfNode(const SurveyedCollection& sample) const;
  bool forEachElement(const SurveyedCollection& collection, const Visit& visit) const;
  bool forEachEntry(const SurveyedCollection& collection, const ItemShape& shape, const Visit& visit) const;
  bool forEachBucket(const SurveyedCollection& collection, const ItemShape& shape, const Visit& visit) const;
  bool forEachNode(const SurveyedCollection& collection, const ItemShape& shape, const Visit& visit) const;
  Address elementsOf(std::uint32_t array) const;

  const InsightInput& m_input;
  std::vector<ItemShape> m_items;  // by index in CollectionSurvey::types()
};

}  // namespace heapscape::engine
