// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "metadata/names/csharp_field_name.h"
#include "output/text.h"
#include "review/pages/heap_pictures.h"
#include "review/pages/report_pages.h"
#include "review/review_cells.h"
#include "session/layouts/layout_query.h"
#include "session/layouts/waste_query.h"

namespace heapscape::engine {
namespace {

using Kind = ReviewCellKind;

std::string orderText(const WasteRow& row) {
  std::string text;
  for (const std::string& field : row.order) {
    if (!text.empty()) text += ", ";
    text += csharpFieldName(field);
  }
  return text;
}

ReviewTable tableOf(const Waste& waste, std::size_t limit) {
  ReviewTable table{.columns = {{"Type", Kind::TypeName},
                                {"Objects", Kind::Count},
                                {"Bytes now", Kind::Count},
                                {"Bytes then", Kind::Count},
                                {"Padding", Kind::Bytes},
                                {"Would save", Kind::SignedBytes},
                                {"Best order of fields"}},
                    .rows = {}};
  for (const WasteRow& row : waste.rows) {
    if (table.rows.size() == limit) break;
    table.rows.push_back({{row.type},
                          countCell(row.count + row.elements + row.nested),
                          countCell(row.instanceBytes),
                          countCell(row.bestBytes),
                          bytesCell(row.paddingBytes),
                          savedBytesCell(row.savedByBest),
                          {orderText(row)}});
  }
  table.rowsLeftOut = waste.rows.size() - table.rows.size();
  return table;
}

ReviewPage pictureOf(const WasteRow& row, const TypeLayout& layout) {
  ReviewPage page{.title = "Layout of " + row.type, .content = layoutPicture(layout)};
  page.remark = fmt::format("{} of padding in {}; {} in the whole heap.", countOf(layout.paddingBytes(), "byte"),
                            countOf(row.instanceBytes, "byte"), readableBytes(row.paddingBytes));
  if (!row.separation.empty()) page.remark += " " + row.separation;
  if (row.savedByBest > 0) {
    page.remark += fmt::format(" The order {} would save {}.", orderText(row),
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
  if (!waste.rows.empty()) page.content = tableOf(waste, input.options.rows);
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
