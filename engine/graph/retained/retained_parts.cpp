// SPDX-License-Identifier: MIT
#include "graph/retained/retained_parts.h"

#include <algorithm>

#include "base/ids.h"
#include "base/stop_interval.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kFetchAhead = 4;

/// With all that it dominates.
void addTop(const DominatorTree& tree, const RetainedSizes& sizes, std::uint32_t number, RetainedParts& parts) {
  parts.tops.push_back(tree.vertexOf(number));
  parts.objects += sizes.objects[number];
  parts.bytes += sizes.bytes[number];
}

}  // namespace

RetainedParts outermostParts(const DominatorTree& tree, const RetainedSizes& sizes,
                             std::span<const std::uint32_t> numbers) {
  RetainedParts parts;
  std::uint64_t end = 0;
  for (const std::uint32_t number : numbers) {
    if (number < end) continue;
    end = std::uint64_t{number} + sizes.objects[number];
    addTop(tree, sizes, number, parts);
  }
  return parts;
}

bool RetainedParts::contains(const DominatorTree& tree, const RetainedSizes& sizes, std::uint32_t object) const {
  const std::uint32_t number = tree.numberOf(object);
  const auto numberOf = [&](std::uint32_t other) { return tree.numberOf(other); };
  if (std::ranges::binary_search(alone, number, {}, numberOf)) return number != 0;
  const auto behind = std::ranges::upper_bound(tops, number, {}, numberOf);
  if (number == 0 || behind == tops.begin()) return false;
  const std::uint32_t top = tree.numberOf(*(behind - 1));
  return number - top < sizes.objects[top];
}

std::optional<RetainedParts> RetainedPartsFinder::without(const RetainedPartsQuestion& question,
                                                          const std::stop_token& stop) {
  const std::vector<std::uint32_t> numbers = numbersOf(question.members);
  if (numbers.empty()) return RetainedParts{};
  const bool isPlain = !question.isLettingGo && question.kept.empty();
  const Range range = commonPart(numbers, isPlain);
  const bool isOne = isPlain && range.first == numbers.front();
  const std::uint32_t size = range.end - range.first;
  if (isOne || size > m_budget) {
    RetainedParts parts = isPlain ? outermostParts(m_tree, m_sizes, numbers) : RetainedParts{};
    parts.isExact = isOne;
    return parts;
  }
  m_budget -= size;
  if (!mark(range, question, m_roots, stop)) return std::nullopt;
  return question.kept.empty() ? unmarked(range) : unmarkedAlone(range);
}

std::optional<RetainedParts> RetainedPartsFinder::without(std::span<const std::uint32_t> members,
                                                          std::span<const std::uint32_t> roots,
                                                          const std::stop_token& stop) {
  const Range whole{0, m_tree.reachedCount() + 1};
  if (!mark(whole, {.members = members}, roots, stop)) return std::nullopt;
  return unmarked(whole);
}

/// Ascending, each once.
std::vector<std::uint32_t> RetainedPartsFinder::numbersOf(std::span<const std::uint32_t> objects) const {
  std::vector<std::uint32_t> numbers;
  numbers.reserve(objects.size());
  for (const std::uint32_t object : objects) {
    if (const std::uint32_t number = m_tree.numberOf(object)) numbers.push_back(number);
  }
  std::ranges::sort(numbers);
  numbers.erase(std::ranges::unique(numbers).begin(), numbers.end());
  return numbers;
}

RetainedPartsFinder::Range RetainedPartsFinder::commonPart(std::span<const std::uint32_t> numbers,
                                                           bool mayBeMember) const {
  // The first and the last one in preorder decide.
  std::uint32_t common = mayBeMember ? numbers.front() : m_tree.dominatingObjectOf(numbers.front());
  while (common && numbers.back() - common >= m_sizes.objects[common]) common = m_tree.dominatingObjectOf(common);
  return common ? Range{common, common + m_sizes.objects[common]} : Range{0, m_tree.reachedCount() + 1};
}

/// Marks what can still be reached in a part of the heap. False if it was stopped.
bool RetainedPartsFinder::mark(const Range& range, const RetainedPartsQuestion& question,
                               std::span<const std::uint32_t> roots, const std::stop_token& stop) {
  m_isMember.assign(range.end - range.first, false);
  m_isMarked.assign(range.end - range.first, false);
  for (const std::uint32_t member : question.members) {
    if (const std::uint32_t number = m_tree.numberOf(member)) m_isMember[number - range.first] = true;
  }
  std::vector<std::uint32_t> waiting;
  const auto reach = [&](std::uint32_t object, auto isLetGo) {
    const std::uint32_t number = m_tree.numberOf(object);
    if (number < range.first || number >= range.end || number == 0) return;
    if (m_isMarked[number - range.first] || (m_isMember[number - range.first] && isLetGo(object))) return;
    m_isMarked[number - range.first] = true;
    waiting.push_back(object);
  };
  const auto isLetGoBy = [&](std::uint32_t holder) {
    return [&question, holder](std::uint32_t member) {
      return !question.isLettingGo || question.isLettingGo(holder, member);
    };
  };
  if (range.first) {
    reach(m_tree.vertexOf(range.first), isLetGoBy(kNone));
  } else {
    for (const std::uint32_t root : roots) reach(root, isLetGoBy(kNone));
  }
  for (const std::uint32_t object : question.kept) reach(object, [](std::uint32_t) { return true; });
  for (std::uint64_t steps = 1; !waiting.empty(); ++steps) {
    const std::uint32_t object = waiting.back();
    waiting.pop_back();
    if (waiting.size() >= kFetchAhead) m_graph.rows.starts().prefetch(waiting[waiting.size() - kFetchAhead]);
    if (steps % kStopInterval == 0) {
      if (stop.stop_requested()) return false;
      if (question.progress)
        question.progress->report(static_cast<double>(steps) / static_cast<double>(range.end - range.first));
    }
    for (const std::uint32_t target : m_graph.targetsOf(object)) reach(target, isLetGoBy(object));
  }
  return true;
}

RetainedParts RetainedPartsFinder::unmarked(const Range& range) const {
  RetainedParts parts;
  for (std::uint32_t number = std::max(range.first, 1u); number < range.end;) {
    if (m_isMarked[number - range.first] || !m_tree.isObject(m_tree.vertexOf(number))) {
      ++number;
      continue;
    }
    addTop(m_tree, m_sizes, number, parts);
    number += m_sizes.objects[number];
  }
  return parts;
}

RetainedParts RetainedPartsFinder::unmarkedAlone(const Range& range) const {
  RetainedParts parts;
  for (std::uint32_t number = std::max(range.first, 1u); number < range.end; ++number) {
    const std::uint32_t object = m_tree.vertexOf(number);
    if (m_isMarked[number - range.first] || !m_tree.isObject(object)) continue;
    parts.alone.push_back(object);
    ++parts.objects;
    parts.bytes += m_graph.bytesOf(object);
  }
  return parts;
}

}  // namespace heapscape::engine
