// SPDX-License-Identifier: MIT
#include "session/references/paths_query.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/paths/root_paths.h"
#include "session/objects/retained_query.h"
#include "session/references/path_expression.h"
#include "session/references/path_index.h"
#include "session/references/weak_tables.h"
#include "session/references/what_if.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

Result<std::uint32_t> idOf(const Snapshot& snapshot, Address object) {
  const Contents& contents = snapshot.contents();
  const ObjectId id = contents.heap ? contents.heap->index.idOf(object) : ObjectId{};
  if (id.isNone()) return failure(ErrorCode::NotFound, fmt::format("There is no object at {}.", toString(object)));
  return id.value;
}

/// The root that says most of an object that one is left for.
std::uint32_t rootLeft(const PathIndex& index, std::uint32_t object, const WhatIf* without) {
  if (!without) return index.rootOf(object);
  auto root = std::ranges::lower_bound(index.roots, object, {}, &PathIndex::RootOfObject::object);
  while (without->isRootCut(root->root)) ++root;
  return root->root;
}

constexpr std::size_t kOtherRoots = 20;  // of one object that are listed

void addOtherRoots(const PathIndex& index, std::uint32_t object, const WhatIf* without, RootPath& path) {
  for (auto root = std::ranges::lower_bound(index.roots, object, {}, &PathIndex::RootOfObject::object);
       root != index.roots.end() && root->object == object; ++root) {
    if (root->root == path.root || (without && without->isRootCut(root->root))) continue;
    ++path.otherRootCount;
    if (path.otherRoots.size() < kOtherRoots) path.otherRoots.push_back(root->root);
  }
}

/// Steps of a path: all of them, or so many from both ends.
struct ShownSteps {
  std::vector<PathStep> steps;
  std::uint64_t leftOut = 0;
  std::uint64_t leftOutAfter = 0;
};

/// Tells what lies on paths, for one question.
class PathTeller {
 public:
  explicit PathTeller(const Snapshot& snapshot)
      : m_snapshot(snapshot),
        m_contents(snapshot.contents()),
        m_edges(m_contents),
        m_reader(m_contents),
        m_names(m_contents),
        m_expressions(m_names),
        m_weakTables(snapshot, m_names.values()) {}

  RootPath describe(const std::vector<std::uint32_t>& objects, std::uint32_t root, std::size_t steps) {
    const std::vector<EdgeRun> runs = runsOf(objects);
    RootPath path;
    path.root = root;
    path.length = objects.size();
    ShownSteps shown = stepsOf(objects, runs, steps);
    path.steps = std::move(shown.steps);
    path.stepsLeftOut = shown.leftOut;
    path.leftOutAfter = shown.leftOutAfter;
    const PathText before = rootExpression(m_contents.retention->roots.roots[root]);
    const PathText rest = expressionOf(runs);
    path.expression = before.text + rest.text;
    path.redactedExpression = before.redacted + rest.redacted;
    return path;
  }

  std::vector<EdgeRun> runsOf(const std::vector<std::uint32_t>& path) { return m_edges.read(path); }
  PathText expressionOf(const std::vector<EdgeRun>& runs) { return m_expressions.write(runs); }

  ShownSteps stepsOf(const std::vector<std::uint32_t>& path, const std::vector<EdgeRun>& runs, std::size_t limit) {
    ShownSteps shown;
    const std::size_t first = path.size() <= limit ? path.size() : limit / 2 + limit % 2;
    const std::size_t last = path.size() <= limit ? 0 : limit / 2;
    shown.leftOut = path.size() - first - last;
    shown.leftOutAfter = shown.leftOut ? first : 0;
    for (std::size_t i = 0; i < first; ++i) shown.steps.push_back(stepAt(path, runs, i));
    for (std::size_t i = path.size() - last; i < path.size(); ++i) shown.steps.push_back(stepAt(path, runs, i));
    return shown;
  }

 private:
  PathStep stepAt(const std::vector<std::uint32_t>& path, const std::vector<EdgeRun>& runs, std::size_t position) {
    const ObjectIndex& index = m_contents.heap->index;
    PathStep step;
    step.object = index.addressOf({path[position]});
    if (const TypeIndex::Slot* type = m_reader.typeAt(step.object)) step.type = {type->type};
    step.retainedBytes = retainedBytesOf(m_snapshot, {path[position]});
    if (position == 0) return step;
    // The run that the step before this object belongs to.
    const auto behind = std::ranges::upper_bound(runs, position - 1, {}, &EdgeRun::first);
    const EdgeRun& run = *(behind - 1);
    const Address holder = position - 1 == run.first ? run.holder : index.addressOf({path[position - 1]});
    step.via = run.kind == EdgeKind::Dependent
                   ? m_weakTables.nameOf(holder, step.object)
                   : m_names.nameOf({holder, step.object, run.kind, run.offset}, run.methodTable);
    return step;
  }

  const Snapshot& m_snapshot;
  const Contents& m_contents;
  PathEdges m_edges;
  HeapReader m_reader;
  EdgeNames m_names;
  PathExpressions m_expressions;
  WeakTables m_weakTables;
};

}  // namespace

Outcome<void> prepareReferrers(const Snapshot& snapshot, ProgressSink* progress, std::stop_token stop) {
  HEAPSCAPE_CHECK(reverseReferencesOf(snapshot, progress, std::move(stop)));
  return {};
}

Outcome<void> preparePaths(const Snapshot& snapshot, ProgressSink* progress, std::stop_token stop) {
  HEAPSCAPE_CHECK(reverseReferencesOf(snapshot, progress, stop));
  HEAPSCAPE_CHECK(pathIndexOf(snapshot, progress, std::move(stop)));
  return {};
}

Outcome<RootPathList> pathsToRoots(const Snapshot& snapshot, Address object, const PathOptions& options,
                                   ProgressSink* progress, std::stop_token stop) {
  HEAPSCAPE_TRY(const std::uint32_t id, idOf(snapshot, object));
  HEAPSCAPE_TRY(const auto reverse, reverseReferencesOf(snapshot, progress, stop));
  HEAPSCAPE_TRY(const auto index, pathIndexOf(snapshot, progress, stop));
  const Retention& retention = *snapshot.contents().retention;
  RootPathList list;
  list.isReachable = index->distances.of(id) != 0;
  const std::uint32_t firstRoot =
      retention.tree.vertexOfRoot(static_cast<std::uint32_t>(retention.roots.groups.size()));
  const WhatIf* const without = options.without;
  std::optional<PathCuts> cuts;
  if (without) cuts.emplace(without->graphCuts(), [&](std::uint32_t holder) { return without->freesObject(holder); });
  list.isFreed = without && without->freesObject(id);
  const auto found = findRootPaths({retention.tree, firstRoot, *reverse, index->distances, cuts ? &*cuts : nullptr}, id,
                                   {options.paths, options.references}, stop);
  if (!found) return tl::unexpected(Unfinished::cancelled());
  list.isExhausted = found->isExhausted;
  PathTeller teller(snapshot);
  for (const std::vector<std::uint32_t>& objects : found->paths) {
    if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    list.paths.push_back(teller.describe(objects, rootLeft(*index, objects.front(), without), options.steps));
    addOtherRoots(*index, objects.front(), without, list.paths.back());
  }
  return list;
}

RootPath describeRootPath(const Snapshot& snapshot, const std::vector<std::uint32_t>& objects, std::uint32_t root,
                          std::size_t steps) {
  return PathTeller(snapshot).describe(objects, root, steps);
}

Outcome<ObjectPath> pathBetween(const Snapshot& snapshot, Address from, Address to, std::size_t steps,
                                ProgressSink* progress, std::stop_token stop) {
  HEAPSCAPE_TRY(const std::uint32_t first, idOf(snapshot, from));
  HEAPSCAPE_TRY(const std::uint32_t last, idOf(snapshot, to));
  HEAPSCAPE_TRY(const auto reverse, reverseReferencesOf(snapshot, progress, stop));
  StageProgress searching(progress, "searching a way", 0.5, 1);
  const auto objects =
      findPathBetween(snapshot.contents().graph->edges(), *reverse, first, last, searching, std::move(stop));
  if (!objects) return tl::unexpected(Unfinished::cancelled());
  ObjectPath path;
  if (objects->empty()) return path;
  PathTeller teller(snapshot);
  const std::vector<EdgeRun> runs = teller.runsOf(*objects);
  ShownSteps shown = teller.stepsOf(*objects, runs, steps);
  PathText expression = teller.expressionOf(runs);
  return ObjectPath{.length = objects->size(),
                    .steps = std::move(shown.steps),
                    .stepsLeftOut = shown.leftOut,
                    .leftOutAfter = shown.leftOutAfter,
                    .expression = std::move(expression.text),
                    .redactedExpression = std::move(expression.redacted)};
}

}  // namespace heapscape::engine
