// SPDX-License-Identifier: MIT
#include "insight/collections/collection_types.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>

#include "insight/insight_input.h"
#include "values/collections/collection_kinds.h"

namespace heapscape::engine {
namespace {

/// The fields and types that tell of a kind of collection, by their names in the class library
/// (src/libraries/…/Collections, System.Private.CoreLib). Types without arguments.
struct KindOfStorage {
  std::string_view kind;  // as values/collections names it; of what is not read there the type itself
  CollectionForm form = CollectionForm::Items;
  std::string_view count = {}, free = {};
  std::array<std::string_view, 2> storage = {};
  std::array<std::string_view, 4> parts = {};
  std::string_view node = {};
  std::string_view owned = {};
};

constexpr std::array kKinds{
    KindOfStorage{.kind = "ArrayList", .count = "_size", .storage = {"_items"}},
    KindOfStorage{.kind = "Collection",
                  .form = CollectionForm::Wrapper,
                  .storage = {"items"},
                  .parts = {"System.Collections.Generic.List"}},
    KindOfStorage{.kind = "ConcurrentBag",
                  .form = CollectionForm::Segments,
                  .parts = {"System.Collections.Concurrent.ConcurrentBag+WorkStealingQueue",
                            "System.Threading.ThreadLocal", "System.Threading.ThreadLocal+LinkedSlot"}},
    KindOfStorage{.kind = "ConcurrentDictionary",
                  .form = CollectionForm::Chains,
                  .storage = {"_tables"},
                  .parts = {"System.Collections.Concurrent.ConcurrentDictionary+Tables", "System.Object"},
                  .node = "System.Collections.Concurrent.ConcurrentDictionary+Node"},
    KindOfStorage{.kind = "ConcurrentQueue",
                  .form = CollectionForm::Segments,
                  .parts = {"System.Collections.Concurrent.ConcurrentQueueSegment", "System.Object"}},
    KindOfStorage{.kind = "Dictionary",
                  .form = CollectionForm::Entries,
                  .count = "_count",
                  .free = "_freeCount",
                  .storage = {"_entries", "_buckets"},
                  .parts = {"System.Collections.Generic.Dictionary+KeyCollection",
                            "System.Collections.Generic.Dictionary+ValueCollection"}},
    KindOfStorage{.kind = "HashSet",
                  .form = CollectionForm::Entries,
                  .count = "_count",
                  .free = "_freeCount",
                  .storage = {"_entries", "_buckets"}},
    KindOfStorage{.kind = "Hashtable", .form = CollectionForm::Buckets, .count = "_count", .storage = {"_buckets"}},
    KindOfStorage{.kind = "LinkedList",
                  .form = CollectionForm::Nodes,
                  .count = "count",
                  .node = "System.Collections.Generic.LinkedListNode"},
    KindOfStorage{.kind = "List", .count = "_size", .storage = {"_items"}},
    KindOfStorage{.kind = "ObservableCollection",
                  .form = CollectionForm::Wrapper,
                  .storage = {"items"},
                  .parts = {"System.Collections.Generic.List",
                            "System.Collections.ObjectModel.ObservableCollection+SimpleMonitor"}},
    KindOfStorage{.kind = "PriorityQueue", .count = "_size", .storage = {"_nodes"}},
    KindOfStorage{.kind = "Queue", .count = "_size", .storage = {"_array"}},
    KindOfStorage{.kind = "ReadOnlyCollection",
                  .form = CollectionForm::Wrapper,
                  .storage = {"list"},
                  .parts = {"System.Collections.Generic.List"}},
    KindOfStorage{.kind = "SortedDictionary",
                  .form = CollectionForm::Wrapper,
                  .storage = {"_set"},
                  .parts = {"System.Collections.Generic.TreeSet",
                            "System.Collections.Generic.SortedDictionary+KeyValuePairComparer",
                            "System.Collections.Generic.SortedDictionary+KeyCollection",
                            "System.Collections.Generic.SortedDictionary+ValueCollection"},
                  .node = "System.Collections.Generic.SortedSet+Node"},
    KindOfStorage{.kind = "SortedList", .form = CollectionForm::Pairs, .count = "_size", .storage = {"values", "keys"}},
    KindOfStorage{.kind = "SortedSet",
                  .form = CollectionForm::Nodes,
                  .count = "count",
                  .node = "System.Collections.Generic.SortedSet+Node"},
    KindOfStorage{.kind = "Stack", .count = "_size", .storage = {"_array"}},
    KindOfStorage{.kind = "StringBuilder",
                  .form = CollectionForm::Characters,
                  .count = "m_ChunkLength",
                  .storage = {"m_ChunkChars", "m_ChunkPrevious"}},
    KindOfStorage{.kind = "System.Buffers.ArrayBufferWriter", .count = "_index", .storage = {"_buffer"}},
    KindOfStorage{
        .kind = "System.Collections.Immutable.ImmutableArray+Builder", .count = "_count", .storage = {"_elements"}},
    KindOfStorage{.kind = "System.IO.MemoryStream", .count = "_length", .storage = {"_buffer"}, .owned = "_expandable"},
};

const KindOfStorage* kindNamed(std::string_view name) {
  const auto kind = std::ranges::find(kKinds, name, &KindOfStorage::kind);
  return kind == kKinds.end() ? nullptr : &*kind;
}

/// "System.Collections.Generic.SortedSet+Node" of "System.Collections.Generic.SortedSet<System.Int32>+Node".
std::string withoutArguments(std::string_view name) {
  std::string plain;
  std::size_t depth = 0;
  for (const char c : name) {
    depth += c == '<';
    if (!depth) plain += c;
    depth -= c == '>' && depth;
  }
  return plain;
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
  explicit TypeFinder(const InsightInput& input)
      : m_input(input), m_shapes(*input.contents.readers), m_sources{*input.contents.readers, m_shapes} {
    for (std::uint32_t i = 0; i < input.contents.types->size(); ++i) {
      if (!input.ownership.isOwnType({i})) m_librarys[withoutArguments(input.row({i}).name)].push_back({i});
    }
  }

  std::vector<SurveyedType> find() const {
    std::vector<SurveyedType> types;
    for (std::uint32_t i = 0; i < m_input.contents.types->size(); ++i) {
      const TypeRow& row = m_input.row({i});
      if (row.isFree || row.componentSize) continue;
      const TypeShape* shape = m_shapes.find(row.methodTable);
      if (!shape || shape->type.isValueType) continue;
      if (auto type = typeOf({i}, *shape)) types.push_back(*std::move(type));
    }
    return types;
  }

 private:
  std::optional<SurveyedType> typeOf(TypeId id, const TypeShape& shape) const {
    Instance instance(m_sources, shape, {});
    const KindOfStorage* kind = nullptr;
    if (const auto recognised = recogniseCollection(instance)) {
      kind = kindNamed(recognised->kind->name);
      instance = recognised->instance;
      // A synchronised one has the name of what it wraps.
      if (kind && !recognised->kind->make && kind->form != CollectionForm::Wrapper) kind = nullptr;
    } else if (!m_input.ownership.isOwnType(id)) {
      kind = kindNamed(withoutArguments(shape.name));
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
  TypeShapes m_shapes;
  InstanceSources m_sources;
  std::map<std::string, std::vector<TypeId>> m_librarys;  // by name without arguments
};

}  // namespace

std::vector<SurveyedType> findCollectionTypes(const InsightInput& input) {
  return TypeFinder(input).find();
}

}  // namespace heapscape::engine
