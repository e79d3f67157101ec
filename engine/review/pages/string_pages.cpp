// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <vector>

#include "output/text.h"
#include "review/described_rows.h"
#include "review/pages/report_pages.h"
#include "session/objects/strings_query.h"
#include "tables/heap_tables.h"

namespace heapscape::engine {

Outcome<void> addStringPages(const ReportInput& input, ReviewPages& pages) {
  HEAPSCAPE_TRY(const StringList list, listStrings(input.snapshot, {}, input.options.rows, input.stop));
  std::vector<StringGroup> groups = list.groups;
  std::erase_if(groups, [](const StringGroup& group) { return group.wastedBytes == 0; });
  ReviewPage page{.title = "Equal strings",
                  .remark = fmt::format("{}, {}, with {} different texts; {} hold what another one holds as well.",
                                        countOf(list.strings, "string"), readableBytes(list.bytes),
                                        readableCount(list.distinct), readableBytes(list.wastedBytes))};
  if (list.unreadable) {
    page.remark += fmt::format(" The characters of {} more are not in the dump.", readableCount(list.unreadable));
  }
  if (!groups.empty())
    page.content =
        describedRows(stringsTable().over(groups), {"value", "length", "count", "bytes", "wasted", "example"},
                      {.isRedacted = input.options.isRedacted});
  pages.push_back(std::move(page));
  return {};
}

}  // namespace heapscape::engine
