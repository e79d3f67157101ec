// SPDX-License-Identifier: MIT
#include "session/references/neighbours_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <tuple>
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
  /// `flow`: to tell of accounts and chains, too; may be null, outlives this.
  explicit Describer(const Snapshot& snapshot, const RetainedFlow* flow = nullptr, std::stop_token stop = {})
      : m_snapshot(snapshot),
        m_contents(snapshot.contents()),
        m_flow(flow),
        m_stop(std::move(stop)),
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
    neighbour.isGarbage = !neighbour.isReachable && m_contents.retention->isGarbage(object);
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
    if (m_flow && neighbour.isReachable) {
      neighbour.account = m_flow->accountOf(object, m_stop);
      const std::vector<std::uint32_t> chain = m_flow->chainBelow(object, m_stop);
      if (!chain.empty()) neighbour.chainAccount = m_flow->accountOfChain(object, chain, m_stop);
      for (const std::uint32_t step : chain)
        neighbour.chain.push_back({m_contents.heap->index.addressOf({step}), typeOfObject(m_contents, step)});
    }
    return neighbour;
  }

 private:
  const Snapshot& m_snapshot;
  const Contents& m_contents;
  const RetainedFlow* m_flow;
  std::stop_token m_stop;
  const ValueReader m_values;
};

/// Answers about the neighbours of one object on one side.
class NeighbourReader {
 public:
  NeighbourReader(const Snapshot& snapshot, std::uint32_t object, Direction direction, const Neighbourhood& hood,
                  std::stop_token stop)
      : m_snapshot(snapshot),
        m_contents(snapshot.contents()),
        m_object(object),
        m_direction(direction),
        m_hood(hood),
        m_folding(m_contents),
        m_flow(m_contents, hood.foldCollections ? &m_folding : nullptr),
        m_describer(snapshot, hood.followsFlow ? &m_flow : nullptr, stop),
        m_names(m_contents),
        m_weakTables(snapshot, m_names.values()),
        m_stop(std::move(stop)) {}

  Outcome<void> find(ProgressSink* progress) {
    HEAPSCAPE_TRY(m_adjacents, findSide(m_contents, m_object, m_direction, m_hood, m_folding, progress, m_stop));
    auto groups = groupByType(m_contents, m_adjacents.objects, m_stop);
    if (!groups) return tl::unexpected(Unfinished::cancelled());
    m_groups = std::move(*groups);
    return {};
  }

  Outcome<Neighbours> all(const NeighbourOptions& options) {
    Neighbours neighbours;
    neighbours.objects = m_adjacents.objects.size();
    neighbours.isFolded = m_adjacents.isFolded;
    if (m_direction == Direction::Holders) addRoots(neighbours);
    addBack(neighbours);
    for (const AdjacentGroup& group : m_groups) neighbours.groups.push_back(totalsOf(group));
    std::ranges::stable_sort(neighbours.groups, std::ranges::greater(), [](const NeighbourGroup& group) {
      return std::tuple(group.flowBytes, group.retainedBytes, group.bytes);
    });
    for (std::size_t i = 0; i < std::min(options.groups, neighbours.groups.size()); ++i) {
      neighbours.groups[i].first = page(neighbours.groups[i].type, 0, options.perGroup);
      if (m_stop.stop_requested()) break;
    }
    if (m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    return neighbours;
  }

  /// One of them, by its ObjectId.
  Outcome<Neighbour> only(std::uint32_t object) {
    const auto found = std::ranges::find(m_adjacents.objects, object, &Adjacent::object);
    if (found == m_adjacents.objects.end()) return failure(ErrorCode::NotFound, "There is no such neighbour.");
    std::vector<Neighbour> neighbours{neighbourOf(*found)};
    nameEdges(neighbours);
    return std::move(neighbours.front());
  }

  std::vector<Neighbour> page(TypeId type, std::uint64_t skip, std::size_t limit) {
    const auto group = std::ranges::find(m_groups, type, &AdjacentGroup::type);
    if (group == m_groups.end() || skip >= group->objects.size()) return {};
    const std::size_t end = skip + std::min<std::uint64_t>(limit, group->objects.size() - skip);
    putLargestFirst(m_contents, group->objects, end);
    std::vector<Neighbour> neighbours;
    for (std::size_t i = skip; i < end; ++i) neighbours.push_back(neighbourOf(group->objects[i]));
    nameEdges(neighbours);
    return neighbours;
  }

 private:
  ObjectId idOf(Address address) const { return m_contents.heap->index.idOf(address); }
  Address addressOf(std::uint32_t object) const { return m_contents.heap->index.addressOf({object}); }

  void addRoots(Neighbours& neighbours) const {
    const std::vector<RootRow>& all = m_contents.retention->roots.roots;
    for (std::uint32_t root = 0; root < all.size(); ++root) {
      if (all[root].object == addressOf(m_object)) neighbours.roots.push_back(root);
    }
    const Retention& retention = *m_contents.retention;
    const std::uint32_t number = retention.tree.numberOf(m_object);
    const std::uint32_t dominator = number ? retention.tree.dominatorOf(number) : 0;
    const std::uint32_t vertex = dominator ? retention.tree.vertexOf(dominator) : ObjectId::kNone;
    if (!dominator || retention.tree.isObject(vertex) || retention.isGroup(vertex)) return;
    neighbours.dominatingRoot = retention.rootOf(vertex);
  }

  void addBack(Neighbours& neighbours) const {
    neighbours.referBack = m_adjacents.back.size();
    for (std::size_t i = 0; i < std::min(kMostBack, m_adjacents.back.size()); ++i)
      neighbours.back.push_back(addressOf(m_adjacents.back[i]));
  }

  NeighbourGroup totalsOf(const AdjacentGroup& group) const {
    NeighbourGroup totals;
    totals.type = group.type;
    totals.objects = group.objects.size();
    for (const Adjacent& adjacent : group.objects) {
      totals.references += adjacent.references;
      totals.bytes += m_contents.graph->bytesOf(adjacent.object);
      if (m_hood.followsFlow) totals.flowBytes += flowTo(adjacent.object);
    }
    totals.retainedBytes = retainedTogether(m_contents, group.objects, m_stop);
    return totals;
  }

  std::uint32_t innerOf(std::uint32_t object) const { return m_direction == Direction::Held ? object : m_object; }
  std::uint32_t outerOf(std::uint32_t object) const { return m_direction == Direction::Held ? m_object : object; }

  std::uint64_t flowTo(std::uint32_t object) const {
    const std::uint32_t inner = innerOf(object);
    return m_flow.flows(outerOf(object), inner) ? retainedBytesOf(m_contents, inner) : 0;
  }

  Neighbour neighbourOf(const Adjacent& adjacent) const {
    const std::uint32_t object = adjacent.object;
    Neighbour neighbour = m_describer.describe(object);
    if (m_hood.followsFlow) {
      neighbour.flowBytes = flowTo(object);
      neighbour.isDominated = neighbour.flowBytes > 0;
      neighbour.steps = adjacent.references > 0 ? 1 : 0;
      return neighbour;
    }
    neighbour.isDominated = m_flow.immediateDominatorOf(innerOf(object)) == outerOf(object);
    return neighbour;
  }

  using Unnamed = std::unordered_map<std::uint32_t, std::vector<std::string*>>;  // by the object referred to

  void nameEdges(std::vector<Neighbour>& neighbours) {
    nameWays(neighbours);
    Unnamed unnamed;
    if (m_direction == Direction::Held) {
      for (Neighbour& neighbour : neighbours) {
        if (neighbour.steps == 1) unnamed[idOf(neighbour.object).value].push_back(&neighbour.via);
      }
      nameFrom(m_object, unnamed);
      return;
    }
    for (Neighbour& neighbour : neighbours) {
      if (neighbour.steps != 1) continue;
      unnamed = {{m_object, {&neighbour.via}}};
      nameFrom(idOf(neighbour.object).value, unnamed);
    }
  }

  /// Of those that are more than one step away.
  void nameWays(std::vector<Neighbour>& neighbours) {
    std::vector<std::uint32_t> far;
    for (const Neighbour& neighbour : neighbours) {
      if (neighbour.steps != 1) far.push_back(idOf(neighbour.object).value);
    }
    if (far.empty()) return;
    const bool isHeld = m_direction == Direction::Held;
    const auto ways = isHeld ? m_flow.waysTo(m_object, far, m_stop) : m_flow.waysTo(far.front(), {m_object}, m_stop);
    for (Neighbour& neighbour : neighbours) {
      const auto way = ways.find(isHeld ? idOf(neighbour.object).value : m_object);
      if (neighbour.steps == 1 || way == ways.end()) continue;
      neighbour.steps = static_cast<std::uint32_t>(way->second.size() - 1);
      neighbour.via = nameOfWay(way->second);
    }
  }

  std::string nameOfWay(const std::vector<std::uint32_t>& way) {
    constexpr std::size_t kMostNamed = 6;  // of the steps
    constexpr std::size_t kNamedAtEnds = 2;
    const std::size_t steps = way.size() - 1;
    std::string name;
    for (std::size_t step = 0; step < steps; ++step) {
      if (steps > kMostNamed && step == kNamedAtEnds) {
        name += " … ";
        step = steps - kNamedAtEnds;
      }
      std::string part;
      Unnamed unnamed{{way[step + 1], {&part}}};
      nameFrom(way[step], unnamed);
      if (!name.empty() && !name.ends_with(' ') && !part.starts_with('[')) name += '.';
      name += part;
    }
    return name;
  }

  /// Names the first reference from one object to each of some others: as an item if it is a collection, else by field.
  void nameFrom(std::uint32_t from, Unnamed& unnamed) {
    if (unnamed.empty()) return;
    const auto take = [&](std::uint32_t object, const auto& makeName) {
      const auto found = unnamed.find(object);
      if (found == unnamed.end()) return;
      const std::string name = makeName();
      for (std::string* via : found->second) *via = name;
      unnamed.erase(found);
    };
    if (m_hood.foldCollections && m_folding.isCollection(from)) {
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
  Neighbourhood m_hood;
  FoldedCollections m_folding;
  const RetainedFlow m_flow;
  const Describer m_describer;
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
  NeighbourReader reader(snapshot, id, direction, options.hood, std::move(stop));
  HEAPSCAPE_CHECK(reader.find(progress));
  return reader.all(options);
}

Outcome<std::vector<Neighbour>> neighboursOfType(const Snapshot& snapshot, Address object, Direction direction,
                                                 TypeId type, const Neighbourhood& hood, std::uint64_t skip,
                                                 std::size_t limit, ProgressSink* progress, std::stop_token stop) {
  HEAPSCAPE_TRY(const std::uint32_t id, objectIn(snapshot, object));
  NeighbourReader reader(snapshot, id, direction, hood, stop);
  HEAPSCAPE_CHECK(reader.find(progress));
  std::vector<Neighbour> neighbours = reader.page(type, skip, limit);
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  return neighbours;
}

std::vector<Neighbour> describeObjects(const Snapshot& snapshot, const std::vector<Address>& objects,
                                       std::stop_token stop, const Neighbourhood& hood) {
  std::vector<Neighbour> described;
  if (!snapshot.has(Stage::Retained)) return described;
  FoldedCollections folding(snapshot.contents());
  const RetainedFlow flow(snapshot.contents(), hood.foldCollections ? &folding : nullptr);
  const Describer describer(snapshot, hood.followsFlow ? &flow : nullptr, stop);
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

Outcome<std::vector<Neighbour>> chainBelow(const Snapshot& snapshot, Address object, bool foldCollections,
                                           std::size_t limit, std::stop_token stop) {
  HEAPSCAPE_TRY(const std::uint32_t id, objectIn(snapshot, object));
  const Neighbourhood hood{.foldCollections = foldCollections, .followsFlow = true};
  FoldedCollections folding(snapshot.contents());
  const RetainedFlow flow(snapshot.contents(), foldCollections ? &folding : nullptr);
  std::vector<std::uint32_t> chain = flow.chainBelow(id, stop);
  if (chain.size() > limit) chain.resize(limit);
  std::vector<Neighbour> described;
  std::uint32_t before = id;
  for (const std::uint32_t step : chain) {
    NeighbourReader reader(snapshot, before, Direction::Held, hood, stop);
    HEAPSCAPE_CHECK(reader.find(nullptr));
    HEAPSCAPE_TRY(Neighbour neighbour, reader.only(step));
    described.push_back(std::move(neighbour));
    before = step;
  }
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  return described;
}

}  // namespace heapscape::engine
