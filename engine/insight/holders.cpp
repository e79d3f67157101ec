// SPDX-License-Identifier: MIT
#include "insight/holders.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/count_text.h"
#include "session/references/path_expression.h"
#include "session/references/path_index.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kShownSteps = 24;

bool isOfThread(const RootRow& root) {
  return root.kind == RootKind::Stack || root.kind == RootKind::ThreadStatic;
}

}  // namespace

Holders::Holders(const InsightInput& input, const HeapObjects& heap)
    : m_input(input), m_snapshot(input.snapshot), m_heap(heap), m_edges(input.contents), m_names(input.contents) {}

Outcome<std::optional<HoldingPlace>> Holders::placeOf(std::uint32_t object, const std::stop_token& stop) {
  HEAPSCAPE_TRY(const auto index, pathIndexOf(m_snapshot, nullptr, stop));
  if (auto root = rootOf(object, *index)) return root;
  if (!m_heap.isReachable(object)) return std::optional<HoldingPlace>();
  const std::uint32_t holder = nearerHolder(index->distances, *m_input.reverse, object);
  return HoldingPlace{.name = nameOfField(holder, object), .holder = holder};
}

std::optional<HoldingPlace> Holders::rootOf(std::uint32_t object, const PathIndex& index) const {
  if (index.distances.of(object) != 1) return std::nullopt;
  const RootRow& root = m_snapshot.roots().roots[index.rootOf(object)];
  const bool isStatic = root.kind == RootKind::Static || root.kind == RootKind::ThreadStatic;
  return HoldingPlace{.name = nameOf(root), .isStatic = isStatic};
}

std::string Holders::nameOfField(std::uint32_t holder, std::uint32_t object) {
  const std::vector<Edge> edges = m_edges.between(m_heap.addressOf(holder), m_heap.addressOf(object));
  const TypeRow& type = m_heap.typeRowOf(holder);
  if (edges.empty()) return type.name;
  const std::string field = m_names.nameOf(edges.front(), type.methodTable);
  return edges.front().kind == EdgeKind::Field ? fmt::format("{}.{}", type.name, field) : type.name;
}

Outcome<std::vector<std::string>> Holders::pathTo(std::uint32_t object, const std::stop_token& stop) {
  const PathOptions one{.paths = 1, .steps = kShownSteps};
  HEAPSCAPE_TRY(const RootPathList list, pathsToRoots(m_snapshot, m_heap.addressOf(object), one, nullptr, stop));
  return list.paths.empty() ? std::vector<std::string>() : wordsOf(list.paths.front());
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
