// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "values/collections/collection.h"
#include "values/instance.h"

// Readers of each kind of collection, by the file that has it; `collection_kinds` says which type is of which kind.
namespace heapscape::engine {

// array_collections.cpp
// Collections that keep their items in the order of an array.
Result<std::unique_ptr<Collection>> makeArray(const Instance& array);
Result<std::unique_ptr<Collection>> makeList(const Instance& list);             // List, ArrayList
Result<std::unique_ptr<Collection>> makeStack(const Instance& stack);           // generic or not; the top first
Result<std::unique_ptr<Collection>> makeQueue(const Instance& queue);           // generic or not
Result<std::unique_ptr<Collection>> makeSortedList(const Instance& list);       // generic or not
Result<std::unique_ptr<Collection>> makePriorityQueue(const Instance& queue);   // keys are the priorities
Result<std::unique_ptr<Collection>> makeImmutableArray(const Instance& array);  // a value type
Result<std::unique_ptr<Collection>> makeArraySegment(const Instance& segment);  // a value type
Result<std::unique_ptr<Collection>> makeMemory(const Instance& memory);         // and ReadOnlyMemory: value types

Result<std::unique_ptr<Collection>> makeOrderedDictionary(const Instance& dictionary);
/// Keys and values that lie in the pairs of an array, with the names of their fields.
Result<std::unique_ptr<Collection>> overPairs(const Instance& collection, CollectionFacts facts,
                                              const ManagedArray& pairs, std::string_view key, std::string_view value);

// concurrent_collections.cpp
/// `count` slots of an array from `first` on, modulo all its slots.
struct SlotRing {
  ManagedArray slots;
  std::uint32_t first = 0;
  std::uint32_t count = 0;

  Address element(std::uint32_t index) const { return slots.element((first + index) % slots.count); }
};
/// Items of rings one after the other, of each the last one first where they are reversed. Adds up count and capacity.
std::unique_ptr<Collection> overRings(CollectionFacts facts, std::vector<SlotRing> rings, bool isReversed = false);

/// A list of queues, one for each thread that has added something; of each the item added last comes first.
Result<std::unique_ptr<Collection>> makeConcurrentBag(const Instance& bag);

/// Buckets, each a chain of nodes; the count is kept in parts, one for each lock.
Result<std::unique_ptr<Collection>> makeConcurrentDictionary(const Instance& dictionary);

/// A list of segments, each a ring of slots between its head and its tail.
Result<std::unique_ptr<Collection>> makeConcurrentQueue(const Instance& queue);

// hash_collections.cpp
// Collections whose contents were given once. The framework chooses among many classes for them; each keeps keys,
// values and items in arrays of the same names, or has them for hash codes.
Result<std::unique_ptr<Collection>> makeFrozenDictionary(const Instance& dictionary);
Result<std::unique_ptr<Collection>> makeFrozenSet(const Instance& set);

// Collections that keep their items in an array of entries, some of which may be unused.
Result<std::unique_ptr<Collection>> makeDictionary(const Instance& dictionary);
Result<std::unique_ptr<Collection>> makeHashSet(const Instance& set);
Result<std::unique_ptr<Collection>> makeHashtable(const Instance& table);

/// Result of ToLookup(): groups by key, in the order in which their keys came first.
Result<std::unique_ptr<Collection>> makeLookup(const Instance& lookup);
/// Result of ToLookup() for nothing from .NET 9 on.
Result<std::unique_ptr<Collection>> makeEmptyLookup(const Instance& lookup);
/// One of the groups.
Result<std::unique_ptr<Collection>> makeGrouping(const Instance& grouping);

// holders.cpp
/// A Lazy: its value, once it has one, or the exception that its factory threw. States: "created", "not created",
/// "faulted".
Result<std::unique_ptr<Collection>> makeLazy(const Instance& lazy);

/// A StringBuilder: one item, its text, cut where it is long. The state says how long the text is; the capacity is in
/// characters.
Result<std::unique_ptr<Collection>> makeStringBuilder(const Instance& builder);

/// A Task: its result, its exceptions, and what goes on when it ends. The state is Task.Status in words.
Result<std::unique_ptr<Collection>> makeTask(const Instance& task);

/// A WeakReference, generic or not: its target, unless that was collected.
Result<std::unique_ptr<Collection>> makeWeakReference(const Instance& reference);

// json_collections.cpp
// JSON of System.Text.Json: objects with members by name, arrays. Until someone looks into it, a node that was parsed
// is nothing but a part of the text.
Result<std::unique_ptr<Collection>> makeJsonDocument(const Instance& document);
Result<std::unique_ptr<Collection>> makeJsonElement(const Instance& element);  // a value type
Result<std::unique_ptr<Collection>> makeJsonObject(const Instance& object);
Result<std::unique_ptr<Collection>> makeJsonArray(const Instance& array);
/// The members of a JsonObject on .NET 8.
Result<std::unique_ptr<Collection>> makeJsonProperties(const Instance& dictionary);

// linked_collections.cpp
// Collections whose items are objects that each refer to the next.
Result<std::unique_ptr<Collection>> makeLinkedList(const Instance& list);
Result<std::unique_ptr<Collection>> makeConcurrentStack(const Instance& stack);  // the top first
Result<std::unique_ptr<Collection>> makeImmutableStack(const Instance& stack);   // the top first
Result<std::unique_ptr<Collection>> makeImmutableQueue(const Instance& queue);
Result<std::unique_ptr<Collection>> makeFSharpList(const Instance& list);
Result<std::unique_ptr<Collection>> makeListDictionary(const Instance& dictionary);

// specialized_collections.cpp
// Dictionaries of System.Collections.Specialized, from before there were generic ones.
Result<std::unique_ptr<Collection>> makeEntryDictionary(const Instance& dictionary);   // OrderedDictionary
Result<std::unique_ptr<Collection>> makeHybridDictionary(const Instance& dictionary);  // a list or a table
Result<std::unique_ptr<Collection>> makeNamedObjects(const Instance& collection);      // NameValueCollection: lists

// JSON as Newtonsoft.Json keeps it: an object is a list of properties, each with a name and a token.
Result<std::unique_ptr<Collection>> makeTokenObject(const Instance& object);
Result<std::unique_ptr<Collection>> makeTokenList(const Instance& list);  // JArray, JConstructor
Result<std::unique_ptr<Collection>> makeTokenProperty(const Instance& property);

/// A ConditionalWeakTable: its entries are dependent handles, so keys and values lie in the GC's handle table.
Result<std::unique_ptr<Collection>> makeWeakTable(const Instance& table);

// tree_collections.cpp
// Collections that keep their items in a binary tree.
Result<std::unique_ptr<Collection>> makeSortedSet(const Instance& set);
Result<std::unique_ptr<Collection>> makeSortedDictionary(const Instance& dictionary);
Result<std::unique_ptr<Collection>> makeImmutableList(const Instance& list);
Result<std::unique_ptr<Collection>> makeImmutableSortedSet(const Instance& set);
Result<std::unique_ptr<Collection>> makeImmutableSortedDictionary(const Instance& dictionary);
Result<std::unique_ptr<Collection>> makeFSharpMap(const Instance& map);
Result<std::unique_ptr<Collection>> makeFSharpSet(const Instance& set);

// wrapped_collections.cpp
// Collections that keep their items in another one, and have a state of their own.
Result<std::unique_ptr<Collection>> makeChannel(const Instance& channel);  // bounded, unbounded, for one reader …
Result<std::unique_ptr<Collection>> makeBlockingCollection(const Instance& collection);
/// The queue of a channel for one reader: rings of slots, one after the other.
Result<std::unique_ptr<Collection>> makeSingleReaderQueue(const Instance& queue);

}  // namespace heapscape::engine
