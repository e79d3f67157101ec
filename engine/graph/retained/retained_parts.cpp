// SPDX-License-Identifier: MIT
#include "graph/retained/retained_parts.h"

#include <algorithm>

#include "base/ids.h"

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

namespace {

constexpr std::size_t kObjectsAhead = 4;

}  // namespace

std::optional<RetainedSetTotals> addUpRetainedSet(const ReferenceGraph& graph, const DominatorTree& tree,
                                                  const RetainedSizes& sizes, std::span<const std::uint32_t> roots,
                                                  const std::vector<bool>& isMember, StageProgress& progress,
                                                  std::stop_token stop) {
  RetainedSetTotals totals;
  for (std::uint32_t object = 0; object < graph.objectCount(); ++object) {
    if (!isMember[object] || !tree.numberOf(object)) continue;
    ++totals.memberObjects;
    totals.memberBytes += graph.bytesOf(object);
  }
  // Memory is read in order where references lead onwards: what lies ahead is only marked, and met again.
  std::vector<bool> isSeen = isMember;
  std::vector<std::uint32_t> waiting;
  std::uint32_t reached = 0;
  const auto visit = [&](std::uint32_t object) {
    if (isSeen[object]) return;
    isSeen[object] = true;
    if (object < reached) waiting.push_back(object);
  };
  for (const std::uint32_t root : roots) visit(root);
  std::uint64_t keptObjects = 0;
  std::uint64_t keptBytes = 0;
  const auto keep = [&](std::uint32_t object) {
    ++keptObjects;
    keptBytes += graph.bytesOf(object);
    for (const std::uint32_t target : graph.targetsOf(object)) visit(target);
  };
  std::uint64_t told = 0;
  for (reached = 0; reached < graph.objectCount();) {
    const std::uint32_t object = reached++;
    if (isSeen[object] && !isMember[object]) keep(object);
    while (!waiting.empty()) {
      const std::uint32_t behind = waiting.back();
      waiting.pop_back();
      if (waiting.size() >= kObjectsAhead) graph.rows.starts().prefetch(waiting[waiting.size() - kObjectsAhead]);
      keep(behind);
      if (keptObjects % kStopInterval == 0 && stop.stop_requested()) return std::nullopt;
    }
    if (keptObjects - told < kStopInterval) continue;
    told = keptObjects;
    if (stop.stop_requested()) return std::nullopt;
    progress.report(static_cast<double>(keptObjects) / static_cast<double>(tree.reachedObjects()));
  }
  totals.retainedObjects = tree.reachedObjects() - keptObjects;
  totals.retainedBytes = sizes.bytes[0] - keptBytes;
  return totals;
}

namespace {

constexpr std::uint32_t kNobody = 0;  // memory is zeroed: groups count from 1
constexpr std::uint32_t kSeveral = 0xffffffff;
constexpr std::size_t kGroupedObjectsAhead = 4;

}  // namespace

std::optional<std::vector<HeldByGroup>> heldByGroups(const ReferenceGraph& graph, std::span<const GroupedRoot> roots,
                                                     std::uint32_t groups, std::uint64_t reachable,
                                                     StageProgress& progress, const std::stop_token& stop) {
  LargeArray<std::uint32_t> holderOf(graph.objectCount());
  std::vector<std::uint32_t> waiting;
  const auto reach = [&](std::uint32_t object, std::uint32_t holder) {
    std::uint32_t& known = holderOf[object];
    if (known == holder || known == kSeveral) return;
    known = known == kNobody ? holder : kSeveral;
    waiting.push_back(object);
  };
  for (const GroupedRoot& root : roots) reach(root.object, root.group + 1);
  std::uint64_t steps = 0;
  while (!waiting.empty()) {
    const std::uint32_t object = waiting.back();
    waiting.pop_back();
    if (waiting.size() >= kGroupedObjectsAhead)
      graph.rows.starts().prefetch(waiting[waiting.size() - kGroupedObjectsAhead]);
    if (++steps % kStopInterval == 0) {
      if (stop.stop_requested()) return std::nullopt;
      progress.report(std::min(1.0, static_cast<double>(steps) / static_cast<double>(2 * reachable + 1)));
    }
    const std::uint32_t holder = holderOf[object];
    for (const std::uint32_t target : graph.targetsOf(object)) reach(target, holder);
  }
  std::vector<HeldByGroup> held(groups);
  for (std::uint32_t object = 0; object < graph.objectCount(); ++object) {
    const std::uint32_t holder = holderOf[object];
    if (holder == kNobody || holder == kSeveral) continue;
    ++held[holder - 1].objects;
    held[holder - 1].bytes += graph.bytesOf(object);
  }
  return held;
}

}  // namespace heapscape::engine
