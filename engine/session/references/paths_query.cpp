// SPDX-License-Identifier: MIT
#include "session/references/paths_query.h"

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "base/large_array.h"
#include "graph/paths/root_distances.h"
#include "graph/paths/root_paths.h"
#include "session/objects/object_query.h"
#include "session/objects/retained_query.h"
#include "session/references/edge_names.h"
#include "session/references/neighbours_query.h"
#include "session/references/path_edges.h"
#include "session/references/path_expression.h"
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
  list.isGarbage = !list.isReachable && retention.isGarbage(id);
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

namespace {

/// How the next object on the shortest way to the roots refers to an object.
struct HolderLink {
  static constexpr std::uint32_t kElement = 0xffffffff;  // any element of an array that has one reference in each
  static constexpr std::uint32_t kHandle = 0xfffffffe;   // a dependent handle, or what keeps a collectible type loaded

  std::uint32_t holder = 0;  // ObjectId
  std::uint32_t type = 0;    // of the holder: TypeId
  std::uint32_t field = 0;   // offset from the holder's address

  bool isAlike(const HolderLink& other) const { return type == other.type && field == other.field; }
};

/// Follows the shortest ways from very many objects to the roots, step by step.
class HolderLinks {
 public:
  HolderLinks(const Contents& contents, const ReverseReferences& reverse, const PathIndex& index);

  bool isRooted(std::uint32_t object) const { return m_index.distances.of(object) == 1; }
  /// Link to an object that is reachable and not rooted. `reader`: the caller's own, so that several threads may ask.
  HolderLink linkOf(std::uint32_t object, HeapReader& reader) const;
  /// The end of a run: from an object on as long as the link is like this one. Findings are kept until forgetRuns().
  std::uint32_t endOfRun(std::uint32_t object, const HolderLink& link, HeapReader& reader);
  void forgetRuns();

  std::uint32_t typeOf(std::uint32_t object) const { return (*m_types)[object]; }

 private:
  std::uint32_t fieldOf(const HolderLink& link, std::uint32_t object, HeapReader& reader) const;

  const Contents& m_contents;
  const ReverseReferences& m_reverse;
  const PathIndex& m_index;
  std::shared_ptr<const ObjectTypes> m_types;
  LargeArray<std::uint32_t> m_ends;       // by ObjectId: one more than the end of its run, as far as it is known
  std::vector<std::uint32_t> m_followed;  // objects whose runs are known
};

HolderLinks::HolderLinks(const Contents& contents, const ReverseReferences& reverse, const PathIndex& index)
    : m_contents(contents),
      m_reverse(reverse),
      m_index(index),
      m_types(contents.typesOfObjects()),
      m_ends(contents.heap->index.objectCount()) {}

HolderLink HolderLinks::linkOf(std::uint32_t object, HeapReader& reader) const {
  HolderLink link;
  link.holder = nearerHolder(m_index.distances, m_reverse, object);
  link.type = typeOf(link.holder);
  link.field = fieldOf(link, object, reader);
  return link;
}

std::uint32_t HolderLinks::fieldOf(const HolderLink& link, std::uint32_t object, HeapReader& reader) const {
  const TypeId type{link.type};
  if (type.isNone()) return HolderLink::kHandle;
  if (m_contents.typeReferences->isArray(type)) return HolderLink::kElement;
  const Address holder = m_contents.heap->index.addressOf({link.holder});
  const std::uint64_t bytes = alignUp(m_contents.heap->types.shape(type).baseSize, 8);
  std::uint32_t field = HolderLink::kHandle;
  m_contents.typeReferences->placesOf(type).forEachPlace(bytes, [&](std::uint64_t offset) {
    Address target;
    if (field == HolderLink::kHandle && reader.tryRead(holder + offset, target) &&
        m_contents.heap->index.idOf(target).value == object)
      field = static_cast<std::uint32_t>(offset);
  });
  return field;
}

std::uint32_t HolderLinks::endOfRun(std::uint32_t object, const HolderLink& link, HeapReader& reader) {
  const std::size_t first = m_followed.size();
  std::uint32_t end = object;
  while (!m_ends[end]) {
    m_followed.push_back(end);
    if (isRooted(end)) break;
    const HolderLink next = linkOf(end, reader);
    if (!next.isAlike(link)) break;
    end = next.holder;
  }
  if (m_ends[end]) end = m_ends[end] - 1;
  for (std::size_t i = first; i < m_followed.size(); ++i) m_ends[m_followed[i]] = end + 1;
  return end;
}

void HolderLinks::forgetRuns() {
  for (const std::uint32_t object : m_followed) m_ends[object] = 0;
  m_followed.clear();
}

// Share of the whole, after the indices are made.
constexpr double kMergingFrom = 0.5;
constexpr std::size_t kBlock = 1 << 16;  // holders whose links are looked up at once
constexpr std::size_t kGrain = 1 << 12;
constexpr std::size_t kMembersKept = 1 << 22;  // of all nodes together

/// An object that holds some of the set.
struct Holder {
  std::uint32_t object = 0;
  std::uint32_t objects = 0;  // of the set
  std::uint64_t bytes = 0;    // of these
};

/// Key of all holders in a node, beside the node that they hold.
struct NodeKey {
  bool isRoot = false;
  HolderLink link = {};  // none in node 0; of a root's node the holder is the root's number, and no more
  auto order() const { return std::tuple(isRoot, isRoot ? link.holder : 0, link.type, link.field); }
  bool operator<(const NodeKey& other) const { return order() < other.order(); }
};

/// A node that may be taken into the answer, before what holds it is known.
struct Candidate {
  std::uint32_t parent = 0;
  NodeKey key;
  std::vector<Holder> holders;  // by object, each once
  std::uint64_t objects = 0;
  std::uint64_t bytes = 0;
  std::uint64_t number = 0;  // in the order of their making

  /// The largest is on top of a heap, and of equal ones the first.
  bool operator<(const Candidate& other) const {
    return objects != other.objects ? objects < other.objects : number > other.number;
  }
};

class PathMerger {
 public:
  PathMerger(const Snapshot& snapshot, const ReverseReferences& reverse, const PathIndex& index,
             StageProgress& progress, std::stop_token stop)
      : m_snapshot(snapshot),
        m_contents(snapshot.contents()),
        m_index(index),
        m_links(m_contents, reverse, index),
        m_names(m_contents),
        m_progress(progress),
        m_stop(std::move(stop)) {
    findStandingRoots();
  }

  Outcome<MergedPaths> mergeType(TypeId type, std::size_t limit) {
    m_type = type;
    Candidate all;
    ObjectFilter ofType;
    ofType.type = type;
    const auto take = [&](const ObjectRow& row) {
      addObject(row.id.value, all);
      return true;
    };
    if (!forEachObject(m_snapshot, ofType, take, m_stop)) return tl::unexpected(Unfinished::cancelled());
    return merge(std::move(all), limit);
  }

  Outcome<MergedPaths> mergeSet(const std::vector<std::uint32_t>& objects, std::size_t limit) {
    Candidate all;
    std::uint64_t steps = 0;
    for (const std::uint32_t object : objects) {
      if (++steps % kGrain == 0 && m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      addObject(object, all);
      const TypeId type = typeOfObject(m_contents, object);
      if (steps == 1) m_type = type;
      if (m_type != type) m_type = {};
    }
    return merge(std::move(all), limit);
  }

 private:
  Outcome<MergedPaths> merge(Candidate all, std::size_t limit) {
    m_merged.objects = all.holders.size();
    if (!all.holders.empty()) push(std::move(all));
    while (!m_candidates.empty() && m_merged.nodes.size() < limit) {
      std::pop_heap(m_candidates.begin(), m_candidates.end());
      Candidate candidate = std::move(m_candidates.back());
      m_candidates.pop_back();
      addNode(candidate);
      if (candidate.key.isRoot) continue;
      if (!addHolders(candidate)) return tl::unexpected(Unfinished::cancelled());
      m_progress.report(static_cast<double>(m_merged.nodes.size()) / static_cast<double>(limit));
    }
    return std::move(m_merged);
  }

  /// Words of one stack, and handles of one kind, are one node: the first of them stands for all.
  void findStandingRoots() {
    const std::vector<RootRow>& roots = m_contents.retention->roots.roots;
    std::map<std::uint32_t, std::uint32_t> firstOfGroup;
    for (std::uint32_t i = 0; i < roots.size(); ++i) {
      const bool isAlone = roots[i].kind == RootKind::Static || roots[i].kind == RootKind::ThreadStatic ||
                           roots[i].group == RootGroup::kNone;
      m_standing.push_back(isAlone ? i : firstOfGroup.try_emplace(roots[i].group, i).first->second);
    }
  }

  void addObject(std::uint32_t object, Candidate& all) {
    if (!m_index.distances.of(object)) {
      ++m_merged.unreachable;
      m_merged.frozen += isIn(m_contents.retention->frozen, object) ? 1 : 0;
    } else {
      all.holders.push_back({object, 1, m_contents.graph->bytesOf(object)});
    }
  }

  void push(Candidate candidate) {
    for (const Holder& holder : candidate.holders) {
      candidate.objects += holder.objects;
      candidate.bytes += holder.bytes;
    }
    candidate.number = m_made++;
    m_candidates.push_back(std::move(candidate));
    std::push_heap(m_candidates.begin(), m_candidates.end());
  }

  void addNode(const Candidate& candidate) {
    MergedPathNode node;
    node.parent = candidate.parent;
    node.isRoot = candidate.key.isRoot;
    node.objects = candidate.objects;
    node.holders = candidate.holders.size();
    node.bytes = candidate.bytes;
    if (node.isRoot) {
      node.root = candidate.key.link.holder;
      node.name = nameOfRoot(node.root);
    } else {
      node.type = m_merged.nodes.empty() ? m_type : TypeId{candidate.key.link.type};
      const bool isOfMany = m_merged.nodes.empty() && node.type.isNone();
      node.name = isOfMany ? "" : node.type.isNone() ? "?" : m_snapshot.types()[node.type.value].name;
      if (!m_merged.nodes.empty()) node.via = nameOfLink(candidate.key.link);
    }
    if (!node.isRoot && candidate.holders.size() <= m_membersLeft) {
      for (const Holder& holder : candidate.holders) node.members.push_back(holder.object);
      m_membersLeft -= node.members.size();
    }
    m_merged.nodes.push_back(std::move(node));
  }

  /// Adds the holders of the objects of the last node.
  bool addHolders(Candidate& candidate) {
    const auto node = static_cast<std::uint32_t>(m_merged.nodes.size() - 1);
    if (node > 0 && candidate.key.link.field < HolderLink::kHandle && !goToEndsOfRuns(candidate)) return false;
    std::map<NodeKey, std::vector<Holder>> groups;
    std::vector<NodeKey> keys(std::min(candidate.holders.size(), kBlock));
    for (std::size_t first = 0; first < candidate.holders.size(); first += kBlock) {
      if (m_stop.stop_requested()) return false;
      const std::size_t count = std::min(kBlock, candidate.holders.size() - first);
      tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, kGrain), [&](const auto& part) {
        HeapReader reader(m_contents);
        for (std::size_t i = part.begin(); i < part.end(); ++i)
          keys[i] = keyAbove(candidate.holders[first + i].object, reader);
      });
      for (std::size_t i = 0; i < count; ++i) {
        Holder above = candidate.holders[first + i];
        if (!keys[i].isRoot) above.object = keys[i].link.holder;
        add(groups[keys[i]], above);
      }
    }
    candidate.holders = {};
    for (auto& [key, holders] : groups) {
      unite(holders);
      Candidate above;
      above.parent = node;
      above.key = key;
      above.holders = std::move(holders);
      push(std::move(above));
    }
    return true;
  }

  NodeKey keyAbove(std::uint32_t object, HeapReader& reader) const {
    if (!m_links.isRooted(object)) return {false, m_links.linkOf(object, reader)};
    return {true, {.holder = m_standing[m_index.rootOf(object)]}};
  }

  bool goToEndsOfRuns(Candidate& candidate) {
    HeapReader reader(m_contents);
    bool isRun = false;
    std::uint64_t steps = 0;
    for (Holder& holder : candidate.holders) {
      if (++steps % kGrain == 0 && m_stop.stop_requested()) return false;
      const std::uint32_t end = m_links.endOfRun(holder.object, candidate.key.link, reader);
      isRun = isRun || end != holder.object;
      holder.object = end;
    }
    m_links.forgetRuns();
    m_merged.nodes.back().isRun = isRun;
    if (isRun) unite(candidate.holders);
    return true;
  }

  static void add(std::vector<Holder>& holders, const Holder& holder) {
    if (holders.empty() || holders.back().object != holder.object) {
      holders.push_back(holder);
    } else {
      holders.back().objects += holder.objects;
      holders.back().bytes += holder.bytes;
    }
  }

  static void unite(std::vector<Holder>& holders) {
    tbb::parallel_sort(holders.begin(), holders.end(),
                       [](const Holder& a, const Holder& b) { return a.object < b.object; });
    std::vector<Holder> united;
    for (const Holder& holder : holders) add(united, holder);
    holders = std::move(united);
  }

  std::string nameOfRoot(std::uint32_t root) const {
    const RootList& list = m_contents.retention->roots;
    const RootRow& row = list.roots[root];
    if (row.group == RootGroup::kNone) return row.name;
    const RootGroup& group = list.groups[row.group];
    if (row.kind == RootKind::Stack && group.parent != RootGroup::kNone)
      return fmt::format("stack of {}", list.groups[group.parent].name);
    return row.kind == RootKind::Static || row.kind == RootKind::ThreadStatic ? row.name : group.name;
  }

  std::string nameOfLink(const HolderLink& link) {
    if (m_contents.recorded) return {};
    if (link.field == HolderLink::kElement) return "[…]";
    if (link.field == HolderLink::kHandle) return "(dependent handle)";
    const Address holder = m_contents.heap->index.addressOf({link.holder});
    return m_names.nameOf({holder, {}, EdgeKind::Field, link.field}, m_snapshot.types()[link.type].methodTable);
  }

  const Snapshot& m_snapshot;
  const Contents& m_contents;
  const PathIndex& m_index;
  HolderLinks m_links;
  EdgeNames m_names;
  StageProgress& m_progress;
  std::stop_token m_stop;
  TypeId m_type;
  std::vector<std::uint32_t> m_standing;  // by root: the root that stands for it
  std::vector<Candidate> m_candidates;    // a heap
  std::uint64_t m_made = 0;
  std::size_t m_membersLeft = kMembersKept;
  MergedPaths m_merged;
};

}  // namespace

Outcome<MergedPaths> mergedPathsOfType(const Snapshot& snapshot, TypeId type, std::size_t limit, ProgressSink* progress,
                                       std::stop_token stop) {
  HEAPSCAPE_TRY(const auto reverse, reverseReferencesOf(snapshot, progress, stop));
  HEAPSCAPE_TRY(const auto index, pathIndexOf(snapshot, progress, stop));
  StageProgress merging(progress, "laying paths over each other", kMergingFrom, 1);
  return PathMerger(snapshot, *reverse, *index, merging, std::move(stop)).mergeType(type, limit);
}

Outcome<MergedPaths> mergedPathsOfSet(const Snapshot& snapshot, const std::vector<std::uint32_t>& objects,
                                      std::size_t limit, ProgressSink* progress, std::stop_token stop) {
  HEAPSCAPE_TRY(const auto reverse, reverseReferencesOf(snapshot, progress, stop));
  HEAPSCAPE_TRY(const auto index, pathIndexOf(snapshot, progress, stop));
  StageProgress merging(progress, "laying paths over each other", kMergingFrom, 1);
  return PathMerger(snapshot, *reverse, *index, merging, std::move(stop)).mergeSet(objects, limit);
}

}  // namespace heapscape::engine
