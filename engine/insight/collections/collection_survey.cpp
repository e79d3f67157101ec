// SPDX-License-Identifier: MIT
#include "insight/collections/collection_survey.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/limits.h"
#include "insight/collections/collection_storage.h"
#include "insight/heap_objects.h"
#include "insight/insight_input.h"
#include "runtime/types/method_tables.h"
#include "values/collections/kinds/collection_kinds.h"
#include "values/written_fields.h"

namespace heapscape::engine {
namespace {

/// The fields and types that tell of a kind of collection, by their names in the class library
/// (src/libraries/…/Collections, System.Private.CoreLib). Types without arguments.
struct KindOfStorage {
  std::string_view kind;  // as values/collections names it; of what is not read there the type itself
  CollectionForm form = CollectionForm::Items;
  std::string_view count = {};  // a field, as those that follow
  std::array<std::string_view, 2> storage = {};
  std::array<std::string_view, 4> parts = {};  // types
  std::string_view node = {};                  // a type
  std::string_view free = {};
  std::string_view owned = {};
};

constexpr std::array kKinds = [] {
  using enum CollectionForm;
  return std::array{
      KindOfStorage{"ArrayList", Items, "_size", {"_items"}},
      KindOfStorage{"Collection", Wrapper, {}, {"items"}, {"System.Collections.Generic.List"}},
      KindOfStorage{"ConcurrentBag",
                    Segments,
                    {},
                    {},
                    {"System.Collections.Concurrent.ConcurrentBag+WorkStealingQueue", "System.Threading.ThreadLocal",
                     "System.Threading.ThreadLocal+LinkedSlot"}},
      KindOfStorage{"ConcurrentDictionary",
                    Chains,
                    {},
                    {"_tables"},
                    {"System.Collections.Concurrent.ConcurrentDictionary+Tables", "System.Object"},
                    "System.Collections.Concurrent.ConcurrentDictionary+Node"},
      KindOfStorage{"ConcurrentQueue",
                    Segments,
                    {},
                    {},
                    {"System.Collections.Concurrent.ConcurrentQueueSegment", "System.Object"}},
      KindOfStorage{"Dictionary",
                    Entries,
                    "_count",
                    {"_entries", "_buckets"},
                    {"System.Collections.Generic.Dictionary+KeyCollection",
                     "System.Collections.Generic.Dictionary+ValueCollection"},
                    {},
                    "_freeCount"},
      KindOfStorage{"HashSet", Entries, "_count", {"_entries", "_buckets"}, {}, {}, "_freeCount"},
      KindOfStorage{"Hashtable", Buckets, "_count", {"_buckets"}},
      KindOfStorage{"LinkedList", Nodes, "count", {}, {}, "System.Collections.Generic.LinkedListNode"},
      KindOfStorage{"List", Items, "_size", {"_items"}},
      KindOfStorage{
          "ObservableCollection",
          Wrapper,
          {},
          {"items"},
          {"System.Collections.Generic.List", "System.Collections.ObjectModel.ObservableCollection+SimpleMonitor"}},
      KindOfStorage{"PriorityQueue", Items, "_size", {"_nodes"}},
      KindOfStorage{"Queue", Items, "_size", {"_array"}},
      KindOfStorage{"ReadOnlyCollection", Wrapper, {}, {"list"}, {"System.Collections.Generic.List"}},
      KindOfStorage{
          "SortedDictionary",
          Wrapper,
          {},
          {"_set"},
          {"System.Collections.Generic.TreeSet", "System.Collections.Generic.SortedDictionary+KeyValuePairComparer",
           "System.Collections.Generic.SortedDictionary+KeyCollection",
           "System.Collections.Generic.SortedDictionary+ValueCollection"},
          "System.Collections.Generic.SortedSet+Node"},
      KindOfStorage{"SortedList", Pairs, "_size", {"values", "keys"}},
      KindOfStorage{"SortedSet", Nodes, "count", {}, {}, "System.Collections.Generic.SortedSet+Node"},
      KindOfStorage{"Stack", Items, "_size", {"_array"}},
      KindOfStorage{"StringBuilder", Characters, "m_ChunkLength", {"m_ChunkChars", "m_ChunkPrevious"}},
      KindOfStorage{"System.Buffers.ArrayBufferWriter", Items, "_index", {"_buffer"}},
      KindOfStorage{"System.Collections.Immutable.ImmutableArray+Builder", Items, "_count", {"_elements"}},
      KindOfStorage{"System.IO.MemoryStream", Items, "_length", {"_buffer"}, {}, {}, {}, "_expandable"},
  };
}();

const KindOfStorage* kindNamed(std::string_view name) {
  const auto kind = std::ranges::find(kKinds, name, &KindOfStorage::kind);
  return kind == kKinds.end() ? nullptr : &*kind;
}

/// Fails where a field is missing.
class TypeMaker {
 public:
  TypeMaker(const InstanceSources& sources, const Instance& instance) : m_sources(sources), m_instance(instance) {}

  Result<SurveyedType> make(TypeId id, const KindOfStorage& kind) const {
    SurveyedType type{.type = id, .kind = kind.kind, .form = kind.form};
    if (!kind.count.empty()) {
      HEAPSCAPE_TRY(type.countOffset, offsetOf(m_instance, kind.count));
    }
    if (!kind.free.empty()) {
      HEAPSCAPE_TRY(type.freeOffset, offsetOf(m_instance, kind.free));
    }
    if (!kind.owned.empty()) {
      HEAPSCAPE_TRY(type.ownedOffset, offsetOf(m_instance, kind.owned));
    }
    for (std::size_t i = 0; i < kind.storage.size(); ++i) {
      if (kind.storage[i].empty()) continue;
      HEAPSCAPE_TRY(type.storageOffsets[i], offsetOf(m_instance, kind.storage[i]));
    }
    HEAPSCAPE_CHECK(addSlots(type));
    return type;
  }

 private:
  static Result<std::uint32_t> offsetOf(const Instance& instance, std::string_view field) {
    HEAPSCAPE_TRY(const std::uint32_t offset, instance.offsetOf(field));
    return offset + static_cast<std::uint32_t>(Instance::kFieldsOffset);
  }

  Result<std::uint32_t> argumentBytes(std::size_t number) const {
    HEAPSCAPE_TRY(const TypeHandle argument, m_instance.typeArgument(number));
    return m_sources.shapes.slotOf(argument).sizeBytes;
  }

  Result<void> addSlots(SurveyedType& type) const {
    constexpr std::uint32_t kReferenceBytes = 8;
    const bool isGeneric = m_instance.type().isGenericInstance;
    const bool isKeyed = type.kind == "Dictionary" || type.kind == "ConcurrentDictionary" ||
                         type.kind == "SortedDictionary" || type.kind == "SortedList" || type.kind == "PriorityQueue";
    type.valueBytes = type.kind == "System.IO.MemoryStream" ? 1 : kReferenceBytes;
    if (type.form == CollectionForm::Buckets || (type.kind == "SortedList" && !isGeneric))
      type.keyBytes = kReferenceBytes;
    if (!isGeneric || type.form == CollectionForm::Characters) return {};
    if (isKeyed) {
      HEAPSCAPE_TRY(type.keyBytes, argumentBytes(0));
    }
    HEAPSCAPE_TRY(type.valueBytes, argumentBytes(isKeyed ? 1 : 0));
    return {};
  }

  const InstanceSources& m_sources;
  const Instance& m_instance;
};

class TypeFinder {
 public:
  explicit TypeFinder(const InsightInput& input) : m_input(input), m_sources{*input.contents.readers, input.shapes} {
    for (std::uint32_t i = 0; i < input.contents.types->size(); ++i) {
      if (!input.ownership.isOwnType({i})) m_librarys[withoutTypeArguments(input.row({i}).name)].push_back({i});
    }
  }

  std::vector<SurveyedType> find() {
    std::vector<SurveyedType> types;
    for (std::uint32_t i = 0; i < m_input.contents.types->size(); ++i) {
      const TypeRow& row = m_input.row({i});
      if (row.isFree || row.componentSize || !mayBeCollection({i})) continue;
      const TypeShape* shape = m_input.shapes.find(row.methodTable);
      if (!shape || shape->type.isValueType) continue;
      if (auto type = typeOf({i}, *shape)) types.push_back(*std::move(type));
    }
    return types;
  }

 private:
  /// Without reading its fields.
  bool mayBeCollection(TypeId id) {
    const TypeRow& row = m_input.row(id);
    return isBelowCollection(row.methodTable, 0) ||
           (!m_input.ownership.isOwnType(id) && kindNamed(withoutTypeArguments(row.name)));
  }

  bool isBelowCollection(Address methodTable, std::size_t depth) {
    const auto known = m_isBelowCollection.find(methodTable);
    if (known != m_isBelowCollection.end()) return known->second;
    const RuntimeReaders& readers = *m_input.contents.readers;
    const auto type = depth < kLimits.parentDepth ? readers.methodTables.read(methodTable) : noType();
    const bool isBelow =
        type && (isCollectionKind(readers, *type) || (type->parent && isBelowCollection(type->parent, depth + 1)));
    return m_isBelowCollection[methodTable] = isBelow;
  }

  static Result<MethodTable> noType() { return failure(ErrorCode::NotFound, {}); }

  std::optional<SurveyedType> typeOf(TypeId id, const TypeShape& shape) const {
    Instance instance(m_sources, shape, {});
    const KindOfStorage* kind = nullptr;
    if (const auto recognised = recogniseCollection(instance)) {
      kind = kindNamed(recognised->kind->name);
      instance = recognised->instance;
      // A synchronised one has the name of what it wraps.
      if (kind && !recognised->kind->make && kind->form != CollectionForm::Wrapper) kind = nullptr;
    } else if (!m_input.ownership.isOwnType(id)) {
      kind = kindNamed(withoutTypeArguments(shape.name));
    }
    if (!kind) return std::nullopt;
    auto made = TypeMaker(m_sources, instance).make(id, *kind);
    if (!made) return std::nullopt;
    made->isLibrarys = instance.type().address == shape.type.address;
    for (const std::string_view part : kind->parts) addTypes(part, made->parts);
    addTypes(kind->node, made->nodes);
    return *std::move(made);
  }

  void addTypes(std::string_view name, std::vector<TypeId>& types) const {
    const auto named = m_librarys.find(std::string(name));
    if (named != m_librarys.end()) types.insert(types.end(), named->second.begin(), named->second.end());
  }

  const InsightInput& m_input;
  InstanceSources m_sources;
  std::unordered_map<Address, bool> m_isBelowCollection;  // by method table: whether it or one of its bases is one
  std::map<std::string, std::vector<TypeId>> m_librarys;  // by name without arguments
};

/// The types on the heap that are collections, or derive from one, with their fields found by name. One whose fields
/// are not as expected is left out.
std::vector<SurveyedType> findCollectionTypes(const InsightInput& input) {
  return TypeFinder(input).find();
}

/// Reads collections where their type says that the fields lie.
class SurveyReader : public ObjectVisitor {
 public:
  SurveyReader(const InsightInput& input, const std::vector<SurveyedType>& types)
      : m_input(input),
        m_types(types),
        m_sources{*input.contents.readers, input.shapes},
        m_indexOf(input.contents.types->size(), kNone) {
    for (std::uint32_t i = 0; i < types.size(); ++i) m_indexOf[types[i].type.value] = i;
  }

  std::vector<std::uint8_t> wantedTypes() const override {
    std::vector<std::uint8_t> isWanted(m_indexOf.size());
    for (const SurveyedType& type : m_types) isWanted[type.type.value] = 1;
    return isWanted;
  }
  void begin(std::span<const ScanPiece> pieces) override {
    m_parts.resize(pieces.size());
    tbb::parallel_for(std::size_t{0}, pieces.size(), [&](std::size_t piece) {
      const std::uint32_t end = piece + 1 < pieces.size() ? pieces[piece + 1].firstObject : m_input.objectTypes.size();
      m_parts[piece].behind = countFrom(pieces[piece].firstObject, end);
    });
    std::size_t size = 0;
    for (Part& part : m_parts) {
      part.first = size;
      size += std::exchange(part.behind, size);
    }
    m_found = LargeArray<SurveyedCollection>(size);
  }
  void visit(std::size_t piece, const ScannedObject& object) override {
    SurveyedCollection collection;
    if (tryRead(object, collection)) m_found[m_parts[piece].behind++] = collection;
  }
  /// Ascending by object.
  LargeArray<SurveyedCollection> takeFound() {
    SurveyedCollection* end = m_found.data();
    for (const Part& part : m_parts) {
      const SurveyedCollection* const first = m_found.data() + part.first;
      const SurveyedCollection* const behind = m_found.data() + part.behind;
      end = end == first ? end + (behind - first) : std::copy(first, behind, end);
    }
    m_found.truncate(static_cast<std::size_t>(end - m_found.data()));
    return std::move(m_found);
  }

 private:
  /// Where the collections of a piece are written to: with room for all, so that only what follows left out ones moves.
  struct alignas(64) Part {  // a line of the cache each, since cores write to parts side by side
    std::size_t first = 0, behind = 0;
  };

  /// How many objects of a piece are to be seen.
  std::size_t countFrom(std::uint32_t first, std::uint32_t end) const {
    std::size_t count = 0;
    for (std::uint32_t object = first; object < end; ++object) {
      const std::uint32_t type = m_input.objectTypes[object];
      count += type < m_indexOf.size() && m_indexOf[type] != kNone && m_input.isReachable(object);
    }
    return count;
  }

  /// False if it is damaged.
  bool tryRead(const ScannedObject& object, SurveyedCollection& collection) const {
    collection.object = object.id;
    collection.type = m_indexOf[object.facts.type.value] & SurveyedCollection::kMostTypes;
    const SurveyedType& type = m_types[collection.type];
    std::array<Address, std::tuple_size_v<decltype(collection.storage)>> storage{};
    for (std::size_t i = 0; i < storage.size(); ++i) {
      Address& array = storage[i];
      if (!type.storageOffsets[i]) continue;
      if (!tryReadAt(object.bytes, type.storageOffsets[i], array)) return false;
      collection.storage[i] = array ? m_input.contents.heap->index.idOf(array).value : kNone;
      if (array && collection.storage[i] == kNone) return false;
    }
    std::uint8_t isOwned = 1;
    if (type.ownedOffset && (!tryReadAt(object.bytes, type.ownedOffset, isOwned) || !isOwned)) return false;
    if (type.form == CollectionForm::Wrapper) return collection.storage[0] != kNone;
    if (type.form == CollectionForm::Segments) return tryReadSegments(collection);
    if (type.form == CollectionForm::Chains) return tryReadChains(collection);
    std::int32_t count = 0, free = 0;
    if (!tryReadAt(object.bytes, type.countOffset, count) || count < 0) return false;
    if (type.freeOffset && (!tryReadAt(object.bytes, type.freeOffset, free) || free < 0 || free > count)) return false;
    collection.used = static_cast<std::uint32_t>(count);
    collection.count = static_cast<std::uint32_t>(count - free);
    collection.capacity = storage[0] ? lengthAt(storage[0]) : 0;
    return type.form == CollectionForm::Nodes || collection.used <= collection.capacity;
  }

  std::uint32_t lengthAt(Address array) const {
    std::uint32_t length = 0;
    return m_input.contents.memory->tryRead(array + kComponentsOffset, length) ? length : 0;
  }
  std::uint32_t lengthOf(std::uint32_t array) const { return lengthAt(m_input.addressOf(array)); }

  /// The tables are an object of three arrays: buckets, locks and the number of items under each lock.
  bool tryReadChains(SurveyedCollection& collection) const {
    const std::uint32_t tables = std::exchange(collection.storage[0], kNone);
    if (tables == kNone) return false;
    for (const std::uint32_t part : m_input.contents.graph->targetsOf(tables)) {
      const TypeId type{m_input.objectTypes[part]};
      if (type.isNone() || !m_input.contents.typeReferences->isArray(type)) continue;
      const std::string& name = m_input.row(type).name;
      if (name == "System.Int32[]") {
        const auto sum = sumOf(part);
        if (!sum) return false;
        collection.count = collection.used = *sum;
      } else if (name != "System.Object[]") {
        collection.storage[0] = part;
        collection.capacity = lengthOf(part);
      }
    }
    return collection.storage[0] != kNone;
  }

  bool tryReadSegments(SurveyedCollection& collection) const {
    // Each segment is of one collection, so all together cannot have more than there are objects.
    const std::size_t parts = linkedParts(m_input, m_types[collection.type], collection, false).size();
    if (parts >= kMostLinkedParts || m_linkedParts.fetch_add(parts) > m_input.objectTypes.size()) return false;
    const auto instance = Instance::at(m_sources, m_input.addressOf(collection.object));
    const auto recognised = instance ? recogniseCollection(*instance) : std::nullopt;
    const auto read = recognised ? openCollection(*recognised) : failure(ErrorCode::NotFound, {});
    if (!read || !(*read)->facts().damage.empty()) return false;
    collection.count = collection.used = static_cast<std::uint32_t>((*read)->facts().count);
    collection.capacity = static_cast<std::uint32_t>((*read)->facts().capacity);
    return collection.count == (*read)->facts().count && collection.capacity == (*read)->facts().capacity;
  }

  std::optional<std::uint32_t> sumOf(std::uint32_t counts) const {
    constexpr std::uint32_t kMostLocks = 1'000'000;
    const std::uint32_t length = lengthOf(counts);
    if (length > kMostLocks) return std::nullopt;
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < length; ++i) {
      std::int32_t count = 0;
      const Address place = m_input.addressOf(counts) + kElementsOffset + i * sizeof count;
      if (!m_input.contents.memory->tryRead(place, count) || count < 0) return std::nullopt;
      sum += static_cast<std::uint32_t>(count);
    }
    return sum;
  }

  const InsightInput& m_input;
  const std::vector<SurveyedType>& m_types;
  InstanceSources m_sources;
  std::vector<std::uint32_t> m_indexOf;  // by TypeId
  mutable std::atomic<std::uint64_t> m_linkedParts = 0;
  std::vector<Part> m_parts;  // by piece
  LargeArray<SurveyedCollection> m_found;
};

}  // namespace

Outcome<CollectionSurvey> CollectionSurvey::make(const InsightInput& input, const std::function<void(double)>& tell,
                                                 const std::stop_token& stop) {
  CollectionSurvey survey;
  survey.m_types = findCollectionTypes(input);
  survey.m_isStorage.resize(input.objectTypes.size());
  SurveyReader reader(input, survey.m_types);
  ObjectVisitor* const visitor = &reader;
  if (!visitObjects(input, std::span(&visitor, 1), tell, stop)) return tl::unexpected(Unfinished::cancelled());
  survey.m_collections = reader.takeFound();
  survey.joinParts(input);
  survey.markStorage(input);
  return survey;
}

/// A wrapper is as full as the collection inside, which it is one with if nobody else uses that.
void CollectionSurvey::joinParts(const InsightInput& input) {
  std::vector<std::uint32_t> views;  // ascending
  for (SurveyedCollection& collection : mutableCollections()) {
    const CollectionForm form = typeOf(collection).form;
    if (form == CollectionForm::Characters) {
      SurveyedCollection* older = collection.storage[1] == kNone ? nullptr : findMutable(collection.storage[1]);
      if (older) older->isPart = true;
    }
    if (form != CollectionForm::Wrapper) continue;
    SurveyedCollection* inside = findMutable(collection.storage[0]);
    const bool isOnlyOne = inside && typeOf(*inside).form != CollectionForm::Wrapper &&
                           input.isHeldOnlyBy(inside->object, collection.object);
    if (!isOnlyOne) {
      views.push_back(collection.object);
      continue;
    }
    inside->isPart = true;
    collection.storage[0] = inside->storage[0];
    collection.count = collection.used = inside->count;
    collection.capacity = inside->capacity;
  }
  leaveOut(views);
}

void CollectionSurvey::markStorage(const InsightInput& input) {
  std::vector<std::uint32_t> damaged;  // with the table of another one; ascending
  for (const SurveyedCollection& collection : collections()) {
    const SurveyedType& type = typeOf(collection);
    if (type.form == CollectionForm::Chains && m_isStorage[collection.storage[0]]) {
      damaged.push_back(collection.object);
      continue;
    }
    for (const std::uint32_t array : collection.storage) {
      if (array != kNone) m_isStorage[array] = true;
    }
    if (type.form != CollectionForm::Chains && type.form != CollectionForm::Segments) continue;
    for (const std::uint32_t part : linkedParts(input, type, collection, false)) m_isStorage[part] = true;
  }
  leaveOut(damaged);
}

void CollectionSurvey::leaveOut(const std::vector<std::uint32_t>& objects) {
  if (objects.empty()) return;
  const auto all = mutableCollections();
  const auto left = std::ranges::remove_if(all, [&](const SurveyedCollection& collection) {
    return std::ranges::binary_search(objects, collection.object);
  });
  m_collections.truncate(static_cast<std::size_t>(left.begin() - all.begin()));
}

const SurveyedCollection* CollectionSurvey::find(std::uint32_t object) const {
  const auto found = std::ranges::lower_bound(collections(), object, {}, &SurveyedCollection::object);
  return found != collections().end() && found->object == object ? &*found : nullptr;
}

SurveyedCollection* CollectionSurvey::findMutable(std::uint32_t object) {
  return const_cast<SurveyedCollection*>(std::as_const(*this).find(object));
}

}  // namespace heapscape::engine
