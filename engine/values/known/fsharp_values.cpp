// SPDX-License-Identifier: MIT
#include "values/known/fsharp_values.h"

#include "metadata/names/csharp_field_name.h"
#include "values/known/fsharp_type.h"
#include "values/slot_reader.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kPartsShown = 8;
constexpr std::size_t kTextShown = 200;
constexpr std::string_view kFrameworkNames = "System.";
constexpr std::string_view kCollectionNames = "Microsoft.FSharp.Collections.";

/// The case that an instance is of: by its tag, by its class, or because no other has any fields.
const FSharpType::Case* caseOf(const FSharpType& type, const Instance& instance) {
  if (const auto tag = instance.number<std::int32_t>("_tag")) return type.caseOf(*tag);
  const RuntimeReaders& readers = instance.sources().readers;
  const Module* module = readers.modules.definingModule(readers.methodTables, instance.type());
  const auto row = readers.methodTables.typeDefRow(instance.type());
  if (!module || !module->metadata || !row) return nullptr;
  const std::string own = module->metadata->typeDefName(*row);
  if (own.size() > type.definition.size() + 1 && own.starts_with(type.definition)) {
    const std::string_view name = std::string_view(own).substr(type.definition.size() + 1);
    return type.caseNamed(name.starts_with('_') ? name.substr(1) : name);
  }
  if (type.cases.size() == 1) return &type.cases.front();
  const FSharpType::Case* only = nullptr;
  for (const FSharpType::Case& one : type.cases) {
    if (one.fields.empty()) continue;
    if (only) return nullptr;
    only = &one;
  }
  return only;
}

/// The record or union that an instance belongs to; the class of a case derives from its union.
std::optional<FSharpType> typeOf(const Instance& instance) {
  const std::string& name = instance.shape().name;
  if (name.starts_with(kFrameworkNames) || name.starts_with(kCollectionNames)) return std::nullopt;
  const InstanceSources& sources = instance.sources();
  auto type = readFSharpType(sources.readers, instance.type());
  if (type || instance.type().isValueType || !instance.type().parent) return type;
  const TypeShape* parent = sources.shapes.find(instance.type().parent);
  if (parent && !parent->name.starts_with(kFrameworkNames)) type = readFSharpType(sources.readers, parent->type);
  return type && type->isUnion ? type : std::nullopt;
}

/// "Age" of "Age@", "radius" of "_radius", "Item1" of "item1".
std::string partName(std::string_view field) {
  std::string name(csharpFieldName(field));
  if (name.starts_with('_')) return name.substr(1);
  if (name.starts_with("item")) name.front() = 'I';
  return name;
}

}  // namespace

bool isFSharpValue(const Instance& instance) {
  return typeOf(instance).has_value();
}

std::optional<FSharpParts> fsharpPartsOf(const Instance& instance) {
  const auto type = typeOf(instance);
  if (!type) return std::nullopt;
  FSharpParts parts{.isUnion = type->isUnion, .caseName = {}, .parts = {}};
  const FSharpType::Case* one = type->isUnion ? caseOf(*type, instance) : nullptr;
  if (type->isUnion && !one) return std::nullopt;
  if (one) parts.caseName = one->name;
  for (const std::string& field : one ? one->fields : type->fields) {
    const auto place = instance.field(field);
    if (!place) return std::nullopt;
    parts.parts.push_back({partName(field), *place});
  }
  return parts;
}

std::optional<Value> readFSharpValue(const ValueReader& reader, const Instance& instance, std::size_t references) {
  const auto parts = fsharpPartsOf(instance);
  if (!parts) return std::nullopt;
  Value value{.kind = ValueKind::Known, .text = parts->isUnion ? parts->caseName : "{ "};
  if (parts->isUnion && parts->parts.empty()) return value;
  if (parts->isUnion) value.text += '(';
  SlotReader slots(reader, 1, references);
  for (std::size_t i = 0; i < parts->parts.size(); ++i) {
    if (i) value.text += ", ";
    if (i == kPartsShown || value.text.size() > kTextShown) {
      value.text += "…";
      break;
    }
    const auto& [name, place] = parts->parts[i];
    const Value part = slots.read(place.shape->slot, place.address, 0).value;
    if (!parts->isUnion) value.text += name + " = ";
    value.text += part.kind == ValueKind::Damaged ? "?" : part.text;
    value.isString |= part.isString;
  }
  value.text += parts->isUnion ? ")" : " }";
  return value;
}

}  // namespace heapscape::engine
