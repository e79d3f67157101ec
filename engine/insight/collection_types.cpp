// SPDX-License-Identifier: MIT
#include "insight/collection_types.h"

#include <algorithm>
#include <array>

#include "values/collections/collection_kinds.h"

namespace heapscape::engine {
namespace {

/// The fields that tell of a kind of collection, by their names in the class library (src/libraries/…/Collections).
struct KindOfStorage {
  std::string_view kind;
  CollectionForm form;
  std::string_view count, free;
  std::array<std::string_view, 2> storage;
};

constexpr std::array kKinds{
    KindOfStorage{"ArrayList", CollectionForm::Items, "_size", {}, {"_items", {}}},
    KindOfStorage{"ConcurrentDictionary", CollectionForm::Chains, {}, {}, {"_tables", {}}},
    KindOfStorage{"Dictionary", CollectionForm::Entries, "_count", "_freeCount", {"_entries", "_buckets"}},
    KindOfStorage{"HashSet", CollectionForm::Entries, "_count", "_freeCount", {"_entries", "_buckets"}},
    KindOfStorage{"Hashtable", CollectionForm::Buckets, "_count", {}, {"_buckets", {}}},
    KindOfStorage{"LinkedList", CollectionForm::Nodes, "count", {}, {}},
    KindOfStorage{"List", CollectionForm::Items, "_size", {}, {"_items", {}}},
    KindOfStorage{"PriorityQueue", CollectionForm::Items, "_size", {}, {"_nodes", {}}},
    KindOfStorage{"Queue", CollectionForm::Items, "_size", {}, {"_array", {}}},
    KindOfStorage{"SortedList", CollectionForm::Pairs, "_size", {}, {"values", "keys"}},
    KindOfStorage{"SortedSet", CollectionForm::Nodes, "count", {}, {}},
    KindOfStorage{"Stack", CollectionForm::Items, "_size", {}, {"_array", {}}},
    KindOfStorage{
        "StringBuilder", CollectionForm::Characters, "m_ChunkLength", {}, {"m_ChunkChars", "m_ChunkPrevious"}},
};

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
                         type.kind == "SortedList" || type.kind == "PriorityQueue";
    type.valueBytes = kReferenceBytes;
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

}  // namespace

std::vector<SurveyedType> findCollectionTypes(const Contents& contents) {
  const TypeShapes shapes(*contents.readers);
  const InstanceSources sources{*contents.readers, shapes};
  std::vector<SurveyedType> types;
  for (std::uint32_t i = 0; i < contents.types->size(); ++i) {
    const TypeRow& row = (*contents.types)[i];
    if (row.isFree || row.componentSize) continue;
    const TypeShape* shape = shapes.find(row.methodTable);
    if (!shape || shape->type.isValueType) continue;
    const auto recognised = recogniseCollection(Instance(sources, *shape, {}));
    if (!recognised || !recognised->kind->make) continue;
    const auto kind = std::ranges::find(kKinds, recognised->kind->name, &KindOfStorage::kind);
    if (kind == kKinds.end()) continue;
    auto made = TypeMaker(sources, recognised->instance).make({i}, *kind);
    if (!made) continue;
    made->isLibrarys = recognised->instance.type().address == row.methodTable;
    types.push_back(*made);
  }
  return types;
}

}  // namespace heapscape::engine
