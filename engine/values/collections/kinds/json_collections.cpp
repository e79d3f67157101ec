// SPDX-License-Identifier: MIT
#include "values/collections/kinds/collection_makers.h"

#include <fmt/format.h>

#include "values/collections/collection.h"
#include "values/json_text.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kJsonTextShown = 200;  // characters of a part

/// Members or elements that lie in the text.
class JsonParts : public Collection {
 public:
  JsonParts(CollectionFacts facts, const JsonPlace& parent) : Collection(std::move(facts)), m_parent(parent) {}

  std::string collect(ItemCollector& items) const override {
    return m_parent.text.forEachChild(m_parent.place, [&](std::uint64_t place, std::uint64_t name) {
      if (items.unwanted()) {
        items.skip(1);
        return true;
      }
      ItemPlace item;
      if (facts().hasKeys) item.label = fmt::format("[{}]", m_parent.text.valueAt(name, kJsonTextShown).text);
      item.known = m_parent.text.valueAt(place, kJsonTextShown);
      return items.offer(std::move(item));
    });
  }

 private:
  JsonPlace m_parent;
};

Result<std::unique_ptr<Collection>> overParts(const Instance& owner, const JsonPlace& parent) {
  HEAPSCAPE_TRY(const JsonText::Part part, parent.text.part(parent.place));
  const bool isObject = part.kind == JsonText::Kind::Object;
  if (!isObject && part.kind != JsonText::Kind::Array)
    return failure(ErrorCode::NotFound, "The JSON is a single value.");
  CollectionFacts facts{.labels = isObject ? ItemLabels::Key : ItemLabels::Index, .hasKeys = isObject};
  if (isObject) {
    HEAPSCAPE_TRY(facts.keyType, owner.sources().readers.runtime.globalPointer("StringMethodTable"));
  }
  facts.damage = parent.text.forEachChild(parent.place, [&](std::uint64_t, std::uint64_t) { return ++facts.count; });
  return std::make_unique<JsonParts>(std::move(facts), parent);
}

/// Content of a node: its own storage, or a part of the text that nobody has looked into, or nothing.
Result<std::unique_ptr<Collection>> overNode(const Instance& node, std::string_view storage, CollectionMaker make) {
  HEAPSCAPE_TRY(const Address own, node.reference(storage));
  if (own) {
    HEAPSCAPE_TRY(const Instance inside, Instance::at(node.sources(), own));
    return make(inside);
  }
  HEAPSCAPE_TRY(const Instance parsed, node.inner("_jsonElement"));
  HEAPSCAPE_TRY(const auto isParsed, parsed.number<std::uint8_t>("hasValue"));
  if (!isParsed) {
    const bool isObject = make == makeJsonProperties;
    CollectionFacts facts{.labels = isObject ? ItemLabels::Key : ItemLabels::Index, .hasKeys = isObject};
    return std::make_unique<FewItems>(std::move(facts), std::vector<ItemPlace>{});
  }
  HEAPSCAPE_TRY(const Instance element, parsed.inner("value"));
  return makeJsonElement(element);
}

}  // namespace

Result<std::unique_ptr<Collection>> makeJsonDocument(const Instance& document) {
  HEAPSCAPE_TRY(const JsonText text, JsonText::of(document));
  return overParts(document, {text, 0});
}

Result<std::unique_ptr<Collection>> makeJsonElement(const Instance& element) {
  HEAPSCAPE_TRY(const Address document, element.reference("_parent"));
  if (!document) return failure(ErrorCode::NotFound, "The element is undefined.");
  HEAPSCAPE_TRY(const JsonPlace place, jsonPlaceOf(element));
  return overParts(element, place);
}

Result<std::unique_ptr<Collection>> makeJsonObject(const Instance& object) {
  return overNode(object, "_dictionary", makeJsonProperties);
}

Result<std::unique_ptr<Collection>> makeJsonArray(const Instance& array) {
  return overNode(array, "_list", makeList);
}

// JsonPropertyDictionary on .NET 8, a list of pairs beside its index; from .NET 9 on an OrderedDictionary.
Result<std::unique_ptr<Collection>> makeJsonProperties(const Instance& dictionary) {
  if (!dictionary.field("_propertyList")) return makeOrderedDictionary(dictionary);
  HEAPSCAPE_TRY(const Instance list, dictionary.follow("_propertyList"));
  HEAPSCAPE_TRY(const ManagedArray pairs, readArray(list, kListArray.array));
  CollectionFacts facts{.labels = ItemLabels::Key, .hasKeys = true, .capacity = pairs.count};
  HEAPSCAPE_TRY(facts.count, list.count(kListArray.count));
  HEAPSCAPE_TRY(facts.keyType, dictionary.sources().readers.runtime.globalPointer("StringMethodTable"));
  HEAPSCAPE_TRY(facts.valueType, dictionary.typeArgument(0));
  return overPairs(dictionary, std::move(facts), pairs, "key", "value");
}

}  // namespace heapscape::engine
