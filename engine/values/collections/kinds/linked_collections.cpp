// SPDX-License-Identifier: MIT
#include "values/collections/kinds/collection_makers.h"

#include <fmt/format.h>

#include <vector>

#include "values/chain_lengths.h"
#include "values/collections/node_chain.h"

namespace heapscape::engine {
namespace {

/// Nodes from the first one to null.
class ChainItems : public Collection {
 public:
  ChainItems(CollectionFacts facts, const AddressSpace& memory, Address first, const NodeShape& shape)
      : Collection(std::move(facts)), m_memory(memory), m_first(first), m_shape(shape) {}

  std::string collect(ItemCollector& items) const override {
    return walk([&](Address node) { return items.offer({{}, node + m_shape.value}); }).damage();
  }

 protected:
  /// Where a walk has come to.
  struct Halt {
    enum class Why : std::uint8_t { End, Circle, NoNode, NotInDump };
    Why why = Why::End;
    Address node = {};

    /// Empty at the end.
    std::string damage() const {
      switch (why) {
        case Why::End:
          return {};
        case Why::Circle:
          return fmt::format("The nodes form a circle that {} belongs to.", toString(node));
        case Why::NoNode:
          return fmt::format("There is no node at {}.", toString(node));
        case Why::NotInDump:
          return fmt::format("The node at {} is not in the dump.", toString(node));
      }
      return {};
    }
  };

  /// Calls visit(Address) for the nodes until it returns false.
  template <class Visit>
  Halt walk(Visit visit) const {
    CycleWatch watch;
    for (Address node = m_first; node;) {
      if (watch.isRepeated(node)) return {Halt::Why::Circle, node};
      if (!isNode(m_memory, node, m_shape.methodTable)) return {Halt::Why::NoNode, node};
      if (isEnd(node) || !visit(node)) return {};
      Address next;
      if (!m_memory.tryRead(node + m_shape.next, next)) return {Halt::Why::NotInDump, node};
      node = isEndBehind(next) ? Address{} : next;
    }
    return {};
  }

  /// Whether a node only marks the end.
  virtual bool isEnd(Address) const { return false; }
  /// Whether the end has come if this is the next node.
  virtual bool isEndBehind(Address) const { return false; }

  const AddressSpace& memory() const { return m_memory; }
  const NodeShape& shape() const { return m_shape; }
  Address first() const { return m_first; }

 private:
  const AddressSpace& m_memory;
  Address m_first;
  NodeShape m_shape;
};

/// The last node of a LinkedList refers to the first.
class LinkedListItems : public ChainItems {
 public:
  using ChainItems::ChainItems;

 protected:
  bool isEndBehind(Address next) const override { return next == first(); }
};

class KeyedChainItems : public ChainItems {
 public:
  using ChainItems::ChainItems;

  std::string collect(ItemCollector& items) const override {
    return walk([&](Address node) { return items.offer({node + shape().key, node + shape().value}); }).damage();
  }
};

/// A chain that nobody has counted.
class UncountedItems : public ChainItems {
 public:
  using ChainItems::ChainItems;

  /// `known` lengths end the walk; those that it finds are added.
  ChainLengths::Length countNodes(ChainLengths* known) const {
    struct Passed {
      Address node;
      std::uint64_t before;  // nodes
    };
    std::vector<Passed> passed;
    ChainLengths::Length length;
    const auto visit = [&](Address node) {
      if (known && ChainLengths::isKept(node)) {
        if (const auto rest = known->find(node)) {
          length = {length.nodes + rest->nodes, rest->isEndless};
          return false;
        }
        passed.push_back({node, length.nodes});
      }
      ++length.nodes;
      return true;
    };
    if (walk(visit).why == Halt::Why::Circle) length.isEndless = true;
    for (const Passed& one : passed) known->keep(one.node, {length.nodes - one.before, length.isEndless});
    return length;
  }
};

/// The last node of an ImmutableStack or a list of F# is the empty one, whose tail is null.
class ImmutableStackItems : public UncountedItems {
 public:
  using UncountedItems::UncountedItems;

 protected:
  bool isEnd(Address node) const override {
    Address next;
    return memory().tryRead(node + shape().next, next) && !next;
  }
};

/// Two stacks: items are taken from the one and put on the other.
class ImmutableQueueItems : public Collection {
 public:
  ImmutableQueueItems(CollectionFacts facts, std::unique_ptr<Collection> forwards,
                      std::unique_ptr<Collection> backwards)
      : Collection(std::move(facts)), m_forwards(std::move(forwards)), m_backwards(std::move(backwards)) {}

  std::string collect(ItemCollector& items) const override {
    std::string damage = m_forwards->collect(items);
    if (!damage.empty() || items.isDone()) return damage;
    std::vector<ItemPlace> latestFirst;
    const auto keep = [&](const ItemPlace& item) {
      latestFirst.push_back(item);
      return !items.isDone();
    };
    ItemCollector backwards(keep, {});
    damage = m_backwards->collect(backwards);
    for (auto item = latestFirst.rbegin(); item != latestFirst.rend(); ++item) {
      if (!items.offer(*item)) break;
    }
    return damage;
  }

 private:
  std::unique_ptr<Collection> m_forwards, m_backwards;
};

template <class Items>
Result<std::unique_ptr<Collection>> makeUncounted(const Instance& stack, Address first, const NodeShape& shape) {
  HEAPSCAPE_TRY(CollectionFacts facts, itemFacts(stack));
  const ChainLengths::Length length = Items(facts, stack.memory(), first, shape).countNodes(stack.sources().chains);
  facts.isEndless = length.isEndless;
  if (length.isEndless) {
    facts.damage = "The nodes form a circle.";
  } else {
    facts.count = length.nodes;
  }
  return std::make_unique<Items>(std::move(facts), stack.memory(), first, shape);
}

}  // namespace

Result<std::unique_ptr<Collection>> makeLinkedList(const Instance& list) {
  HEAPSCAPE_TRY(CollectionFacts facts, itemFacts(list));
  HEAPSCAPE_TRY(facts.count, list.count("count"));
  HEAPSCAPE_TRY(const Address head, list.reference("head"));
  if (!head) return std::make_unique<FewItems>(std::move(facts), std::vector<ItemPlace>{});
  HEAPSCAPE_TRY(const Instance node, list.follow("head"));
  HEAPSCAPE_TRY(const NodeShape shape, readNodeShape(node, "next", {}, "item"));
  return std::make_unique<LinkedListItems>(std::move(facts), list.memory(), head, shape);
}

Result<std::unique_ptr<Collection>> makeConcurrentStack(const Instance& stack) {
  HEAPSCAPE_TRY(const Address head, stack.reference("_head"));
  NodeShape shape;
  if (head) {
    HEAPSCAPE_TRY(const Instance node, stack.follow("_head"));
    HEAPSCAPE_TRY(shape, readNodeShape(node, "_next", {}, "_value"));
  }
  return makeUncounted<UncountedItems>(stack, head, shape);
}

Result<std::unique_ptr<Collection>> makeImmutableStack(const Instance& stack) {
  HEAPSCAPE_TRY(const NodeShape shape, readNodeShape(stack, "_tail", {}, "_head"));
  return makeUncounted<ImmutableStackItems>(stack, stack.object(), shape);
}

Result<std::unique_ptr<Collection>> makeImmutableQueue(const Instance& queue) {
  HEAPSCAPE_TRY(CollectionFacts facts, itemFacts(queue));
  HEAPSCAPE_TRY(const Instance first, queue.follow("_forwards"));
  HEAPSCAPE_TRY(const Instance last, queue.follow("_backwards"));
  HEAPSCAPE_TRY(auto forwards, makeImmutableStack(first));
  HEAPSCAPE_TRY(auto backwards, makeImmutableStack(last));
  facts.count = forwards->facts().count + backwards->facts().count;
  facts.isEndless = forwards->facts().isEndless || backwards->facts().isEndless;
  facts.damage = forwards->facts().damage.empty() ? backwards->facts().damage : forwards->facts().damage;
  return std::make_unique<ImmutableQueueItems>(std::move(facts), std::move(forwards), std::move(backwards));
}

Result<std::unique_ptr<Collection>> makeFSharpList(const Instance& list) {
  HEAPSCAPE_TRY(const NodeShape shape, readNodeShape(list, "tail", {}, "head"));
  return makeUncounted<ImmutableStackItems>(list, list.object(), shape);
}

Result<std::unique_ptr<Collection>> makeListDictionary(const Instance& dictionary) {
  HEAPSCAPE_TRY(CollectionFacts facts, objectFacts(dictionary));
  HEAPSCAPE_TRY(const Address head, dictionary.reference("head"));
  HEAPSCAPE_TRY(facts.count, dictionary.count("count"));
  if (!head) return std::make_unique<FewItems>(std::move(facts), std::vector<ItemPlace>{});
  HEAPSCAPE_TRY(const Instance node, dictionary.follow("head"));
  HEAPSCAPE_TRY(const NodeShape shape, readNodeShape(node, "next", "key", "value"));
  return std::make_unique<KeyedChainItems>(std::move(facts), dictionary.memory(), head, shape);
}

}  // namespace heapscape::engine
