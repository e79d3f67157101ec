// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/given_name.h"
#include "insight/insight.h"
#include "insight/insight_groups.h"
#include "tables/table.h"

namespace heapscape::engine {

/// Insights, but for what each is about, who holds it and what else is known of it.
const TableOf<Insight>& insightsTable();
const TableOf<InsightItem>& insightItemsTable();
const TableOf<InsightOwner>& insightOwnersTable();
const TableOf<InsightFact>& insightFactsTable();
/// Addresses of the costliest ones, as text.
Cell::Words examplesOf(const Insight& insight);

/// An insight, or several of a kind that are told as one, in words.
struct TitledInsights {
  InsightRow row;
  std::string title;
  std::string contents = {};  // of a string, for one insight
  std::string subject = {};   // of one insight: the type or member that it is about, where the title does not say it
  std::string owners = {};    // of one insight: who holds most, and how many more there are
  std::string advice = {};
};
/// Each group as one, however few it has.
std::vector<TitledInsights> titledGroups(const InsightList& list);
/// Groups of more than `few` as one.
std::vector<TitledInsights> titledInsights(const InsightList& list, std::size_t few);
const TableOf<TitledInsights>& insightGroupsTable();

/// Columns of a row's kind of insight and its meaning.
template <class Row, class Of>
ColumnOf<Row> insightKindColumn(Of of) {
  return choiceColumn<Row>("kind", "Kind", "What kind of insight it is.", of).searched();
}
template <class Row, class Of>
ColumnOf<Row> insightMeaningColumn(Of of) {
  return choiceColumn<Row>("meaning", "Means", "Waste, a leak, or what is held.", of);
}

/// Columns of an owner of objects.
template <class Row, class Of>
ColumnOf<Row> ownerKindColumn(Of of) {
  return choiceColumn<Row>("kind", "Kind", "What the owner is.", of);
}

/// Column left out of JSON altogether without contents.
template <class Row>
ColumnOf<Row> contentsOf(std::string_view name, std::string_view title, std::string_view meaning,
                         std::string Row::*text) {
  return textColumn<Row>(name, title, meaning, text).contents().redactedTo([](const Row&) { return Cell(); });
}

/// A text that may name a thread, which is left out with contents.
template <class Row>
ColumnOf<Row> nameWithout(std::string_view name, std::string_view title, std::string_view meaning,
                          std::string Row::*text) {
  return textColumn<Row>(name, title, meaning, text).redactedTo([text](const Row& row) {
    return withoutGivenName(row.*text);
  });
}

/// Column with an insight in a line; `title`: of the column.
template <class Row>
ColumnOf<Row> insightTitleColumn(const char* title, std::string Row::*text) {
  return nameWithout<Row>("title", title, "What it is, in a line.", text).searched();
}
template <class Row>
ColumnOf<Row> insightSubjectColumn(std::string Row::*text) {
  return nameWithout<Row>("subject", "Subject", "The type or member that it is about.", text).searched();
}

/// A title with what a string holds right behind it.
template <class Row>
ColumnOf<Row> titleWithContents(std::string_view meaning, std::string Row::*title, std::string Row::*contents) {
  return textColumn<Row>("what", "What", meaning,
                         [title, contents](const Row& row) {
                           return (row.*contents).empty() ? row.*title : row.*title + ": \"" + row.*contents + "\"";
                         })
      .contents()
      .redactedTo([title](const Row& row) { return withoutGivenName(row.*title); })
      .notInJson();
}

}  // namespace heapscape::engine
