// SPDX-License-Identifier: MIT
#include "review/dump_report.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/joint_progress.h"
#include "output/text.h"
#include "review/pages/report_pages.h"

namespace heapscape::engine {
namespace {

struct Part {
  const char* title;     // of the page that says why there is none
  const char* activity;  // "finding equal strings"
  double weight;         // share of the time
  Outcome<void> (*add)(const ReportInput&, ReviewPages&);
  bool isAlongside = false;  // made at the same time as those beside it
};

constexpr std::array kParts{
    Part{"The heap", "counting generations", 0.01, addHeapPages},
    Part{"Whose the process's memory is", "finding whose memory is", 0.03, addMemoryPages},
    Part{"What the garbage collector was doing", "looking at gaps and pins", 0.03, addGcPages},
    Part{"What the threads were doing", "walking stacks", 0.02, addStackPages},
    Part{"Largest types", "sorting types", 0.01, addTypePages},
    Part{"Insights", "looking for waste and leaks", 0.70, addInsightPages},
    Part{"Layouts that waste", "measuring layouts", 0.02, addLayoutPages, true},
    Part{"Largest objects", "finding why objects are alive", 0.08, addRetainedPages, true},
    Part{"Equal strings", "finding equal strings", 0.09, addStringPages, true},
    Part{"Completeness", "listing findings", 0.01, addFindingPages},
};

/// Parts that do not wait for each other; their pages in their order. `from`: of the whole's progress. False if it was
/// cancelled.
bool addParts(std::span<const Part> parts, const ReportInput& input, double from, ReviewPages& pages) {
  double weight = 0;
  for (const Part& part : parts) weight += part.weight;
  StageProgress told(input.progress, parts.back().activity, from, from + weight);
  JointProgress joint(told, 0, 1 / weight);
  std::vector<ReviewPages> made(parts.size());
  std::vector<std::optional<Outcome<void>>> added(parts.size());
  if (parts.size() == 1) made.front() = std::move(pages);  // what comes before all others knows where that is
  tbb::parallel_for(std::size_t{0}, parts.size(), [&](std::size_t i) {
    PartOfJoint part(joint, parts[i].weight);
    added[i] = parts[i].add({input.snapshot, input.options, &part, input.stop}, made[i]);
  });
  if (parts.size() == 1) pages = std::exchange(made.front(), {});
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (input.stop.stop_requested() || (!*added[i] && added[i]->error().isCancelled())) return false;
    std::ranges::move(made[i], std::back_inserter(pages));
    if (!*added[i]) pages.push_back({.title = parts[i].title, .remark = added[i]->error().error().message()});
  }
  return true;
}

}  // namespace

std::string summaryLine(const Snapshot& snapshot) {
  const RuntimeSummary& runtime = snapshot.summary().runtime;
  std::string line = fmt::format(".NET {}, {}", runtime.version, runtime.isServerGc ? "server" : "workstation");
  if (!snapshot.has(Stage::Objects)) return line;
  const ObjectTotals totals = snapshot.totals();
  return line + fmt::format(", {} in {}", readableBytes(totals.bytes - totals.freeBytes),
                            countOf(totals.objects - totals.freeObjects, "object"));
}

Outcome<ReviewBoard> reportOf(const Snapshot& snapshot, const DumpReportOptions& options, ProgressSink* progress,
                              std::stop_token stop) {
  const std::string dump = std::filesystem::path(snapshot.summary().dump.path).filename().string();
  ReviewBoard board{.title = options.title.empty() ? "Memory of " + dump : options.title,
                    .dump = dump,
                    .summary = summaryLine(snapshot),
                    .pages = {}};
  double from = 0;
  for (std::size_t first = 0, end = 0; first < kParts.size(); first = end) {
    while (end < kParts.size() && kParts[end].isAlongside) ++end;
    end = std::max(end, first + 1);
    const std::span<const Part> parts = std::span(kParts).subspan(first, end - first);
    if (!addParts(parts, {snapshot, options, progress, stop}, from, board.pages))
      return tl::unexpected(Unfinished::cancelled());
    for (const Part& part : parts) from += part.weight;
  }
  return options.isRedacted ? redacted(std::move(board)) : board;
}

}  // namespace heapscape::engine
