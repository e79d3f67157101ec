// SPDX-License-Identifier: MIT
#include "insight/insight_groups.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/figures.h"

namespace heapscape::engine {

void InsightGroup::append(const InsightGroup& other) {
  m_shares.insert(m_shares.end(), other.m_shares.begin(), other.m_shares.end());
  m_claims.insert(m_claims.end(), other.m_claims.begin(), other.m_claims.end());
  m_bytes += other.m_bytes;
}

void InsightGroup::reserve(std::size_t objects, std::size_t claims) {
  m_shares.reserve(objects);
  m_claims.reserve(claims);
}

FoundInsight InsightGroup::finish(const InsightInput& input, InsightKind kind, const TextOf& textOf) {
  FoundInsight found{{.kind = kind, .isFramework = m_isFramework, .bytes = m_bytes, .objects = m_shares.size()}};
  if (!m_type.isNone()) {
    found.insight.subject = input.row(m_type).name;
    found.insight.methodTable = input.row(m_type).methodTable;
  }
  found.claims = std::move(m_claims);
  found.insight.owners = input.ownership.ownersOf(m_shares);
  found.insight.ids.reserve(m_shares.size());
  for (const Ownership::Share& share : m_shares) found.insight.ids.push_back(share.object);
  std::ranges::sort(found.insight.ids);
  const auto shown = static_cast<std::ptrdiff_t>(std::min(m_shares.size(), Insight::kMaximumItems));
  std::ranges::partial_sort(m_shares, m_shares.begin() + shown, {},
                            [](const Ownership::Share& share) { return std::tuple(~share.bytes, share.object); });
  for (const Ownership::Share& share : std::span(m_shares).first(static_cast<std::size_t>(shown)))
    found.insight.items.push_back({input.addressOf(share.object), share.bytes, textOf ? textOf(share.object) : ""});
  return found;
}

InsightGroup& GroupsByType::of(const InsightInput& input, TypeId type, std::uint32_t object) {
  const bool isFramework = input.ownership.isHeldByFramework(object);
  return m_groups.try_emplace({type.value, isFramework}, type, isFramework).first->second;
}

GroupsByType GroupsByType::join(std::span<GroupsByType> parts) {
  // A vector that grows is there twice while it moves, and has room that it does not need.
  std::map<std::pair<std::uint32_t, bool>, std::pair<std::size_t, std::size_t>> room;
  for (const GroupsByType& part : parts) {
    for (const auto& [key, group] : part.m_groups) {
      room[key].first += group.objects();
      room[key].second += group.claims();
    }
  }
  GroupsByType all;
  for (GroupsByType& part : parts) {
    for (const auto& [key, group] : part.m_groups) {
      const auto [found, isNew] = all.m_groups.try_emplace(key, group.type(), group.isFramework());
      if (isNew) found->second.reserve(room[key].first, room[key].second);
      found->second.append(group);
    }
    part.m_groups.clear();
  }
  return all;
}

void GroupsByType::finish(const InsightInput& input, InsightKind kind, const Describe& describe, FoundInsights& found,
                          const InsightGroup::TextOf& textOf) {
  for (auto& [key, group] : m_groups) {
    if (!group.objects() || !group.bytes()) continue;
    if (group.bytes() < input.minimumBytes) {
      ++found.smallInsights;
      found.smallBytes += group.bytes();
      continue;
    }
    FoundInsight one = group.finish(input, kind, textOf);
    describe(one.insight, group);
    found.insights.push_back(std::move(one));
    group = InsightGroup();  // of millions of objects several groups at once are what memory they all need
  }
}

namespace {

void sortByBytes(std::vector<InsightRow>& rows) {
  std::ranges::stable_sort(rows, std::greater(), &InsightRow::bytes);
}

InsightRow rowOf(const Insight& insight, std::uint32_t index) {
  return {insight.kind, insight.meaning, insight.isFramework, insight.bytes, insight.objects, {index}};
}

}  // namespace

std::vector<InsightRow> groupsOfInsights(const InsightList& list) {
  std::map<std::tuple<InsightMeaning, InsightKind, bool>, InsightRow> groups;
  for (std::uint32_t i = 0; i < list.insights.size(); ++i) {
    const Insight& insight = list.insights[i];
    InsightRow& group = groups[{insight.meaning, insight.kind, insight.isFramework}];
    group.kind = insight.kind;
    group.meaning = insight.meaning;
    group.isFramework = insight.isFramework;
    group.bytes += insight.bytes - std::min(insight.bytes, insight.sharedBytes);
    group.objects += insight.objects;
    group.insights.push_back(i);
  }
  std::vector<InsightRow> rows;
  for (auto& [key, group] : groups) rows.push_back(std::move(group));
  sortByBytes(rows);
  return rows;
}

std::vector<InsightRow> insightRows(const InsightList& list, std::size_t few) {
  std::vector<InsightRow> rows;
  for (InsightRow& group : groupsOfInsights(list)) {
    if (group.insights.size() > few) {
      rows.push_back(std::move(group));
      continue;
    }
    for (const std::uint32_t index : group.insights) rows.push_back(rowOf(list.insights[index], index));
  }
  sortByBytes(rows);
  std::ranges::stable_partition(
      rows, [](const InsightRow& row) { return row.bytes > 0 && row.meaning != InsightMeaning::Held; });
  return rows;
}

std::string insightGroupTitle(InsightKind kind, std::uint64_t insights, std::uint64_t objects) {
  const InsightKindWords& nouns = insightWords(kind);
  const std::string subjects = countOf(insights, nouns.subject);
  return objects ? subjects + ", " + countOf(objects, nouns.object) : subjects;
}

}  // namespace heapscape::engine
