// SPDX-License-Identifier: MIT
#include "session/references/neighbours_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <unordered_map>

#include "base/progress.h"
#include "heap/object_head.h"
#include "session/objects/folded_collections.h"
#include "session/references/edge_names.h"
#include "session/snapshot/contents.h"
#include "values/reading/collection_reader.h"
#include "values/reading/value_reader.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kPreviewUnits = 80;  // of strings

/// Tells what objects are, in one line.
class Describer {
 public:
  explicit Describer(const Snapshot& snapshot)
      : m_snapshot(snapshot),
        m_contents(snapshot.contents()),
        m_values({.readers = *m_contents.readers, .heap = m_contents.heap.get(), .previewUnits = kPreviewUnits}) {}

  Neighbour describe(std::uint32_t object) const {
    Neighbour neighbour;
    neighbour.object = m_contents.heap->index.addressOf({object});
    neighbour.type = typeOfObject(m_contents, object);
    const EdgeRows edges = m_contents.graph->edges();
    neighbour.references = edges.rows.countOf(object);
    neighbour.bytes = m_contents.graph->bytesOf(object);
    neighbour.retainedBytes = retainedBytesOf(m_contents, object);
    neighbour.isReachable = m_contents.retention->tree.numberOf(object) != 0;
    const std::string type =
        neighbour.type.isNone() ? std::string("(unknown)") : m_snapshot.types()[neighbour.type.value].name;
    const Value value = m_values.readReference(neighbour.object);
    if (value.text != type) neighbour.value = value.text;
    if (neighbour.value.empty()) {
      if (const auto collection = CollectionReader(m_values).read(neighbour.object, 0)) {
        if (collection->state.empty()) neighbour.items = collection->count;
      }
    }
    neighbour.name = neighbour.value.empty() ? type : type + " " + neighbour.value;
    return neighbour;
  }

 private:
  const Snapshot& m_snapshot;
  const Contents& m_contents;
  const ValueReader m_values;
};

/// Answers about the neighbours of one object on one side.
class NeighbourReader {
 public:
  NeighbourReader(const Snapshot& snapshot, std::uint32_t object, Direction direction, bool foldCollections,
                  std::stop_token stop)
      : m_snapshot(snapshot),
        m_contents(snapshot.contents()),
        m_object(object),
        m_direction(direction),
        m_describer(snapshot),
        m_folds(foldCollections),
        m_folding(m_contents),
        m_names(m_contents),
        m_weakTables(snapshot, m_names.values()),
        m_stop(std::move(stop)) {}

  Outcome<void> find(ProgressSink* progress) {
    if (m_direction == Direction::Holders) {
      HEAPSCAPE_TRY(m_adjacents, findHolders(m_contents, m_object, folding(), progress, m_stop));
    } else {
      auto held = findHeld(m_contents, m_object, folding(), m_stop);
      if (!held) return tl::unexpected(Unfinished::cancelled());
      m_adjacents = std::move(*held);
    }
    auto groups = groupByType(m_contents, m_adjacents.objects, m_stop);
    if (!groups) return tl::unexpected(Unfinished::cancelled());
    m_groups = std::move(*groups);
    return {};
  }

  Outcome<Neighbours> all(const NeighbourOptions& options) {
    Neighbours neighbours;
    neighbours.objects = m_adjacents.objects.size();
    neighbours.isFolded = m_adjacents.isFolded;
    if (m_direction == Direction::Holders) neighbours.roots = rootsHere();
    for (const AdjacentGroup& group : m_groups) neighbours.groups.push_back(totalsOf(group));
    std::stable_sort(
        neighbours.groups.begin(), neighbours.groups.end(), [](const NeighbourGroup& a, const NeighbourGroup& b) {
          return a.retainedBytes != b.retainedBytes ? a.retainedBytes > b.retainedBytes : a.bytes > b.bytes;
        });
    for (std::size_t i = 0; i < std::min(options.groups, neighbours.groups.size()); ++i) {
      neighbours.groups[i].first = page(neighbours.groups[i].type, 0, options.perGroup);
      if (m_stop.stop_requested()) break;
    }
    if (m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    return neighbours;
  }

  std::vector<Neighbour> page(TypeId type, std::uint64_t skip, std::size_t limit) {
    const auto group = std::ranges::find(m_groups, type, &AdjacentGroup::type);
    if (group == m_groups.end() || skip >= group->objects.size()) return {};
    const std::size_t end = skip + std::min<std::uint64_t>(limit, group->objects.size() - skip);
    putLargestFirst(m_contents, group->objects, end);
    std::vector<Neighbour> neighbours;
    for (std::size_t i = skip; i < end; ++i) neighbours.push_back(neighbourOf(group->objects[i].object));
    nameEdges(neighbours);
    return neighbours;
  }

 private:
  FoldedCollections* folding() { return m_folds ? &m_folding : nullptr; }
  ObjectId idOf(Address address) const { return m_contents.heap->index.idOf(address); }
  Address addressOf(std::uint32_t object) const { return m_contents.heap->index.addressOf({object}); }

  std::vector<std::uint32_t> rootsHere() const {
    std::vector<std::uint32_t> roots;
    const std::vector<RootRow>& all = m_contents.retention->roots.roots;
    for (std::uint32_t root = 0; root < all.size(); ++root) {
      if (all[root].object == addressOf(m_object)) roots.push_back(root);
    }
    return roots;
  }

  NeighbourGroup totalsOf(const AdjacentGroup& group) const {
    NeighbourGroup totals;
    totals.type = group.type;
    totals.objects = group.objects.size();
    for (const Adjacent& adjacent : group.objects) {
      totals.references += adjacent.references;
      totals.bytes += m_contents.graph->bytesOf(adjacent.object);
    }
    totals.retainedBytes = retainedTogether(m_contents, group.objects, m_stop);
    return totals;
  }

  Neighbour neighbourOf(std::uint32_t object) const {
    Neighbour neighbour = m_describer.describe(object);
    const std::uint32_t inner = m_direction == Direction::Held ? object : m_object;
    const std::uint32_t outer = m_direction == Direction::Held ? m_object : object;
    const DominatorTree& tree = m_contents.retention->tree;
    const std::uint32_t number = tree.numberOf(inner);
    const std::uint32_t dominator = number ? tree.dominatingObjectOf(number) : 0;
    neighbour.isDominated = dominator && tree.vertexOf(dominator) == outer;
    return neighbour;
  }

  void nameEdges(std::vector<Neighbour>& neighbours) {
    std::unordered_map<std::uint32_t, std::vector<std::string*>> unnamed;  // by the object referred to
    if (m_direction == Direction::Held) {
      for (Neighbour& neighbour : neighbours) unnamed[idOf(neighbour.object).value].push_back(&neighbour.via);
      nameFrom(m_object, unnamed);
      return;
    }
    for (Neighbour& neighbour : neighbours) {
      unnamed = {{m_object, {&neighbour.via}}};
      nameFrom(idOf(neighbour.object).value, unnamed);
    }
  }

  /// Names the first reference from one object to each of some others: as an item if it is a collection, else by field.
  void nameFrom(std::uint32_t from, std::unordered_map<std::uint32_t, std::vector<std::string*>>& unnamed) {
    const auto take = [&](std::uint32_t object, const auto& makeName) {
      const auto found = unnamed.find(object);
      if (found == unnamed.end()) return;
      const std::string name = makeName();
      for (std::string* via : found->second) *via = name;
      unnamed.erase(found);
    };
    if (m_folds && m_folding.isCollection(from)) {
      const auto nameItem = [&](const FoldedCollections::Item& item) {
        take(item.object, [&] { return m_folding.labelOf(from, item, m_stop); });
        return !unnamed.empty();
      };
      m_folding.forEachItem(from, nameItem, m_stop);
    }
    if (unnamed.empty()) return;
    const TypeId type = typeOfObject(m_contents, from);
    const Address methodTable = type.isNone() ? Address{} : m_snapshot.types()[type.value].methodTable;
    const auto nameOf = [&](const Edge& edge) {
      return edge.kind == EdgeKind::Dependent ? m_weakTables.nameOf(edge.from, edge.to)
                                              : m_names.nameOf(edge, methodTable);
    };
    forEachEdgeOf(m_contents, addressOf(from), [&](const Edge& edge) {
      if (unnamed.empty()) return;
      if (const ObjectId target = idOf(edge.to); !target.isNone()) take(target.value, [&] { return nameOf(edge); });
    });
  }

  const Snapshot& m_snapshot;
  const Contents& m_contents;
  std::uint32_t m_object;
  Direction m_direction;
  const Describer m_describer;
  bool m_folds;
  FoldedCollections m_folding;
  EdgeNames m_names;
  WeakTables m_weakTables;
  std::stop_token m_stop;
  Adjacents m_adjacents;
  std::vector<AdjacentGroup> m_groups;
};

Outcome<std::uint32_t> objectIn(const Snapshot& snapshot, Address object) {
  const ObjectId id = snapshot.has(Stage::Retained) ? snapshot.contents().heap->index.idOf(object) : ObjectId{};
  if (id.isNone()) return failure(ErrorCode::NotFound, fmt::format("There is no object at {}.", toString(object)));
  return id.value;
}

}  // namespace

Outcome<Neighbours> neighboursOf(const Snapshot& snapshot, Address object, Direction direction,
                                 const NeighbourOptions& options, ProgressSink* progress, std::stop_token stop) {
  HEAPSCAPE_TRY(const std::uint32_t id, objectIn(snapshot, object));
  NeighbourReader reader(snapshot, id, direction, options.foldCollections, std::move(stop));
  HEAPSCAPE_CHECK(reader.find(progress));
  return reader.all(options);
}

Outcome<std::vector<Neighbour>> neighboursOfType(const Snapshot& snapshot, Address object, Direction direction,
                                                 TypeId type, bool foldCollections, std::uint64_t skip,
                                                 std::size_t limit, ProgressSink* progress, std::stop_token stop) {
  HEAPSCAPE_TRY(const std::uint32_t id, objectIn(snapshot, object));
  NeighbourReader reader(snapshot, id, direction, foldCollections, stop);
  HEAPSCAPE_CHECK(reader.find(progress));
  std::vector<Neighbour> neighbours = reader.page(type, skip, limit);
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  return neighbours;
}

std::vector<Neighbour> describeObjects(const Snapshot& snapshot, const std::vector<Address>& objects,
                                       std::stop_token stop) {
  std::vector<Neighbour> described;
  if (!snapshot.has(Stage::Retained)) return described;
  const Describer describer(snapshot);
  FoldedCollections folding(snapshot.contents());
  const ObjectIndex& index = snapshot.contents().heap->index;
  for (const Address object : objects) {
    if (stop.stop_requested()) break;
    const ObjectId id = index.idOf(object);
    if (id.isNone()) continue;
    described.push_back(describer.describe(id.value));
    const std::uint32_t collection = folding.collectionAround(id.value);
    if (collection != FoldedCollections::kNone) described.back().storageOf = index.addressOf({collection});
  }
  return described;
}

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

TypeId typeOfObject(const Contents& contents, std::uint32_t object) {
  std::uint64_t word = 0;
  if (!contents.memory->tryRead(contents.heap->index.addressOf({object}), word)) return {};
  const TypeIndex::Slot* slot = contents.heap->types.find(word & kMethodTableMask);
  return slot ? TypeId{slot->type} : TypeId{};
}

std::uint64_t retainedBytesOf(const Contents& contents, std::uint32_t object) {
  const std::uint32_t number = contents.retention->tree.numberOf(object);
  return number ? contents.retention->sizes.bytes[number] : 0;
}

}  // namespace heapscape::engine
