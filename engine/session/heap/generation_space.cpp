// SPDX-License-Identifier: MIT
#include "session/heap/generation_space.h"

#include <algorithm>

#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kLargeObjectBytes = 85'000;  // LARGE_OBJECT_SIZE, gc.h: on .NET 8 to 11

// What is committed behind the objects of an ephemeral segment is for its youngest generation, which lies last.
void addCommitted(const Snapshot& snapshot, std::vector<GenerationSpace>& spaces) {
  const std::vector<GenerationRow>& rows = snapshot.generations();
  for (const Segment& segment : snapshot.segments()) {
    for (std::size_t i = 0; i < segment.generations.size(); ++i) {
      const GenerationRange& part = segment.generations[i];
      const auto row = std::ranges::find_if(rows, [&](const GenerationRow& each) {
        return each.heap == segment.heap && each.generation == part.generation;
      });
      if (row == rows.end()) continue;
      const bool isLast = i + 1 == segment.generations.size();
      const Address end = isLast ? std::max(part.range.end, segment.committedEnd) : part.range.end;
      spaces[static_cast<std::size_t>(row - rows.begin())].committedBytes +=
          AddressRange{part.range.start, end}.sizeBytes();
    }
  }
}

void addBudget(const GenerationRow& row, const GcFigures& figures, GenerationSpace& space) {
  const auto budget = std::ranges::find_if(figures.budgets, [&](const GenerationBudget& each) {
    return each.heap == row.heap && each.generation == static_cast<std::uint32_t>(row.generation);
  });
  if (budget == figures.budgets.end()) return;
  space.budgetBytes = budget->budgetBytes;
  space.dueBytes = row.totals.bytes + static_cast<std::uint64_t>(std::max<std::int64_t>(budget->budgetLeftBytes, 0));
}

}  // namespace

std::uint64_t largeObjectBytes(const GcSettingList& settings) {
  const auto set = std::ranges::find_if(settings.settings, [](const GcSetting& setting) {
    return setting.name == "GCLOHThreshold" && !setting.isOverruled && setting.number;
  });
  return set == settings.settings.end() ? kLargeObjectBytes : std::max(kLargeObjectBytes, *set->number);
}

Outcome<GenerationReport> readGenerationReport(const Snapshot& snapshot, std::stop_token stop) {
  const Contents& contents = snapshot.contents();
  GenerationReport report;
  report.spaces.resize(snapshot.generations().size());
  addCommitted(snapshot, report.spaces);
  report.largeObjectBytes = largeObjectBytes(listGcSettings(snapshot, stop));
  report.isLargeObjectSizeSet = report.largeObjectBytes != kLargeObjectBytes;
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  if (!contents.gc) return report;
  GcFigures figures = findGcFigures(contents.readers->runtime, *contents.gc);
  for (std::size_t i = 0; i < report.spaces.size(); ++i)
    addBudget(snapshot.generations()[i], figures, report.spaces[i]);
  for (const GenerationBudget& budget : figures.budgets)
    if (budget.heap == 0 && budget.generation <= 2) report.collections.push_back(budget.collectionCount);
  report.recorded = std::move(figures.recorded);
  report.plan = figures.plan;
  return report;
}

}  // namespace heapscape::engine
