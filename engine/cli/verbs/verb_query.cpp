// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "base/given_name.h"
#include "cli/arguments.h"
#include "cli/context.h"
#include "cli/verb.h"
#include "lists/lists.h"
#include "output/query_table.h"
#include "query/objects/object_search.h"
#include "query/rows/table_query.h"
#include "session/objects/object_query.h"
#include "session/snapshot/stage_clock.h"

namespace heapscape::cli {

namespace {

using engine::ObjectField;
using engine::Outcome;
using engine::QueryFieldReference;
using engine::QueryTable;
using engine::QueryValue;

constexpr std::size_t kRowsUnlessAsked = 1000;

constexpr const char* kObjects = "objects";

/// Something that was typed and is no query; its place is shown.
engine::Unfinished wrongQuery(const std::string& text, const engine::QueryError& error) {
  fmt::print(stderr, "{}", engine::markedQuery(text, error));
  return engine::toError(error);
}

class QueryVerb : public Verb {
 public:
  const char* name() const override { return "query"; }
  const char* summary() const override { return "Objects, types or rows of a list that fit an expression"; }
  bool hasTsv() const override { return true; }
  ExitStatus failureStatus() const override { return m_isQueryWrong ? kWrongUsage : kInputUnusable; }

  void addOptions(CLI::App& app) override {
    app.add_option(
           "QUERY", m_words,
           "As in 'type ~ \"Order\" and size > 1KB'; everything without it. More dumps may stand in front of it")
        ->type_name("[DUMP...] [QUERY]");
    std::vector<std::string> subjects{kObjects};
    for (const engine::List& list : engine::allLists()) subjects.emplace_back(list.name);
    app.add_option("--of", m_subject, "What to look at, objects if not given")
        ->check(CLI::IsMember(subjects))
        ->type_name(fmt::format("{}", fmt::join(subjects, "|")));
    app.add_option("--columns", m_columns,
                   "More fields of objects, or of those that rows are about, as in 'value,field(\"Name\")'")
        ->type_name("FIELD,...");
    app.add_option("--sort", m_sort, "Sort by a field, the largest first with a - behind it")->type_name("FIELD[-]");
    app.add_option("--objects", m_objectFiles,
                   "Make the objects at the addresses in FILE, one a line, known as a set: set = NAME")
        ->type_name("NAME=FILE");
    CLI::Option* count = app.add_flag("--count", m_onlyCount, "Only totals");
    app.add_option("--group-by", m_groupBy, "Add up objects, or count rows, by what a field holds")
        ->type_name("FIELD")
        ->excludes(count);
  }

  Outcome<void> run(Context& context) override {
    HEAPSCAPE_TRY(const std::vector<std::string> dumps, readWords(context.options().input));
    if (dumps.size() > 1) return runSeveral(context, dumps);
    HEAPSCAPE_TRY(const Found found, find(context, dumps.front()));
    return write(context, engine::factsOf(found.snapshot), found.table, found.findings);
  }

 private:
  /// What fits the query in one dump.
  struct Found {
    engine::Snapshot snapshot;
    QueryTable table;
    engine::FindingList findings = {};         // made as rows were read
    std::optional<std::size_t> sortedBy = {};  // the column that rows are in the order of
  };

  Outcome<Found> find(Context& context, const std::string& dump) {
    return m_subject == kObjects ? findObjects(context, dump) : findRows(context, dump, *engine::findList(m_subject));
  }

  Outcome<engine::Snapshot> open(Context& context, const std::string& dump, bool byType, HeapUse heap) const {
    const engine::RetainedOptions retained{.byType = byType};
    return m_isOfSeveral ? context.openOneOf(dump, engine::Stage::Retained, retained, heap)
                         : context.open(dump, engine::Stage::Retained, retained, heap);
  }

  /// The dumps, and the query behind them: of the words those that are no files.
  Outcome<std::vector<std::string>> readWords(const std::string& input) {
    std::vector<std::string> dumps{input};
    for (std::size_t i = 0; i < m_words.size(); ++i) {
      std::error_code ignored;
      if (std::filesystem::is_regular_file(m_words[i], ignored)) {
        dumps.push_back(m_words[i]);
      } else if (i + 1 == m_words.size()) {
        m_query = m_words[i];
      } else {
        return tl::unexpected(engine::Unfinished(
            engine::Error{engine::ErrorCode::FileUnreadable, fmt::format("{} is no file.", m_words[i]),
                          "Only the last word may be the query; put it in quotation marks as a whole."}));
      }
    }
    return dumps;
  }

  /// Rows of all dumps with the dump as their first column, in one order. One is let go before the next is opened.
  Outcome<void> runSeveral(Context& context, const std::vector<std::string>& dumps) {
    QueryTable all;
    engine::InputFacts facts;
    engine::FindingList findings;
    std::optional<std::size_t> sortedBy;
    m_isOfSeveral = true;
    for (const std::string& dump : dumps) {
      HEAPSCAPE_TRY(Found found, find(context, dump));
      const engine::InputFacts of = engine::factsOf(found.snapshot);
      facts.isComplete = facts.isComplete && of.isComplete;
      facts.findingsLeftOut += of.findingsLeftOut;
      for (engine::Finding finding : of.findings) {
        finding.message = fmt::format("{}: {}", dump, finding.message);
        facts.findings.push_back(std::move(finding));
      }
      findings.append(found.findings);
      sortedBy = found.sortedBy;
      addRows(all, std::move(found.table), dump);
      HEAPSCAPE_CHECK(context.letGo());
    }
    if (!facts.isComplete) facts.note = "something was missing or damaged in these dumps, see heapscape-cli info.";
    if (sortedBy) {
      const std::size_t column = *sortedBy + 1;  // behind the dump
      std::ranges::stable_sort(all.rows, [&](const auto& left, const auto& right) {
        return m_sort.ends_with('-') ? engine::isBefore(right[column], left[column])
                                     : engine::isBefore(left[column], right[column]);
      });
    }
    if (const std::size_t most = rowLimit(context); all.rows.size() > most) all.rows.resize(most);
    return write(context, facts, all, findings);
  }

  static void addRows(QueryTable& all, QueryTable&& of, const std::string& dump) {
    if (all.columns.empty()) {
      all.noun = of.noun;
      all.columns = std::move(of.columns);
      all.columns.insert(all.columns.begin(), {"dump", engine::QueryKind::Text});
    }
    for (std::vector<QueryValue>& row : of.rows) {
      row.insert(row.begin(), QueryValue::ofText(dump));
      all.rows.push_back(std::move(row));
    }
    all.rowsInAll += of.rowsInAll;
    for (const engine::TableTotal& total : of.totals) {
      const auto known = std::ranges::find(all.totals, total.name, &engine::TableTotal::name);
      if (known == all.totals.end())
        all.totals.push_back(total);
      else
        known->value += total.value;
    }
    for (std::string& note : of.notes)
      if (std::ranges::find(all.notes, note) == all.notes.end()) all.notes.push_back(std::move(note));
  }

  std::size_t rowLimit(const Context& context) const {
    return m_groupBy.empty() ? context.options().top.value_or(kRowsUnlessAsked) : context.options().rowLimit();
  }

  /// Adds the field that rows are sorted by, which several dumps are laid together by.
  static std::optional<std::size_t> placeOf(const std::optional<QueryFieldReference>& order,
                                            std::vector<QueryFieldReference>& columns, bool isAdded) {
    if (!order) return std::nullopt;
    const auto known = std::ranges::find(columns, *order);
    if (known != columns.end()) return static_cast<std::size_t>(known - columns.begin());
    if (!isAdded) return std::nullopt;
    columns.push_back(*order);
    return columns.size() - 1;
  }

  struct Order {
    std::optional<QueryFieldReference> field;
    bool descending = false;
  };

  tl::unexpected<engine::Unfinished> wrong(const std::string& text, const engine::QueryError& error) {
    m_isQueryWrong = true;
    return tl::unexpected(wrongQuery(text, error));
  }

  Outcome<engine::Query> readQuery(const engine::QuerySchema& schema) {
    auto query = engine::makeQuery(m_query, schema);
    if (!query) return wrong(m_query, query.error());
    return std::move(*query);
  }

  Outcome<QueryFieldReference> readField(const std::string& text, const engine::QuerySchema& schema) {
    auto field = engine::parseQueryField(text, schema);
    if (!field) return wrong(text, field.error());
    return std::move(*field);
  }

  Outcome<Order> readOrder(const engine::QuerySchema& schema) {
    if (m_sort.empty()) return Order{};
    const bool descending = m_sort.ends_with('-');
    HEAPSCAPE_TRY(auto field, readField(m_sort.substr(0, m_sort.size() - (descending ? 1 : 0)), schema));
    return Order{std::move(field), descending};
  }

  // At commas that stand in no quotation marks.
  static std::vector<std::string> splitColumns(const std::string& text) {
    std::vector<std::string> parts(text.empty() ? 0 : 1);
    bool isQuoted = false;
    for (const char c : text) {
      if (c == '"') isQuoted = !isQuoted;
      if (c == ',' && !isQuoted) {
        parts.emplace_back();
      } else {
        parts.back() += c;
      }
    }
    return parts;
  }

  static bool holdsContents(const QueryFieldReference& field, const engine::QuerySchema& schema) {
    return field.field == QueryFieldReference::kObjectField || schema.fields[field.field].holdsContents;
  }

  /// Adds what was asked for beside the columns that are there anyway, but for contents where these are left out.
  Outcome<void> addColumns(std::vector<QueryFieldReference>& columns, const Context& context,
                           const engine::QuerySchema& schema) {
    for (const std::string& column : splitColumns(m_columns)) {
      HEAPSCAPE_TRY(QueryFieldReference field, readField(column, schema));
      const bool isThere = std::ranges::find(columns, field) != columns.end();
      if (!isThere && !(context.options().redact && holdsContents(field, schema))) columns.push_back(std::move(field));
    }
    return {};
  }

  Outcome<std::optional<QueryFieldReference>> readGroupBy(const Context& context, const engine::QuerySchema& schema) {
    if (m_groupBy.empty()) return std::optional<QueryFieldReference>();
    HEAPSCAPE_TRY(QueryFieldReference field, readField(m_groupBy, schema));
    if (context.options().redact && holdsContents(field, schema)) {
      m_isQueryWrong = true;
      return tl::unexpected(engine::Unfinished(
          engine::Error{engine::ErrorCode::BadQuery, "With --redact nothing can be grouped by contents."}));
    }
    return std::optional(std::move(field));
  }

  Outcome<engine::ObjectSearch> readSearch(const Context& context) {
    const engine::QuerySchema& schema = engine::objectSchema();
    engine::ObjectSearch search;
    HEAPSCAPE_TRY(search.query, readQuery(schema));
    HEAPSCAPE_TRY(Order order, readOrder(schema));
    search.sortBy = std::move(order.field);
    search.descending = order.descending;
    search.columns = {referenceTo(ObjectField::Address),  referenceTo(ObjectField::Type),
                      referenceTo(ObjectField::Size),     referenceTo(ObjectField::Bytes),
                      referenceTo(ObjectField::Retained), referenceTo(ObjectField::Gen)};
    HEAPSCAPE_CHECK(addColumns(search.columns, context, schema));
    const bool wantsRows = !m_onlyCount && m_groupBy.empty();
    search.limit = wantsRows ? context.options().top.value_or(kRowsUnlessAsked) : 0;
    return search;
  }

  Outcome<std::shared_ptr<const engine::ObjectSets>> readSets(const engine::Snapshot& snapshot,
                                                              const std::stop_token& stop) {
    auto sets = std::make_shared<engine::ObjectSets>();
    for (const std::string& given : m_objectFiles) {
      const std::size_t equals = given.find('=');
      if (equals == std::string::npos || equals == 0) {
        m_isQueryWrong = true;
        return tl::unexpected(engine::Unfinished(
            engine::Error{engine::ErrorCode::BadQuery, fmt::format("“{}” does not name a set.", given),
                          "--objects needs a name and a file, as in --objects leaked=addresses.txt."}));
      }
      HEAPSCAPE_TRY(auto addresses, readAddressFile(given.substr(equals + 1), "file of objects"));
      HEAPSCAPE_TRY(auto ids, engine::idsOfSet(snapshot, {.objects = std::move(addresses)}, stop));
      sets->insert_or_assign(given.substr(0, equals),
                             std::make_shared<const std::vector<std::uint32_t>>(std::move(ids)));
    }
    return sets;
  }

  Outcome<Found> findObjects(Context& context, const std::string& dump) {
    const engine::QuerySchema& schema = engine::objectSchema();
    HEAPSCAPE_TRY(engine::ObjectSearch search, readSearch(context));
    HEAPSCAPE_TRY(const std::optional<QueryFieldReference> groupBy, readGroupBy(context, schema));
    const bool addsOrder =
        m_isOfSeveral && search.sortBy && !(context.options().redact && holdsContents(*search.sortBy, schema));
    const std::optional<std::size_t> sortedBy = placeOf(search.sortBy, search.columns, addsOrder);
    HEAPSCAPE_TRY(engine::Snapshot snapshot, open(context, dump, false, HeapUse::Graph));
    HEAPSCAPE_TRY(search.sets, readSets(snapshot, context.stop()));
    HEAPSCAPE_TRY(engine::FoundObjects found, searchIn(snapshot, search, context.stop()));
    HEAPSCAPE_TRY(const engine::RetainedSet set, measure(snapshot, found, context.stop()));
    QueryTable table{.noun = schema.noun, .columns = {}, .rows = {}, .rowsInAll = found.objects, .totals = {}};
    if (groupBy) {
      HEAPSCAPE_TRY(const auto groups, engine::groupObjects(snapshot, found.ids, *groupBy, nullptr, context.stop()));
      fillGroups(table, *groupBy, groups.groups, context.options().rowLimit());
    } else {
      for (const QueryFieldReference& column : search.columns) table.columns.push_back(columnOf(column, schema));
      for (engine::FoundObject& row : found.rows) table.rows.push_back(std::move(row.columns));
    }
    table.totals = {{"objects", found.objects},
                    {"bytes", found.bytes, true},
                    {"retained", set.retained.bytes, true},
                    {"retainedObjects", set.retained.objects}};
    if (found.unreadable) table.totals.push_back({"unreadable", found.unreadable});
    for (const std::string& path : found.unknownFields)
      table.notes.push_back(fmt::format("No type on the heap has a field(\"{}\").", path));
    if (search.query.isPlainText && found.objects == 0)
      table.notes.push_back(fmt::format("“{}” is no comparison, so it was looked for in names of types.", m_query));
    return Found{std::move(snapshot), std::move(table), {}, groupBy ? std::nullopt : sortedBy};
  }

  Outcome<engine::FoundObjects> searchIn(const engine::Snapshot& snapshot, const engine::ObjectSearch& search,
                                         const std::stop_token& stop) {
    const engine::StageClock clock(m_timings, "query");
    return engine::findObjects(snapshot, search, nullptr, stop);
  }
  Outcome<engine::RetainedSet> measure(const engine::Snapshot& snapshot, const engine::FoundObjects& found,
                                       const std::stop_token& stop) {
    const engine::StageClock clock(m_timings, "retained");
    return engine::retainedWith(snapshot, found.ids, nullptr, stop);
  }

  static engine::QueryColumn columnOf(const QueryFieldReference& field, const engine::QuerySchema& schema) {
    const bool isOfObject = field.field == QueryFieldReference::kObjectField;
    if (isOfObject && schema.find(field.path)) return {engine::toString(field, schema), engine::QueryKind::Text};
    return {isOfObject ? field.path : schema.fields[field.field].name,
            isOfObject ? engine::QueryKind::Text : schema.fields[field.field].kind};
  }

  static void fillGroups(QueryTable& table, const QueryFieldReference& by,
                         const std::vector<engine::ObjectGroup>& groups, std::size_t limit) {
    table.noun = "groups";
    table.rowsInAll = groups.size();
    table.columns = {columnOf(by, engine::objectSchema()),
                     {"objects", engine::QueryKind::Number},
                     {"bytes", engine::QueryKind::Bytes}};
    for (const engine::ObjectGroup& group : groups) {
      if (table.rows.size() >= limit) break;
      table.rows.push_back({group.value.get(), QueryValue::ofNumber(group.objects), QueryValue::ofNumber(group.bytes)});
    }
  }

  Outcome<Found> findRows(Context& context, const std::string& dump, const engine::List& list) {
    const engine::QuerySchema schema = engine::schemaOf(list.description());
    HEAPSCAPE_TRY(const engine::Query query, readQuery(schema));
    HEAPSCAPE_TRY(const Order order, readOrder(schema));
    HEAPSCAPE_TRY(const std::optional<QueryFieldReference> groupBy, readGroupBy(context, schema));
    HEAPSCAPE_TRY(std::vector<QueryFieldReference> columns, columnsOf(context, list.description(), schema));
    const bool addsOrder =
        m_isOfSeveral && order.field && !(context.options().redact && holdsContents(*order.field, schema));
    const std::optional<std::size_t> sortedBy = placeOf(order.field, columns, addsOrder);
    HEAPSCAPE_TRY(engine::Snapshot snapshot, open(context, dump, list.needsRetainedByType, list.heap));
    HEAPSCAPE_TRY(const engine::Table read, list.read(snapshot, {.includeGaps = false}, context.stop()));
    std::vector<QueryFieldReference> fields = fieldsOf(query);
    std::ranges::copy(columns, std::back_inserter(fields));
    if (order.field) fields.push_back(*order.field);
    if (groupBy) fields.push_back(*groupBy);
    HEAPSCAPE_TRY(const engine::TableRows rows,
                  engine::TableRows::read(snapshot, read, fields, nullptr, context.stop()));
    HEAPSCAPE_TRY(const std::vector<std::uint32_t> found, select(rows, query, order, context.stop()));
    QueryTable table{.noun = schema.noun, .columns = {}, .rows = {}, .rowsInAll = found.size(), .totals = {}};
    if (groupBy) {
      const auto valueOf = [&](std::size_t place) { return rows.value(found[place], *groupBy); };
      HEAPSCAPE_TRY(const auto groups, engine::groupRows(found, valueOf, context.stop()));
      fillGroups(table, *groupBy, schema, groups, context.options().rowLimit());
    } else {
      for (const QueryFieldReference& column : columns) table.columns.push_back(columnOf(column, schema));
      for (const std::uint32_t row : found) {
        if (m_onlyCount || table.rows.size() >= context.options().top.value_or(kRowsUnlessAsked)) break;
        std::vector<QueryValue>& cells = table.rows.emplace_back();
        for (const QueryFieldReference& column : columns) cells.push_back(rows.value(row, column));
      }
    }
    table.totals = {{schema.noun, found.size()}};
    if (const std::uint64_t unreadable = unreadableIn(rows, query)) table.totals.push_back({"unreadable", unreadable});
    return Found{std::move(snapshot), std::move(table), read.findings, groupBy ? std::nullopt : sortedBy};
  }

  /// All of a list, but for what its rows' objects hold, which has to be asked for.
  Outcome<std::vector<QueryFieldReference>> columnsOf(const Context& context,
                                                      const engine::TableDescription& description,
                                                      const engine::QuerySchema& schema) {
    std::vector<QueryFieldReference> columns;
    for (std::uint32_t i = 0; i < schema.fields.size(); ++i) {
      const bool isLeftOut = context.options().redact && schema.fields[i].holdsContents;
      if (!isLeftOut && !description.columns[i].isOfObject) columns.push_back({i, {}});
    }
    HEAPSCAPE_CHECK(addColumns(columns, context, schema));
    return columns;
  }

  static void fillGroups(QueryTable& table, const QueryFieldReference& by, const engine::QuerySchema& schema,
                         const std::vector<engine::TableGroup>& groups, std::size_t limit) {
    table.columns = {columnOf(by, schema), {schema.noun, engine::QueryKind::Number}};
    table.noun = "groups";
    table.rowsInAll = groups.size();
    for (const engine::TableGroup& group : groups) {
      if (table.rows.size() >= limit) break;
      table.rows.push_back({group.value, QueryValue::ofNumber(group.rows.size())});
    }
  }

  Outcome<std::vector<std::uint32_t>> select(const engine::TableRows& rows, const engine::Query& query,
                                             const Order& order, const std::stop_token& stop) {
    const engine::StageClock clock(m_timings, "query");
    return engine::selectRows(rows, query, order.field, order.descending, stop);
  }

  Outcome<void> write(Context& context, const engine::InputFacts& facts, QueryTable table,
                      const engine::FindingList& findings) const {
    if (context.options().redact) leaveOutGivenNames(table);
    return context.write(facts, {.json = [&](engine::JsonWriter& json) { engine::writeQuery(json, table); },
                                 .tsv = [&](engine::Output& output) { engine::writeQueryTsv(output, table); },
                                 .text = [&](engine::Output& output) { engine::writeQueryText(output, table); },
                                 .findings = findings,
                                 .timings = m_timings});
  }

  static void leaveOutGivenNames(QueryTable& table) {
    for (std::vector<QueryValue>& row : table.rows)
      for (QueryValue& cell : row)
        if (cell.text) cell.text = engine::withoutGivenName(*cell.text);
  }

  std::vector<std::string> m_words;
  std::string m_query;
  bool m_isOfSeveral = false;  // what rows are sorted by is one of their columns, then
  std::string m_subject = kObjects;
  std::string m_columns;
  std::string m_sort;
  std::string m_groupBy;
  std::vector<std::string> m_objectFiles;  // "NAME=FILE"
  bool m_onlyCount = false;
  bool m_isQueryWrong = false;
  std::vector<engine::StageTiming> m_timings;
};

}  // namespace

std::unique_ptr<Verb> makeQueryVerb() {
  return std::make_unique<QueryVerb>();
}

}  // namespace heapscape::cli
