// SPDX-License-Identifier: MIT
#pragma once

#include <string>
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
  return column<Row>({.name = "kind",
                      .title = "Kind",
                      .meaning = "What kind of insight it is.",
                      .kind = ColumnKind::Choice,
                      .choices = namesOf<InsightKind>(),
                      .isSearched = true},
                     of);
}
template <class Row, class Of>
ColumnOf<Row> insightMeaningColumn(Of of) {
  return column<Row>({.name = "meaning",
                      .title = "Means",
                      .meaning = "Waste, a leak, or what is held.",
                      .kind = ColumnKind::Choice,
                      .choices = namesOf<InsightMeaning>()},
                     of);
}

/// Columns of an owner of objects.
template <class Row, class Of>
ColumnOf<Row> ownerKindColumn(Of of) {
  return column<Row>({.name = "kind",
                      .title = "Kind",
                      .meaning = "What the owner is.",
                      .kind = ColumnKind::Choice,
                      .choices = namesOf<InsightOwner::Kind>()},
                     of);
}

/// Column left out of JSON altogether without contents.
template <class Row>
ColumnOf<Row> contentsOf(const ColumnWords& words, std::string Row::*text) {
  ColumnOf<Row> contents = column<Row>(words, text);
  contents.redacted = [](const Row&) { return Cell(); };
  return contents;
}

/// A text that may name a thread, which is left out with contents.
template <class Row>
ColumnOf<Row> nameWithout(const ColumnWords& words, std::string Row::*text) {
  ColumnOf<Row> name = column<Row>(words, text);
  name.redacted = [text](const Row& row) { return Cell(withoutGivenName(row.*text)); };
  return name;
}

/// Column with an insight in a line; `title`: of the column.
template <class Row>
ColumnOf<Row> insightTitleColumn(const char* title, std::string Row::*text) {
  return nameWithout<Row>({.name = "title", .title = title, .meaning = "What it is, in a line.", .isSearched = true},
                          text);
}
template <class Row>
ColumnOf<Row> insightSubjectColumn(std::string Row::*text) {
  return nameWithout<Row>(
      {.name = "subject", .title = "Subject", .meaning = "The type or member that it is about.", .isSearched = true},
      text);
}

/// A title with what a string holds right behind it.
template <class Row>
ColumnOf<Row> titleWithContents(const ColumnWords& words, std::string Row::*title, std::string Row::*contents) {
  ColumnOf<Row> both = column<Row>(words, [title, contents](const Row& row) {
    return (row.*contents).empty() ? row.*title : row.*title + ": \"" + row.*contents + "\"";
  });
  both.redacted = [title](const Row& row) { return Cell(withoutGivenName(row.*title)); };
  return both;
}

}  // namespace heapscape::engine
