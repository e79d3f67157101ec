// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/large_array.h"
#include "base/result.h"
#include "values/type_shapes.h"

namespace heapscape::engine {

class InsightInput;

/// How a collection keeps its items.
enum class CollectionForm : std::uint8_t {
  Items,       // in one array: List, ArrayList, Stack, Queue, PriorityQueue
  Pairs,       // in an array of keys and one of values: SortedList
  Entries,     // in an array of entries, with one of buckets that number them: Dictionary, HashSet
  Buckets,     // in the buckets themselves: Hashtable
  Chains,      // in nodes that hang on buckets: ConcurrentDictionary
  Nodes,       // in nodes: LinkedList, SortedSet
  Characters,  // in chunks of characters: StringBuilder
  Segments,    // in several arrays, linked with each other: ConcurrentQueue, ConcurrentBag
  Wrapper,     // in another collection: Collection, ObservableCollection, SortedDictionary
};

/// A type of collection with objects on the heap: where its fields lie.
struct SurveyedType {
  TypeId type;
  std::string_view kind;  // "List"
  CollectionForm form = CollectionForm::Items;
  bool isLibrarys = true;                         // false for a class that derives from the library's
  std::uint32_t countOffset = 0, freeOffset = 0;  // from the object's address; free entries only where there are any
  std::array<std::uint32_t, 2> storageOffsets{};  // of the references to its arrays; 0: none. That of items first
  std::uint32_t ownedOffset = 0;                  // of a Boolean: whether its array is its own; 0: it always is
  std::vector<TypeId> parts = {};                 // of objects that it makes for itself, beside arrays
  std::vector<TypeId> nodes = {};                 // of objects that it makes for each item
  std::uint32_t keyBytes = 0;                     // of a slot; 0 without keys
  std::uint32_t valueBytes = 0;
};

/// A reachable collection.
struct SurveyedCollection {
  static constexpr std::uint32_t kNone = ObjectId::kNone;
  static constexpr std::uint32_t kMostTypes = (1u << 31) - 1;

  std::uint32_t object = 0;     // ObjectId
  std::uint32_t type : 31 = 0;  // index in CollectionSurvey::types()
  // Whether it is part of another one: the collection inside of a Wrapper, an older chunk of a StringBuilder.
  bool isPart : 1 = false;
  std::uint32_t count = 0;                             // items; characters of a chunk
  std::uint32_t capacity = 0;                          // slots of the first array
  std::uint32_t used = 0;                              // slots up to the last item; `count` unless items were removed
  std::array<std::uint32_t, 2> storage{kNone, kNone};  // ObjectIds; of a Wrapper the collection inside

  static constexpr std::uint32_t kMostSlotsForOne = 16;
  /// Whether it has one item, and not so much room that it is an oversized one.
  bool isOfOneItem() const { return count == 1 && capacity <= kMostSlotsForOne; }
};
static_assert(sizeof(SurveyedCollection) == 28, "a heap has millions of them");

/// All collections of the class library that keep their items in arrays of their own, in nodes or in each other.
/// Damaged ones are left out, and views of a collection that others use as well.
class CollectionSurvey {
 public:
  CollectionSurvey() = default;
  static Outcome<CollectionSurvey> make(const InsightInput& input, const std::function<void(double)>& tell,
                                        const std::stop_token& stop);

  const std::vector<SurveyedType>& types() const { return m_types; }
  /// Ascending by object.
  std::span<const SurveyedCollection> collections() const { return m_collections.elements(); }
  const SurveyedType& typeOf(const SurveyedCollection& collection) const { return m_types[collection.type]; }
  /// Whether it has no item; a text, no character in older chunks either.
  bool isEmpty(const SurveyedCollection& collection) const {
    const bool isText = typeOf(collection).form == CollectionForm::Characters;
    return !collection.count && (!isText || collection.storage[1] == SurveyedCollection::kNone);
  }
  /// Whether an array is where some collection keeps its items.
  bool isStorage(std::uint32_t array) const { return m_isStorage[array]; }
  /// Null if there is none.
  const SurveyedCollection* find(std::uint32_t object) const;

 private:
  void joinParts(const InsightInput& input);
  void markStorage(const InsightInput& input);
  void leaveOut(const std::vector<std::uint32_t>& objects);  // ascending
  SurveyedCollection* findMutable(std::uint32_t object);
  std::span<SurveyedCollection> mutableCollections() { return {m_collections.data(), m_collections.size()}; }

  std::vector<SurveyedType> m_types;
  LargeArray<SurveyedCollection> m_collections;
  std::vector<bool> m_isStorage;  // by ObjectId
};

}  // namespace heapscape::engine
