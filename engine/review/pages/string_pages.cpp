// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "output/text.h"
#include "review/pages/report_pages.h"
#include "review/review_cells.h"
#include "session/objects/strings_query.h"

namespace heapscape::engine {

Outcome<void> addStringPages(const ReportInput& input, ReviewPages& pages) {
  using Kind = ReviewCellKind;
  HEAPSCAPE_TRY(const StringList list, listStrings(input.snapshot, {}, input.options.rows, input.stop));
  ReviewTable table{.columns = {{"Text", Kind::Text, true},
                                {"Characters", Kind::Count},
                                {"Strings", Kind::Count},
                                {"Bytes", Kind::Bytes},
                                {"Wasted", Kind::Bytes},
                                {"One of them", Kind::Address}},
                    .rows = {}};
  for (const StringGroup& group : list.groups) {
    if (group.wastedBytes == 0) break;
    table.rows.push_back({{input.options.isRedacted ? std::string() : printable(group.value)},
                          countCell(group.length),
                          countCell(group.count),
                          bytesCell(group.bytes),
                          bytesCell(group.wastedBytes),
                          addressCell(group.example)});
  }
  ReviewPage page{.title = "Equal strings",
                  .remark = fmt::format("{}, {}, with {} different texts; {} hold what another one holds as well.",
                                        countOf(list.strings, "string"), readableBytes(list.bytes),
                                        readableCount(list.distinct), readableBytes(list.wastedBytes))};
  if (list.unreadable) {
    page.remark += fmt::format(" The characters of {} more are not in the dump.", readableCount(list.unreadable));
  }
  if (!table.rows.empty()) page.content = std::move(table);
  pages.push_back(std::move(page));
  return {};
}

}  // namespace heapscape::engine
