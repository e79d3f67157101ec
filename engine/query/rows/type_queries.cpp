// SPDX-License-Identifier: MIT
#include "query/rows/type_queries.h"

#include "query/query.h"
#include "query/rows/table_query.h"
#include "tables/type_tables.h"

namespace heapscape::engine {

const QuerySchema& typeSchema() {
  static const QuerySchema schema = schemaOf(typesTable().description());
  return schema;
}

Outcome<TypeSelection> queryTypes(const Snapshot& snapshot, const TypeCounts& counts, const TypeQuery& query,
                                  std::stop_token stop) {
  if (query.isRegularExpression) return selectTypes(snapshot, counts, query, std::move(stop));
  const auto asked = makeQuery(query.text, typeSchema());
  if (!asked) return tl::unexpected(Unfinished(toError(asked.error())));
  if (asked->isPlainText) return selectTypes(snapshot, counts, query, std::move(stop));
  TypeQuery all = query;
  all.text.clear();
  HEAPSCAPE_TRY(TypeSelection selection, selectTypes(snapshot, counts, all, stop));
  TypeSelection kept;
  for (const TypeId type : selection.types) {
    const ListedType row = listedType(snapshot, counts, type);
    const auto valueOf = [&](const QueryFieldReference& field) {
      return queryValueOf(typesTable().cell(row, field.field));
    };
    if (!matches(asked->root, valueOf)) continue;
    kept.types.push_back(type);
    kept.objects += row.count;
    kept.bytes += row.bytes;
    kept.paddingBytes += row.paddingBytes.value_or(0);
  }
  return kept;
}

}  // namespace heapscape::engine
