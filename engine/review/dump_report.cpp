// SPDX-License-Identifier: MIT
#include "review/dump_report.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "base/progress.h"
#include "output/text.h"
#include "review/pages/report_pages.h"
#include "session/snapshot/heap_presence.h"

namespace heapscape::engine {
namespace {

struct Part {
  const char* title;     // of the page that says why there is none
  const char* activity;  // "finding equal strings"
  double weight;         // share of the time
  bool needsHeap;
  Outcome<void> (*add)(const ReportInput&, ReviewPages&);
};

constexpr std::array kParts{
    Part{"The heap", "counting generations", 0.01, true, addHeapPages},
    Part{"Whose the process's memory is", "finding whose memory is", 0.03, false, addMemoryPages},
    Part{"What the garbage collector was doing", "looking at free objects and pins", 0.03, false, addGcPages},
    Part{"What the threads were doing", "walking stacks", 0.02, false, addStackPages},
    Part{"Largest types", "sorting types", 0.01, true, addTypePages},
    Part{"Insights", "looking for waste and leaks", 0.75, true, addInsightPages},
    Part{"Why the process died", "looking at the thread that died", 0.01, false, addCrashPages},
    Part{"Layouts that waste", "measuring layouts", 0.02, true, addLayoutPages},
    Part{"Largest objects", "finding why objects are alive", 0.02, true, addRetainedPages},
    Part{"Equal strings", "finding equal strings", 0.09, true, addStringPages},
    Part{"Completeness", "listing findings", 0.01, false, addFindingPages},
};

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
  const bool isWithHeap = hasHeap(snapshot);
  if (!isWithHeap) board.pages.push_back({.title = "No heap", .remark = noHeapIn(snapshot).message()});
  double from = 0;
  for (const Part& part : kParts) {
    if (part.needsHeap && !isWithHeap) continue;
    PartOfProgress told(progress, from, from + part.weight, part.activity);
    told.progressed({});
    const Outcome<void> added = part.add({snapshot, options, &told, stop}, board.pages);
    if (stop.stop_requested() || (!added && added.error().isCancelled())) {
      return tl::unexpected(Unfinished::cancelled());
    }
    if (!added) board.pages.push_back({.title = part.title, .remark = added.error().error().message()});
    from += part.weight;
  }
  return options.isRedacted ? redacted(std::move(board)) : board;
}

}  // namespace heapscape::engine
