// SPDX-License-Identifier: MIT
#include "models/rows/type_rows.h"

#include "query/type_queries.h"

namespace heapscape::gui {

TypeFigures TypeRows::figures(std::size_t row) const {
  const std::uint32_t type = selection.types[row].value;
  const engine::TypeCounts& all = counts();
  const std::uint64_t objects = all.count[type];
  const std::uint64_t bytes = all.bytes[type];
  const std::vector<engine::RetainedOfType>& retained = snapshot.typeRetained();
  return {objects,
          bytes,
          paddingBytes[row],
          objects == 0 ? 0 : bytes / objects,
          all.generationBytes[type],
          retained.empty() ? std::nullopt : std::optional(retained[type].retainedBytes)};
}

engine::Outcome<std::shared_ptr<const TypeRows>> askTypes(const engine::Snapshot& snapshot, TypeQuestion question,
                                                          std::stop_token stop) {
  if (question.scope.isWhole()) {
    question.counts.reset();
  } else if (!question.counts) {
    HEAPSCAPE_TRY(auto counts, engine::countTypes(snapshot, question.scope, stop));
    question.counts = std::make_shared<const engine::TypeCounts>(std::move(counts));
  }
  auto rows = std::make_shared<TypeRows>(TypeRows{snapshot, std::move(question), {}, {}, {}, {}});
  const engine::TypeCounts& counts = rows->counts();
  const engine::TypeQuery& query = rows->question.query;
  HEAPSCAPE_TRY(rows->selection, engine::queryTypes(snapshot, counts, query, stop));

  rows->paddingBytes.reserve(rows->selection.types.size());
  for (std::size_t row = 0; row < rows->selection.types.size(); ++row) {
    rows->paddingBytes.push_back(engine::paddingBytesOf(snapshot, counts, rows->selection.types[row]));
    rows->largest.raiseTo(rows->figures(row));
  }
  if (rows->question.asTree) {
    rows->tree = buildNamespaceTree(snapshot, counts, rows->selection, query.sortBy, query.descending);
  }
  return rows;
}

}  // namespace heapscape::gui
