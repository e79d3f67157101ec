// SPDX-License-Identifier: MIT
#include "insight/insight_tables.h"

#include <fmt/format.h>

#include <algorithm>

namespace heapscape::engine {

namespace {

constexpr std::size_t kExamples = 10;

Cell addressOrUnknown(Address address) {
  return address ? Cell(address) : Cell(Cell::Unknown{});
}

ColumnOf<Insight> insightContents() {
  return contentsOf<Insight>({.name = "contents",
                              .title = "Text",
                              .meaning = "What a string holds, cut at 200 characters.",
                              .isSearched = true,
                              .holdsContents = true},
                             &Insight::contents);
}

ColumnOf<InsightItem> itemText() {
  return contentsOf<InsightItem>(
      {.name = "text", .title = "What it is", .meaning = "What there is to say of it.", .holdsContents = true},
      &InsightItem::text);
}

std::vector<ColumnOf<Insight>> insightColumns() {
  using Row = Insight;
  return {
      insightKindColumn<Row>(&Row::kind),
      insightMeaningColumn<Row>(&Row::meaning),
      insightTitleColumn<Row>("What", &Row::title),
      insightSubjectColumn<Row>(&Row::subject),
      insightContents(),
      column<Row>({.name = "bytes",
                   .title = "Bytes",
                   .meaning = "What the heap would shrink by; 0 where it is about time or health.",
                   .kind = ColumnKind::Bytes},
                  &Row::bytes),
      column<Row>({.name = "sharedBytes",
                   .title = "Shared",
                   .meaning = "Of these, counted by insights of earlier kinds already.",
                   .kind = ColumnKind::Bytes,
                   .hidesZero = true},
                  &Row::sharedBytes),
      column<Row>({.name = "exact",
                   .title = "Exact",
                   .meaning = "Not only words of stacks that may be no references hold it.",
                   .kind = ColumnKind::Flag},
                  [](const Row& r) { return !r.isInexact; }),
      column<Row>(
          {.name = "objects", .title = "Objects", .meaning = "Objects that it is about.", .kind = ColumnKind::Count},
          &Row::objects),
      column<Row>({.name = "type",
                   .title = "Type",
                   .meaning = "The type that it is about; empty if it is about none.",
                   .kind = ColumnKind::TypeName},
                  [](const Row& r) { return r.methodTable ? r.subject : std::string(); }),
      column<Row>({.name = "methodTable",
                   .title = "Method table",
                   .meaning = "Address of its method table.",
                   .kind = ColumnKind::Address},
                  [](const Row& r) { return addressOrUnknown(r.methodTable); }),
      column<Row>({.name = "framework",
                   .title = "Framework",
                   .meaning = "The framework's own types alone hold it.",
                   .kind = ColumnKind::Flag},
                  &Row::isFramework),
      column<Row>({.name = "advice", .title = "Advice", .meaning = "What would win it back."}, &Row::advice),
      column<Row>({.name = "examples",
                   .title = "Examples",
                   .meaning = "Addresses of the costliest ones.",
                   .kind = ColumnKind::Words},
                  &examplesOf)};
}

TitledInsights titledGroup(const InsightList& list, InsightRow row) {
  const std::string& advice = list.insights[row.insights.front()].advice;
  std::string title = insightGroupTitle(row.kind, row.insights.size(), row.objects);
  return {.row = std::move(row), .title = std::move(title), .advice = advice};
}

// "static Shop.Cache.entries and 3 more".
std::string ownersText(const Insight& insight) {
  if (insight.owners.empty()) return {};
  const std::size_t more = insight.owners.size() - 1;
  return insight.owners.front().name + (more ? fmt::format(" and {} more", more) : "");
}

}  // namespace

Cell::Words examplesOf(const Insight& insight) {
  Cell::Words addresses;
  for (std::size_t i = 0; i < std::min(kExamples, insight.items.size()); ++i)
    addresses.push_back(toString(insight.items[i].object));
  return addresses;
}

const TableOf<Insight>& insightsTable() {
  static const TableOf<Insight> table{
      "insights",
      insightColumns(),
      {"bytes", "objects", "kind", "meaning", "framework", "title", "contents"},
      {"kind", "meaning", "bytes", "sharedBytes", "objects", "framework", "subject", "title", "contents"}};
  return table;
}

const TableOf<InsightItem>& insightItemsTable() {
  using Row = InsightItem;
  static const TableOf<Row> table = TableOf<Row>{"items",
                                                 {column<Row>({.name = "address",
                                                               .title = "Object",
                                                               .meaning = "The object, or the free object.",
                                                               .kind = ColumnKind::Address},
                                                              &Row::object),
                                                  column<Row>({.name = "bytes",
                                                               .title = "Bytes",
                                                               .meaning = "Its share.",
                                                               .kind = ColumnKind::Bytes,
                                                               .isAdditive = true,
                                                               .hidesZero = true},
                                                              &Row::bytes),
                                                  itemText()}}
                                        .about("address")
                                        .onOneLine();
  return table;
}

const TableOf<InsightOwner>& insightOwnersTable() {
  using Row = InsightOwner;
  static const TableOf<Row> table = TableOf<Row>{
      "owners",
      {ownerKindColumn<Row>(&Row::kind),
       nameWithout<Row>({.name = "name", .title = "Owner", .meaning = "Static, type or thread."}, &Row::name),
       column<Row>(
           {.name = "object", .title = "Object", .meaning = "Of an object that holds it.", .kind = ColumnKind::Address},
           [](const Row& r) { return addressOrUnknown(r.object); }),
       column<Row>({.name = "methodTable",
                    .title = "Method table",
                    .meaning = "Of a type, and of an object's type.",
                    .kind = ColumnKind::Address},
                   [](const Row& r) { return addressOrUnknown(r.methodTable); }),
       column<Row>({.name = "objects",
                    .title = "Objects",
                    .meaning = "How many of the insight it holds.",
                    .kind = ColumnKind::Count},
                   &Row::objects),
       column<Row>({.name = "bytes",
                    .title = "Bytes",
                    .meaning = "What these take up.",
                    .kind = ColumnKind::Bytes,
                    .isAdditive = true},
                   &Row::bytes)}}.onOneLine();
  return table;
}

const TableOf<InsightFact>& insightFactsTable() {
  using Row = InsightFact;
  static const TableOf<Row> table = TableOf<Row>{
      "facts",
      {nameWithout<Row>({.name = "label", .title = "Fact", .meaning = "What is known."}, &Row::label),
       nameWithout<Row>({.name = "value", .title = "Value", .meaning = "How much or what it is."},
                        &Row::value)}}.onOneLine();
  return table;
}

std::vector<TitledInsights> titledGroups(const InsightList& list) {
  std::vector<TitledInsights> rows;
  for (InsightRow& row : groupsOfInsights(list)) rows.push_back(titledGroup(list, std::move(row)));
  return rows;
}

std::vector<TitledInsights> titledInsights(const InsightList& list, std::size_t few) {
  std::vector<TitledInsights> rows;
  for (InsightRow& row : insightRows(list, few)) {
    if (row.isGroup()) {
      rows.push_back(titledGroup(list, std::move(row)));
      continue;
    }
    const Insight& one = list.insights[row.insights.front()];
    const bool namesSubject = one.title.find(one.subject) != std::string::npos;
    rows.push_back({.row = std::move(row),
                    .title = one.title,
                    .contents = one.contents,
                    .subject = namesSubject ? std::string() : one.subject,
                    .owners = ownersText(one),
                    .advice = one.advice});
  }
  return rows;
}

const TableOf<TitledInsights>& insightGroupsTable() {
  using Row = TitledInsights;
  static const TableOf<Row> table = TableOf<Row>{
      "groups",
      {insightKindColumn<Row>([](const Row& r) { return r.row.kind; }),
       insightMeaningColumn<Row>([](const Row& r) { return r.row.meaning; }),
       column<Row>({.name = "framework",
                    .title = "Framework",
                    .meaning = "The framework's own types alone hold it.",
                    .kind = ColumnKind::Flag},
                   [](const Row& r) { return r.row.isFramework; }),
       insightTitleColumn<Row>("Insight", &Row::title),
       column<Row>(
           {.name = "insights", .title = "Insights", .meaning = "How many it adds up.", .kind = ColumnKind::Count},
           [](const Row& r) { return r.row.insights.size(); }),
       column<Row>(
           {.name = "objects", .title = "Objects", .meaning = "Objects that it is about.", .kind = ColumnKind::Count},
           [](const Row& r) { return r.row.objects; }),
       column<Row>(
           {.name = "bytes", .title = "Bytes", .meaning = "What the heap would shrink by.", .kind = ColumnKind::Bytes},
           [](const Row& r) { return r.row.bytes; }),
       titleWithContents<Row>({.name = "what",
                               .title = "What",
                               .meaning = "The same, with what a string holds.",
                               .holdsContents = true,
                               .isInJson = false},
                              &Row::title, &Row::contents),
       contentsOf<Row>({.name = "text",
                        .title = "Text",
                        .meaning = "What a string holds.",
                        .holdsContents = true,
                        .isInJson = false},
                       &Row::contents),
       nameWithout<Row>({.name = "subject",
                         .title = "Of",
                         .meaning = "The type or member that it is about, where the line does not say it.",
                         .isInJson = false},
                        &Row::subject),
       nameWithout<Row>({.name = "owners",
                         .title = "Held by",
                         .meaning = "Who holds most of it, and how many more there are.",
                         .isInJson = false},
                        &Row::owners),
       column<Row>({.name = "advice", .title = "Advice", .meaning = "What would win it back.", .isInJson = false},
                   &Row::advice)},
      {"bytes", "objects", "kind", "meaning", "framework",
       "what"}}.onOneLine();
  return table;
}

}  // namespace heapscape::engine
