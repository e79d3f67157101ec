// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <vector>

#include "review/described_rows.h"
#include "review/pages/report_pages.h"
#include "tables/heap_tables.h"

namespace heapscape::engine {
namespace {

std::vector<ListedType> listTypes(const Snapshot& snapshot) {
  std::vector<ListedType> types;
  for (std::uint32_t i = 0; i < snapshot.types().size(); ++i) {
    if (snapshot.types()[i].isFree || snapshot.typeCounts().count[i] == 0) continue;
    types.push_back(listedType(snapshot, snapshot.typeCounts(), TypeId{i}));
  }
  return types;
}

ReviewTable tableOf(const std::vector<ListedType>& types, std::size_t limit) {
  return describedRows(typesTable().over(types), {"type", "count", "bytes", "retained", "padding", "assembly"},
                       {.limit = limit});
}

}  // namespace

Outcome<void> addTypePages(const ReportInput& input, ReviewPages& pages) {
  std::vector<ListedType> types = listTypes(input.snapshot);
  std::ranges::stable_sort(types, std::greater(), &ListedType::bytes);
  pages.push_back({.title = "Largest types by their own bytes",
                   .remark = "Retained is what would be freed with all reachable objects of the type.",
                   .content = tableOf(types, input.options.rows)});
  std::ranges::stable_sort(types, std::greater(), &ListedType::retainedBytes);
  pages.push_back({.title = "Largest types by what they retain", .content = tableOf(types, input.options.rows)});
  return {};
}

}  // namespace heapscape::engine
