// SPDX-License-Identifier: MIT
#include "insight/trend/dump_frame.h"

#include <sys/stat.h>

#include <utility>

#include "heap/object_types.h"
#include "insight/insight_input.h"
#include "insight/trend/frame_parts.h"

namespace heapscape::engine {
namespace {

std::optional<std::int64_t> timeOfFile(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return status.st_mtim.tv_sec;
}

Outcome<void> addInsightsAndOwners(DumpFrame& frame, const Snapshot& snapshot, ProgressSink* progress,
                                   std::stop_token stop) {
  const InsightOptions options;
  StageProgress preparing(progress, "looking for insights", 0, kInsightInputShare);
  HEAPSCAPE_TRY(const auto input, InsightInput::make(snapshot, options.minimumBytes, preparing, stop));
  frame.owners = ownerFiguresOf(input->ownership);
  HEAPSCAPE_TRY(const InsightList list, findInsights(*input, options, progress, stop));
  frame.insights = insightFiguresOf(list);
  frame.wasteBytes = list.wasteBytes;
  frame.leakBytes = list.leakBytes;
  frame.findings.append(list.findings);
  return {};
}

void addOwners(DumpFrame& frame, const Snapshot& snapshot) {
  const std::shared_ptr<const ObjectTypes> types = snapshot.contents().typesOfObjects();
  frame.owners = ownerFiguresOf(Ownership(snapshot, *types));
}

}  // namespace

Outcome<DumpFrame> takeFrame(const Snapshot& snapshot, const FrameOptions& options, ProgressSink* progress,
                             std::stop_token stop) {
  if (!snapshot.has(Stage::Retained) || snapshot.typeRetained().empty())
    return failure(ErrorCode::NoHeap, "A dump's figures can be taken once its retained sizes are known.");
  DumpFrame frame;
  frame.summary = snapshot.summary();
  frame.written = timeOfFile(frame.summary.dump.path);
  frame.isComplete = snapshot.isComplete();
  for (const Finding& finding : snapshot.findings()) frame.findings.add(finding.kind, finding.address, finding.message);
  frame.totals = snapshot.totals();
  frame.retained = snapshot.retainedTotals();
  frame.types = typeFiguresOf(snapshot);
  frame.modules = namedModulesOf(snapshot);
  HEAPSCAPE_TRY(frame.roots, rootFiguresOf(snapshot, stop));
  frame.hasInsights = options.withInsights;
  if (options.withInsights) {
    HEAPSCAPE_CHECK(addInsightsAndOwners(frame, snapshot, progress, stop));
  } else {
    addOwners(frame, snapshot);
  }
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  return frame;
}

Outcome<FilmedDump> filmDump(const std::string& path, const DumpOpener& open, const FrameOptions& options,
                             ProgressSink* progress, std::stop_token stop) {
  auto frame = [&]() -> Outcome<DumpFrame> {
    HEAPSCAPE_TRY(const Snapshot snapshot, open(path));
    return takeFrame(snapshot, options, progress, stop);
  }();
  if (frame) return FilmedDump{path, std::make_shared<const DumpFrame>(std::move(*frame)), std::nullopt};
  if (frame.error().isCancelled()) return tl::unexpected(Unfinished::cancelled());
  return FilmedDump{path, nullptr, frame.error().error()};
}

}  // namespace heapscape::engine
