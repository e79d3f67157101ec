// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "output/text.h"
#include "review/described_rows.h"
#include "review/pages/report_pages.h"
#include "review/review_cells.h"
#include "session/async/async_query.h"
#include "session/snapshot/heap_presence.h"
#include "session/stacks/parallel_stacks.h"
#include "session/threads/thread_waits.h"
#include "tables/async_tables.h"

namespace heapscape::engine {
namespace {

/// Where a thread is in the program's own code.
std::string ownFrameOf(const ThreadStackRow& stack) {
  const auto frame = std::ranges::find_if(stack.frames, isMyCode);
  return frame == stack.frames.end() ? std::string() : nameOf(*frame);
}

ReviewPage threadsPage(const StackList& stacks, std::size_t rows) {
  using Kind = ReviewCellKind;
  ReviewTable table{
      .columns = {{"Doing"}, {"Threads", Kind::Count}, {"One of them", Kind::Count}, {"Where in the program"}},
      .rows = {}};
  const auto groups = activitiesOf(stacks);
  for (const ActivityGroup& group : groups) {
    if (table.rows.size() == rows) break;
    const ThreadStackRow& one = stacks.threads[group.threads.front()];
    table.rows.push_back({{group.doing}, countCell(group.threads.size()), countCell(one.managedId), {ownFrameOf(one)}});
  }
  table.rowsLeftOut = groups.size() - table.rows.size();
  const auto isInexact = [](const ThreadStackRow& stack) {
    return !stack.isComplete || std::ranges::any_of(stack.frames, [](const FrameRow& frame) { return !frame.isExact; });
  };
  const auto inexact = static_cast<std::uint64_t>(std::ranges::count_if(stacks.threads, isInexact));
  ReviewPage page{.title = "What the threads were doing",
                  .remark = fmt::format("{} with a stack. {}", countOf(stacks.threads.size(), "thread"),
                                        inexact ? fmt::format("What {} of them refer to is not known exactly.", inexact)
                                                : std::string("What they refer to is known exactly."))};
  if (!table.rows.empty()) page.content = std::move(table);
  return page;
}

ReviewPage asyncPage(const AsyncList& list, std::size_t rows) {
  return {.title = "Async methods that have not ended",
          .remark = fmt::format("{} pending in {}; equal chains are one line.", countOf(list.methods, "call"),
                                countOf(list.chains.size(), "chain")),
          .content = describedRows(chainsTable().with(listChains(list)),
                                   {"methods", "waitsFor", "count", "retained", "state", "object"}, {.limit = rows})};
}

}  // namespace

Outcome<void> addStackPages(const ReportInput& input, ReviewPages& pages) {
  HEAPSCAPE_TRY(const auto stacks, keptStacksInWords(input.snapshot, input.stop));
  pages.push_back(threadsPage(*stacks, input.options.rows));
  if (!hasHeap(input.snapshot)) return {};  // in which they would lie
  HEAPSCAPE_TRY(const AsyncList list, listAsync(input.snapshot, {}, input.stop));
  if (!list.chains.empty()) pages.push_back(asyncPage(list, input.options.rows));
  return {};
}

}  // namespace heapscape::engine
