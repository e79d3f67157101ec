// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "output/text.h"
#include "review/pages/report_pages.h"
#include "review/review_cells.h"
#include "session/async/async_query.h"
#include "session/threads/parallel_stacks.h"

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

std::string methodsOf(const AsyncList& list, const AsyncChain& chain) {
  std::string methods;
  for (const AsyncFrame& frame : list.framesOf(chain)) {
    if (!methods.empty()) methods += " ← ";
    methods += list.nameOf(frame.name);
  }
  return methods;
}

ReviewPage asyncPage(const AsyncList& list, std::size_t rows) {
  using Kind = ReviewCellKind;
  ReviewTable table{.columns = {{"Methods, innermost first"},
                                {"Waits for"},
                                {"Chains", Kind::Count},
                                {"Retained", Kind::Bytes},
                                {"One of them", Kind::Address}},
                    .rows = {}};
  for (const AsyncGroup& group : list.groups) {
    if (table.rows.size() == rows) break;
    const AsyncChain& chain = list.firstOf(group);
    const std::string_view waitsFor = list.nameOf(chain.waitsFor);
    table.rows.push_back({{methodsOf(list, chain)},
                          {waitsFor.empty() ? toString(chain.state) : std::string(waitsFor)},
                          countCell(group.chains.size()),
                          bytesCell(group.retainedBytes.value_or(0)),
                          addressCell(list.framesOf(chain).front().object)});
  }
  table.rowsLeftOut = list.groups.size() - table.rows.size();
  return {.title = "Async methods that have not ended",
          .remark = fmt::format("{} pending in {}; equal chains are one line.", countOf(list.methods, "call"),
                                countOf(list.chains.size(), "chain")),
          .content = std::move(table)};
}

}  // namespace

Outcome<void> addStackPages(const ReportInput& input, ReviewPages& pages) {
  HEAPSCAPE_TRY(const StackList stacks, listStacks(input.snapshot, {}, input.stop));
  pages.push_back(threadsPage(stacks, input.options.rows));
  HEAPSCAPE_TRY(const AsyncList list, listAsync(input.snapshot, {}, input.stop));
  if (!list.chains.empty()) pages.push_back(asyncPage(list, input.options.rows));
  return {};
}

}  // namespace heapscape::engine
