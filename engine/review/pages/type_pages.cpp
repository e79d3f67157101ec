// SPDX-License-Identifier: MIT
#include <algorithm>
#include <span>

#include "review/pages/report_pages.h"
#include "review/review_cells.h"

namespace heapscape::engine {
namespace {

using Kind = ReviewCellKind;

struct TypeFigures {
  TypeId type;
  std::uint64_t count = 0, bytes = 0, retained = 0, padding = 0;
};

std::vector<TypeFigures> figuresOf(const Snapshot& snapshot) {
  const TypeCounts& counts = snapshot.typeCounts();
  const auto& retained = snapshot.typeRetained();
  const auto& padding = snapshot.typePaddingBytes();
  std::vector<TypeFigures> figures;
  for (std::uint32_t i = 0; i < snapshot.types().size(); ++i) {
    if (snapshot.types()[i].isFree || counts.count[i] == 0) continue;
    figures.push_back({TypeId{i}, counts.count[i], counts.bytes[i], i < retained.size() ? retained[i].retainedBytes : 0,
                       i < padding.size() ? padding[i] : 0});
  }
  return figures;
}

ReviewTable tableOf(const Snapshot& snapshot, const std::vector<TypeFigures>& figures, std::size_t limit) {
  ReviewTable table{.columns = {{"Type", Kind::TypeName},
                                {"Objects", Kind::Count},
                                {"Bytes", Kind::Bytes},
                                {"Retained", Kind::Bytes},
                                {"Padding", Kind::Bytes},
                                {"Assembly"}},
                    .rows = {}};
  for (const TypeFigures& row : std::span(figures).first(std::min(limit, figures.size()))) {
    const TypeRow& type = snapshot.types()[row.type.value];
    table.rows.push_back({{type.name},
                          countCell(row.count),
                          bytesCell(row.bytes),
                          bytesCell(row.retained),
                          bytesCell(row.padding),
                          {type.assembly}});
  }
  table.rowsLeftOut = figures.size() - table.rows.size();
  return table;
}

}  // namespace

Outcome<void> addTypePages(const ReportInput& input, ReviewPages& pages) {
  std::vector<TypeFigures> figures = figuresOf(input.snapshot);
  std::ranges::stable_sort(figures, std::greater(), &TypeFigures::bytes);
  pages.push_back({.title = "Largest types by their own bytes",
                   .remark = "Retained is what would be freed with all reachable objects of the type.",
                   .content = tableOf(input.snapshot, figures, input.options.rows)});
  std::ranges::stable_sort(figures, std::greater(), &TypeFigures::retained);
  pages.push_back(
      {.title = "Largest types by what they retain", .content = tableOf(input.snapshot, figures, input.options.rows)});
  return {};
}

}  // namespace heapscape::engine
