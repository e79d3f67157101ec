// SPDX-License-Identifier: MIT
#include "insight/holders.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/figures.h"
#include "base/progress.h"
#include "session/references/path_expression.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kShownSteps = 24;
constexpr std::uint64_t kManyTimes = 3;  // all references followed so often: distances of all objects cost no more

bool isOfThread(const RootRow& root) {
  return root.kind == RootKind::Stack || root.kind == RootKind::ThreadStatic;
}

}  // namespace

Holders::Holders(const InsightInput& input, const HeapObjects& heap)
    : m_input(input),
      m_snapshot(input.snapshot),
      m_heap(heap),
      m_roots(rootsByObject(input.contents)),
      m_edges(input.contents),
      m_names(input.contents) {}

Outcome<std::optional<HoldingPlace>> Holders::placeOf(std::uint32_t object, const std::stop_token& stop) {
  if (const auto number = rootOf(object)) {
    const RootRow& root = m_snapshot.roots().roots[*number];
    const bool isStatic = root.kind == RootKind::Static || root.kind == RootKind::ThreadStatic;
    return HoldingPlace{.name = nameOf(root), .isStatic = isStatic};
  }
  auto holder = m_input.onlyReferrer(object);
  if (!holder) {
    HEAPSCAPE_TRY(const std::vector<std::uint32_t> path, shortestTo(object, stop));
    if (path.size() > 1) holder = path[path.size() - 2];
  }
  if (!holder) return std::optional<HoldingPlace>();
  return HoldingPlace{.name = nameOfField(*holder, object), .holder = *holder};
}

std::optional<std::uint32_t> Holders::rootOf(std::uint32_t object) const {
  const auto root = std::ranges::lower_bound(m_roots, object, {}, &PathIndex::RootOfObject::object);
  return root != m_roots.end() && root->object == object ? std::optional(root->root) : std::nullopt;
}

Outcome<std::vector<std::uint32_t>> Holders::shortestTo(std::uint32_t object, const std::stop_token& stop) {
  if (!m_heap.isReachable(object)) return std::vector<std::uint32_t>();
  std::vector<std::uint32_t> below;  // what a single reference leads to has one way up
  for (auto only = m_input.onlyReferrer(object); only; only = m_input.onlyReferrer(object)) {
    if (below.size() % kStopInterval == 0 && stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    below.push_back(object);
    object = *only;
  }
  std::vector<std::uint32_t> path;
  const EdgeRows edges = m_heap.graph().edges();
  if (!m_near) {
    std::vector<std::uint32_t> rooted;
    for (const PathIndex::RootOfObject& root : m_roots) rooted.push_back(root.object);
    m_near.emplace(edges, rooted);
  }
  if (m_near->followed() <= kManyTimes * edges.targets.size()) {
    auto found = m_near->shortestTo(object, stop);
    if (!found) return tl::unexpected(Unfinished::cancelled());
    path = *std::move(found);
  } else {
    HEAPSCAPE_TRY(const auto index, pathIndexOf(m_snapshot, nullptr, stop));
    HEAPSCAPE_TRY(const auto reverse, reverseReferencesOf(m_snapshot, nullptr, stop));
    if (index->distances.of(object)) path.push_back(object);
    while (!path.empty() && index->distances.of(path.back()) > 1)
      path.push_back(nearerHolder(index->distances, *reverse, path.back()));
    std::ranges::reverse(path);
  }
  if (!path.empty()) path.insert(path.end(), below.rbegin(), below.rend());
  return path;
}

std::string Holders::nameOfField(std::uint32_t holder, std::uint32_t object) {
  const std::vector<Edge> edges = m_edges.between(m_heap.addressOf(holder), m_heap.addressOf(object));
  const TypeRow& type = m_heap.typeRowOf(holder);
  if (edges.empty()) return type.name;
  const std::string field = m_names.nameOf(edges.front(), type.methodTable);
  return edges.front().kind == EdgeKind::Field ? fmt::format("{}.{}", type.name, field) : type.name;
}

Outcome<std::vector<std::string>> Holders::pathTo(std::uint32_t object, const std::stop_token& stop) {
  HEAPSCAPE_TRY(const std::vector<std::uint32_t> path, shortestTo(object, stop));
  const auto root = path.empty() ? std::nullopt : rootOf(path.front());
  if (!root) return std::vector<std::string>();
  return wordsOf(describeRootPath(m_snapshot, path, *root, kShownSteps));
}

std::vector<std::string> Holders::wordsOf(const RootPath& path) const {
  const std::vector<TypeRow>& types = m_snapshot.types();
  std::vector<std::string> words{nameOf(m_snapshot.roots().roots[path.root])};
  for (std::size_t i = 0; i < path.steps.size(); ++i) {
    if (path.stepsLeftOut && i == path.leftOutAfter)
      words.push_back(fmt::format("… {}", countOf(path.stepsLeftOut, "object")));
    const PathStep& step = path.steps[i];
    const std::string type = step.type.value < types.size() ? types[step.type.value].name : std::string();
    words.push_back(step.via.empty() ? type : fmt::format("{}: {}", step.via, type));
  }
  return words;
}

std::string Holders::nameOf(const RootRow& root) {
  return isOfThread(root) || root.kind == RootKind::Given ? rootExpression(root).redacted : root.name;
}

bool isHeldByStacksAlone(const HeapObjects& heap, std::uint32_t object) {
  const Retention& retention = *heap.contents().retention;
  std::uint32_t number = heap.tree().numberOf(object);
  while (number && heap.tree().isObject(heap.tree().vertexOf(number))) number = heap.tree().dominatorOf(number);
  if (!number) return false;
  const std::uint32_t vertex = heap.tree().vertexOf(number);
  if (!retention.isGroup(vertex)) return retention.roots.roots[retention.rootOf(vertex)].kind == RootKind::Stack;
  const std::string& group = retention.roots.groups[retention.groupOf(vertex)].name;
  return group == kStackGroup || group == kInexactStackGroup;
}

}  // namespace heapscape::engine
