// SPDX-License-Identifier: MIT
#include "cli/comparison_input.h"

#include <array>

#include "cli/progress_line.h"
#include "session/snapshot/stage_clock.h"

namespace heapscape::cli {

engine::InputFacts ComparedDumps::facts() const {
  return engine::factsOf(std::array{&before, &after});
}

engine::Outcome<ComparedDumps> compareDumps(Context& context, const std::string& before, const std::string& after,
                                            const engine::ComparisonOptions& options) {
  HEAPSCAPE_TRY(auto opened, context.openBoth(before, after));
  auto& [first, second] = opened;
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
