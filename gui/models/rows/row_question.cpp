// SPDX-License-Identifier: MIT
#include "models/rows/row_question.h"

#include "models/query/row_schema.h"
#include "query/query.h"
#include "session/door/row_order.h"

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

engine::RowComparison comparisonFor(const RowList& list, const RowQuestion& question) {
  if (question.sortColumn == RowQuestion::kAsGiven) return {};
  const auto column = static_cast<std::size_t>(question.sortColumn);
  if (column >= list.columns().size()) return {};
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

}  // namespace

engine::Outcome<std::vector<std::uint32_t>> askRows(const RowList& list, const RowQuestion& question,
                                                    std::stop_token stop) {
  const auto query = engine::makeQuery(question.text.toStdString(),
                                       querySchemaOf(list.description(), list.columns(), list.kinds(), question.noun));
  if (!query) return tl::unexpected(engine::Unfinished(engine::toError(query.error())));
  const auto isKept = [&](std::uint32_t row) {
    if (!question.kinds.empty() && !question.kinds.contains(list.kindOf(row))) return false;
    if (query->isPlainText) return question.text.isEmpty() || holdsText(list, row, question.text);
    return engine::matches(
        query->root, [&](const engine::QueryFieldReference& field) { return queryValueOf(list, row, field.field); });
  };
  if (stop.stop_requested()) return tl::unexpected(engine::Unfinished::cancelled());
  return engine::orderRows(list.size(), isKept, comparisonFor(list, question), stop);
}

}  // namespace heapscape::gui
