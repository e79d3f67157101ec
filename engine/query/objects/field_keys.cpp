// SPDX-License-Identifier: MIT
#include "query/objects/field_keys.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

namespace heapscape::engine {

FieldKeys::FieldKeys(const ObjectFields& fields, const ValueReader& values, QueryFieldReference field)
    : m_field(std::move(field)),
      m_isText(m_field == referenceTo(ObjectField::Text)),
      m_isLine(m_field == referenceTo(ObjectField::Value)),
      m_makers([this] { return Maker(*this); }) {
  ObjectValues reader(fields, values);
  for (std::uint32_t i = 0; i < fields.snapshot().types().size(); ++i)
    m_mayHaveKey.push_back(reader.isPossible(m_field, {i}));
}

std::uint32_t FieldKeys::Maker::numberOf(const ObjectView& object, ObjectValues& values) {
  const TypeId type = object.facts.type;
  if (!m_all.m_mayHaveKey[type.value]) return kAbsent;
  // Lines of some types hardly ever come back.
  if (m_all.m_isLine && !m_recurring.mayRecur(type)) return make(object, values);
  if (const std::uint32_t* const known = m_ofOrigins.find(values.originOf(m_all.m_field, object))) {
    m_recurring.countKnown(type);
    return *known;
  }
  const std::uint32_t number = make(object, values);
  m_ofOrigins.keep(number);
  return number;
}

std::uint32_t FieldKeys::Maker::make(const ObjectView& object, ObjectValues& values) {
  if (m_all.m_isLine) {
    const auto line = values.lineOf(object);
    return line ? numberOf(*line) : kAbsent;
  }
  if (m_all.m_isText) {
    if (const auto text = values.beginOfText(object, SortKeys::kLongestText)) return numberOf(*text);
  }
  const QueryValue value = values.value(m_all.m_field, object);
  if (value.isThere()) return numberOf(value);
  return value.state == QueryValue::State::Null ? kNull : kAbsent;
}

std::uint32_t FieldKeys::Maker::add(const SortKey& key) {
  m_keys.push_back(key);
  return static_cast<std::uint32_t>(m_keys.size() - 1);
}

std::uint32_t FieldKeys::Maker::numberOf(std::string_view text) {
  if (const std::uint32_t* const known = m_ofTexts.find(text)) return *known;
  const std::uint32_t number = add(m_texts.keyOf(text));
  m_ofTexts.keep(number);
  return number;
}

std::uint32_t FieldKeys::Maker::numberOf(const QueryValue& value) {
  if (!value.flag && !value.number) return numberOf(value.text ? std::string_view(*value.text) : std::string_view());
  const SortKey key = m_texts.keyOf(value);
  const std::array<std::uint64_t, 2> parts{key.firstPart(), key.rest()};
  const auto* const bytes = reinterpret_cast<const char*>(parts.data());
  if (const std::uint32_t* const known = m_ofParts.find({bytes, sizeof parts})) return *known;
  const std::uint32_t number = add(key);
  m_ofParts.keep(number);
  return number;
}

LargeArray<std::uint32_t> FieldKeys::rank(std::size_t limit, bool descending,
                                          const std::function<void(double)>& onProgress, const std::stop_token& stop) {
  std::uint32_t count = 0;
  for (Maker& maker : m_makers) {
    maker.m_before = count;
    count += static_cast<std::uint32_t>(maker.m_keys.size());
  }
  LargeArray<SortKey> keys(count);
  LargeArray<KeyedPlace> places(count);
  for (const Maker& maker : m_makers) {
    tbb::parallel_for(std::size_t{0}, maker.m_keys.size(), [&](std::size_t i) {
      keys[maker.m_before + i] = maker.m_keys[i];
      places[maker.m_before + i] = KeyedPlace(maker.m_keys[i]);
    });
  }
  // Each is the key of an object at least.
  const std::vector<std::uint32_t> order = placesInOrder(std::move(places), limit, descending, onProgress, stop);
  LargeArray<std::uint32_t> ranks(count);
  if (stop.stop_requested() || order.empty()) return ranks;
  std::vector<std::uint8_t> isNew(order.size());
  tbb::parallel_for(std::size_t{1}, order.size(),
                    [&](std::size_t i) { isNew[i] = !areSame(keys[order[i - 1]], keys[order[i]]); });
  const SortKey last = keys[order.back()];
  std::uint32_t rank = 0;
  std::ranges::fill(std::span(ranks.data(), ranks.size()), static_cast<std::uint32_t>(order.size()));
  for (std::size_t i = 0; i < order.size(); ++i) ranks[order[i]] = rank += isNew[i];
  tbb::parallel_for(std::size_t{0}, order.size() < count ? std::size_t{count} : 0, [&](std::size_t i) {
    if (keys[i].firstPart() == last.firstPart() && areSame(keys[i], last)) ranks[i] = rank;
  });
  return ranks;
}

std::vector<SortKeys> FieldKeys::takeTexts() {
  std::vector<SortKeys> texts;
  for (Maker& maker : m_makers) texts.push_back(std::move(maker.m_texts));
  return texts;
}

}  // namespace heapscape::engine
