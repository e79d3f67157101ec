// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "output/text.h"
#include "review/described_rows.h"
#include "review/pages/heap_pictures.h"
#include "review/pages/report_pages.h"
#include "session/layouts/layout_query.h"
#include "session/layouts/waste_query.h"
#include "tables/waste_tables.h"

namespace heapscape::engine {
namespace {

ReviewPage pictureOf(const WasteRow& row, const TypeLayout& layout) {
  ReviewPage page{.title = "Layout of " + row.type, .content = layoutPicture(layout)};
  page.remark = fmt::format("{} of padding in {}; {} in the whole heap.", countOf(layout.paddingBytes(), "byte"),
                            countOf(row.instanceBytes, "byte"), readableBytes(row.paddingBytes));
  if (!row.separation.empty()) page.remark += " " + row.separation;
  if (row.savedByBest > 0) {
    page.remark += fmt::format(" The order {} would save {}.", fmt::format("{}", fmt::join(bestOrderOf(row), ", ")),
                               readableBytes(static_cast<std::uint64_t>(row.savedByBest)));
  }
  return page;
}

}  // namespace

Outcome<void> addLayoutPages(const ReportInput& input, ReviewPages& pages) {
  HEAPSCAPE_TRY(const DeclaredLayouts layouts, DeclaredLayouts::ofDump(input.snapshot));
  HEAPSCAPE_TRY(const Waste waste, wasteOf(input.snapshot, layouts, input.progress, input.stop));
  ReviewPage page{.title = "Layouts that waste",
                  .remark = fmt::format(
                      "{} of the heap's {} are padding. If every type that is not the framework's "
                      "had its best layout, {} would be won back.",
                      readableBytes(waste.paddingBytes), readableBytes(waste.heapBytes),
                      readableBytes(static_cast<std::uint64_t>(std::max<std::int64_t>(0, waste.savedByAllBest))))};
  if (!waste.rows.empty())
    page.content =
        describedRows(wasteTable().over(waste.rows),
                      {"type", "count", "elements", "nested", "size", "bestSize", "padding", "saved", "bestOrder"},
                      {.limit = input.options.rows});
  pages.push_back(std::move(page));
  std::size_t drawn = 0;
  for (const WasteRow& row : waste.rows) {
    if (drawn == input.options.layouts) break;
    if (row.isFramework || !row.methodTable || row.paddingBytes == 0) continue;
    const Result<TypeLayout> layout = layoutOf(input.snapshot, row.methodTable);
    if (!layout || layout->fields.empty()) continue;
    pages.push_back(pictureOf(row, *layout));
    ++drawn;
  }
  return {};
}

}  // namespace heapscape::engine
