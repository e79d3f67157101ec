// SPDX-License-Identifier: MIT
#include "session/references/what_if.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "base/progress.h"
#include "heap/object_types.h"
#include "session/objects/folded_collections.h"
#include "session/references/neighbours_query.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {

struct WhatIf::Answer {
  Snapshot snapshot;
  std::vector<CutShare> cuts = {};
  GraphCuts graphCuts = {};
  std::vector<bool> isRootCut = {};  // by index
  RetainedParts freed = {};
};

namespace {

constexpr std::uint64_t kAnyBudget = std::numeric_limits<std::uint64_t>::max();
constexpr double kTogetherEnd = 0.5;  // of the progress; then one cut after the other

/// Finds what cuts free, for one question.
class FreedFinder {
 public:
  FreedFinder(const Snapshot& snapshot, std::stop_token stop)
      : m_snapshot(snapshot),
        m_contents(snapshot.contents()),
        m_rootObjects(objectsOfRoots()),
        m_finder(*m_contents.graph, retention().tree, retention().sizes, reachedByRoots(), kAnyBudget),
        m_stop(std::move(stop)) {}

  GraphCuts graphCuts(const std::vector<const Cut*>& cuts, std::vector<bool>& isRootCut) const {
    std::vector<GraphCuts::Reference> references;
    std::vector<std::uint32_t> objects;
    std::vector<std::uint32_t> letGoByRoots;
    isRootCut.assign(m_rootObjects.size(), false);
    for (const Cut* cut : cuts) {
      references.insert(references.end(), cut->references.begin(), cut->references.end());
      if (cut->kind == CutKind::Object) objects.push_back(cut->object);
      objects.insert(objects.end(), cut->objects.begin(), cut->objects.end());
      for (const std::uint32_t root : cut->roots) {
        isRootCut[root] = true;
        if (m_rootObjects[root] != kNone) letGoByRoots.push_back(m_rootObjects[root]);
      }
    }
    return {std::move(references), std::move(objects), unrooted(std::move(letGoByRoots), isRootCut)};
  }

  std::optional<RetainedParts> freed(const GraphCuts& cuts, StageProgress* progress) {
    RetainedPartsQuestion question{.members = cuts.letGo(), .progress = progress};
    // Without it the tree alone tells of one object.
    if (!cuts.areObjectsAlone())
      question.isLettingGo = [&](std::uint32_t holder, std::uint32_t member) { return cuts.isCut(holder, member); };
    return m_finder.without(question, m_stop);
  }

  /// Figures of one cut by itself.
  std::optional<Retained> alone(const Cut& cut, StageProgress* progress) {
    if (cut.group != RootGroup::kNone) return retainedByGroup(m_snapshot, cut.group);
    if (cut.roots.size() == 1) return retainedByRoot(m_snapshot, cut.roots.front());
    std::vector<bool> isRootCut;
    const auto parts = freed(graphCuts({&cut}, isRootCut), progress);
    if (!parts) return std::nullopt;
    return Retained{parts->objects, parts->bytes};
  }

 private:
  const Retention& retention() const { return *m_contents.retention; }

  std::vector<std::uint32_t> objectsOfRoots() const {
    std::vector<std::uint32_t> objects;
    for (const RootRow& root : retention().roots.roots)
      objects.push_back(m_contents.heap->index.idOf(root.object).value);
    return objects;
  }

  std::span<const std::uint32_t> reachedByRoots() {
    m_rooted = m_rootObjects;
    std::erase(m_rooted, kNone);
    return m_rooted;
  }

  /// Those of these objects that no root is left for.
  std::vector<std::uint32_t> unrooted(std::vector<std::uint32_t> objects, const std::vector<bool>& isRootCut) const {
    std::ranges::sort(objects);
    std::vector<std::uint32_t> kept;
    for (std::uint32_t root = 0; root < m_rootObjects.size(); ++root) {
      if (!isRootCut[root] && std::ranges::binary_search(objects, m_rootObjects[root]))
        kept.push_back(m_rootObjects[root]);
    }
    std::ranges::sort(kept);
    std::erase_if(objects, [&](std::uint32_t object) { return std::ranges::binary_search(kept, object); });
    return objects;
  }

  const Snapshot& m_snapshot;
  const Contents& m_contents;
  std::vector<std::uint32_t> m_rootObjects;  // by index of the root: its ObjectId, or kNone
  std::vector<std::uint32_t> m_rooted;
  RetainedPartsFinder m_finder;
  std::stop_token m_stop;
};

}  // namespace

Outcome<WhatIf> WhatIf::ask(const Snapshot& snapshot, std::vector<Cut> cuts, ProgressSink* progress,
                            std::stop_token stop) {
  auto answer = std::make_shared<Answer>(Answer{snapshot});
  FreedFinder finder(snapshot, stop);
  std::vector<const Cut*> all;
  for (const Cut& cut : cuts) all.push_back(&cut);
  answer->graphCuts = finder.graphCuts(all, answer->isRootCut);
  constexpr const char* kActivity = "following what would still be held";
  StageProgress together(progress, kActivity, 0, kTogetherEnd);
  auto freed = finder.freed(answer->graphCuts, &together);
  if (!freed) return tl::unexpected(Unfinished::cancelled());
  answer->freed = std::move(*freed);
  const double step = (1 - kTogetherEnd) / static_cast<double>(std::max<std::size_t>(1, cuts.size()));
  for (Cut& cut : cuts) {
    const double from = kTogetherEnd + step * static_cast<double>(answer->cuts.size());
    StageProgress one(progress, kActivity, from, from + step);
    std::optional<Retained> alone = Retained{answer->freed.objects, answer->freed.bytes};
    if (cuts.size() > 1) alone = finder.alone(cut, &one);
    if (!alone) return tl::unexpected(Unfinished::cancelled());
    std::string name = nameOfCut(snapshot, cut);
    answer->cuts.push_back({std::move(cut), std::move(name), *alone});
  }
  return WhatIf(std::move(answer));
}

const Snapshot& WhatIf::snapshot() const {
  return m_answer->snapshot;
}

const std::vector<CutShare>& WhatIf::cuts() const {
  return m_answer->cuts;
}

Retained WhatIf::freed() const {
  return {m_answer->freed.objects, m_answer->freed.bytes};
}

const GraphCuts& WhatIf::graphCuts() const {
  return m_answer->graphCuts;
}

bool WhatIf::freesObject(std::uint32_t object) const {
  const Retention& retention = *snapshot().contents().retention;
  return m_answer->freed.contains(retention.tree, retention.sizes, object);
}

bool WhatIf::frees(Address object) const {
  const ObjectId id = snapshot().contents().heap->index.idOf(object);
  return !id.isNone() && freesObject(id.value);
}

bool WhatIf::goes(Address object) const {
  const ObjectId id = snapshot().contents().heap->index.idOf(object);
  return !id.isNone() && m_answer->graphCuts.goes(id.value);
}

bool WhatIf::isCut(Address from, Address to) const {
  const ObjectIndex& index = snapshot().contents().heap->index;
  const ObjectId holder = index.idOf(from);
  const ObjectId object = index.idOf(to);
  if (holder.isNone() || object.isNone()) return false;
  // Of a collection it is the storage that lets go.
  return m_answer->graphCuts.isCut(holder.value, object.value) ||
         std::ranges::any_of(m_answer->cuts, [&](const CutShare& share) {
           return share.cut.kind == CutKind::Reference && share.cut.from == holder.value &&
                  share.cut.object == object.value;
         });
}

bool WhatIf::isRootCut(std::uint32_t root) const {
  if (m_answer->isRootCut[root]) return true;
  // An object that goes is let go of by its roots as well.
  const ObjectId object = snapshot().contents().heap->index.idOf(snapshot().roots().roots[root].object);
  return !object.isNone() && m_answer->graphCuts.isCut(kNone, object.value);
}

std::size_t WhatIf::outermostCount() const {
  return m_answer->freed.tops.size();
}

std::vector<RetainedRow> WhatIf::outermost(std::size_t limit) const {
  const Contents& contents = snapshot().contents();
  std::vector<std::uint32_t> tops = m_answer->freed.tops;
  const auto isLarger = [&](std::uint32_t a, std::uint32_t b) {
    const std::uint64_t bytesOfA = retainedBytesOf(contents, a);
    const std::uint64_t bytesOfB = retainedBytesOf(contents, b);
    return bytesOfA != bytesOfB ? bytesOfA > bytesOfB : a < b;
  };
  const std::size_t shown = std::min(limit, tops.size());
  std::ranges::partial_sort(tops, tops.begin() + static_cast<std::ptrdiff_t>(shown), isLarger);
  std::vector<RetainedRow> rows;
  for (std::size_t i = 0; i < shown; ++i) {
    if (auto row = retainedOf(snapshot(), contents.heap->index.addressOf({tops[i]}))) rows.push_back(*row);
  }
  return rows;
}

Outcome<std::vector<FreedType>> WhatIf::types(std::stop_token stop) const {
  const Contents& contents = snapshot().contents();
  const Retention& retention = *contents.retention;
  std::vector<FreedType> types(snapshot().types().size() + 1);
  const std::shared_ptr<const ObjectTypes> typeOf = contents.typesOfObjects();
  std::uint64_t steps = 0;
  for (const std::uint32_t top : m_answer->freed.tops) {
    const std::uint32_t first = retention.tree.numberOf(top);
    for (std::uint32_t number = first; number < first + retention.sizes.objects[first]; ++number) {
      if (++steps % kStopInterval == 0 && stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      const std::uint32_t object = retention.tree.vertexOf(number);
      const TypeId type{(*typeOf)[object]};
      FreedType& row = types[type.isNone() ? types.size() - 1 : type.value];
      ++row.objects;
      row.bytes += contents.graph->bytesOf(object);
    }
  }
  for (std::uint32_t type = 0; type + 1 < types.size(); ++type) types[type].type = {type};
  std::erase_if(types, [](const FreedType& row) { return row.objects == 0; });
  std::ranges::stable_sort(types, std::ranges::greater{}, &FreedType::bytes);
  return types;
}

Outcome<std::vector<WhatIf::FreedNeighbours>> WhatIf::neighbours(Address object, Direction direction,
                                                                 const Neighbourhood& hood, ProgressSink* progress,
                                                                 std::stop_token stop) const {
  const Contents& contents = snapshot().contents();
  const ObjectId id = contents.heap->index.idOf(object);
  if (id.isNone()) return failure(ErrorCode::NotFound, fmt::format("There is no object at {}.", toString(object)));
  FoldedCollections folding(contents);
  HEAPSCAPE_TRY(Adjacents adjacents, findSide(contents, id.value, direction, hood, folding, progress, stop));
  std::erase_if(adjacents.objects, [&](const Adjacent& adjacent) { return !freesObject(adjacent.object); });
  const auto groups = groupByType(contents, adjacents.objects, stop);
  if (!groups) return tl::unexpected(Unfinished::cancelled());
  std::vector<FreedNeighbours> freed;
  for (const AdjacentGroup& group : *groups) freed.push_back({group.type, group.objects.size()});
  return freed;
}

}  // namespace heapscape::engine
