// SPDX-License-Identifier: MIT
#include "values/reading/collection_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "values/collections/held_counts.h"
#include "values/collections/kinds/collection_kinds.h"
#include "values/instance.h"
#include "values/reading/fsharp_values.h"
#include "values/reading/known_objects.h"
#include "values/reading/slot_reader.h"
#include "values/string_object.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kReferencesToParts = 0;

CollectionDetails partsAsItems(const ValueReader& values, const FSharpParts& parts) {
  CollectionDetails details;
  details.kind = parts.isUnion ? "F# union" : "F# record";
  details.state = parts.caseName;
  SlotReader slots(values, parts.parts.size(), kReferencesToParts);
  for (const auto& [name, place] : parts.parts) {
    FieldValue part = slots.read(place.shape->slot, place.address, 0);
    CollectionItem item;
    item.label = name;
    item.key.kind = ValueKind::Null;
    item.value = std::move(part.value);
    item.valueFields = std::move(part.nested);
    item.valueAddress = place.address;
    details.items.push_back(std::move(item));
  }
  details.count = details.items.size();
  return details;
}

/// "IPAddress" of "System.Net.IPAddress", "JsonValuePrimitive" of "System.Text.Json.Nodes.JsonValuePrimitive<…>".
std::string nameOf(const Instance& instance) {
  const std::string_view name = std::string_view(instance.shape().name).substr(0, instance.shape().name.find('<'));
  return std::string(name.substr(name.rfind('.') + 1));
}

/// Details of an object that is no collection but reads better than its fields do: the parts of a record or of a
/// union's case, or the one value of an object such as an IPAddress. Nothing for every other object.
std::optional<CollectionDetails> readKnownDetails(const ValueReader& values, const Instance& instance) {
  if (const auto parts = fsharpPartsOf(instance)) return partsAsItems(values, *parts);
  if (instance.type().isValueType) return std::nullopt;  // told as what is in the box
  auto known = readKnownObject(values, instance.object(), 1);
  if (!known) return std::nullopt;
  CollectionDetails details;
  details.kind = nameOf(instance);
  details.count = 1;
  details.isHolder = true;
  CollectionItem item;
  item.label = "Value";
  item.key.kind = ValueKind::Null;
  item.value = std::move(*known);
  details.items.push_back(std::move(item));
  return details;
}

/// Turns the places of items into what lies there.
class ItemReader {
 public:
  ItemReader(const ValueReader& values, const CollectionFacts& facts) : m_values(values), m_facts(facts) {}

  std::vector<CollectionItem> read(const ItemCollector& collector) const {
    std::vector<CollectionItem> items;
    items.reserve(collector.places().size());
    std::uint64_t index = collector.first();
    for (const ItemPlace& place : collector.places()) items.push_back(read(place, index++));
    return items;
  }

 private:
  CollectionItem read(const ItemPlace& place, std::uint64_t index) const {
    CollectionItem item;
    item.keyAddress = place.key;
    item.valueAddress = place.value;
    item.key.kind = ValueKind::Null;
    if (m_facts.hasKeys && !place.key && place.label.size() > 2) {
      // A name in the text of JSON: "[\"name\"]" is all that there is of it.
      item.key = {.kind = ValueKind::Known, .text = place.label.substr(1, place.label.size() - 2), .isString = true};
    } else if (m_facts.hasKeys) {
      FieldValue key = m_values.readValue(m_facts.keyType, place.key);
      item.key = std::move(key.value);
      item.keyFields = std::move(key.nested);
    }
    if (place.known) {
      item.value = *place.known;
    } else {
      FieldValue value = m_values.readValue(place.valueType ? place.valueType : m_facts.valueType, place.value);
      item.value = std::move(value.value);
      item.valueFields = std::move(value.nested);
    }
    item.label = place.label.empty() ? labelOf(item, index) : place.label;
    return item;
  }

  std::string labelOf(const CollectionItem& item, std::uint64_t index) const {
    switch (m_facts.labels) {
      case ItemLabels::Index:
        return fmt::format("[{}]", index);
      case ItemLabels::Key:
        return fmt::format("[{}]", item.key.text);
      case ItemLabels::None:
        break;
    }
    return {};
  }

  const ValueReader& m_values;
  const CollectionFacts& m_facts;
};

std::string nameOf(const ValueReader& values, TypeHandle type) {
  return type ? values.sources().readers.names.nameOf(type) : std::string();
}

std::optional<CollectionDetails> describe(const ValueReader& values, const RecognisedCollection& recognised,
                                          std::size_t limit) {
  CollectionDetails details;
  details.kind = recognised.kind->name;
  const auto collection = openCollection(recognised);
  if (!collection) {
    if (collection.error().code == ErrorCode::NotFound) return std::nullopt;
    details.damage = collection.error().what;
    return details;
  }
  const CollectionFacts& facts = (*collection)->facts();
  details.hasKeys = facts.hasKeys;
  details.keyType = nameOf(values, facts.keyType);
  details.valueType = nameOf(values, facts.valueType);
  details.count = facts.count;
  details.capacity = facts.capacity;
  details.state = facts.state;
  details.isHolder = facts.isHolder;
  ItemCollector collector(0, limit, {});
  const std::string damage = limit ? (*collection)->collect(collector) : std::string();
  details.items = ItemReader(values, facts).read(collector);
  details.damage = facts.damage.empty() ? damage : facts.damage;
  const AddressSpace& memory = values.sources().readers.runtime.memory();
  if (facts.count == 0 && (facts.capacity > 0 || !details.damage.empty()) && !hasCounts(memory)) {
    details.state.clear();
    details.damage = "How much of it is in use was left out of this copy of a dump.";
  }
  return details;
}

std::optional<CollectionDetails> describe(const ValueReader& values, const Instance& instance, std::size_t limit) {
  const auto recognised = recogniseCollection(instance);
  auto details = recognised ? describe(values, *recognised, limit) : std::nullopt;
  return details ? details : readKnownDetails(values, instance);
}

}  // namespace

std::optional<CollectionDetails> CollectionReader::readAs(const RecognisedCollection& recognised,
                                                          std::size_t limit) const {
  return describe(m_values, recognised, limit);
}

std::optional<CollectionDetails> CollectionReader::read(Address object, std::size_t limit) const {
  const InstanceSources sources = m_values.instances();
  const auto instance = Instance::at(sources, object);
  return instance ? describe(m_values, *instance, limit) : std::nullopt;
}

std::optional<CollectionDetails> CollectionReader::readValue(const MethodTable& type, Address fieldsStart,
                                                             std::size_t limit) const {
  const InstanceSources sources = m_values.instances();
  const TypeShape* shape = sources.shapes.find(type.address);
  return shape ? describe(m_values, Instance(sources, *shape, fieldsStart), limit) : std::nullopt;
}

Outcome<std::vector<CollectionItem>> CollectionReader::readItems(Address object, std::uint64_t first, std::size_t count,
                                                                 std::stop_token stop) const {
  const InstanceSources sources = m_values.instances();
  HEAPSCAPE_TRY(const Instance instance, Instance::at(sources, object));
  const auto recognised = recogniseCollection(instance);
  if (!recognised)
    return failure(ErrorCode::NotFound,
                   fmt::format("{} at {} is no known collection.", instance.shape().name, toString(object)));
  HEAPSCAPE_TRY(const auto collection, openCollection(*recognised));
  ItemCollector collector(first, count, std::move(stop));
  const std::string damage = count ? collection->collect(collector) : std::string();
  if (collector.isStopped()) return tl::unexpected(Unfinished::cancelled());
  if (!damage.empty() && collector.places().empty()) return failure(ErrorCode::Damaged, damage);
  return ItemReader(m_values, collection->facts()).read(collector);
}

namespace {

class ItemFinder {
 public:
  ItemFinder(const ValueReader& values, const RecognisedCollection& recognised, const Collection& collection,
             Address place)
      : m_values(values), m_kind(recognised.kind->name), m_facts(collection.facts()), m_place(place) {
    m_keyBytes = m_facts.hasKeys ? bytesOf(m_facts.keyType) : 0;
    m_valueBytes = bytesOf(m_facts.valueType);
  }

  std::optional<FoundItem> find(const Collection& collection, Address holder, std::uint64_t& looks) const {
    std::optional<FoundItem> found;
    if (const auto item = m_facts.hasKeys ? collection.itemIn(holder) : std::nullopt; item && isAround(*item)) {
      found = describe(*item);
      if (!found->isKey && found->isNamedByKey()) return found;
    }
    const std::uint64_t first = collection.itemsBefore(m_place);
    bool isThere = false;
    const auto look = [&](const ItemPlace& item) {
      isThere = isAround(item);
      if (isThere && !found) found = describe(item);
      return !isThere && looks-- > 1;
    };
    if (looks == 0) return found;
    ItemCollector collector(look, {}, first);
    collection.collect(collector);
    if (isThere) found->ordinal = collector.offered() - 1;
    return found;
  }

 private:
  std::uint64_t bytesOf(TypeHandle type) const { return m_values.shapes().slotOf(type).sizeBytes; }

  bool isWithin(Address start, std::uint64_t bytes) const {
    return start && m_place >= start && m_place - start < bytes;
  }
  bool isAround(const ItemPlace& item) const {
    return isWithin(item.value, m_valueBytes) || isWithin(item.key, m_keyBytes);
  }

  FoundItem describe(const ItemPlace& item) const {
    FoundItem found;
    found.kind = m_kind;
    found.hasKeys = m_facts.hasKeys;
    found.isKey = !isWithin(item.value, m_valueBytes);
    found.type = found.isKey ? m_facts.keyType : m_facts.valueType;
    found.innerOffset = m_place - (found.isKey ? item.key : item.value);
    if (m_facts.hasKeys) {
      found.keyType = m_values.sources().readers.names.nameOf(m_facts.keyType);
      found.key = m_values.readValue(m_facts.keyType, item.key).value;
    }
    return found;
  }

  const ValueReader& m_values;
  std::string_view m_kind;
  const CollectionFacts& m_facts;
  Address m_place;
  std::uint64_t m_keyBytes = 0, m_valueBytes = 0;
};

}  // namespace

bool FoundItem::isNamedByKey() const {
  switch (key.kind) {
    case ValueKind::Boolean:
    case ValueKind::Character:
    case ValueKind::Integer:
    case ValueKind::Enum:
    case ValueKind::Pointer:
      return true;
    case ValueKind::Reference:
      return isStringObject(key);
    default:
      return false;
  }
}

std::optional<FoundItem> findItem(const ValueReader& values, Address collection, Address holder, Address place,
                                  std::uint64_t& looks) {
  const InstanceSources sources = values.instances();
  const auto instance = Instance::at(sources, collection);
  const auto recognised = instance ? recogniseCollection(*instance) : std::nullopt;
  if (!recognised) return std::nullopt;
  const auto opened = openCollection(*recognised);
  if (!opened) return std::nullopt;
  return ItemFinder(values, *recognised, **opened, place).find(**opened, holder, looks);
}

}  // namespace heapscape::engine
