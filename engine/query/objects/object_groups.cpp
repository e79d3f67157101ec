// SPDX-License-Identifier: MIT
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>
#include <unordered_map>

#include "query/objects/object_fields.h"
#include "query/objects/object_search.h"
#include "query/objects/object_values.h"
#include "query/objects/object_views.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kObjectsInPart = 1 << 16;

/// Adds up some of the objects by what a field holds of them.
class Grouping {
 public:
  Grouping(const ObjectFields& fields, const ValueReader& values, const QueryFieldReference& field)
      : m_reader(fields, values), m_fields(fields), m_field(field), m_form(formOf(field)) {
    if (m_form == ObjectFieldForm::Symbol)
      m_bySymbol.resize(fields.symbols(static_cast<ObjectField>(field.field)).size() + 1, kNone);
  }

  std::uint32_t add(const ObjectView& object) {
    const std::uint32_t place = placeOf(object);
    ++m_groups[place].objects;
    m_groups[place].bytes += object.facts.alignedBytes();
    return place;
  }

  /// Where groups of another one are among these, which they are added to.
  std::vector<std::uint32_t> addAll(const Grouping& other) {
    std::vector<std::uint32_t> places;
    for (const ObjectGroup& group : other.m_groups) {
      const std::uint32_t place = placeOf(group.value);
      m_groups[place].objects += group.objects;
      m_groups[place].bytes += group.bytes;
      places.push_back(place);
    }
    return places;
  }

  const std::vector<ObjectGroup>& groups() const { return m_groups; }

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;

  std::uint32_t placeOf(const ObjectView& object) {
    const auto field = static_cast<ObjectField>(m_field.field);
    if (m_form == ObjectFieldForm::Symbol) {
      // Several numbers may be the same text. Null comes behind all of them.
      const std::uint32_t symbol = m_fields.symbol(field, object);
      std::uint32_t& place = symbol == ObjectFields::kNoSymbol ? m_bySymbol.back() : m_bySymbol[symbol];
      if (place == kNone) place = placeOf(m_reader.value(m_field, object));
      return place;
    }
    if (m_form == ObjectFieldForm::Number) {
      if (const auto number = m_fields.number(field, object)) return placeOf(*number, object);
    }
    return placeOf(m_reader.value(m_field, object));
  }

  // Objects that lie side by side are often alike.
  std::uint32_t placeOf(std::uint64_t number, const ObjectView& object) {
    if (m_last != kNone && number == m_lastNumber) return m_last;
    const auto known = m_byNumber.find(number);
    m_last = known != m_byNumber.end() ? known->second : placeOf(m_reader.value(m_field, object));
    if (known == m_byNumber.end()) m_byNumber.emplace(number, m_last);
    m_lastNumber = number;
    return m_last;
  }

  /// A number that nothing but its digits is read of.
  static std::optional<std::uint64_t> wholeNumber(const QueryValue& value) {
    constexpr long double kEnd = 0x1p64L;
    const bool isNumber = value.isThere() && value.number && !value.flag && !value.text && !value.isAddress &&
                          value.width == QueryValue::Width::Exact;
    if (!isNumber || std::signbit(*value.number) || *value.number >= kEnd) return std::nullopt;
    const auto whole = static_cast<std::uint64_t>(*value.number);
    return static_cast<long double>(whole) == *value.number ? std::optional(whole) : std::nullopt;
  }

  std::uint32_t placeOf(QueryValue value) {
    const auto number = wholeNumber(value);
    if (number) {
      if (const auto known = m_byNumber.find(*number); known != m_byNumber.end()) return known->second;
    }
    const std::uint32_t place = placeOfText(std::move(value));
    if (number) m_byNumber.emplace(*number, place);
    return place;
  }

  std::uint32_t placeOfText(QueryValue value) {
    // What is absent and what is null read alike, or as texts may: the state is part of the key.
    if (value.state == QueryValue::State::Absent && m_absent != kNone) return m_absent;
    std::string key(1, static_cast<char>('0' + static_cast<int>(value.state)));
    key += toString(value);
    const bool isAbsent = value.state == QueryValue::State::Absent;
    const auto [entry, isNew] = m_byText.emplace(std::move(key), static_cast<std::uint32_t>(m_groups.size()));
    if (isNew) m_groups.push_back({.value = std::move(value)});
    if (isAbsent) m_absent = entry->second;
    return entry->second;
  }

  ObjectValues m_reader;
  const ObjectFields& m_fields;
  const QueryFieldReference& m_field;
  const ObjectFieldForm m_form;
  std::vector<ObjectGroup> m_groups;
  std::vector<std::uint32_t> m_bySymbol;  // places of groups; kNone for what was not met yet
  std::unordered_map<std::uint64_t, std::uint32_t> m_byNumber;
  std::uint64_t m_lastNumber = 0;
  std::uint32_t m_last = kNone;
  std::uint32_t m_absent = kNone;
  std::unordered_map<std::string, std::uint32_t> m_byText;
};

/// Those with the most bytes first; `places`: where each group comes to stand.
std::vector<ObjectGroup> inOrder(const std::vector<ObjectGroup>& groups, std::vector<std::uint32_t>& places) {
  std::vector<std::uint32_t> order(groups.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, [&](std::uint32_t i, std::uint32_t j) {
    const ObjectGroup &left = groups[i], &right = groups[j];
    return left.bytes != right.bytes ? left.bytes > right.bytes : isBefore(left.value, right.value);
  });
  std::vector<ObjectGroup> sorted;
  places.resize(groups.size());
  for (const std::uint32_t each : order) {
    places[each] = static_cast<std::uint32_t>(sorted.size());
    sorted.push_back(groups[each]);
  }
  return sorted;
}

}  // namespace

Outcome<ObjectGroups> groupObjects(const Snapshot& snapshot, const std::vector<std::uint32_t>& ids,
                                   const QueryFieldReference& field, ProgressSink* progress, std::stop_token stop) {
  HEAPSCAPE_TRY(const ObjectFields fields, ObjectFields::make(snapshot, std::span(&field, 1), nullptr, stop));
  const ValueReader values({*snapshot.contents().readers, snapshot.contents().heap.get()});
  StageProgress adding(progress, "grouping the objects", 0, 1);
  ObjectGroups result{.groups = {}, .groupOf = std::vector<std::uint32_t>(ids.size(), ObjectGroups::kNoGroup)};
  const std::size_t parts = (ids.size() + kObjectsInPart - 1) / kObjectsInPart;
  std::vector<std::unique_ptr<Grouping>> groupings(parts);
  std::atomic<std::size_t> done = 0;
  std::mutex telling;
  tbb::parallel_for(std::size_t{0}, parts, [&](std::size_t part) {
    if (stop.stop_requested()) return;
    groupings[part] = std::make_unique<Grouping>(fields, values, field);
    ObjectViews views(fields);
    const std::size_t end = std::min(ids.size(), (part + 1) * kObjectsInPart);
    for (std::size_t i = part * kObjectsInPart; i < end; ++i) {
      if (const ObjectView* const view = views.of(ids[i])) result.groupOf[i] = groupings[part]->add(*view);
    }
    const std::lock_guard lock(telling);
    adding.report(static_cast<double>(++done) / static_cast<double>(parts));
  });
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  Grouping all(fields, values, field);
  std::vector<std::vector<std::uint32_t>> placesOf;
  for (std::unique_ptr<Grouping>& part : groupings) {
    placesOf.push_back(all.addAll(*part));
    part.reset();
  }
  std::vector<std::uint32_t> places;
  result.groups = inOrder(all.groups(), places);
  tbb::parallel_for(std::size_t{0}, parts, [&](std::size_t part) {
    const std::size_t end = std::min(ids.size(), (part + 1) * kObjectsInPart);
    for (std::size_t i = part * kObjectsInPart; i < end; ++i) {
      std::uint32_t& group = result.groupOf[i];
      if (group != ObjectGroups::kNoGroup) group = places[placesOf[part][group]];
    }
  });
  return result;
}

}  // namespace heapscape::engine
