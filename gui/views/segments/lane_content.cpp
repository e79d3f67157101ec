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

LaneLoader::LaneLoader(EngineBridge& bridge, QObject* parent) : QObject(parent), m_bridge(bridge) {}

void LaneLoader::want(std::vector<LaneQuestion> questions) {
  m_onScreen.clear();
  for (const LaneQuestion& question : questions) m_onScreen.insert({question.segment, question.part});
  std::erase_if(questions, [this](const LaneQuestion& question) { return isAnswered(question); });
  std::reverse(questions.begin(), questions.end());
  m_wanted = std::move(questions);
  if (!m_asked) askNext();
}

const LaneContent* LaneLoader::find(engine::SegmentId segment, LanePart part) const {
  const auto found = m_contents.find({segment, part});
  return found == m_contents.end() ? nullptr : &found->second;
}

void LaneLoader::clear() {
  m_wanted.clear();
  m_onScreen.clear();
  m_asked.reset();
  m_contents.clear();
}

bool LaneLoader::isAnswered(const LaneQuestion& question) const {
  const LaneContent* content = find(question.segment, question.part);
  return (content && content->question == question) || (m_asked && *m_asked == question);
}

void LaneLoader::askNext() {
  if (m_wanted.empty()) return;
  const LaneQuestion question = m_wanted.back();
  m_wanted.pop_back();
  m_asked = question;
  m_bridge.ask(
      this, "lane",
      [question](const engine::Snapshot& snapshot, std::stop_token stop) { return readLane(snapshot, question, stop); },
      [this, question](engine::Outcome<LaneContent> content) {
        m_asked.reset();
        // A lane that cannot be read stays empty instead of being asked for again and again.
        keep(content ? std::move(*content) : LaneContent{.question = question, .cells = {}, .objects = {}});
        Q_EMIT arrived();
        if (!m_asked) askNext();
      });
}

void LaneLoader::keep(LaneContent content) {
  const Key key{content.question.segment, content.question.part};
  if (m_contents.size() >= kMostKept) {
    std::erase_if(m_contents, [this](const auto& entry) { return !m_onScreen.contains(entry.first); });
  }
  m_contents.insert_or_assign(key, std::move(content));
}

}  // namespace heapscape::gui
