// SPDX-License-Identifier: MIT
#include "session/types/type_query.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <map>

#include "session/objects/scope_walk.h"

namespace heapscape::engine {
namespace {

void add(TypeCounts& counts, const TypeCounts& other) {
  for (std::size_t type = 0; type < counts.count.size(); ++type) {
    counts.count[type] += other.count[type];
    counts.bytes[type] += other.bytes[type];
    counts.components[type] += other.components[type];
    for (std::size_t generation = 0; generation < kGenerationCount; ++generation) {
      counts.generationBytes[type][generation] += other.generationBytes[type][generation];
      counts.generationCount[type][generation] += other.generationCount[type][generation];
    }
  }
}

/// The name part of a query, made ready once.
class NameFilter {
 public:
  static Outcome<NameFilter> make(const TypeQuery& query) {
    NameFilter filter;
    filter.m_nameSpace = query.nameSpace;
    if (query.text.empty()) return filter;
    RE2::Options options;
    options.set_log_errors(false);
    options.set_case_sensitive(false);
    options.set_literal(!query.isRegularExpression);
    filter.m_pattern = std::make_shared<RE2>(query.text, options);
    if (!filter.m_pattern->ok()) {
      return tl::unexpected(Unfinished(
          Error{ErrorCode::BadQuery, fmt::format("This is not a regular expression: {}.", filter.m_pattern->error())}));
    }
    return filter;
  }

  bool accepts(const std::string& name) const {
    if (!m_nameSpace.empty()) {
      const std::string_view own = namespaceOf(name);
      const bool isBelow =
          own.size() > m_nameSpace.size() && own.starts_with(m_nameSpace) && own[m_nameSpace.size()] == '.';
      if (own != m_nameSpace && !isBelow) return false;
    }
    return !m_pattern || RE2::PartialMatch(name, *m_pattern);
  }

 private:
  std::shared_ptr<const RE2> m_pattern;
  std::string m_nameSpace;
};

/// Compares two types by one column, then by name and address, so that every order is a total one.
class TypeOrder {
 public:
  TypeOrder(const Snapshot& snapshot, const TypeCounts& counts, const TypeQuery& query)
      : m_types(snapshot.types()), m_column(query.sortBy), m_descending(query.descending) {
    if (!isText()) {
      m_keys.resize(m_types.size());
      for (std::uint32_t i = 0; i < m_keys.size(); ++i) m_keys[i] = keyOf(snapshot, counts, {i});
    }
  }

  bool operator()(TypeId a, TypeId b) const {
    if (isText()) {
      const int difference = textOf(a).compare(textOf(b));
      if (difference != 0) return m_descending ? difference > 0 : difference < 0;
    } else if (m_keys[a.value] != m_keys[b.value]) {
      return m_descending ? m_keys[a.value] > m_keys[b.value] : m_keys[a.value] < m_keys[b.value];
    }
    const int difference = m_types[a.value].name.compare(m_types[b.value].name);
    return difference != 0 ? difference < 0 : a < b;
  }

 private:
  bool isText() const { return m_column == TypeColumn::Name || m_column == TypeColumn::Assembly; }
  const std::string& textOf(TypeId type) const {
    return m_column == TypeColumn::Name ? m_types[type.value].name : m_types[type.value].assembly;
  }
  std::uint64_t keyOf(const Snapshot& snapshot, const TypeCounts& counts, TypeId type) const {
    switch (m_column) {
      case TypeColumn::Count:
        return counts.count[type.value];
      case TypeColumn::AverageBytes:
        return counts.count[type.value] ? counts.bytes[type.value] / counts.count[type.value] : 0;
      case TypeColumn::PaddingBytes:
        return paddingBytesOf(snapshot, counts, type);
      case TypeColumn::RetainedBytes:
        return snapshot.typeRetained().empty() ? 0 : snapshot.typeRetained()[type.value].retainedBytes;
      default:
        return counts.bytes[type.value];
    }
  }

  const std::vector<TypeRow>& m_types;
  TypeColumn m_column;
  bool m_descending;
  std::vector<std::uint64_t> m_keys;
};

}  // namespace

Outcome<TypeCounts> countTypes(const Snapshot& snapshot, const HeapScope& scope, std::stop_token stop) {
  const Contents& contents = snapshot.contents();
  if (!contents.heap || scope.isWhole()) return snapshot.typeCounts();
  const std::vector<TypeRow>& types = snapshot.types();
  tbb::enumerable_thread_specific<TypeCounts> locals([&] { return TypeCounts(types.size()); });
  const bool done = visitScope(
      contents, scope, locals,
      [](TypeCounts& counts, const ObjectFacts& facts, Generation generation) {
        const std::uint32_t type = facts.type.value;
        ++counts.count[type];
        counts.bytes[type] += facts.alignedBytes();
        counts.components[type] += facts.components;
        ++counts.generationCount[type][static_cast<std::size_t>(generation)];
        counts.generationBytes[type][static_cast<std::size_t>(generation)] += facts.alignedBytes();
      },
      stop);
  if (!done) return tl::unexpected(Unfinished::cancelled());
  TypeCounts sum(types.size());
  for (const TypeCounts& local : locals) add(sum, local);
  return sum;
}

std::uint64_t paddingBytesOf(const Snapshot& snapshot, const TypeCounts& counts, TypeId type) {
  const auto& paddings = *snapshot.contents().paddings;
  if (type.value >= paddings.size()) return 0;
  return paddings[type.value].ofObject * counts.count[type.value] +
         paddings[type.value].ofElement * counts.components[type.value];
}

Outcome<TypeSelection> selectTypes(const Snapshot& snapshot, const TypeCounts& counts, const TypeQuery& query,
                                   std::stop_token stop) {
  HEAPSCAPE_TRY(const NameFilter filter, NameFilter::make(query));
  TypeSelection selection;
  const std::vector<TypeRow>& types = snapshot.types();
  for (std::uint32_t i = 0; i < types.size(); ++i) {
    if (i % 1024 == 0 && stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    if (counts.count[i] == 0 || (types[i].isFree && !query.includeFree) || !filter.accepts(types[i].name)) continue;
    selection.types.push_back({i});
    selection.objects += counts.count[i];
    selection.bytes += counts.bytes[i];
    selection.paddingBytes += paddingBytesOf(snapshot, counts, {i});
  }
  const TypeOrder order(snapshot, counts, query);
  std::sort(selection.types.begin(), selection.types.end(), [&order](TypeId a, TypeId b) { return order(a, b); });
  return selection;
}

}  // namespace heapscape::engine
