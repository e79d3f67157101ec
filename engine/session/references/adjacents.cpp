// SPDX-License-Identifier: MIT
#include "session/references/adjacents.h"

#include <algorithm>
#include <span>
#include <unordered_map>

#include "session/objects/folded_collections.h"
#include "session/references/neighbours_query.h"
#include "session/references/retained_flow.h"

namespace heapscape::engine {
namespace {

/// Sorts them and counts each once. The object itself is no neighbour of its own.
std::vector<Adjacent> countEach(std::vector<std::uint32_t> objects, std::uint32_t self) {
  std::sort(objects.begin(), objects.end());
  std::vector<Adjacent> counted;
  for (const std::uint32_t object : objects) {
    if (object == self) continue;
    if (counted.empty() || counted.back().object != object) counted.push_back({object, 0});
    ++counted.back().references;
  }
  return counted;
}

std::span<const std::uint32_t> targetsOf(const Contents& contents, std::uint32_t object) {
  return contents.graph->targetsOf(object);
}

bool dominates(const Contents& contents, std::uint32_t dominator, std::uint32_t object) {
  const DominatorTree& tree = contents.retention->tree;
  const std::uint32_t number = tree.numberOf(object);
  const std::uint32_t above = number ? tree.dominatingObjectOf(number) : 0;
  return above && tree.vertexOf(above) == dominator;
}

/// References of a collection beside its items: all but its own arrays, buckets and nodes. Those are what a field of
/// the class library's class refers to, if it is an array, if items lie in it, or if the collection alone holds it.
class CollectionFields {
 public:
  CollectionFields(const Contents& contents, const FoldedCollections& folding, std::uint32_t collection) {
    forEachEdgeOf(contents, contents.heap->index.addressOf({collection}), [&](const Edge& edge) {
      const ObjectId target = contents.heap->index.idOf(edge.to);
      if (target.isNone()) return;
      const bool isOwn = edge.kind == EdgeKind::Field && folding.isOwnField(collection, edge.offset);
      const TypeId type = typeOfObject(contents, target.value);
      const bool isArray = !type.isNone() && contents.typeReferences->isArray(type);
      m_fields.push_back({target.value,
                          {edge.to, edge.to + contents.graph->bytesOf(target.value)},
                          isOwn,
                          isOwn && (isArray || dominates(contents, collection, target.value))});
    });
  }

  void addItem(const FoldedCollections::Item& item) {
    for (Field& field : m_fields) {
      field.isStorage = field.isStorage || (field.isOwn && field.range.contains(item.place));
      field.isItem = field.isItem || field.target == item.object;
    }
  }

  void addOthers(std::vector<std::uint32_t>& objects) const {
    for (const Field& field : m_fields) {
      if (!field.isStorage && !field.isItem) objects.push_back(field.target);
    }
  }

 private:
  struct Field {
    std::uint32_t target;
    AddressRange range;
    bool isOwn;
    bool isStorage;
    bool isItem = false;
  };

  std::vector<Field> m_fields;
};

/// Whether objects are dominated by one of a set, by following dominators upwards. No way is gone twice.
class DominatedInside {
 public:
  /// numbers: those of the set, ascending.
  DominatedInside(const DominatorTree& tree, const std::vector<std::uint32_t>& numbers)
      : m_tree(tree), m_first(numbers.front()) {
    for (const std::uint32_t number : numbers) m_isInside.emplace(number, true);
  }

  bool operator()(std::uint32_t number) {
    m_way.clear();
    bool isInside = false;
    // Dominators have smaller numbers, so none of the set is left above its smallest one.
    for (std::uint32_t above = m_tree.dominatorOf(number); above >= m_first; above = m_tree.dominatorOf(above)) {
      if (const auto known = m_isInside.find(above); known != m_isInside.end()) {
        isInside = known->second;
        break;
      }
      m_way.push_back(above);
    }
    for (const std::uint32_t passed : m_way) m_isInside.emplace(passed, isInside);
    return isInside;
  }

 private:
  const DominatorTree& m_tree;
  std::uint32_t m_first;
  std::unordered_map<std::uint32_t, bool> m_isInside;
  std::vector<std::uint32_t> m_way;
};

}  // namespace

std::optional<Adjacents> findHeld(const Contents& contents, std::uint32_t object, const FoldedCollections* folding,
                                  std::stop_token stop) {
  if (folding && folding->isCollection(object)) {
    std::vector<std::uint32_t> held;
    CollectionFields fields(contents, *folding, object);
    const auto addItem = [&](const FoldedCollections::Item& item) {
      held.push_back(item.object);
      fields.addItem(item);
      return true;
    };
    const bool isWhole = folding->forEachItem(object, addItem, stop);
    if (stop.stop_requested()) return std::nullopt;
    if (isWhole) {
      fields.addOthers(held);
      return Adjacents{countEach(std::move(held), object), true};
    }
  }
  const auto targets = targetsOf(contents, object);
  return Adjacents{countEach({targets.begin(), targets.end()}, object), false};
}

Outcome<Adjacents> findHolders(const Contents& contents, std::uint32_t object, FoldedCollections* folding,
                               ProgressSink* progress, std::stop_token stop) {
  const auto turnAround = [&]() -> Outcome<ReverseReferences> {
    StageProgress turning(progress, "turning references around", 0, 1);
    auto reverse = ReverseReferences::build(contents.graph->edges(), turning, stop);
    if (!reverse) return tl::unexpected(Unfinished::cancelled());
    return std::move(*reverse);
  };
  HEAPSCAPE_TRY(const auto reverse, contents.reverse->get(turnAround));
  const auto sources = reverse->of(object);
  std::vector<std::uint32_t> holders(sources.begin(), sources.end());
  if (folding) folding->setReverse(*reverse);
  // Seen from a node of a list, its neighbours are nodes, too.
  const bool isStorage = folding && folding->collectionAround(object) != FoldedCollections::kNone;
  std::uint64_t steps = 0;
  for (std::uint32_t& holder : holders) {
    if (++steps % kStopInterval == 0 && stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    if (!folding || isStorage) continue;
    const std::uint32_t around = folding->collectionAround(holder);
    if (around != FoldedCollections::kNone) holder = around;  // its own storage is no neighbour of a collection
  }
  return Adjacents{countEach(std::move(holders), object), false};
}

Outcome<Adjacents> findSide(const Contents& contents, std::uint32_t object, Direction direction,
                            const Neighbourhood& hood, FoldedCollections& folding, ProgressSink* progress,
                            std::stop_token stop) {
  FoldedCollections* const folded = hood.foldCollections ? &folding : nullptr;
  Adjacents adjacents;
  if (direction == Direction::Holders) {
    HEAPSCAPE_TRY(adjacents, findHolders(contents, object, folded, progress, stop));
  } else {
    auto held = findHeld(contents, object, folded, stop);
    if (!held) return tl::unexpected(Unfinished::cancelled());
    adjacents = std::move(*held);
  }
  if (!hood.followsFlow) return adjacents;
  const RetainedFlow flow(contents, folded);
  const bool isHeld = direction == Direction::Held;
  // Storage that no field of the collection is known for counts as its own all the same.
  if (isHeld && folded && folded->isCollection(object))
    std::erase_if(adjacents.objects,
                  [&](const Adjacent& adjacent) { return folded->collectionAround(adjacent.object) == object; });
  std::erase_if(adjacents.objects, [&](const Adjacent& adjacent) {
    const bool isBack = isHeld ? flow.dominates(adjacent.object, object) : flow.dominates(object, adjacent.object);
    if (isBack) adjacents.back.push_back(adjacent.object);
    return isBack;
  });
  std::vector<std::uint32_t> flowing;
  if (isHeld) {
    auto children = flow.childrenOf(object, stop);
    if (!children) return tl::unexpected(Unfinished::cancelled());
    flowing = std::move(*children);
  } else if (const std::uint32_t owner = flow.ownerOf(object); owner != RetainedFlow::kNone) {
    flowing.push_back(owner);
  }
  std::vector<Adjacent> far;
  for (const std::uint32_t other : flowing) {
    const auto known = std::ranges::lower_bound(adjacents.objects, other, {}, &Adjacent::object);
    if (known == adjacents.objects.end() || known->object != other) far.push_back({other, 0});
  }
  adjacents.objects.insert(adjacents.objects.end(), far.begin(), far.end());
  std::ranges::sort(adjacents.objects, {}, &Adjacent::object);
  return adjacents;
}

std::optional<std::vector<AdjacentGroup>> groupByType(const Contents& contents, const std::vector<Adjacent>& objects,
                                                      std::stop_token stop) {
  std::vector<AdjacentGroup> groups;
  std::unordered_map<TypeId, std::size_t> positions;
  std::uint64_t steps = 0;
  for (const Adjacent& adjacent : objects) {
    if (++steps % kStopInterval == 0 && stop.stop_requested()) return std::nullopt;
    const TypeId type = typeOfObject(contents, adjacent.object);
    const auto [position, isNew] = positions.emplace(type, groups.size());
    if (isNew) groups.push_back({type, {}});
    groups[position->second].objects.push_back(adjacent);
  }
  return groups;
}

void putLargestFirst(const Contents& contents, std::vector<Adjacent>& objects, std::size_t count) {
  const auto end = objects.begin() + static_cast<std::ptrdiff_t>(std::min(count, objects.size()));
  std::partial_sort(objects.begin(), end, objects.end(), [&](const Adjacent& a, const Adjacent& b) {
    const std::uint64_t bytesOfA = retainedBytesOf(contents, a.object);
    const std::uint64_t bytesOfB = retainedBytesOf(contents, b.object);
    return bytesOfA != bytesOfB ? bytesOfA > bytesOfB : a.object < b.object;
  });
}

std::uint64_t retainedTogether(const Contents& contents, const std::vector<Adjacent>& objects, std::stop_token stop) {
  const Retention& retention = *contents.retention;
  std::vector<std::uint32_t> numbers;
  for (const Adjacent& adjacent : objects) {
    if (const std::uint32_t number = retention.tree.numberOf(adjacent.object)) numbers.push_back(number);
  }
  if (numbers.empty()) return 0;
  std::sort(numbers.begin(), numbers.end());
  DominatedInside isInside(retention.tree, numbers);
  std::uint64_t bytes = 0;
  std::uint64_t steps = 0;
  for (const std::uint32_t number : numbers) {
    if (++steps % kStopInterval == 0 && stop.stop_requested()) return 0;
    if (!isInside(number)) bytes += retention.sizes.bytes[number];
  }
  return bytes;
}

std::uint64_t retainedBytesOf(const Contents& contents, std::uint32_t object) {
  const std::uint32_t number = contents.retention->tree.numberOf(object);
  return number ? contents.retention->sizes.bytes[number] : 0;
}

}  // namespace heapscape::engine
