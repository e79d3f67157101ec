// SPDX-License-Identifier: MIT
#include "models/rows/row_question.h"

#include <optional>
#include <utility>

#include "models/query/row_schema.h"
#include "query/query.h"
#include "query/rows/table_query.h"
#include "session/snapshot/row_order.h"

namespace heapscape::gui {

namespace {

bool holdsText(const RowList& list, std::uint32_t row, const QString& text) {
  for (std::size_t column = 0; column < list.columns().size(); ++column) {
    if (!list.columns()[column].isSearched) continue;
    if (list.plain(row, column).contains(text, Qt::CaseInsensitive)) return true;
  }
  return false;
}

// What a row is compared by, made once a row rather than once a comparison.
template <class Key, class KeyOf>
engine::RowComparison comparison(const RowList& list, bool descending, const KeyOf& keyOf) {
  std::vector<Key> keys;
  keys.reserve(list.size());
  for (std::uint32_t row = 0; row < list.size(); ++row) keys.push_back(keyOf(row));
  return [keys = std::move(keys), descending](std::uint32_t left, std::uint32_t right) {
    return descending ? keys[right] < keys[left] : keys[left] < keys[right];
  };
}

// What is not there comes last, either way.
engine::RowComparison objectComparison(const RowList& list, const engine::QueryFieldReference& field, bool descending) {
  return [&list, field, descending](std::uint32_t leftRow, std::uint32_t rightRow) {
    const engine::QueryValue& left = list.objectCells().value(leftRow, field);
    const engine::QueryValue& right = list.objectCells().value(rightRow, field);
    if (left.isThere() != right.isThere()) return left.isThere();
    return descending ? engine::isBefore(right, left) : engine::isBefore(left, right);
  };
}

// The column that rows are sorted by; nothing for the order that they came in.
std::optional<std::size_t> sortedColumn(const RowList& list, const RowQuestion& question) {
  if (question.sortColumn == RowQuestion::kAsGiven) return std::nullopt;
  const auto column = static_cast<std::size_t>(question.sortColumn);
  return column < list.columns().size() ? std::optional(column) : std::nullopt;
}

engine::RowComparison comparisonFor(const RowList& list, const RowQuestion& question) {
  const auto sorted = sortedColumn(list, question);
  if (!sorted) return {};
  const std::size_t column = *sorted;
  if (const auto& field = list.objectField(column)) return objectComparison(list, *field, question.descending);
  if (isWritten(list.columns()[column].look)) {
    return comparison<QString>(list, question.descending,
                               [&](std::uint32_t row) { return list.words(row, column).toCaseFolded(); });
  }
  if (list.columns()[column].look == ColumnLook::SavedBytes) {
    return comparison<std::int64_t>(list, question.descending, [&](std::uint32_t row) {
      return static_cast<std::int64_t>(list.number(row, column));
    });
  }
  return comparison<std::uint64_t>(list, question.descending,
                                   [&](std::uint32_t row) { return list.number(row, column); });
}

engine::QueryResult<engine::Query> queryOf(const RowList& list, const RowQuestion& question) {
  return engine::makeQuery(question.text.toStdString(),
                           querySchemaOf(list.description(), list.columns(), list.kinds(), question.noun));
}

}  // namespace

std::vector<engine::QueryFieldReference> missingFields(const RowList& list, const RowQuestion& question) {
  std::vector<engine::QueryFieldReference> missing;
  if (!list.description() || !list.description()->isAboutObjects()) return missing;
  const auto query = queryOf(list, question);
  for (const engine::QueryFieldReference& field : query ? fieldsOf(*query) : missing)
    if (const auto ofObject = engine::fieldOfObject(*list.description(), field)) missing.push_back(*ofObject);
  const auto sorted = sortedColumn(list, question);
  if (sorted && list.objectField(*sorted)) missing.push_back(*list.objectField(*sorted));
  std::erase_if(missing, [&](const engine::QueryFieldReference& field) { return list.objectCells().has(field); });
  return missing;
}

engine::Outcome<std::shared_ptr<const RowList>> readObjects(const engine::Snapshot& snapshot, const RowList& list,
                                                            const std::vector<engine::QueryFieldReference>& fields,
                                                            engine::ProgressSink* progress, std::stop_token stop) {
  std::vector<engine::Address> objects;
  objects.reserve(list.size());
  for (std::uint32_t row = 0; row < list.size(); ++row) objects.push_back(list.objectOf(row));
  HEAPSCAPE_TRY(engine::ObjectCells cells, list.objectCells().with(snapshot, objects, fields, progress, stop));
  return list.withObjects(std::move(cells), list.paths());
}

engine::Outcome<std::vector<std::uint32_t>> askRows(const RowList& list, const RowQuestion& question,
                                                    std::stop_token stop) {
  const auto query = queryOf(list, question);
  if (!query) return tl::unexpected(engine::Unfinished(engine::toError(query.error())));
  const auto isKept = [&](std::uint32_t row) {
    if (!question.kinds.empty() && !question.kinds.contains(list.kindOf(row))) return false;
    if (query->isPlainText) return question.text.isEmpty() || holdsText(list, row, question.text);
    return engine::matches(query->root, [&](const auto& field) { return queryValueOf(list, row, field); });
  };
  if (stop.stop_requested()) return tl::unexpected(engine::Unfinished::cancelled());
  return engine::orderRows(list.size(), isKept, comparisonFor(list, question), stop);
}

engine::Outcome<OrderedRows> orderRows(std::shared_ptr<const RowList> rows, const RowQuestion& question,
                                       std::stop_token stop) {
  HEAPSCAPE_TRY(std::vector<std::uint32_t> order, askRows(*rows, question, std::move(stop)));
  return OrderedRows{std::move(rows), std::move(order)};
}

}  // namespace heapscape::gui
