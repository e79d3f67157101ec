// SPDX-License-Identifier: MIT
#include "values/reading/fsharp_values.h"

#include "metadata/names/generated_names.h"
#include "values/reading/slot_reader.h"
#include "values/type_shapes.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kPartsShown = 8;
constexpr std::size_t kTextShown = 200;

/// The record or union that an instance belongs to.
const FSharpDeclaration* declarationOf(const Instance& instance) {
  return instance.sources().shapes.fsharpType(instance.shape());
}

/// The case that an instance is of: by its tag, or because its type leaves no other.
const FSharpType::Case* caseOf(const FSharpDeclaration& declaration, const Instance& instance) {
  if (const auto tag = instance.number<std::int32_t>("_tag")) return declaration.type.caseOf(*tag);
  return declaration.onlyCase;
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
  return declarationOf(instance) != nullptr;
}

std::optional<FSharpParts> fsharpPartsOf(const Instance& instance) {
  const FSharpDeclaration* declaration = declarationOf(instance);
  if (!declaration) return std::nullopt;
  const FSharpType& type = declaration->type;
  FSharpParts parts{.isUnion = type.isUnion, .caseName = {}, .parts = {}};
  const FSharpType::Case* one = type.isUnion ? caseOf(*declaration, instance) : nullptr;
  if (type.isUnion && !one) return std::nullopt;
  if (one) parts.caseName = one->name;
  for (const std::string& field : one ? one->fields : type.fields) {
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
