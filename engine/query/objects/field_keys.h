// SPDX-License-Identifier: MIT
#pragma once

#include <tbb/enumerable_thread_specific.h>

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string_view>
#include <vector>

#include "base/large_array.h"
#include "query/objects/key_order.h"
#include "query/objects/object_values.h"
#include "query/objects/recent_answers.h"

namespace heapscape::engine {

/// Numbers what a field of form Memory holds of objects, on all cores, so that most objects are told by a number and
/// few keys have to be put in order: values that are equal mostly have the same number.
class FieldKeys {
 public:
  // In place of a number.
  static constexpr std::uint32_t kNull = 0xfffffffd, kAbsent = 0xfffffffe;

  /// Makes keys and keeps their texts, on one thread.
  class Maker {
   public:
    explicit Maker(const FieldKeys& all) : m_all(all) {}

    std::uint32_t numberOf(const ObjectView& object, ObjectValues& values);
    /// All keys, by number.
    const std::vector<SortKey>& keys() const { return m_keys; }
    /// Keys of other makers, which stand before these among those of all: known once they are ranked.
    std::uint32_t before() const { return m_before; }

   private:
    friend class FieldKeys;
    std::uint32_t make(const ObjectView& object, ObjectValues& values);
    std::uint32_t numberOf(const QueryValue& value);
    std::uint32_t numberOf(std::string_view text);
    std::uint32_t add(const SortKey& key);

    const FieldKeys& m_all;
    SortKeys m_texts;
    std::vector<SortKey> m_keys;
    RecentAnswers<std::uint32_t> m_ofOrigins;  // numbers by what values follow from
    RecentAnswers<std::uint32_t> m_ofTexts;
    RecentAnswers<std::uint32_t> m_ofParts;  // of keys that are no texts
    RecurringTypes m_recurring;
    std::uint32_t m_before = 0;
  };

  /// Refers to the fields.
  FieldKeys(const ObjectFields& fields, const ValueReader& values, QueryFieldReference field);
  FieldKeys(const FieldKeys&) = delete;
  FieldKeys& operator=(const FieldKeys&) = delete;

  Maker& ofThread() { return m_makers.local(); }

  /// The place of each key in the order, by its number among those of all makers, from 0 on and the same for equal
  /// ones. All that is surely behind the `limit` first objects has one place. `onProgress` hears which share is done.
  /// What it gives means nothing if it was stopped.
  LargeArray<std::uint32_t> rank(std::size_t limit, bool descending, const std::function<void(double)>& onProgress,
                                 const std::stop_token& stop);
  /// The texts of keys, which are good without these.
  std::vector<SortKeys> takeTexts();

 private:
  const QueryFieldReference m_field;
  const bool m_isText, m_isLine;           // the field Text, the field Value
  std::vector<std::uint8_t> m_mayHaveKey;  // by TypeId
  tbb::enumerable_thread_specific<Maker> m_makers;
};

}  // namespace heapscape::engine
