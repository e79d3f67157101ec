// SPDX-License-Identifier: MIT
#include "models/rows/row_question.h"

#include <optional>
#include <utility>

#include "query/query.h"
#include "query/table_query.h"

namespace heapscape::gui {

namespace {

bool holdsText(const RowList& list, std::uint32_t row, const QString& text) {
  for (std::size_t column = 0; column < list.columns().size(); ++column) {
    if (!list.columns()[column].isSearched) continue;
    if (list.plain(row, column).contains(text, Qt::CaseInsensitive)) return true;
  }
  return false;
}

// The column that rows are sorted by; nothing for the order that they came in.
std::optional<std::size_t> sortedColumn(const RowList& list, const RowQuestion& question) {
  if (question.sortColumn == RowQuestion::kAsGiven) return std::nullopt;
  const auto column = static_cast<std::size_t>(question.sortColumn);
  return column < list.columns().size() ? std::optional(column) : std::nullopt;
}

engine::QueryResult<engine::Query> queryOf(const RowList& list, const RowQuestion& question) {
  return engine::makeQuery(question.text.toStdString(), schemaOf(list.description(), question.noun));
}

}  // namespace

engine::QuerySchema schemaOf(const engine::TableDescription& list, const QString& noun) {
  engine::QuerySchema schema = engine::schemaOf(list);
  schema.noun = noun.toStdString();
  return schema;
}

std::vector<engine::QueryFieldReference> missingFields(const RowList& list, const RowQuestion& question) {
  const auto query = queryOf(list, question);
  std::vector<engine::QueryFieldReference> asked;
  if (query) asked = fieldsOf(*query);
  const auto sorted = sortedColumn(list, question);
  if (sorted && list.objectField(*sorted)) asked.push_back(*list.objectField(*sorted));
  return list.rows().missing(asked);
}

engine::Outcome<std::shared_ptr<const RowList>> readObjects(const engine::Snapshot& snapshot, const RowList& list,
                                                            const std::vector<engine::QueryFieldReference>& fields,
                                                            engine::ProgressSink* progress, std::stop_token stop) {
  HEAPSCAPE_TRY(engine::TableRows rows, list.rows().with(snapshot, fields, progress, std::move(stop)));
  return list.withObjects(std::move(rows), list.paths());
}

engine::Outcome<std::vector<std::uint32_t>> askRows(const RowList& list, const RowQuestion& question,
                                                    std::stop_token stop) {
  const auto query = queryOf(list, question);
  if (!query) return tl::unexpected(engine::Unfinished(engine::toError(query.error())));
  const auto isKept = [&](std::uint32_t row) {
    if (!question.kinds.empty() && !question.kinds.contains(list.kindOf(row))) return false;
    if (query->isPlainText) return question.text.isEmpty() || holdsText(list, row, question.text);
    return engine::matches(query->root, [&](const auto& field) { return list.rows().value(row, field); });
  };
  if (stop.stop_requested()) return tl::unexpected(engine::Unfinished::cancelled());
  const auto sorted = sortedColumn(list, question);
  if (!sorted) return engine::orderRows(list.size(), isKept, {}, stop);
  const auto keyOf = [&](std::uint32_t row) { return list.key(row, *sorted); };
  return engine::sortRows(list.size(), isKept, keyOf, question.descending, stop);
}

engine::Outcome<OrderedRows> orderRows(std::shared_ptr<const RowList> rows, const RowQuestion& question,
                                       std::stop_token stop) {
  HEAPSCAPE_TRY(std::vector<std::uint32_t> order, askRows(*rows, question, std::move(stop)));
  return OrderedRows{std::move(rows), std::move(order)};
}

}  // namespace heapscape::gui
