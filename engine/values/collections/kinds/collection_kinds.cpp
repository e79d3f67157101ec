// SPDX-License-Identifier: MIT
#include "values/collections/kinds/collection_kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/limits.h"
#include "values/collections/kinds/collection_makers.h"
#include "values/collections/node_chain.h"

namespace heapscape::engine {
namespace {

class HashTreeItems : public Collection {
 public:
  struct Storage {
    Address root;
    TreeShape tree = {};        // its items are the buckets
    std::uint32_t first = 0;    // in a bucket: the first item
    std::uint32_t further = 0;  // in a bucket: the root of the tree of others
    PairShape item = {};
  };

  HashTreeItems(CollectionFacts facts, const InstanceSources& sources, const Storage& storage)
      : Collection(std::move(facts)), m_sources(sources), m_storage(storage) {}

  std::optional<ItemPlace> itemIn(Address node) const override {
    if (isNode(m_sources.readers.runtime.memory(), node, m_storage.tree.methodTable))
      return placeOf(node + m_storage.tree.item + m_storage.first);
    const auto tree =
        Instance::at(m_sources, node).and_then([](const Instance& further) { return immutableTree(further, "_key"); });
    if (!tree) return std::nullopt;
    return placeOf(node + tree->item);
  }

  std::string collect(ItemCollector& items) const override {
    std::string damage;
    const TreeWalk walk(m_sources.readers.runtime.memory(), m_storage.tree, facts().count);
    std::string ownDamage = walk.run(m_storage.root, [&](Address bucket) {
      if (!items.offer(placeOf(bucket + m_storage.first))) return false;
      damage = collectFurther(bucket, items);
      return damage.empty() && !items.isDone();
    });
    return damage.empty() ? ownDamage : damage;
  }

 private:
  ItemPlace placeOf(Address item) const {
    return {facts().hasKeys ? item + m_storage.item.key : Address{}, item + m_storage.item.value};
  }

  std::string collectFurther(Address bucket, ItemCollector& items) const {
    const AddressSpace& memory = m_sources.readers.runtime.memory();
    Address root;
    if (!memory.tryRead(bucket + m_storage.further, root) || !root) return {};
    const auto tree =
        Instance::at(m_sources, root).and_then([](const Instance& node) { return immutableTree(node, "_key"); });
    if (!tree) return tree.error().what;
    const TreeWalk walk(memory, *tree, facts().count);
    return walk.run(
        root, [&](Address item) { return items.offer(placeOf(item)); }, &items);
  }

  const InstanceSources& m_sources;
  Storage m_storage;
};

Result<std::unique_ptr<Collection>> overHashTree(const Instance& collection, CollectionFacts facts) {
  HEAPSCAPE_TRY(facts.count, collection.count("_count"));
  HEAPSCAPE_TRY(const Instance root, collection.follow("_root"));
  HEAPSCAPE_TRY(const Instance bucket, root.inner("_value"));
  HashTreeItems::Storage storage{.root = root.object()};
  HEAPSCAPE_TRY(storage.tree, immutableTree(root, "_value"));
  HEAPSCAPE_TRY(storage.first, bucket.offsetOf("_firstValue"));
  HEAPSCAPE_TRY(storage.further, bucket.offsetOf("_additionalElements"));
  if (facts.hasKeys) {
    HEAPSCAPE_TRY(const Instance pair, bucket.inner("_firstValue"));
    HEAPSCAPE_TRY(storage.item, pairShape(pair));
  }
  return std::make_unique<HashTreeItems>(std::move(facts), collection.sources(), storage);
}

// Trees by hash code, whose nodes hold the first item and a tree of others with the same code.
Result<std::unique_ptr<Collection>> makeImmutableHashSet(const Instance& set) {
  HEAPSCAPE_TRY(CollectionFacts facts, itemFacts(set, ItemLabels::None));
  return overHashTree(set, std::move(facts));
}

Result<std::unique_ptr<Collection>> makeImmutableDictionary(const Instance& dictionary) {
  HEAPSCAPE_TRY(CollectionFacts facts, keyedFacts(dictionary));
  return overHashTree(dictionary, std::move(facts));
}

/// A view of a part of another collection, which would be taken for the whole or for an empty one.
Result<std::unique_ptr<Collection>> leaveUnread(const Instance& view) {
  return failure(ErrorCode::NotFound, fmt::format("{} is not read as a collection.", view.shape().name));
}

constexpr std::array kKinds{
    CollectionKind{"Microsoft.FSharp.Collections.FSharpList`1", "FSharpList", makeFSharpList, {}},
    CollectionKind{"Microsoft.FSharp.Collections.FSharpMap`2", "FSharpMap", makeFSharpMap, {}},
    CollectionKind{"Microsoft.FSharp.Collections.FSharpSet`1", "FSharpSet", makeFSharpSet, {}},
    CollectionKind{"Newtonsoft.Json.Linq.JArray", "JArray", makeTokenList, {}},
    CollectionKind{"Newtonsoft.Json.Linq.JConstructor", "JConstructor", makeTokenList, {}},
    CollectionKind{"Newtonsoft.Json.Linq.JObject", "JObject", makeTokenObject, {}},
    CollectionKind{"Newtonsoft.Json.Linq.JProperty", "JProperty", makeTokenProperty, {}},
    CollectionKind{"System.ArraySegment`1", "ArraySegment", makeArraySegment, {}},
    CollectionKind{"System.Collections.ArrayList", "ArrayList", makeList, {}},
    CollectionKind{"System.Collections.ArrayList+FixedSizeArrayList", "ArrayList", nullptr, "_list"},
    CollectionKind{"System.Collections.ArrayList+IListWrapper", "ArrayList", nullptr, "_list"},
    CollectionKind{"System.Collections.ArrayList+Range", "ArrayList", leaveUnread, {}},
    CollectionKind{"System.Collections.ArrayList+ReadOnlyArrayList", "ArrayList", nullptr, "_list"},
    CollectionKind{"System.Collections.ArrayList+SyncArrayList", "ArrayList", nullptr, "_list"},
    CollectionKind{
        "System.Collections.Concurrent.BlockingCollection`1", "BlockingCollection", makeBlockingCollection, {}},
    CollectionKind{"System.Collections.Concurrent.ConcurrentBag`1", "ConcurrentBag", makeConcurrentBag, {}},
    CollectionKind{
        "System.Collections.Concurrent.ConcurrentDictionary`2", "ConcurrentDictionary", makeConcurrentDictionary, {}},
    CollectionKind{"System.Collections.Concurrent.ConcurrentQueue`1", "ConcurrentQueue", makeConcurrentQueue, {}},
    CollectionKind{"System.Collections.Concurrent.ConcurrentStack`1", "ConcurrentStack", makeConcurrentStack, {}},
    CollectionKind{"System.Collections.Concurrent.SingleProducerSingleConsumerQueue`1",
                   "SingleProducerSingleConsumerQueue",
                   makeSingleReaderQueue,
                   {}},
    CollectionKind{"System.Collections.Frozen.FrozenDictionary`2", "FrozenDictionary", makeFrozenDictionary, {}},
    CollectionKind{"System.Collections.Frozen.FrozenSet`1", "FrozenSet", makeFrozenSet, {}},
    CollectionKind{"System.Collections.Generic.Deque`1", "Deque", makeQueue, {}},
    CollectionKind{"System.Collections.Generic.Dictionary`2", "Dictionary", makeDictionary, {}},
    CollectionKind{"System.Collections.Generic.HashSet`1", "HashSet", makeHashSet, {}},
    CollectionKind{"System.Collections.Generic.LinkedList`1", "LinkedList", makeLinkedList, {}},
    CollectionKind{"System.Collections.Generic.List`1", "List", makeList, {}},
    CollectionKind{"System.Collections.Generic.OrderedDictionary`2", "OrderedDictionary", makeOrderedDictionary, {}},
    CollectionKind{"System.Collections.Generic.PriorityQueue`2", "PriorityQueue", makePriorityQueue, {}},
    CollectionKind{"System.Collections.Generic.Queue`1", "Queue", makeQueue, {}},
    CollectionKind{"System.Collections.Generic.SortedDictionary`2", "SortedDictionary", makeSortedDictionary, {}},
    CollectionKind{"System.Collections.Generic.SortedList`2", "SortedList", makeSortedList, {}},
    CollectionKind{"System.Collections.Generic.SortedSet`1", "SortedSet", makeSortedSet, {}},
    CollectionKind{"System.Collections.Generic.SortedSet`1+TreeSubSet", "SortedSet", leaveUnread, {}},
    CollectionKind{"System.Collections.Generic.Stack`1", "Stack", makeStack, {}},
    CollectionKind{"System.Collections.Hashtable", "Hashtable", makeHashtable, {}},
    CollectionKind{"System.Collections.Hashtable+SyncHashtable", "Hashtable", nullptr, "_table"},
    CollectionKind{"System.Collections.Immutable.ImmutableArray`1", "ImmutableArray", makeImmutableArray, {}},
    CollectionKind{
        "System.Collections.Immutable.ImmutableDictionary`2", "ImmutableDictionary", makeImmutableDictionary, {}},
    CollectionKind{"System.Collections.Immutable.ImmutableHashSet`1", "ImmutableHashSet", makeImmutableHashSet, {}},
    CollectionKind{"System.Collections.Immutable.ImmutableList`1", "ImmutableList", makeImmutableList, {}},
    CollectionKind{"System.Collections.Immutable.ImmutableQueue`1", "ImmutableQueue", makeImmutableQueue, {}},
    CollectionKind{"System.Collections.Immutable.ImmutableSortedDictionary`2",
                   "ImmutableSortedDictionary",
                   makeImmutableSortedDictionary,
                   {}},
    CollectionKind{
        "System.Collections.Immutable.ImmutableSortedSet`1", "ImmutableSortedSet", makeImmutableSortedSet, {}},
    CollectionKind{"System.Collections.Immutable.ImmutableStack`1", "ImmutableStack", makeImmutableStack, {}},
    CollectionKind{"System.Collections.ObjectModel.Collection`1", "Collection", nullptr, "items"},
    CollectionKind{"System.Collections.ObjectModel.ObservableCollection`1", "ObservableCollection", nullptr, "items"},
    CollectionKind{"System.Collections.ObjectModel.ReadOnlyCollection`1", "ReadOnlyCollection", nullptr, "list"},
    CollectionKind{"System.Collections.ObjectModel.ReadOnlyDictionary`2", "ReadOnlyDictionary", nullptr,
                   "m_dictionary"},
    CollectionKind{"System.Collections.Queue", "Queue", makeQueue, {}},
    CollectionKind{"System.Collections.Queue+SynchronizedQueue", "Queue", nullptr, "_q"},
    CollectionKind{"System.Collections.SortedList", "SortedList", makeSortedList, {}},
    CollectionKind{"System.Collections.SortedList+SyncSortedList", "SortedList", nullptr, "_list"},
    CollectionKind{"System.Collections.Specialized.HybridDictionary", "HybridDictionary", makeHybridDictionary, {}},
    CollectionKind{"System.Collections.Specialized.ListDictionary", "ListDictionary", makeListDictionary, {}},
    CollectionKind{
        "System.Collections.Specialized.NameObjectCollectionBase", "NameObjectCollectionBase", makeNamedObjects, {}},
    CollectionKind{"System.Collections.Specialized.NameValueCollection", "NameValueCollection", makeNamedObjects, {}},
    CollectionKind{"System.Collections.Specialized.OrderedDictionary", "OrderedDictionary", makeEntryDictionary, {}},
    CollectionKind{"System.Collections.Specialized.StringCollection", "StringCollection", nullptr, "data"},
    CollectionKind{"System.Collections.Specialized.StringDictionary", "StringDictionary", nullptr, "contents"},
    CollectionKind{"System.Collections.Stack", "Stack", makeStack, {}},
    CollectionKind{"System.Collections.Stack+SyncStack", "Stack", nullptr, "_s"},
    CollectionKind{"System.Lazy`1", "Lazy", makeLazy, {}},
    CollectionKind{"System.Linq.EmptyLookup`2", "Lookup", makeEmptyLookup, {}},
    CollectionKind{"System.Linq.Grouping`2", "Grouping", makeGrouping, {}},
    CollectionKind{"System.Linq.Lookup`2", "Lookup", makeLookup, {}},
    CollectionKind{"System.Memory`1", "Memory", makeMemory, {}},
    CollectionKind{"System.ReadOnlyMemory`1", "ReadOnlyMemory", makeMemory, {}},
    CollectionKind{"System.Runtime.CompilerServices.ConditionalWeakTable`2", "ConditionalWeakTable", makeWeakTable, {}},
    CollectionKind{"System.Text.Json.JsonDocument", "JsonDocument", makeJsonDocument, {}},
    CollectionKind{"System.Text.Json.JsonElement", "JsonElement", makeJsonElement, {}},
    CollectionKind{"System.Text.Json.JsonPropertyDictionary`1", "JsonPropertyDictionary", makeJsonProperties, {}},
    CollectionKind{"System.Text.Json.Nodes.JsonArray", "JsonArray", makeJsonArray, {}},
    CollectionKind{"System.Text.Json.Nodes.JsonObject", "JsonObject", makeJsonObject, {}},
    CollectionKind{"System.Text.StringBuilder", "StringBuilder", makeStringBuilder, {}},
    CollectionKind{"System.Threading.Channels.BoundedChannel`1", "Channel", makeChannel, {}},
    CollectionKind{"System.Threading.Channels.RendezvousChannel`1", "Channel", makeChannel, {}},
    CollectionKind{"System.Threading.Channels.SingleConsumerUnboundedChannel`1", "Channel", makeChannel, {}},
    CollectionKind{"System.Threading.Channels.UnboundedChannel`1", "Channel", makeChannel, {}},
    CollectionKind{"System.Threading.Channels.UnboundedPrioritizedChannel`1", "Channel", makeChannel, {}},
    CollectionKind{"System.Threading.Tasks.Task", "Task", makeTask, {}},
    CollectionKind{"System.Threading.Tasks.Task`1", "Task", makeTask, {}},
    CollectionKind{"System.WeakReference", "WeakReference", makeWeakReference, {}},
    CollectionKind{"System.WeakReference`1", "WeakReference", makeWeakReference, {}},
};
static_assert(std::ranges::is_sorted(kKinds, {}, &CollectionKind::definition));

const CollectionKind* kindOf(const RuntimeReaders& readers, const MethodTable& type) {
  const std::string definition = readers.names.definitionName(type);
  const auto found = std::ranges::lower_bound(kKinds, std::string_view(definition), {}, &CollectionKind::definition);
  return found != kKinds.end() && found->definition == definition ? &*found : nullptr;
}

}  // namespace

std::optional<CountedArray> countedArrayOf(const CollectionKind& kind) {
  if (kind.make == makeList) return kListArray;
  if (kind.make == makeStack) return kStackArray;
  if (kind.make == makeDictionary || kind.make == makeHashSet) return kHashArray;
  if (kind.make == makeOrderedDictionary) return kOrderedArray;
  if (kind.make == makePriorityQueue) return kPriorityArray;
  return std::nullopt;
}

bool isCollectionKind(const RuntimeReaders& readers, const MethodTable& type) {
  return kindOf(readers, type) != nullptr;
}

std::optional<RecognisedCollection> recogniseCollection(const Instance& instance) {
  const InstanceSources& sources = instance.sources();
  const TypeShape* shape = &instance.shape();
  for (std::size_t depth = 0; shape && depth < kLimits.parentDepth; ++depth) {
    if (const CollectionKind* kind = kindOf(sources.readers, shape->type))
      return RecognisedCollection{kind, instance.as(*shape)};
    shape = shape->type.parent ? sources.shapes.find(shape->type.parent) : nullptr;
  }
  return std::nullopt;
}

Result<std::unique_ptr<Collection>> openCollection(const RecognisedCollection& recognised) {
  RecognisedCollection current = recognised;
  for (std::size_t depth = 0; depth < kLimits.nestingDepth; ++depth) {
    if (current.kind->make) return current.kind->make(current.instance);
    HEAPSCAPE_TRY(const Instance inside, current.instance.follow(current.kind->wrapped));
    if (inside.type().isSzArray) return makeArray(inside);
    auto next = recogniseCollection(inside);
    if (!next) return failure(ErrorCode::NotFound, fmt::format("{} is no known collection.", inside.shape().name));
    current = std::move(*next);
  }
  return failure(ErrorCode::Damaged, "The collection lies in itself.");
}

}  // namespace heapscape::engine
