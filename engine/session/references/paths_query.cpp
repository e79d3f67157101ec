// SPDX-License-Identifier: MIT
#include "session/references/paths_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "base/short_type_name.h"
#include "graph/paths/path_between.h"
#include "graph/paths/root_paths.h"
#include "heap/object_head.h"
#include "session/door/contents.h"
#include "session/objects/object_query.h"
#include "session/references/path_expression.h"
#include "session/references/path_index.h"
#include "session/references/retained_query.h"
#include "session/references/what_if.h"
#include "values/collections/collection_reader.h"

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

constexpr std::string_view kWeakTable = "System.Runtime.CompilerServices.ConditionalWeakTable<";
constexpr std::size_t kMostEntries = 100'000;  // of one table that are looked through
constexpr std::size_t kMostTables = 1'000;

/// To which ConditionalWeakTable a dependent handle belongs: the tables are looked through when the first one is met.
class WeakTables {
 public:
  WeakTables(const Snapshot& snapshot, const ValueReader& values) : m_snapshot(snapshot), m_values(values) {}

  /// "(dependent handle: ConditionalWeakTable Zoo.P.table[Zoo.Order])" of the entry with this key and value. Without
  /// the table where it is in none, as one that is no entry but a DependentHandle of somebody's own.
  std::string nameOf(Address key, Address value) {
    if (!m_hasTables) findTables();
    for (const Address table : m_tables) {
      if (!holds(table, key, value)) continue;
      Address keyType;
      m_snapshot.contents().memory->tryRead(key, keyType);
      const std::string keyName = m_snapshot.contents().readers->names.nameOf({keyType.value & kMethodTableMask});
      return fmt::format("(dependent handle: ConditionalWeakTable {}[{}])", placeOf(table), shortTypeName(keyName));
    }
    return "(dependent handle)";
  }

 private:
  void findTables() {
    m_hasTables = true;
    for (std::uint32_t type = 0; type < m_snapshot.types().size(); ++type) {
      const std::string& name = m_snapshot.types()[type].name;
      if (!name.starts_with(kWeakTable) || !name.ends_with('>')) continue;
      ObjectFilter filter;
      filter.type = TypeId{type};
      forEachObject(m_snapshot, filter, [&](const ObjectRow& row) {
        m_tables.push_back(row.address);
        return m_tables.size() < kMostTables;
      });
    }
  }

  bool holds(Address table, Address key, Address value) {
    auto known = m_entries.find(table);
    if (known == m_entries.end()) {
      known = m_entries.try_emplace(table).first;
      if (const auto read = CollectionReader(m_values).read(table, kMostEntries)) {
        for (const CollectionItem& item : read->items) known->second.emplace(item.key.object, item.value.object);
      }
    }
    return known->second.contains({key, value});
  }

  /// The static that holds the table, else the field of an object; its address where neither is known.
  std::string placeOf(Address table) {
    auto known = m_places.find(table);
    if (known == m_places.end()) known = m_places.emplace(table, findPlace(table)).first;
    return known->second;
  }

  std::string findPlace(Address table) const {
    constexpr std::string_view kBeforeField = "static ";
    for (const RootRow& root : m_snapshot.roots().roots) {
      if (root.object != table || (root.kind != RootKind::Static && root.kind != RootKind::ThreadStatic)) continue;
      const std::size_t from = root.name.find(kBeforeField);
      return from == std::string::npos ? root.name : root.name.substr(from + kBeforeField.size());
    }
    const auto referrers = referrersOf(m_snapshot, table, 0, kReferrersAsked, nullptr, {});
    if (referrers) {
      for (const Referrer& referrer : referrers->referrers) {
        const std::string& type = m_snapshot.typeName(referrer.type);
        // Its own container refers back to it.
        if (referrer.isReachable && !type.starts_with(kWeakTable)) return fmt::format("{}.{}", type, referrer.via);
      }
    }
    return toString(table);
  }

  static constexpr std::size_t kReferrersAsked = 20;

  const Snapshot& m_snapshot;
  const ValueReader& m_values;
  bool m_hasTables = false;
  std::vector<Address> m_tables;
  std::map<Address, std::set<std::pair<Address, Address>>> m_entries;  // of tables that were looked through
  std::map<Address, std::string> m_places;
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
