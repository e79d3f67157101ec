// SPDX-License-Identifier: MIT
#include <algorithm>
#include <unordered_map>

#include "base/stop_interval.h"
#include "query/objects/object_fields.h"
#include "query/objects/object_search.h"
#include "query/objects/object_values.h"

namespace heapscape::engine {
namespace {

/// Adds up objects by what a field holds of them.
class Grouping {
 public:
  Grouping(const ObjectFields& fields, const QueryFieldReference& field)
      : m_values({*fields.contents().readers, fields.contents().heap.get()}),
        m_reader(fields, m_values),
        m_fields(fields),
        m_field(field) {}

  void add(const ObjectView& object) {
    ObjectGroup& group = groupOf(object);
    ++group.objects;
    group.bytes += object.facts.alignedBytes();
  }

  std::vector<ObjectGroup> groups() && {
    std::ranges::stable_sort(m_groups, [](const ObjectGroup& left, const ObjectGroup& right) {
      return left.bytes != right.bytes ? left.bytes > right.bytes : isBefore(left.value, right.value);
    });
    return std::move(m_groups);
  }

 private:
  ObjectGroup& groupOf(const ObjectView& object) {
    const bool isSymbol = formOf(m_field) == ObjectFieldForm::Symbol;
    if (!isSymbol) return groupOf(m_reader.value(m_field, object));
    // Several numbers may be the same text.
    const std::uint32_t symbol = m_fields.symbol(static_cast<ObjectField>(m_field.field), object);
    const auto known = m_bySymbol.find(symbol);
    if (known != m_bySymbol.end()) return m_groups[known->second];
    ObjectGroup& group = groupOf(m_reader.value(m_field, object));
    m_bySymbol.emplace(symbol, static_cast<std::size_t>(&group - m_groups.data()));
    return group;
  }

  ObjectGroup& groupOf(QueryValue value) {
    // What is absent and what is null read alike, or as texts may: the state is part of the key.
    std::string key(1, static_cast<char>('0' + static_cast<int>(value.state)));
    key += toString(value);
    const auto [entry, isNew] = m_byText.emplace(std::move(key), m_groups.size());
    if (isNew) m_groups.push_back({.value = std::move(value)});
    return m_groups[entry->second];
  }

  const ValueReader m_values;
  ObjectValues m_reader;
  const ObjectFields& m_fields;
  const QueryFieldReference m_field;
  std::vector<ObjectGroup> m_groups;
  std::unordered_map<std::uint32_t, std::size_t> m_bySymbol;
  std::unordered_map<std::string, std::size_t> m_byText;
};

}  // namespace

Outcome<std::vector<ObjectGroup>> groupObjects(const Snapshot& snapshot, const std::vector<std::uint32_t>& ids,
                                               const QueryFieldReference& field, ProgressSink* progress,
                                               std::stop_token stop) {
  HEAPSCAPE_TRY(const ObjectFields fields, ObjectFields::make(snapshot, std::span(&field, 1), nullptr, stop));
  Grouping grouping(fields, field);
  StageProgress adding(progress, "grouping the objects", 0, 1);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (i % kStopInterval == 0) {
      if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      adding.report(static_cast<double>(i) / static_cast<double>(ids.size()));
    }
    if (const auto view = fields.viewOf(ids[i])) grouping.add(*view);
  }
  return std::move(grouping).groups();
}

}  // namespace heapscape::engine
