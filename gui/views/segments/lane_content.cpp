// SPDX-License-Identifier: MIT
#include "views/segments/lane_content.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace heapscape::gui {

using engine::MapCell;
using engine::ObjectRow;

const ObjectRow* LaneContent::objectAt(engine::Address address) const {
  const auto behind =
      std::upper_bound(objects.begin(), objects.end(), address,
                       [](engine::Address wanted, const ObjectRow& row) { return wanted < row.address; });
  if (behind == objects.begin()) return nullptr;
  const ObjectRow& row = *(behind - 1);
  return address < row.address + row.alignedBytes ? &row : nullptr;
}

engine::Outcome<LaneContent> readLane(const engine::Snapshot& snapshot, const LaneQuestion& question,
                                      std::stop_token stop) {
  LaneContent content{.question = question, .cells = {}, .objects = {}, .hasObjects = false};
  HEAPSCAPE_TRY(content.cells, mapCells(snapshot, question.segment, question.window, question.cells, stop));
  const std::uint64_t starting =
      std::accumulate(content.cells.begin(), content.cells.end(), std::uint64_t{0},
                      [](std::uint64_t sum, const MapCell& cell) { return sum + cell.objects; });
  if (starting > question.mostObjects) return content;

  content.hasObjects = true;
  const auto reachingIn = objectAt(snapshot, question.window.start);
  if (reachingIn && reachingIn->segment == question.segment && reachingIn->address < question.window.start) {
    content.objects.push_back(*reachingIn);
  }
  engine::ObjectFilter filter;
  filter.addresses = question.window;
  const auto listed = listObjects(snapshot, filter, 0, question.mostObjects, stop);
  content.objects.insert(content.objects.end(), listed.begin(), listed.end());
  return content;
}

namespace {

/// Heights of one column; shares are rounded, but nothing that is there vanishes.
DensityRun columnOf(const MapCell& cell, double sliceBytes, int height) {
  DensityRun run;
  const auto pixels = [&](std::uint32_t bytes) {
    return static_cast<int>(std::lround(static_cast<double>(bytes) / sliceBytes * height));
  };
  int filled = 0;
  for (std::size_t generation = 0; generation < engine::kGenerationCount; ++generation) {
    run.used[generation] = cell.usedBytes[generation] == 0 ? 0 : std::max(1, pixels(cell.usedBytes[generation]));
    filled += run.used[generation];
  }
  const auto tallest = std::max_element(run.used.begin(), run.used.end());
  for (; filled > height; --filled) --*std::max_element(run.used.begin(), run.used.end());
  run.free = std::min(pixels(cell.freeBytes), height - filled);
  run.unknown = height - filled - run.free;
  // Shares that miss the top by rounding alone leave no gap.
  if (run.unknown <= 1) {
    (run.free > 0 ? run.free : *tallest) += filled > 0 || run.free > 0 ? run.unknown : 0;
    if (filled > 0 || run.free > 0) run.unknown = 0;
  }
  return run;
}

}  // namespace

std::vector<DensityRun> densityRuns(const LaneContent& content, const AddressScale& scale, double left, double right,
                                    double step, int height) {
  std::vector<DensityRun> runs;
  const std::uint64_t windowBytes = content.question.window.sizeBytes();
  if (content.cells.empty() || windowBytes == 0 || height <= 0) return runs;
  const double sliceBytes = static_cast<double>(windowBytes) / static_cast<double>(content.cells.size());
  const double first = std::max(left, scale.xOf(content.question.window.start));
  const double last = std::min(right, scale.xOf(content.question.window.end));
  for (double x = first; x < last - 1e-6; x += step) {
    const engine::Address middle = scale.addressAt(std::min(x + step / 2, last));
    if (middle < content.question.window.start) continue;
    const auto index =
        static_cast<std::size_t>(static_cast<double>(middle - content.question.window.start) / sliceBytes);
    DensityRun run = columnOf(content.cells[std::min(index, content.cells.size() - 1)], sliceBytes, height);
    run.left = x;
    run.right = std::min(x + step, last);
    if (!runs.empty() && runs.back().hasSameHeights(run)) {
      runs.back().right = run.right;
    } else {
      runs.push_back(run);
    }
  }
  return runs;
}

}  // namespace heapscape::gui
