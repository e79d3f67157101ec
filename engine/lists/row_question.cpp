// SPDX-License-Identifier: MIT
#include "lists/row_question.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/given_name.h"
#include "query/objects/object_search.h"
#include "query/rows/table_query.h"
#include "session/snapshot/stage_clock.h"

namespace heapscape::engine {
namespace {

constexpr const char* kWholeHeap = "objects";
constexpr std::size_t kPage = 8192;  // objects that are described at once

tl::unexpected<WrongRows> wrongText(const std::string& text, QueryError place) {
  Error error = toError(place);
  return tl::unexpected(WrongRows{std::move(error), text, std::move(place)});
}

// At commas that stand in no quotation marks.
std::vector<std::string> splitColumns(const std::string& text) {
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

void leaveOutGivenNames(std::vector<QueryValue>& row) {
  for (QueryValue& cell : row)
    if (cell.text) cell.text = withoutGivenName(*cell.text);
}

}  // namespace

std::vector<std::string> RowQuestion::subjects() {
  std::vector<std::string> names{kWholeHeap};
  for (const List& list : allLists()) names.emplace_back(list.name);
  return names;
}

tl::expected<RowQuestion, WrongRows> RowQuestion::make(RowsAsked asked) {
  RowQuestion question;
  question.m_list = asked.of == kWholeHeap ? nullptr : findList(asked.of);
  if (!question.m_list && asked.of != kWholeHeap) {
    return tl::unexpected(WrongRows{
        {ErrorCode::BadQuery, fmt::format("There is no list “{}”.", asked.of), "`manual lists` names all of them."}});
  }
  question.m_schema = question.m_list ? schemaOf(question.m_list->description()) : objectSchema();
  question.m_asked = std::move(asked);
  auto query = makeQuery(question.m_asked.query, question.m_schema);
  if (!query) return wrongText(question.m_asked.query, std::move(query.error()));
  question.m_query = std::move(*query);
  HEAPSCAPE_CHECK(question.readFields());
  return question;
}

tl::expected<std::optional<QueryFieldReference>, WrongRows> RowQuestion::readField(const std::string& text) const {
  if (text.empty()) return std::optional<QueryFieldReference>();
  auto field = parseQueryField(text, m_schema);
  if (!field) return wrongText(text, std::move(field.error()));
  return std::optional(std::move(*field));
}

tl::expected<void, WrongRows> RowQuestion::readFields() {
  m_isDescending = m_asked.sort.ends_with('-');
  HEAPSCAPE_TRY(m_order, readField(m_asked.sort.substr(0, m_asked.sort.size() - (m_isDescending ? 1 : 0))));
  HEAPSCAPE_TRY(m_groupBy, readField(m_asked.groupBy));
  if (m_groupBy && m_asked.redact && holdsContents(*m_groupBy)) {
    return tl::unexpected(
        WrongRows{{ErrorCode::BadQuery, "With --redact nothing can be grouped by contents."}, m_asked.groupBy});
  }
  HEAPSCAPE_CHECK(addAskedColumns());
  const bool addsOrder = m_asked.addsSortColumn && m_order && !(m_asked.redact && holdsContents(*m_order));
  if (addsOrder && std::ranges::find(m_fields, *m_order) == m_fields.end()) m_fields.push_back(*m_order);
  if (m_order && !m_groupBy) {
    const auto known = std::ranges::find(m_fields, *m_order);
    if (known != m_fields.end()) m_sortedBy = static_cast<std::size_t>(known - m_fields.begin());
  }
  nameColumns();
  return {};
}

bool RowQuestion::holdsContents(const QueryFieldReference& field) const {
  return field.field == QueryFieldReference::kObjectField || m_schema.fields[field.field].holdsContents;
}

// What was asked for stands behind the columns that are there anyway, but for contents where these are left out. Of a
// list that is all of it, but for what its rows' objects hold, which has to be asked for.
tl::expected<void, WrongRows> RowQuestion::addAskedColumns() {
  if (m_list) {
    for (std::uint32_t i = 0; i < m_schema.fields.size(); ++i) {
      const bool isLeftOut = m_asked.redact && m_schema.fields[i].holdsContents;
      if (!isLeftOut && !m_list->description().columns[i].isOfObject) m_fields.push_back({i, {}});
    }
  } else {
    m_fields = {referenceTo(ObjectField::Address), referenceTo(ObjectField::Type),     referenceTo(ObjectField::Size),
                referenceTo(ObjectField::Bytes),   referenceTo(ObjectField::Retained), referenceTo(ObjectField::Gen)};
  }
  for (const std::string& column : splitColumns(m_asked.columns)) {
    auto field = parseQueryField(column, m_schema);
    if (!field) return wrongText(column, std::move(field.error()));
    if (m_asked.redact && holdsContents(*field))
      m_leftOut.push_back(toString(*field, m_schema));
    else if (std::ranges::find(m_fields, *field) == m_fields.end())
      m_fields.push_back(std::move(*field));
  }
  return {};
}

void RowQuestion::nameColumns() {
  const TableDescription& description = m_list ? m_list->description() : objectsDescription();
  const auto columnOf = [&](const QueryFieldReference& field) -> QueryColumn {
    const bool isOfObject = field.field == QueryFieldReference::kObjectField;
    if (isOfObject && m_schema.find(field.path)) return {toString(field, m_schema), QueryKind::Text};
    if (isOfObject) return {field.path, QueryKind::Text};
    const ColumnKind kind = description.columns[field.field].kind;
    return {m_schema.fields[field.field].name, m_schema.fields[field.field].kind,
            kind == ColumnKind::Share || kind == ColumnKind::Percent};
  };
  if (!m_groupBy) {
    for (const QueryFieldReference& field : m_fields) m_columns.push_back(columnOf(field));
  } else if (m_list) {
    m_columns = {columnOf(*m_groupBy), {m_schema.noun, QueryKind::Number}};
  } else {
    m_columns = {columnOf(*m_groupBy), {"objects", QueryKind::Number}, {"bytes", QueryKind::Bytes}};
  }
}

Outcome<QueryTable> RowQuestion::ask(const Snapshot& snapshot, std::shared_ptr<const ObjectSets> sets, const Sink& sink,
                                     std::vector<StageTiming>& timings, std::stop_token stop) const {
  const Sink redacting = [&sink](std::vector<QueryValue>&& row) {
    leaveOutGivenNames(row);
    sink(std::move(row));
  };
  const Sink& used = m_asked.redact ? redacting : sink;
  auto table =
      m_list ? askList(snapshot, used, timings, stop) : askObjects(snapshot, std::move(sets), used, timings, stop);
  if (!table) return table;
  table->columns = m_columns;
  for (const std::string& column : m_leftOut)
    table->notes.push_back(fmt::format("There is no column {}: it holds contents, which are left out.", column));
  return table;
}

Outcome<QueryTable> RowQuestion::askWhole(const Snapshot& snapshot, std::shared_ptr<const ObjectSets> sets,
                                          std::vector<StageTiming>& timings, std::stop_token stop) const {
  std::vector<std::vector<QueryValue>> rows;
  const Sink keep = [&rows](std::vector<QueryValue>&& row) { rows.push_back(std::move(row)); };
  HEAPSCAPE_TRY(QueryTable table, ask(snapshot, std::move(sets), keep, timings, std::move(stop)));
  table.rows = std::move(rows);
  return table;
}

Outcome<QueryTable> RowQuestion::askObjects(const Snapshot& snapshot, std::shared_ptr<const ObjectSets> sets,
                                            const Sink& sink, std::vector<StageTiming>& timings,
                                            const std::stop_token& stop) const {
  ObjectSearch search{.query = m_query, .sortBy = m_order, .descending = m_isDescending};
  search.columns = m_fields;
  search.limit = m_asked.onlyTotals || m_groupBy ? 0 : m_asked.limit;
  search.rows = kPage;
  search.sets = sets;
  const auto searched = [&] {
    const StageClock clock(timings, "query");
    return findObjects(snapshot, search, nullptr, stop);
  };
  HEAPSCAPE_TRY(FoundObjects found, searched());
  const auto measured = [&] {
    const StageClock clock(timings, "retained");
    return retainedWith(snapshot, found.ids, nullptr, stop);
  };
  HEAPSCAPE_TRY(const RetainedSet set, measured());
  QueryTable table{.noun = m_schema.noun, .rowsInAll = found.objects};
  if (m_groupBy) {
    HEAPSCAPE_TRY(const ObjectGroups groups, groupObjects(snapshot, found.ids, *m_groupBy, nullptr, stop));
    table.noun = "groups";
    table.rowsInAll = groups.groups.size();
    for (const ObjectGroup& group : std::span(groups.groups).first(std::min(m_asked.limit, groups.groups.size())))
      sink({group.value.get(), QueryValue::ofNumber(group.objects), QueryValue::ofNumber(group.bytes)});
  } else {
    for (FoundObject& row : found.rows) sink(std::move(row.columns));
    if (found.rows.size() < found.order.size()) {
      const ObjectDescriber describer(snapshot, m_fields, std::move(sets));
      for (std::size_t at = found.rows.size(); at < found.order.size(); at += kPage) {
        const auto page = std::span(found.order).subspan(at, std::min(kPage, found.order.size() - at));
        HEAPSCAPE_TRY(std::vector<FoundObject> rows, describer.describe(page, stop));
        for (FoundObject& row : rows) sink(std::move(row.columns));
      }
    }
  }
  table.totals = {{"objects", found.objects},
                  {"bytes", found.bytes, true},
                  {"retained", set.retained.bytes, true},
                  {"retainedObjects", set.retained.objects}};
  if (found.unreadable) table.totals.push_back({"unreadable", found.unreadable});
  for (const std::string& path : found.unknownFields)
    table.notes.push_back(fmt::format("No type on the heap has a field(\"{}\").", path));
  if (m_query.isPlainText && found.objects == 0)
    table.notes.push_back(fmt::format("“{}” is no comparison, so it was looked for in names of types.", m_asked.query));
  return table;
}

Outcome<QueryTable> RowQuestion::askList(const Snapshot& snapshot, const Sink& sink, std::vector<StageTiming>& timings,
                                         const std::stop_token& stop) const {
  HEAPSCAPE_TRY(const Table read, m_list->read(snapshot, {.includeGaps = false}, stop));
  std::vector<QueryFieldReference> fields = fieldsOf(m_query);
  std::ranges::copy(m_fields, std::back_inserter(fields));
  if (m_order) fields.push_back(*m_order);
  if (m_groupBy) fields.push_back(*m_groupBy);
  HEAPSCAPE_TRY(const TableRows rows, TableRows::read(snapshot, read, fields, nullptr, stop));
  const auto selected = [&] {
    const StageClock clock(timings, "query");
    return selectRows(rows, m_query, m_order, m_isDescending, stop);
  };
  HEAPSCAPE_TRY(const std::vector<std::uint32_t> found, selected());
  QueryTable table{.noun = m_schema.noun, .rowsInAll = found.size(), .findings = read.findings};
  if (m_groupBy) {
    const auto valueOf = [&](std::size_t place) { return rows.value(found[place], *m_groupBy); };
    HEAPSCAPE_TRY(const std::vector<TableGroup> groups, groupRows(found, valueOf, stop));
    table.noun = "groups";
    table.rowsInAll = groups.size();
    for (const TableGroup& group : std::span(groups).first(std::min(m_asked.limit, groups.size())))
      sink({group.value, QueryValue::ofNumber(group.rows.size())});
  } else if (!m_asked.onlyTotals) {
    for (const std::uint32_t row : std::span(found).first(std::min(m_asked.limit, found.size()))) {
      std::vector<QueryValue> cells;
      for (const QueryFieldReference& field : m_fields) cells.push_back(rows.value(row, field));
      sink(std::move(cells));
    }
  }
  table.totals = {{m_schema.noun, found.size()}};
  if (const std::uint64_t unreadable = unreadableIn(rows, m_query)) table.totals.push_back({"unreadable", unreadable});
  return table;
}

}  // namespace heapscape::engine
