// SPDX-License-Identifier: MIT
#include "cli/comparison_input.h"

#include "cli/progress_line.h"
#include "session/stage_clock.h"

namespace heapscape::cli {

engine::InputFacts ComparedDumps::facts() const {
  engine::InputFacts both = engine::factsOf(before);
  const engine::InputFacts second = engine::factsOf(after);
  both.isComplete = both.isComplete && second.isComplete;
  both.findings.insert(both.findings.end(), second.findings.begin(), second.findings.end());
  both.findingsLeftOut += second.findingsLeftOut;
  for (engine::StageTiming& timing : both.timings) timing.stage += " 1";
  for (const engine::StageTiming& timing : second.timings)
    both.timings.push_back({timing.stage + " 2", timing.seconds});
  both.indexBytes += second.indexBytes;
  return both;
}

engine::Outcome<ComparedDumps> compareDumps(Context& context, const std::string& before, const std::string& after,
                                            const engine::ComparisonOptions& options) {
  HEAPSCAPE_TRY(engine::Snapshot first, context.open(before, engine::Stage::Retained));
  HEAPSCAPE_TRY(engine::Snapshot second, context.open(after, engine::Stage::Retained));
  std::vector<engine::StageTiming> timings;
  ProgressLine progress;
  auto comparison = [&] {
    const engine::StageClock clock(timings, "compare");
    return engine::compareSnapshots(first, second, options, &progress, context.stop());
  }();
  if (!comparison) return tl::unexpected(std::move(comparison.error()));
  return ComparedDumps{std::move(first), std::move(second), std::move(*comparison), std::move(timings)};
}

}  // namespace heapscape::cli
