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
  LaneContent content{.question = question, .cells = {}, .objects = {}, .marks = {}, .hasObjects = false};
  HEAPSCAPE_TRY(content.cells,
                mapCells(snapshot, question.segment, question.window, question.cells, question.paint, stop));
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
  for (const ObjectRow& object : content.objects) content.marks.push_back(markOf(question.paint, object));
  return content;
}

namespace {

/// Of what is highlighted: so high at least, in shares of the lane, for a few objects among many are to be seen.
constexpr double kLeastHighlight = 0.25;

/// Heights of one column; shares are rounded, but nothing that is there vanishes.
DensityRun columnOf(const MapCell& cell, double sliceBytes, int height, bool isHighlighting) {
  DensityRun run;
  const auto pixels = [&](std::uint32_t bytes) {
    return static_cast<int>(std::lround(static_cast<double>(bytes) / sliceBytes * height));
  };
  const auto heights = [&](const auto& bytes, int least, auto& of) {
    int sum = 0;
    for (std::size_t colour = 0; colour < engine::kMapColours; ++colour) {
      of[colour] = bytes[colour] == 0 ? 0 : std::max(least, pixels(bytes[colour]));
      sum += of[colour];
    }
    return sum;
  };
  const int leastUsed = isHighlighting ? std::max(1, static_cast<int>(height * kLeastHighlight)) : 1;
  int used = heights(cell.usedBytes, leastUsed, run.used);
  int pale = heights(cell.paleBytes, 1, run.pale);
  // What is too much goes from the largest; what is pale gives way first.
  for (; used + pale > height && pale > 0; --pale) --*std::ranges::max_element(run.pale);
  const auto tallest = std::ranges::max_element(run.used);
  for (; used > height; --used) --*std::ranges::max_element(run.used);
  run.free = std::min(pixels(cell.freeBytes), height - used - pale);
  run.paleFree = std::min(pixels(cell.paleFreeBytes), height - used - pale - run.free);
  const int filled = used + pale + run.free + run.paleFree;
  run.unknown = height - filled;
  // Shares that miss the top by rounding alone leave no gap.
  if (run.unknown <= 1 && filled > 0) {
    int& grown = run.free > 0       ? run.free
                 : run.paleFree > 0 ? run.paleFree
                 : pale > 0         ? *std::ranges::max_element(run.pale)
                                    : *tallest;
    grown += run.unknown;
    run.unknown = 0;
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
    DensityRun run = columnOf(content.cells[std::min(index, content.cells.size() - 1)], sliceBytes, height,
                              content.question.paint.highlight != nullptr);
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

std::vector<double> pinPlaces(const LaneContent& content, const AddressScale& scale, double left, double right,
                              double spacing) {
  std::vector<double> places;
  const auto add = [&](double x) {
    if (x >= left && x < right && (places.empty() || x >= places.back() + spacing)) places.push_back(x);
  };
  if (content.hasObjects) {
    for (std::size_t i = 0; i < content.marks.size(); ++i) {
      if (content.marks[i].isPinned) add(std::max(left, scale.xOf(content.objects[i].address)));
    }
    return places;
  }
  const engine::AddressRange window = content.question.window;
  const double sliceBytes = static_cast<double>(window.sizeBytes()) / static_cast<double>(content.cells.size());
  for (std::size_t cell = 0; cell < content.cells.size(); ++cell) {
    if (content.cells[cell].pinned == 0) continue;
    const double bytes = (static_cast<double>(cell) + 0.5) * sliceBytes;
    add(scale.xOf(window.start + static_cast<std::uint64_t>(bytes)));
  }
  return places;
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
        keep(content ? std::move(*content)
                     : LaneContent{.question = question, .cells = {}, .objects = {}, .marks = {}});
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
