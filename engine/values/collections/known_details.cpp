// SPDX-License-Identifier: MIT
#include "values/collections/known_details.h"

#include "values/known/fsharp_values.h"
#include "values/known/known_objects.h"
#include "values/slot_reader.h"

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

}  // namespace

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

}  // namespace heapscape::engine
