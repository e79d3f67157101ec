// SPDX-License-Identifier: MIT
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <numeric>
#include <unordered_map>

#include "query/objects/object_fields.h"
#include "query/objects/object_search.h"
#include "query/objects/object_values.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kObjectsInPart = 1 << 16;

/// Adds up some of the objects by what a field holds of them.
class Grouping {
 public:
  Grouping(const ObjectFields& fields, const ValueReader& values, const QueryFieldReference& field)
      : m_reader(fields, values), m_fields(fields), m_field(field) {}

  std::uint32_t add(const ObjectView& object) {
    const std::size_t place = placeOf(object);
    ++m_groups[place].objects;
    m_groups[place].bytes += object.facts.alignedBytes();
    return static_cast<std::uint32_t>(place);
  }

  /// Where groups of another one are among these, which they are added to.
  std::vector<std::uint32_t> addAll(const Grouping& other) {
    std::vector<std::uint32_t> places;
    for (const ObjectGroup& group : other.m_groups) {
      const std::size_t place = placeOf(group.value);
      m_groups[place].objects += group.objects;
      m_groups[place].bytes += group.bytes;
      places.push_back(static_cast<std::uint32_t>(place));
    }
    return places;
  }

  const std::vector<ObjectGroup>& groups() const { return m_groups; }

 private:
  std::size_t placeOf(const ObjectView& object) {
    if (formOf(m_field) != ObjectFieldForm::Symbol) return placeOf(m_reader.value(m_field, object));
    // Several numbers may be the same text.
    const std::uint32_t symbol = m_fields.symbol(static_cast<ObjectField>(m_field.field), object);
    const auto known = m_bySymbol.find(symbol);
    if (known != m_bySymbol.end()) return known->second;
    return m_bySymbol.emplace(symbol, placeOf(m_reader.value(m_field, object))).first->second;
  }

  std::size_t placeOf(QueryValue value) {
    // What is absent and what is null read alike, or as texts may: the state is part of the key.
    std::string key(1, static_cast<char>('0' + static_cast<int>(value.state)));
    key += toString(value);
    const auto [entry, isNew] = m_byText.emplace(std::move(key), m_groups.size());
    if (isNew) m_groups.push_back({.value = std::move(value)});
    return entry->second;
  }

  ObjectValues m_reader;
  const ObjectFields& m_fields;
  const QueryFieldReference& m_field;
  std::vector<ObjectGroup> m_groups;
  std::unordered_map<std::uint32_t, std::size_t> m_bySymbol;
  std::unordered_map<std::string, std::size_t> m_byText;
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
    const std::size_t end = std::min(ids.size(), (part + 1) * kObjectsInPart);
    for (std::size_t i = part * kObjectsInPart; i < end; ++i) {
      if (const auto view = fields.viewOf(ids[i])) result.groupOf[i] = groupings[part]->add(*view);
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
  for (std::size_t i = 0; i < ids.size(); ++i) {
    std::uint32_t& group = result.groupOf[i];
    if (group != ObjectGroups::kNoGroup) group = places[placesOf[i / kObjectsInPart][group]];
  }
  return result;
}

}  // namespace heapscape::engine
