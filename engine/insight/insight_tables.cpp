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
  using Row = Insight;
  static const TableOf<Insight> table{
      "insights",
      {insightKindColumn<Row>(&Row::kind), insightMeaningColumn<Row>(&Row::meaning),
       insightTitleColumn<Row>("What", &Row::title), insightSubjectColumn<Row>(&Row::subject),
       contentsOf<Row>("contents", "Text", "What a string holds, cut at 200 characters.", &Row::contents).searched(),
       bytesColumn<Row>("bytes", "Bytes", "What the heap would shrink by; 0 where it is about time or health.",
                        &Row::bytes),
       bytesColumn<Row>("sharedBytes", "Shared", "Of these, counted by insights of earlier kinds already.",
                        &Row::sharedBytes)
           .hidingZero(),
       flagColumn<Row>("exact", "Exact", "Not only words of stacks that may be no references hold it.",
                       [](const Row& r) { return !r.isInexact; }),
       countColumn<Row>("objects", "Objects", "Objects that it is about.", &Row::objects),
       typeColumn<Row>("type", "Type", "The type that it is about; empty if it is about none.",
                       [](const Row& r) { return r.methodTable ? r.subject : std::string(); }),
       addressColumn<Row>("methodTable", "Method table", "Address of its method table.",
                          [](const Row& r) { return addressOrUnknown(r.methodTable); }),
       flagColumn<Row>("framework", "Framework", "Only .NET's own types hold it.", &Row::isFramework),
       textColumn<Row>("advice", "Advice", "What would win it back.", &Row::advice),
       wordsColumn<Row>("examples", "Examples", "Addresses of the costliest ones.", &examplesOf)},
      {"bytes", "objects", "kind", "meaning", "framework", "title", "contents"},
      {"kind", "meaning", "bytes", "sharedBytes", "objects", "framework", "subject", "title", "contents"}};
  return table;
}

const TableOf<InsightItem>& insightItemsTable() {
  using Row = InsightItem;
  static const TableOf<Row> table =
      TableOf<Row>{"items",
                   {addressColumn<Row>("address", "Object", "The object, or the free object.", &Row::object),
                    bytesColumn<Row>("bytes", "Bytes", "Its share.", &Row::bytes).additive().hidingZero(),
                    contentsOf<Row>("text", "What it is", "What there is to say of it.", &Row::text)}}
          .about("address")
          .onOneLine();
  return table;
}

const TableOf<InsightOwner>& insightOwnersTable() {
  using Row = InsightOwner;
  static const TableOf<Row> table =
      TableOf<Row>{
          "owners",
          {ownerKindColumn<Row>(&Row::kind), nameWithout<Row>("name", "Owner", "Static, type or thread.", &Row::name),
           addressColumn<Row>("object", "Object", "Of an object that holds it.",
                              [](const Row& r) { return addressOrUnknown(r.object); }),
           addressColumn<Row>("methodTable", "Method table", "Of a type, and of an object's type.",
                              [](const Row& r) { return addressOrUnknown(r.methodTable); }),
           countColumn<Row>("objects", "Objects", "How many of the insight it holds.", &Row::objects),
           bytesColumn<Row>("bytes", "Bytes", "What these take up.", &Row::bytes).additive()}}
          .onOneLine();
  return table;
}

const TableOf<InsightFact>& insightFactsTable() {
  using Row = InsightFact;
  static const TableOf<Row> table = TableOf<Row>{
      "facts",
      {nameWithout<Row>("label", "Fact", "What is known.", &Row::label),
       nameWithout<Row>("value", "Value", "How much or what it is.",
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
       flagColumn<Row>("framework", "Framework", "Only .NET's own types hold it.",
                       [](const Row& r) { return r.row.isFramework; }),
       insightTitleColumn<Row>("Insight", &Row::title),
       countColumn<Row>("insights", "Insights", "How many it adds up.",
                        [](const Row& r) { return r.row.insights.size(); }),
       countColumn<Row>("objects", "Objects", "Objects that it is about.", [](const Row& r) { return r.row.objects; }),
       bytesColumn<Row>("bytes", "Bytes", "What the heap would shrink by.", [](const Row& r) { return r.row.bytes; }),
       titleWithContents<Row>("The same, with what a string holds.", &Row::title, &Row::contents),
       contentsOf<Row>("text", "Text", "What a string holds.", &Row::contents).notInJson(),
       nameWithout<Row>("subject", "Of", "The type or member that it is about, where the line does not say it.",
                        &Row::subject)
           .notInJson(),
       nameWithout<Row>("owners", "Held by", "Who holds most of it, and how many more there are.", &Row::owners)
           .notInJson(),
       textColumn<Row>("advice", "Advice", "What would win it back.", &Row::advice).notInJson()},
      {"bytes", "objects", "kind", "meaning", "framework",
       "what"}}.onOneLine();
  return table;
}

}  // namespace heapscape::engine
