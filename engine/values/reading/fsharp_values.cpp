// SPDX-License-Identifier: MIT
#include "values/reading/fsharp_values.h"

#include <algorithm>

#include "values/reading/slot_reader.h"
#include "values/type_shapes.h"

namespace heapscape::engine {
namespace {

constexpr std::size_t kPartsShown = 8;
constexpr std::size_t kTextShown = 200;

const FSharpDeclaration* declarationOf(const Instance& instance) {
  return instance.sources().shapes.fsharpType(instance.shape());
}

/// The case that an instance is of: by its tag, or because its type leaves no other. Null where that is not certain, or
/// where a part is not known.
const FSharpCase* caseOf(const FSharpDeclaration& declaration, const Instance& instance) {
  const FSharpCase* one = declaration.onlyCase;
  std::int32_t tag = 0;
  if (declaration.tag && instance.memory().tryRead(instance.placeOf(*declaration.tag).address, tag))
    one = tag >= 0 && static_cast<std::size_t>(tag) < declaration.cases.size()
              ? &declaration.cases[static_cast<std::size_t>(tag)]
              : nullptr;
  return one && one->isWhole ? one : nullptr;
}

}  // namespace

bool isFSharpValue(const Instance& instance) {
  return declarationOf(instance) != nullptr;
}

std::optional<FSharpParts> fsharpPartsOf(const Instance& instance) {
  const FSharpDeclaration* declaration = declarationOf(instance);
  const FSharpCase* one = declaration ? caseOf(*declaration, instance) : nullptr;
  if (!one) return std::nullopt;
  FSharpParts parts{.isUnion = declaration->isUnion, .caseName = one->name, .parts = {}};
  for (const FSharpCase::Part& part : one->parts) parts.parts.push_back({part.name, instance.placeOf(*part.field)});
  return parts;
}

std::optional<Value> readFSharpValue(const ValueReader& reader, const Instance& instance, std::size_t references,
                                     std::size_t shown) {
  const FSharpDeclaration* declaration = declarationOf(instance);
  const FSharpCase* one = declaration ? caseOf(*declaration, instance) : nullptr;
  if (!one) return std::nullopt;
  const bool isUnion = declaration->isUnion;
  Value value{.kind = ValueKind::Known, .text = isUnion ? one->name : "{ "};
  if (isUnion && one->parts.empty()) return value;
  if (isUnion) value.text += '(';
  SlotReader slots(reader, 1, references);
  for (std::size_t i = 0; i < one->parts.size(); ++i) {
    if (i) value.text += ", ";
    if (i == kPartsShown || value.text.size() > std::min(kTextShown, shown)) {
      value.text += "…";
      break;
    }
    const auto& [name, field] = one->parts[i];
    if (!isUnion) value.text.append(name).append(" = ");
    value.isString |= slots.addText(field->slot, instance.placeOf(*field).address, value.text,
                                    shown - std::min(shown, value.text.size()));
  }
  value.text += isUnion ? ")" : " }";
  return value;
}

}  // namespace heapscape::engine
